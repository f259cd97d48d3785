use super::*;

/// `good` and `bad` hold examples of a format.
#[track_caller]
fn check(name: &str, good: &[&str], bad: &[&str]) {
    let format = find(name).expect(name);
    for text in good {
        assert!(format.is_valid(text), "{name} should accept {text:?}");
    }
    for text in bad {
        assert!(!format.is_valid(text), "{name} should reject {text:?}");
    }
}

#[test]
fn names() {
    assert_eq!(find("date-time"), Some(Format::DateTime));
    assert_eq!(find("date--time"), Some(Format::DateTime));
    assert_eq!(find("datetime"), Some(Format::DateTime));
    assert_eq!(find("u-uid"), Some(Format::Uuid));
    assert_eq!(find("k8s-short-name"), Some(Format::K8sShortName));
    assert_eq!(find("Date"), None);
    assert_eq!(find("int32"), None);
    assert_eq!(find(""), None);
}

#[test]
fn shapes() {
    check(
        "bsonobjectid",
        &["507f1f77bcf86cd799439011", "507F1F77BCF86CD799439011"],
        &["507f1f77bcf86cd79943901", "507f1f77bcf86cd79943901g"],
    );
    check("byte", &["YQ==", "YWI=", "YWJj", "+/+/"], &["", "YQ", "YQ=", "Y===", "YQ==\n", "-_-_"]);
    check("hexcolor", &["#fff", "FFF", "#a1B2c3"], &["", "#", "#ffff", "#ggg", "##fff"]);
    check(
        "rgbcolor",
        &["rgb(0,0,0)", "rgb( 1 , 23,255 )"],
        &["rgb(256,0,0)", "rgb(00,0,0)", "RGB(0,0,0)", "rgb(0,0)", " rgb(0,0,0)"],
    );
    check("password", &["", "x"], &[]);
    check(
        "k8s-short-name",
        &["a", "a-b", "0", &"a".repeat(63)],
        &["", "-a", "a-", "A", "a.b", "é", &"a".repeat(64)],
    );
    check(
        "k8s-long-name",
        &["a", "a.b-c.0", &"a".repeat(253)],
        &["", "a..b", "a.", &"a".repeat(254)],
    );
}

#[test]
fn identifiers() {
    let uuid = |name, good: &[&str], bad: &[&str]| check(name, good, bad);
    uuid(
        "uuid",
        &["01234567-89ab-cdef-0123-456789ABCDEF", "0123456789abcdef0123456789abcdef"],
        &[
            "",
            "01234567-89ab-cdef-0123-456789ABCDE",
            "01234567-89ab-cdef-0123-456789ABCDEF0",
            "0123-456789ab-cdef-0123-456789ABCDEF",
            "{01234567-89ab-cdef-0123-456789ABCDEF}",
        ],
    );
    uuid(
        "uuid3",
        &["01234567-89ab-3def-0123-456789ABCDEF"],
        &["01234567-89ab-4def-0123-456789ABCDEF"],
    );
    uuid(
        "uuid4",
        &["01234567-89ab-4def-8123-456789ABCDEF"],
        &["01234567-89ab-4def-7123-456789ABCDEF"],
    );
    uuid(
        "uuid5",
        &["01234567-89ab-5def-B123-456789ABCDEF"],
        &["01234567-89ab-4def-b123-456789ABCDEF"],
    );
    check(
        "isbn10",
        &["0-306-40615-2", "080442957X", "0 306 40615 2"],
        &["0306406153", "030640615x", ""],
    );
    check("isbn13", &["978-0-306-40615-7"], &["9780306406158", "978030640615X", ""]);
    check("isbn", &["0306406152", "9780306406157"], &["978030640615"]);
    check(
        "creditcard",
        &["4111 1111 1111 1111", "4111-1111-1111-1111", "x378282246310005"],
        &["", "4111111111111112", "1234567812345670"],
    );
    check(
        "ssn",
        &["123-45-6789", "123 45-6789"],
        &["123456789", "123-45-678", "12-345-6789", "é23-45-678"],
    );
}

