//! IP addresses and prefixes as Go's `net/netip` has them, error texts included.
//!
//! Source: Go 1.26 `net/netip/netip.go`.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};

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

/// An address and a count of leading bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Prefix {
    addr: Addr,
    bits: u8,
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
            Some(b'.') => return Ok((Self::V4(parse_v4(text, text)?), "")),
            Some(b':') => return Ok(parse_v6(text)?),
            Some(_) => "missing IPv6 address",
            None => "unable to parse IP",
        };
        Err(addr_error(text, problem, "").into())
    }

    /// How many bits the address has: 32 or 128.
    pub fn bit_len(self) -> u8 {
        match self {
            Self::V4(_) => V4_BITS,
            Self::V6(_) => V6_BITS,
        }
    }

    /// Parses an address without a zone that is not an IPv4-mapped IPv6 address, as `ip(..)` in rules does.
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

    /// The address with an embedded IPv4 address taken out.
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

    /// Any address that is none of the above, nor the IPv4 broadcast address; private ones count.
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
            // Both Go and Rust shorten the first longest run of two or more zero fields; both print an
            // embedded IPv4 address with dots.
            Self::V6(addr) => addr.fmt(f),
        }
    }
}

/// The prefix of errors of ranges.
pub(crate) const PREFIX_PARSE_ERROR: &str =
    "network address parse error during conversion from string";

impl Prefix {
    /// Parses `192.168.0.0/16` or `2001:db8::/32`.
    ///
    /// # Errors
    ///
    /// Go's text, such as `netip.ParsePrefix("10.0.0.0"): no '/'`.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let error = |problem: &dyn fmt::Display| {
            ParseError::from(format!("netip.ParsePrefix({}): {problem}", quote(text)))
        };
        let (addr, bits) = text.rsplit_once('/').ok_or_else(|| error(&"no '/'"))?;
        let (addr, zone) = Addr::parse(addr).map_err(|problem| error(&problem))?;
        if !zone.is_empty() {
            return Err(error(&"IPv6 zones cannot be present in a prefix"));
        }
        let bad_bits = || error(&format_args!("bad bits after slash: {}", quote(bits)));
        let plain = bits.bytes().all(|b| b.is_ascii_digit());
        if !plain || (bits.len() > 1 && bits.starts_with('0')) {
            // Upstream reads a single digit, or a number that begins with 1 to 9.
            return Err(bad_bits());
        }
        let bits: i64 = bits.parse().map_err(|_| bad_bits())?;
        let bits = u8::try_from(bits).ok().filter(|bits| *bits <= addr.bit_len());
        Ok(Self { addr, bits: bits.ok_or_else(|| error(&"prefix length out of range"))? })
    }

    /// Parses a range whose address is not an IPv4-mapped IPv6 address, as `cidr(..)` in rules does.
    ///
    /// # Errors
    ///
    /// The texts of `k8s.io/apiserver/pkg/cel/library/cidr.go`, `parseCIDR`.
    pub fn parse_plain(text: &str) -> Result<Self, ParseError> {
        let prefix = Self::parse(text).map_err(|error| format!("{PREFIX_PARSE_ERROR}: {error}"))?;
        if prefix.addr().is_4_in_6() {
            return Err(format!("IPv4-mapped IPv6 address {} is not allowed", quote(text)).into());
        }
        Ok(prefix)
    }

    /// The address, bits beyond the prefix included.
    pub fn addr(self) -> Addr {
        self.addr
    }

    /// How many leading bits count.
    pub fn bits(self) -> u8 {
        self.bits
    }

    /// The prefix with all other bits of its address cleared.
    #[must_use]
    pub fn masked(self) -> Self {
        Self { addr: self.addr.masked(self.bits), bits: self.bits }
    }

    /// Whether an address begins with the prefix. An IPv4 address is in no IPv6 prefix, nor the other
    /// way round.
    pub fn contains(self, addr: Addr) -> bool {
        self.addr.bit_len() == addr.bit_len()
            && self.addr.masked(self.bits) == addr.masked(self.bits)
    }

    /// Whether some address is in both.
    pub fn overlaps(self, other: Self) -> bool {
        let bits = self.bits.min(other.bits);
        self.addr.bit_len() == other.addr.bit_len()
            && self.addr.masked(bits) == other.addr.masked(bits)
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.addr, self.bits)
    }
}

