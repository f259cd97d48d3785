//! Strings for generated objects.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use crd_cel::re2::Regex;

/// Strings that some format, pattern or length accepts, and near misses.
pub(super) const STRINGS: &[&str] = &[
    "",
    "a",
    "b",
    "abc",
    "abcdefghijklm",
    "日本",
    "é",
    "A B",
    "1",
    "0",
    "10",
    "10%",
    "-1",
    "1.5",
    "1e3",
    "true",
    "null",
    "a,b",
    "x-y",
    "x.y",
    "2024-01-01",
    "2024-02-30",
    "2024-01-01T00:00:00Z",
    "2024-01-01t00:00:00z",
    "2024-01-01T00:00:00.5+01:00",
    "1h",
    "1h30m",
    "3 days",
    "-1.5h",
    "127.0.0.1",
    "010.0.0.1",
    "::1",
    "::ffff:1.2.3.4",
    "10.0.0.0/8",
    "fe80::/10",
    "https://example.com/a?b=c",
    "/a",
    "http://",
    "mailto:x",
    "a@b",
    "a@b.c",
    "example.com",
    "example",
    "-a",
    "00:11:22:33:44:55",
    "123e4567-e89b-12d3-a456-426614174000",
    "0-306-40615-2",
    "978-0-306-40615-7",
    "4111111111111111",
    "123-45-6789",
    "#fff",
    "rgb(1,2,3)",
    "YWJj",
    "YWI=",
    "_-8=",
    "1Gi",
    "1.2.3",
    "507f1f77bcf86cd799439011",
    "\u{0}",
    "<&>",
    "\u{1F600}",
    "A\u{30a}",
    "1.2.3.4:80",
    "[::1]:443",
];

/// The strings that a pattern matches, by pattern.
static MATCHING: LazyLock<Mutex<HashMap<String, Vec<&'static str>>>> =
    LazyLock::new(Mutex::default);

/// The most patterns in the cache.
const MAX_PATTERNS: usize = 1_024;

/// Returns the strings of this module that a pattern matches.
pub(super) fn matching(pattern: &str) -> Vec<&'static str> {
    let mut all = MATCHING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = all.get(pattern) {
        return known.clone();
    }
    let Ok(regex) = Regex::new(pattern) else { return Vec::new() };
    let pool = OF_FORMATS.iter().flat_map(|(_, texts)| *texts).chain(STRINGS);
    let found: Vec<&str> = pool.copied().filter(|text| regex.is_match(text)).collect();
    if all.len() < MAX_PATTERNS {
        all.insert(pattern.to_owned(), found.clone());
    }
    found
}

