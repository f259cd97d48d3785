//! Addresses and names of hosts.

#[cfg(feature = "eval")]
use std::sync::LazyLock;

use crate::domain::netip::{Addr, Prefix};
#[cfg(feature = "eval")]
use crate::re2::Regex;

/// The most bytes of a host name. Source: `strfmt/default.go`, `IsHostname`.
#[cfg(feature = "eval")]
const HOSTNAME_BYTES: usize = 255;
/// The most bytes of a part of a host name. Source: `strfmt/default.go`, `IsHostname`.
#[cfg(feature = "eval")]
const LABEL_BYTES: usize = 63;

/// A host name, which may have symbols and letters of any script.
#[cfg(feature = "eval")]
pub(super) fn is_hostname(text: &str) -> bool {
    text.len() <= HOSTNAME_BYTES
        && text.split('.').all(|label| label.len() <= LABEL_BYTES)
        && HOSTNAME.is_match(text)
}

/// An address with a `.` in it, so also an IPv6 address that embeds an IPv4 one. Leading zeros are
/// accepted.
pub(super) fn is_ipv4(text: &str) -> bool {
    text.contains('.') && Addr::parse_sloppy(text).is_some()
}

/// An address with a `:` in it and without a zone.
pub(super) fn is_ipv6(text: &str) -> bool {
    text.contains(':') && matches!(Addr::parse(text), Ok((_, "")))
}

/// An address and the length of a prefix. Leading zeros are accepted in both.
pub(super) fn is_cidr(text: &str) -> bool {
    Prefix::parse_sloppy(text).is_some()
}

/// A hardware address of 6, 8 or 20 bytes: pairs of digits separated by `:` or `-`, groups of four
/// separated by `.`, or digits without separators.
///
/// Source: Go 1.26 `net/mac.go`, `ParseMAC`.
pub(super) fn is_mac(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (separator, group) = match (bytes.get(2), bytes.get(4)) {
        (Some(separator @ (b':' | b'-')), _) => (Some(*separator), 2),
        (_, Some(b'.')) => (Some(b'.'), 4),
        _ => (None, 2),
    };
    let mut digits = 0;
    for (i, byte) in bytes.iter().enumerate() {
        let separates = separator.is_some_and(|_| i % (group + 1) == group);
        if separates == byte.is_ascii_hexdigit() || (separates && Some(*byte) != separator) {
            return false;
        }
        digits += usize::from(!separates);
    }
    let ends_with_digit = bytes.last().is_some_and(u8::is_ascii_hexdigit);
    ends_with_digit && digits % group == 0 && matches!(digits, 12 | 16 | 40)
}

/// Source: `strfmt/default.go`, `HostnamePattern`.
#[cfg(feature = "eval")]
static HOSTNAME: LazyLock<Regex> = LazyLock::new(|| {
    super::pattern(concat!(
        r"^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)",
        r"|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}",
        r"([a-zA-Z\p{L}]){2,63})$"
    ))
});