fn addr_error(text: &str, problem: &str, at: &str) -> String {
    let at = if at.is_empty() { String::new() } else { format!(" (at {})", quote(at)) };
    format!("ParseAddr({}): {problem}{at}", quote(text))
}

/// Parses four decimal fields; `text` is the whole address, for the error.
fn parse_v4(fields: &str, text: &str) -> Result<Ipv4Addr, String> {
    let error = |problem: &str, at: &str| Err(addr_error(text, problem, at));
    let mut octets = [0u8; 4];
    let mut field = 0;
    let mut digits = 0;
    let mut value: u32 = 0;
    for (i, c) in fields.char_indices() {
        let at = fields.get(i..).unwrap_or_default();
        match c {
            '0'..='9' => {
                if digits == 1 && value == 0 {
                    return error("IPv4 field has octet with leading zero", "");
                }
                value = value * 10 + c.to_digit(10).unwrap_or_default();
                digits += 1;
                if value > 255 {
                    return error("IPv4 field has value >255", "");
                }
            }
            '.' => {
                if digits == 0 || at == "." {
                    return error("IPv4 field must have at least one digit", at);
                }
                if field == 3 {
                    return error("IPv4 address too long", "");
                }
                store(&mut octets, field, value);
                field += 1;
                value = 0;
                digits = 0;
            }
            _ => return error("unexpected character", at),
        }
    }
    if field < 3 {
        return error("IPv4 address too short", "");
    }
    store(&mut octets, 3, value);
    Ok(octets.into())
}

fn store(octets: &mut [u8; 4], field: usize, value: u32) {
    if let (Some(octet), Ok(value)) = (octets.get_mut(field), u8::try_from(value)) {
        *octet = value;
    }
}