#[test]
fn network() {
    check(
        "ipv4",
        &["1.2.3.4", "01.002.3.4", "::ffff:1.2.3.4"],
        &["", "1.2.3", "256.1.1.1", "::1", "1.2.3.4/8"],
    );
    check(
        "ipv6",
        &["::1", "::ffff:1.2.3.4", "FE80::1"],
        &["", "1.2.3.4", "fe80::1%e", "::01.2.3.4", "00001::"],
    );
    check(
        "cidr",
        &["10.0.0.0/8", "010.0.0.1/08", "::/0", "00001::/128"],
        &[
            "",
            "10.0.0.0",
            "10.0.0.0/33",
            "10.0.0.0/",
            "10.0.0.0/+8",
            "::/129",
            "10.0.0/8",
            "10.0.0.0/8/8",
            "10.0.0.0/a",
        ],
    );
    check(
        "mac",
        &["00:00:5e:00:53:01", "02-00-5E-10-00-00-00-01", "0000.5e00.5301", "00005e005301"],
        &[
            "",
            "00:00:5e:00:53",
            "00:00:5e:00:53:1",
            "00:00-5e:00:53:01",
            "0000.5e00.530",
            "00:00:5e:00:53:01:",
            "0000:5e00:5301",
            "00005e00530",
        ],
    );
    check(
        "hostname",
        &["a", "a-", "example.com", "☃.net", "bücher.de", "a--b.com", &"a".repeat(63)],
        &["", "a.b", "1.2.3.4", "example.com.", "a_b", "-a", "a b", &"a".repeat(64)],
    );
    check(
        "uri",
        &["http://h", "/a", "*", "a:b", "//a", "mailto:x"],
        &["", "a", "#f", "http://a b/"],
    );
}

#[test]
fn times() {
    check(
        "date",
        &["2020-02-29", "0000-01-01"],
        &["", "2021-02-29", "2020-1-1", "2020-01-01T00:00:00Z"],
    );
    check(
        "date-time",
        &[
            "2020-01-01T00:00:00Z",
            "2020-01-01t23:59:59.5z",
            "2020-01-01T00:00:00+99:99",
            "2020-01-01T00:00:00x5-01:00",
            "2020-01-01T00:00:00é5Z",
            "2020-01-01T00:00:00ZTfoo",
        ],
        &[
            "",
            "2020-01-01",
            "2020-01-01 00:00:00Z",
            "2020-01-01T00:00:00",
            "2020-01-01T00:00:60Z",
            "2020-01-01T24:00:00Z",
            "2020-01-01T00:00:00.Z",
            "2020-01-01T00:00:00\n5Z",
            "2020-01-01T00:00:00+0100",
            "2021-02-29T00:00:00Z",
            "2020-01-01T0:00:00Z",
        ],
    );
    check(
        "duration",
        &["1h30m", "-1.5h", "0", "3 days", "foo 1 week bar"],
        &["", "3", "1mo", "1hx"],
    );
}

#[test]
fn email() {
    check(
        "email",
        &[
            "a@b",
            "Foo Bar <a@b.c>",
            "<a@b>",
            "\"q x\"@b",
            "a@[127.0.0.1]",
            "a@[::1]",
            "é@ü",
            " a@b ",
            "a@b (comment)",
            "\"Foo\" (x) <a@b>",
            "g: a@b;",
            "=?utf-8?q?Foo?= <a@b>",
            "a@b (=?utf-8?b?YQ==?=)",
        ],
        &[
            "",
            "a",
            "@b",
            "a@",
            "a@b@c",
            "a..b@c",
            ".a@b",
            "a.@b",
            "\"\"@b",
            "\"a@b",
            "a@[1.2.3]",
            "a@b, c@d",
            "g: a@b, c@d;",
            "g:;",
            "Foo a@b",
            "a@b (comment",
            "a@b>",
            "=?x?q?Foo?= <a@b>",
            "a b@c",
            "a@b\n",
            "\u{7f}@b",
        ],
    );
}
