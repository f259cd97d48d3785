//! Prefixes: ranges of IP addresses.

use std::fmt;

use super::Addr;
use super::parse::without_leading_zeros;
use crate::error::ParseError;
use crate::gofmt::quote;

/// An address and a count of leading bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Prefix {
    addr: Addr,
    bits: u8,
}

/// The beginning of the errors of `cidr(..)`.
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

    /// Parses a range as Go did before it rejected leading zeros.
    ///
    /// Source: `k8s.io/utils/internal/third_party/forked/golang/net`, `ParseCIDR`.
    pub fn parse_sloppy(text: &str) -> Option<Self> {
        let (addr, bits) = text.split_once('/')?;
        let addr = Addr::parse_sloppy(addr)?;
        let bits = without_leading_zeros(bits);
        if bits.is_empty() || !bits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let bits = bits.parse().ok().filter(|bits| *bits <= addr.bit_len())?;
        Some(Self { addr, bits })
    }

    /// The address, bits beyond the prefix included.
    pub fn addr(self) -> Addr {
        self.addr
    }

    /// The number of leading bits.
    pub fn bits(self) -> u8 {
        self.bits
    }

    /// The prefix with all other bits of its address cleared.
    #[must_use]
    pub fn masked(self) -> Self {
        Self { addr: self.addr.masked(self.bits), bits: self.bits }
    }

    /// Whether an address begins with the prefix. The prefix of one IP version contains no address of the other.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes() {
        #[track_caller]
        fn rejects(text: &str, want: &str) {
            let want = format!("netip.ParsePrefix({text:?}): {want}");
            assert_eq!(Prefix::parse(text), Err(ParseError::from(want)));
        }
        let p = |text: &str| Prefix::parse(text).unwrap();
        let a = |text: &str| Addr::parse(text).unwrap().0;
        rejects("10.0.0.0", "no '/'");
        rejects("10.0.0/8", "ParseAddr(\"10.0.0\"): IPv4 address too short");
        rejects("10.0.0.0/33", "prefix length out of range");
        rejects("10.0.0.0/", "bad bits after slash: \"\"");
        rejects("10.0.0.0/08", "bad bits after slash: \"08\"");
        rejects("10.0.0.0/+8", "bad bits after slash: \"+8\"");
        rejects("10.0.0.0/-", "bad bits after slash: \"-\"");
        rejects("10.0.0.0/99999999999999999999", "bad bits after slash: \"99999999999999999999\"");
        rejects("fe80::%e/8", "IPv6 zones cannot be present in a prefix");
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
