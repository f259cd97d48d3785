//! IP addresses and prefixes, parsed and printed as by Go's `net/netip`, with its error texts.
//!
//! Source: Go 1.26 `net/netip/netip.go`.

mod parse;
mod prefix;

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};

#[cfg(feature = "eval")]
pub(crate) use prefix::PREFIX_PARSE_ERROR;
pub use prefix::Prefix;

use crate::error::ParseError;
use crate::gofmt::quote;

/// An IP address without a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Addr {
    /// IPv4
    V4(Ipv4Addr),
    /// IPv6, also one that embeds an IPv4 address.
    V6(Ipv6Addr),
}

/// Bits in an IPv4 address.
const V4_BITS: u8 = 32;
/// Bits in an IPv6 address.
const V6_BITS: u8 = 128;

impl Addr {
    /// Parses an address and its zone, which is empty if there is none.
    ///
    /// # Errors
    ///
    /// Go's text, such as `ParseAddr("1.2"): IPv4 address too short`.
    pub fn parse(text: &str) -> Result<(Self, &str), ParseError> {
        let problem = match text.find(['.', ':', '%']).and_then(|at| text.as_bytes().get(at)) {
            Some(b'.') => return Ok((Self::V4(parse::v4(text, text)?), "")),
            Some(b':') => {
                let (addr, zone) = parse::v6(text)?;
                return Ok((Self::V6(addr), zone));
            }
            Some(_) => "missing IPv6 address",
            None => "unable to parse IP",
        };
        Err(parse::error(text, problem, "").into())
    }

    /// Parses an address as Go did before it rejected leading zeros.
    ///
    /// Source: `k8s.io/utils/internal/third_party/forked/golang/net`, `ParseIP`.
    pub fn parse_sloppy(text: &str) -> Option<Self> {
        let stripped = parse::without_leading_zeros(text);
        Self::parse(&stripped).ok().filter(|(_, zone)| zone.is_empty()).map(|(addr, _)| addr)
    }

    /// The number of bits of the address: 32 or 128.
    pub fn bit_len(self) -> u8 {
        match self {
            Self::V4(_) => V4_BITS,
            Self::V6(_) => V6_BITS,
        }
    }

    /// Parses an address as `ip(..)` in rules does: zones and IPv4-mapped IPv6 addresses are errors.
    ///
    /// # Errors
    ///
    /// The texts of `k8s.io/apiserver/pkg/cel/library/ip.go`, `parseIPAddr`.
    pub fn parse_plain(text: &str) -> Result<Self, ParseError> {
        let (addr, zone) = Self::parse(text).map_err(|error| {
            format!("IP Address {} parse error during conversion from string: {error}", quote(text))
        })?;
        if !zone.is_empty() {
            return Err(format!("IP address {} with zone value is not allowed", quote(text)).into());
        }
        if addr.is_4_in_6() {
            return Err(format!("IPv4-mapped IPv6 address {} is not allowed", quote(text)).into());
        }
        Ok(addr)
    }

    /// Whether this is an IPv4-mapped IPv6 address (`::ffff:1.2.3.4`).
    pub fn is_4_in_6(self) -> bool {
        matches!(self, Self::V6(addr) if addr.to_ipv4_mapped().is_some())
    }

    /// The IPv4 address in an IPv4-mapped IPv6 address; any other address is itself.
    fn unmapped(self) -> Self {
        match self {
            Self::V6(addr) => addr.to_ipv4_mapped().map_or(self, Self::V4),
            Self::V4(_) => self,
        }
    }

    /// `0.0.0.0` or `::`
    pub fn is_unspecified(self) -> bool {
        match self {
            Self::V4(addr) => addr.is_unspecified(),
            Self::V6(addr) => addr.is_unspecified(),
        }
    }

    /// `127.0.0.0/8` or `::1`
    pub fn is_loopback(self) -> bool {
        match self.unmapped() {
            Self::V4(addr) => addr.is_loopback(),
            Self::V6(addr) => addr.is_loopback(),
        }
    }

    /// `224.0.0.0/4` or `ff00::/8`
    pub fn is_multicast(self) -> bool {
        match self.unmapped() {
            Self::V4(addr) => addr.is_multicast(),
            Self::V6(addr) => addr.is_multicast(),
        }
    }

    /// `224.0.0.0/24`, or `ff02::/16` with any flags.
    pub fn is_link_local_multicast(self) -> bool {
        match self.unmapped() {
            Self::V4(addr) => matches!(addr.octets(), [224, 0, 0, _]),
            Self::V6(addr) => addr.segments()[0] & 0xff0f == 0xff02,
        }
    }

    /// `169.254.0.0/16` or `fe80::/10`
    pub fn is_link_local_unicast(self) -> bool {
        match self.unmapped() {
            Self::V4(addr) => addr.is_link_local(),
            Self::V6(addr) => addr.is_unicast_link_local(),
        }
    }