/// Parses eight hexadecimal fields, one run of which may be `::`, and a zone behind a `%`.
fn parse_v6(text: &str) -> Result<(Addr, &str), String> {
    let error = |problem: &str, at: &str| Err(addr_error(text, problem, at));
    let (address, zone) = match text.split_once('%') {
        Some((_, "")) => return error("zone must be a non-empty string", ""),
        Some((address, zone)) => (address, zone),
        None => (text, ""),
    };
    let mut rest = address;
    let mut fields: Vec<u16> = Vec::with_capacity(8);
    // The index of the `::` among the fields.
    let mut ellipsis = None;
    if let Some(after) = rest.strip_prefix("::") {
        ellipsis = Some(0);
        rest = after;
        if rest.is_empty() {
            return Ok((Addr::V6(Ipv6Addr::UNSPECIFIED), zone));
        }
    }
    while fields.len() < 8 {
        let end = rest.bytes().position(|b| !b.is_ascii_hexdigit()).unwrap_or(rest.len());
        let (digits, after) = rest.split_at(end);
        if digits.len() > 4 {
            return error("each group must have 4 or less digits", rest);
        }
        if digits.is_empty() {
            return error("each colon-separated field must have at least one digit", rest);
        }
        if after.starts_with('.') {
            if ellipsis.is_none() && fields.len() != 6 {
                let problem =
                    "embedded IPv4 address must replace the final 2 fields of the address";
                return error(problem, rest);
            }
            if fields.len() > 6 {
                let problem =
                    "too many hex fields to fit an embedded IPv4 at the end of the address";
                return error(problem, rest);
            }
            let [a, b, c, d] = parse_v4(rest, text)?.octets();
            fields.extend([u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])]);
            rest = "";
            break;
        }
        fields.push(u16::from_str_radix(digits, 16).unwrap_or_default());
        rest = after;
        if rest.is_empty() {
            break;
        }
        let Some(after) = rest.strip_prefix(':') else {
            return error("unexpected character, want colon", rest);
        };
        if after.is_empty() {
            return error("colon must be followed by more characters", rest);
        }
        rest = after;
        if let Some(after) = rest.strip_prefix(':') {
            if ellipsis.is_some() {
                return error("multiple :: in address", rest);
            }
            ellipsis = Some(fields.len());
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
    }
    if !rest.is_empty() {
        return error("trailing garbage after address", rest);
    }
    let missing = 8usize.saturating_sub(fields.len());
    match ellipsis {
        None if missing > 0 => return error("address string too short", ""),
        Some(_) if missing == 0 => {
            return error("the :: must expand to at least one field of zeros", "");
        }
        Some(at) => {
            fields.splice(at..at, std::iter::repeat_n(0, missing));
        }
        None => {}
    }
    let segments: [u16; 8] = fields.try_into().unwrap_or_default();
    Ok((Addr::V6(segments.into()), zone))
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
    fn refuses(text: &str, want: &str) {
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
        refuses("", "unable to parse IP");
        refuses("localhost", "unable to parse IP");
        refuses("%eth0", "missing IPv6 address");
        refuses("1.2.3", "IPv4 address too short");
        refuses("1.2.3.4.5", "IPv4 address too long");
        refuses("1.2.3.256", "IPv4 field has value >255");
        refuses("1.2.3.04", "IPv4 field has octet with leading zero");
        refuses("1..3.4", r#"IPv4 field must have at least one digit (at ".3.4")"#);
        refuses("1.2.3.", r#"IPv4 field must have at least one digit (at ".")"#);
        refuses("1.2.x.4", r#"unexpected character (at "x.4")"#);
        refuses("1.2.3.4/24", r#"unexpected character (at "/24")"#);
        refuses(":1", r#"each colon-separated field must have at least one digit (at ":1")"#);
        refuses("1:2", "address string too short");
        refuses("1:2:", r#"colon must be followed by more characters (at ":")"#);
        refuses("1::2::3", r#"multiple :: in address (at ":3")"#);
        refuses("12345::", r#"each group must have 4 or less digits (at "12345::")"#);
        refuses("1:2:3:4:5:6:7:8:9", r#"trailing garbage after address (at "9")"#);
        refuses("1:2:3:4:5:6:7::8", "the :: must expand to at least one field of zeros");
        refuses("fe80::1%", "zone must be a non-empty string");
        refuses("::1g", r#"unexpected character, want colon (at "g")"#);
        refuses(
            "1:1.2.3.4",
            r#"embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")"#,
        );
        refuses("::1.2.3", "IPv4 address too short");
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

    #[test]
    fn prefixes() {
        #[track_caller]
        fn refuses(text: &str, want: &str) {
            let want = format!("netip.ParsePrefix({text:?}): {want}");
            assert_eq!(Prefix::parse(text), Err(ParseError::from(want)));
        }
        let p = |text: &str| Prefix::parse(text).unwrap();
        let a = |text: &str| Addr::parse(text).unwrap().0;
        refuses("10.0.0.0", "no '/'");
        refuses("10.0.0/8", "ParseAddr(\"10.0.0\"): IPv4 address too short");
        refuses("10.0.0.0/33", "prefix length out of range");
        refuses("10.0.0.0/", "bad bits after slash: \"\"");
        refuses("10.0.0.0/08", "bad bits after slash: \"08\"");
        refuses("10.0.0.0/+8", "bad bits after slash: \"+8\"");
        refuses("10.0.0.0/-", "bad bits after slash: \"-\"");
        refuses("10.0.0.0/99999999999999999999", "bad bits after slash: \"99999999999999999999\"");
        refuses("fe80::%e/8", "IPv6 zones cannot be present in a prefix");
        assert_eq!(p("10.1.2.3/8").to_string(), "10.1.2.3/8");
        assert_eq!(p("10.1.2.3/8").masked().to_string(), "10.0.0.0/8");
        assert_eq!(p("2001:db8::1/0").masked().to_string(), "::/0");
        assert!(p("10.1.2.3/8").contains(a("10.255.0.0")));
        assert!(!p("10.1.2.3/8").contains(a("11.0.0.0")));
        assert!(!p("0.0.0.0/0").contains(a("::")));
        assert!(p("10.0.0.0/8").overlaps(p("10.1.0.0/16")));
        assert!(p("10.1.0.0/16").overlaps(p("10.0.0.0/8")));
        assert!(!p("10.0.0.0/8").overlaps(p("11.0.0.0/8")));
        assert!(!p("0.0.0.0/0").overlaps(p("::/0")));
    }
}
