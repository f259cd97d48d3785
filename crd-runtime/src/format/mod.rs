//! The string formats of OpenAPI that the server knows, and which strings each accepts.
//!
//! Each format is as lenient as the server's: the texts say what passes, not what a standard asks for.
//! Deliberately absent: the numeric formats (`int32`, `double`, ..), which are ranges, and which formats
//! a version of the server ignores.
//!
//! Source: kube-openapi `pkg/validation/strfmt`, and the parts of govalidator it carries.

mod email;
mod identifiers;
mod network;

use std::sync::LazyLock;

use crd_cel::domain::strfmt;
use crd_cel::domain::url::Url;
use crd_cel::re2::Regex;
use crd_cel::time::Duration;

/// A string format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    BsonObjectId,
    Byte,
    Cidr,
    CreditCard,
    Date,
    DateTime,
    Duration,
    Email,
    HexColor,
    Hostname,
    Ipv4,
    Ipv6,
    Isbn,
    Isbn10,
    Isbn13,
    K8sLongName,
    K8sShortName,
    Mac,
    Password,
    RgbColor,
    Ssn,
    Uri,
    Uuid,
    Uuid3,
    Uuid4,
    Uuid5,
}

/// The most bytes of a `k8s-short-name`. Source: `strfmt/kubernetes-extensions.go`.
const SHORT_NAME_BYTES: usize = 63;
/// The most bytes of a `k8s-long-name`. Source: `strfmt/kubernetes-extensions.go`.
const LONG_NAME_BYTES: usize = 253;

/// The format of a name; `-` in a name does not matter, upper and lower case do.
///
/// Source: `strfmt/format.go`, `DefaultNameNormalizer`.
pub(crate) fn find(name: &str) -> Option<Format> {
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

impl Format {
    /// Whether a string is of the format.
    pub(crate) fn is_valid(self, text: &str) -> bool {
        match self {
            Self::BsonObjectId => text.len() == 24 && text.bytes().all(|b| b.is_ascii_hexdigit()),
            Self::Byte => strfmt::is_base64(text),
            Self::Cidr => network::is_cidr(text),
            Self::CreditCard => identifiers::is_credit_card(text),
            Self::Date => strfmt::is_date(text),
            Self::DateTime => strfmt::is_date_time(text),
            Self::Duration => Duration::parse_lenient(text).is_ok(),
            Self::Email => email::is_address(text),
            Self::HexColor => {
                let digits = text.strip_prefix('#').unwrap_or(text);
                matches!(digits.len(), 3 | 6) && digits.bytes().all(|b| b.is_ascii_hexdigit())
            }
            Self::Hostname => network::is_hostname(text),
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
            Self::RgbColor => RGB_COLOR.is_match(text),
            Self::Ssn => identifiers::is_ssn(text),
            Self::Uri => Url::parse_request(text).is_ok(),
            Self::Uuid => strfmt::is_uuid(text, None),
            Self::Uuid3 => strfmt::is_uuid(text, Some(b'3')),
            Self::Uuid4 => strfmt::is_uuid(text, Some(b'4')),
            Self::Uuid5 => strfmt::is_uuid(text, Some(b'5')),
        }
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
static RGB_COLOR: LazyLock<Regex> = LazyLock::new(|| {
    const COLOR: &str = r"\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*";
    pattern(&format!(r"^rgb\({COLOR},{COLOR},{COLOR}\)$"))
});

/// Compiles a pattern of our own.
fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern of this module parses: a test compiles each")
}

#[cfg(test)]
mod tests;