    /// Any address that is not unspecified, loopback, multicast, link-local unicast or the IPv4 broadcast
    /// address. Private addresses count as global.
    pub fn is_global_unicast(self) -> bool {
        let addr = self.unmapped();
        let broadcast = matches!(addr, Self::V4(addr) if addr.is_broadcast());
        !broadcast
            && !addr.is_unspecified()
            && !addr.is_loopback()
            && !addr.is_multicast()
            && !addr.is_link_local_unicast()
    }

    /// The address with all but the first `bits` bits cleared.
    fn masked(self, bits: u8) -> Self {
        match self {
            Self::V4(addr) => {
                let mask = u32::MAX.checked_shl(u32::from(V4_BITS.saturating_sub(bits)));
                Self::V4((u32::from(addr) & mask.unwrap_or(0)).into())
            }
            Self::V6(addr) => {
                let mask = u128::MAX.checked_shl(u32::from(V6_BITS.saturating_sub(bits)));
                Self::V6((u128::from(addr) & mask.unwrap_or(0)).into())
            }
        }
    }
}

/// The canonical text (RFC 5952).
impl fmt::Display for Addr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::V4(addr) => addr.fmt(f),
            // Both Go and Rust shorten the first longest run of two or more zero fields; both print
            // dots only in IPv4-mapped addresses.
            Self::V6(addr) => addr.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn parses(text: &str, want: &str) {
        let got = match Addr::parse(text) {
            Ok((addr, "")) => addr.to_string(),
            Ok((addr, zone)) => format!("{addr}%{zone}"),
            Err(error) => error.to_string(),
        };
        assert_eq!(got, want, "{text}");
    }

    #[track_caller]
    fn rejects(text: &str, want: &str) {
        parses(text, &format!("ParseAddr({text:?}): {want}"));
    }

    #[test]
    fn addresses() {
        parses("192.168.0.1", "192.168.0.1");
        parses("::", "::");
        parses("::1", "::1");
        parses("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1");
        parses("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1");
        parses("1::", "1::");
        parses("::ffff:1.2.3.4", "::ffff:1.2.3.4");
        parses("::1.2.3.4", "::102:304");
        parses("64:ff9b::1.2.3.4", "64:ff9b::102:304");
        parses("fe80::1%eth0", "fe80::1%eth0");
        parses("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0");
    }

    #[test]
    fn errors_are_gos() {
        rejects("", "unable to parse IP");
        rejects("localhost", "unable to parse IP");
        rejects("%eth0", "missing IPv6 address");
        rejects("1.2.3", "IPv4 address too short");
        rejects("1.2.3.4.5", "IPv4 address too long");
        rejects("1.2.3.256", "IPv4 field has value >255");
        rejects("1.2.3.04", "IPv4 field has octet with leading zero");
        rejects("1..3.4", r#"IPv4 field must have at least one digit (at ".3.4")"#);
        rejects("1.2.3.", r#"IPv4 field must have at least one digit (at ".")"#);
        rejects("1.2.x.4", r#"unexpected character (at "x.4")"#);
        rejects("1.2.3.4/24", r#"unexpected character (at "/24")"#);
        rejects(":1", r#"each colon-separated field must have at least one digit (at ":1")"#);
        rejects("1:2", "address string too short");
        rejects("1:2:", r#"colon must be followed by more characters (at ":")"#);
        rejects("1::2::3", r#"multiple :: in address (at ":3")"#);
        rejects("12345::", r#"each group must have 4 or less digits (at "12345::")"#);
        rejects("1:2:3:4:5:6:7:8:9", r#"trailing garbage after address (at "9")"#);
        rejects("1:2:3:4:5:6:7::8", "the :: must expand to at least one field of zeros");
        rejects("fe80::1%", "zone must be a non-empty string");
        rejects("::1g", r#"unexpected character, want colon (at "g")"#);
        rejects(
            "1:1.2.3.4",
            r#"embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")"#,
        );
        rejects("::1.2.3", "IPv4 address too short");
    }

    #[test]
    fn kinds() {
        #[track_caller]
        fn check(text: &str, want: &str) {
            let (addr, _) = Addr::parse(text).unwrap();
            let kinds = [
                (addr.is_unspecified(), "unspecified"),
                (addr.is_loopback(), "loopback"),
                (addr.is_link_local_multicast(), "link-local multicast"),
                (addr.is_link_local_unicast(), "link-local unicast"),
                (addr.is_global_unicast(), "global unicast"),
            ];
            let got: Vec<_> = kinds.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
            assert_eq!(got.join(", "), want, "{text}");
        }
        check("0.0.0.0", "unspecified");
        check("::", "unspecified");
        check("127.1.2.3", "loopback");
        check("::1", "loopback");
        check("224.0.0.7", "link-local multicast");
        check("224.0.1.7", "");
        check("ff02::1", "link-local multicast");
        check("ff12::1", "link-local multicast");
        check("169.254.0.1", "link-local unicast");
        check("febf::1", "link-local unicast");
        check("10.0.0.1", "global unicast");
        check("fc00::1", "global unicast");
        check("255.255.255.255", "");
        check("239.0.0.1", "");
    }
}