/// Strings of formats, and near misses, by the names of the formats.
const OF_FORMATS: &[(&[&str], &[&str])] = &[
    (
        &["bsonobjectid"],
        &[
            "507f1f77bcf86cd799439011",
            "507F1F77BCF86CD799439011",
            "507f1f77bcf86cd79943901g",
            "507f1f77",
        ],
    ),
    (
        &["uri"],
        &[
            "http://a",
            "http:",
            "/a/b?c",
            "a",
            "http://[::1]:80/",
            "http://a b",
            "http://a/%zz",
            "urn:x:y",
            "//a",
        ],
    ),
    (
        &["email"],
        &[
            "a@b.c",
            "a@b",
            "\"a b\"@c.d",
            "a@[1.2.3.4]",
            "a b@c",
            "<a@b>",
            "x <a@b.c>",
            "é@b.c",
            "a@b.c.",
        ],
    ),
    (
        &["hostname"],
        &["a", "a.b", "a-b.c", "-a.b", "a..b", "a.b.", "A_b", "xn--a", "1.2.3.4", "日本.jp"],
    ),
    (
        &["ipv4"],
        &[
            "1.2.3.4",
            "10.0.0.1",
            "255.255.255.255",
            "256.0.0.1",
            "1.2.3",
            "01.2.3.4",
            "::1",
            "::ffff:1.2.3.4",
        ],
    ),
    (
        &["ipv6"],
        &[
            "::",
            "::1",
            "fe80::1%eth0",
            "1:2:3:4:5:6:7:8",
            "1:2:3:4:5:6:7",
            "::ffff:1.2.3.4",
            "1.2.3.4",
            "g::",
        ],
    ),
    (
        &["cidr"],
        &[
            "10.0.0.0/8",
            "10.0.0.1/8",
            "10.0.0.0/33",
            "::/0",
            "fe80::/129",
            "10.0.0.0",
            "010.0.0.0/8",
        ],
    ),
    (
        &["mac"],
        &[
            "00:11:22:33:44:55",
            "00-11-22-33-44-55",
            "0011.2233.4455",
            "00:11:22:33:44",
            "00:11:22:33:44:55:66:77",
        ],
    ),
    (
        &["uuid", "uuid3", "uuid4", "uuid5"],
        &[
            "123e4567-e89b-12d3-a456-426614174000",
            "a3bb189e-8bf9-3888-9912-ace4e6543002",
            "f47ac10b-58cc-4372-a567-0e02b2c3d479",
            "886313e1-3b8a-5372-9b90-0c9aee199e5d",
            "F47AC10B-58CC-4372-A567-0E02B2C3D479",
            "f47ac10b58cc4372a5670e02b2c3d479",
            "f47ac10b-58cc-4372-c567-0e02b2c3d479",
            "{f47ac10b-58cc-4372-a567-0e02b2c3d479}",
        ],
    ),
    (
        &["isbn", "isbn10", "isbn13"],
        &[
            "0306406152",
            "0-306-40615-2",
            "080442957X",
            "9780306406157",
            "978-0-306-40615-7",
            "978 0306406157",
            "0306406153",
        ],
    ),
    (
        &["creditcard"],
        &["4111111111111111", "4111 1111 1111 1111", "4111-1111-1111-1112", "378282246310005", "0"],
    ),
    (&["ssn"], &["123-45-6789", "123 45 6789", "123456789", "12-345-6789"]),
    (&["hexcolor"], &["#fff", "fff", "#ffffff", "#FFFFFG", "#ffff"]),
    (
        &["rgbcolor"],
        &["rgb(1,2,3)", "rgb( 1 , 2 , 3 )", "rgb(256,0,0)", "RGB(1,2,3)", "rgb(01,2,3)"],
    ),
    (&["byte"], &["YQ==", "YWI=", "YWJj", "YQ", "Y Q==", "YQ=\n=", "_-8=", "+/8=", "===="]),
    (
        &["date"],
        &[
            "2024-02-29",
            "2023-02-29",
            "2024-1-1",
            "0000-01-01",
            "9999-12-31",
            "2024-01-01T00:00:00Z",
        ],
    ),
    (
        &["date-time"],
        &[
            "2024-01-01T00:00:00Z",
            "2024-01-01t00:00:00z",
            "2024-01-01 00:00:00Z",
            "2024-01-01T24:00:00Z",
            "2024-01-01T23:59:60Z",
            "2024-01-01T00:00:00+24:00",
            "2024-01-01T00:00:00,5Z",
            "2024-01-01T00:00:00.123456789123Z",
            "2024-01-01T00:00Z",
        ],
    ),
    (
        &["duration"],
        &[
            "1h",
            "1h30m",
            "-1.5h",
            "1d",
            "3 weeks",
            "1µs",
            "1us",
            ".5s",
            "1",
            "0",
            "1h 1m",
            "2562047h48m",
            "+1s",
        ],
    ),
    (
        &["k8s-short-name"],
        &[
            "a",
            "a-b",
            "a.b",
            "A",
            "1a",
            "a-",
            "abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcd",
        ],
    ),
    (&["k8s-long-name"], &["a", "a.b-c", "a..b", "A.b", ".a", "a_b"]),
    (&["datetime"], &["2024-01-01T00:00:00Z", "2024-01-01", "x"]),
];

/// Returns strings of a format, and near misses; none for an unknown format.
pub(super) fn of_format(format: &str) -> &'static [&'static str] {
    OF_FORMATS.iter().find(|(names, _)| names.contains(&format)).map_or(&[], |(_, texts)| texts)
}
