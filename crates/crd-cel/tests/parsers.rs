//! The parsers of the libraries do not panic on any text, and a printed value can be parsed again.

use crd_cel::domain::named_format::FORMATS;
use crd_cel::domain::netip::{Addr, Prefix};
use crd_cel::domain::quantity::Quantity;
use crd_cel::domain::semver::Version;
use crd_cel::domain::url::Url;
use crd_cel::kubernetes::KubernetesVersion;
use crd_cel::re2;
use crd_cel::time::{Duration, Timestamp};
use fastrand::Rng;

/// The number of texts that each test parses.
const TEXTS: usize = 20_000;

/// Fragments that the tests concatenate to texts for the parsers.
const PIECES: &[&str] = &[
    "0",
    "1",
    "9",
    "255",
    "00",
    "9223372036854775808",
    "a",
    "ff",
    "e",
    "E",
    "é",
    "ß",
    "日",
    "\u{0}",
    "\n",
    " ",
    ".",
    ":",
    "::",
    "/",
    "//",
    "%",
    "%41",
    "%zz",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "{1000}",
    "?",
    "*",
    "+",
    "-",
    "|",
    "^",
    "$",
    "\\",
    "\\p{",
    "\\x{",
    "(?",
    "(?i)",
    "[^",
    "&",
    "=",
    ";",
    "#",
    "@",
    "T",
    "Z",
    "h",
    "ms",
    "µs",
    "days",
    "Ki",
    "Ei",
    "n",
    "v",
    "rc",
    "http",
    "2020-02-29",
    "00:00:00",
    "+01:00",
];

fn texts() -> impl Iterator<Item = String> {
    let mut rng = Rng::with_seed(7);
    std::iter::repeat_with(move || {
        let pieces = rng.usize(0..9);
        (0..pieces).filter_map(|_| rng.choice(PIECES)).copied().collect()
    })
    .take(TEXTS)
}

#[test]
fn no_parser_panics() {
    for text in texts() {
        let _ = Version::parse(&text);
        let _ = Version::parse_normalized(&text);
        let _ = Timestamp::parse_date_time(&text);
        let _ = Duration::parse_lenient(&text);
        if let Ok(quantity) = Quantity::parse(&text) {
            let _ = (quantity.approximate(), quantity.as_integer());
            let one = Quantity::from_integer(1);
            let _ = (quantity.checked_add(&one), quantity.checked_sub(&quantity));
        }
        for format in &FORMATS {
            let _ = format.validate(&text, KubernetesVersion::REFERENCE);
        }
    }
}

#[test]
fn what_prints_parses_again() {
    for text in texts() {
        if let Ok((addr, _)) = Addr::parse(&text) {
            assert_eq!(Addr::parse(&addr.to_string()), Ok((addr, "")), "{text}");
        }
        if let Ok(prefix) = Prefix::parse(&text) {
            assert_eq!(Prefix::parse(&prefix.to_string()), Ok(prefix), "{text}");
        }
        if let Some(timestamp) = Timestamp::parse(&text) {
            assert_eq!(Timestamp::parse(&timestamp.to_string()), Some(timestamp), "{text}");
        }
        if let Ok(url) = Url::parse(&text) {
            let printed = url.to_string();
            let again = Url::parse(&printed).map(|url| url.to_string());
            assert_eq!(again.as_deref(), Ok(&*printed), "{text}");
        }
    }
}

#[test]
fn patterns_that_parse_compile() {
    let mut rng = Rng::with_seed(11);
    for text in texts() {
        let checked = re2::check(&text);
        // Compiling is slow without optimization.
        if rng.u8(..) < 32 {
            let compiled = re2::Regex::new(&text);
            assert_eq!(compiled.as_ref().err(), checked.as_ref().err(), "{text}");
            if let Ok(regex) = compiled {
                assert_eq!(regex.is_match(&text), regex.find(&text).is_some(), "{text}");
            }
        }
    }
}
