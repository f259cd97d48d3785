//! The string formats of OpenAPI that the server knows, and the checks of strings against them.
//!
//! Each format accepts what the server accepts, which can be more than its standard does: `ipv4`
//! accepts `::ffff:1.2.3.4`. The numeric formats (`int32`, `double`, ..) are not here, because they
//! are ranges, and neither is the list of formats that a version of the server ignores.
//!
//! Source: kube-openapi `pkg/validation/strfmt`, and the parts of govalidator that it includes.

mod email;
mod identifiers;
mod network;

#[cfg(feature = "eval")]
use std::sync::LazyLock;

use crate::domain::strfmt;
use crate::domain::url::Url;
#[cfg(feature = "eval")]
use crate::re2::Regex;
use crate::time::Duration;

/// A string format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `bsonobjectid`
    BsonObjectId,
    /// `byte`
    Byte,
    /// `cidr`
    Cidr,
    /// `creditcard`
    CreditCard,
    /// `date`
    Date,
    /// `date-time`
    DateTime,
    /// `duration`
    Duration,
    /// `email`
    Email,
    /// `hexcolor`
    HexColor,
    /// `hostname`
    Hostname,
    /// `ipv4`
    Ipv4,
    /// `ipv6`
    Ipv6,
    /// `isbn`
    Isbn,
    /// `isbn10`
    Isbn10,
    /// `isbn13`
    Isbn13,
    /// `k8s-long-name`
    K8sLongName,
    /// `k8s-short-name`
    K8sShortName,
    /// `mac`
    Mac,
    /// `password`
    Password,
    /// `rgbcolor`
    RgbColor,
    /// `ssn`
    Ssn,
    /// `uri`
    Uri,
    /// `uuid`
    Uuid,
    /// `uuid3`
    Uuid3,
    /// `uuid4`
    Uuid4,
    /// `uuid5`
    Uuid5,
}

/// The most bytes of a `k8s-short-name`. Source: `strfmt/kubernetes-extensions.go`.
const SHORT_NAME_BYTES: usize = 63;
/// The most bytes of a `k8s-long-name`. Source: `strfmt/kubernetes-extensions.go`.
const LONG_NAME_BYTES: usize = 253;

/// The format with a name. A `-` in the name is ignored; upper and lower case differ.
///
/// Source: `strfmt/format.go`, `DefaultNameNormalizer`.
pub fn find(name: &str) -> Option<Format> {
    Some(match name.replace('-', "").as_str() {
        "bsonobjectid" => Format::BsonObjectId,
        "byte" => Format::Byte,
        "cidr" => Format::Cidr,
        "creditcard" => Format::CreditCard,
        "date" => Format::Date,
        "datetime" => Format::DateTime,
        "duration" => Format::Duration,
        "email" => Format::Email,
        "hexcolor" => Format::HexColor,
        "hostname" => Format::Hostname,
        "ipv4" => Format::Ipv4,
        "ipv6" => Format::Ipv6,
        "isbn" => Format::Isbn,
        "isbn10" => Format::Isbn10,
        "isbn13" => Format::Isbn13,
        "k8slongname" => Format::K8sLongName,
        "k8sshortname" => Format::K8sShortName,
        "mac" => Format::Mac,
        "password" => Format::Password,
        "rgbcolor" => Format::RgbColor,
        "ssn" => Format::Ssn,
        "uri" => Format::Uri,
        "uuid" => Format::Uuid,
        "uuid3" => Format::Uuid3,
        "uuid4" => Format::Uuid4,
        "uuid5" => Format::Uuid5,
        _ => return None,
    })
}

/// The names of all formats.
pub const NAMES: [&str; 26] = [
    "bsonobjectid",
    "byte",
    "cidr",
    "creditcard",
    "date",
    "date-time",
    "duration",
    "email",
    "hexcolor",
    "hostname",
    "ipv4",
    "ipv6",
    "isbn",
    "isbn10",
    "isbn13",
    "k8s-long-name",
    "k8s-short-name",
    "mac",
    "password",
    "rgbcolor",
    "ssn",
    "uri",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
];

/// The names, without `-`, of the formats that a string certainly does not have.
#[cfg(feature = "compile-time")]
pub fn names_not_of(text: &str) -> Vec<String> {
    let is_not =
        |name: &&str| find(name).is_some_and(|format| format.is_valid_literal(text) == Some(false));
    NAMES.into_iter().filter(is_not).map(|name| name.replace('-', "")).collect()
}

impl Format {
    /// Whether a string has the format.
    #[cfg(feature = "eval")]
    pub fn is_valid(self, text: &str) -> bool {
        match self {
            Self::CreditCard => identifiers::is_credit_card(text),
            Self::Hostname => network::is_hostname(text),
            Self::RgbColor => RGB_COLOR.is_match(text),
            format => format.is_valid_literal(text) != Some(false),
        }
    }

    /// As [`is_valid`](Self::is_valid), without regular expressions: `None` for the formats that
    /// need one.
    pub fn is_valid_literal(self, text: &str) -> Option<bool> {
        Some(match self {
            Self::CreditCard | Self::Hostname | Self::RgbColor => return None,
            Self::BsonObjectId => text.len() == 24 && text.bytes().all(|b| b.is_ascii_hexdigit()),
            Self::Byte => strfmt::is_base64(text),
            Self::Cidr => network::is_cidr(text),
            Self::Date => strfmt::is_date(text),
            Self::DateTime => strfmt::is_date_time(text),
            Self::Duration => Duration::parse_lenient(text).is_ok(),
            Self::Email => email::is_address(text),
            Self::HexColor => {
                let digits = text.strip_prefix('#').unwrap_or(text);
                matches!(digits.len(), 3 | 6) && digits.bytes().all(|b| b.is_ascii_hexdigit())
            }
            Self::Ipv4 => network::is_ipv4(text),
            Self::Ipv6 => network::is_ipv6(text),
            Self::Isbn => identifiers::is_isbn10(text) || identifiers::is_isbn13(text),
            Self::Isbn10 => identifiers::is_isbn10(text),
            Self::Isbn13 => identifiers::is_isbn13(text),
            Self::K8sLongName => {
                text.len() <= LONG_NAME_BYTES && text.split('.').all(is_short_name)
            }
            Self::K8sShortName => text.len() <= SHORT_NAME_BYTES && is_short_name(text),
            Self::Mac => network::is_mac(text),
            Self::Password => true,
            Self::Ssn => identifiers::is_ssn(text),
            Self::Uri => Url::parse_request(text).is_ok(),
            Self::Uuid => strfmt::is_uuid(text, None),
            Self::Uuid3 => strfmt::is_uuid(text, Some(b'3')),
            Self::Uuid4 => strfmt::is_uuid(text, Some(b'4')),
            Self::Uuid5 => strfmt::is_uuid(text, Some(b'5')),
        })
    }
}

/// Lower-case letters, digits and inner `-`, at least one.
fn is_short_name(text: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    text.bytes().all(|b| allowed(b) || b == b'-')
        && text.bytes().next().is_some_and(allowed)
        && text.bytes().last().is_some_and(allowed)
}

/// Source: `govalidator/patterns.go`, `RGBcolor`.
#[cfg(feature = "eval")]
static RGB_COLOR: LazyLock<Regex> = LazyLock::new(|| {
    const COLOR: &str = r"\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*";
    pattern(&format!(r"^rgb\({COLOR},{COLOR},{COLOR}\)$"))
});

/// Compiles a pattern of this crate.
#[cfg(feature = "eval")]
fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern of this module parses: a test compiles each")
}

#[cfg(all(test, feature = "eval"))]
mod tests;
