//! Addresses of `std::net`, as serde writes them to JSON: strings.
//!
//! The server's formats `ipv4` and `ipv6` accept more than Rust parses, such as `::ffff:1.2.3.4` as an IPv4 address.
//! The schemas therefore have patterns that accept only what Rust parses.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

use super::{ShapeKind, schema_of, typed};
use crate::model::JsonSchemaProps;

/// 0 to 255 without leading zeros.
const OCTET: &str = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
/// 0 to 65535. Numbers of up to three digits may have leading zeros, which Rust parses too.
const PORT: &str =
    "(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9]?[0-9]{1,3})";
/// The scope of an address, which may be absent: `%` and a number below 2^32.
const SCOPE: &str = "(%(429496729[0-5]|42949672[0-8][0-9]|4294967[01][0-9]{2}|429496[0-6][0-9]{3}|\
                     42949[0-5][0-9]{4}|4294[0-8][0-9]{5}|429[0-3][0-9]{6}|42[0-8][0-9]{7}|4[01][0-9]{8}|\
                     [1-3][0-9]{9}|[1-9]?[0-9]{1,8}))?";
/// The largest number of characters that serde writes for an IPv6 address: eight groups of four digits and their
/// colons.
const IPV6_LENGTH: usize = 39;
/// `255.255.255.255`
const IPV4_LENGTH: usize = 15;
/// `:65535`
const PORT_LENGTH: usize = 6;
/// `[` and `]`, and a scope such as `%4294967295`.
const SCOPE_LENGTH: usize = 13;

fn ipv4() -> String {
    format!(r"{OCTET}(\.{OCTET}){{3}}")
}

/// Returns a pattern for addresses of hexadecimal groups, where `::` may replace groups of zeros, such as `fe80::1`,
/// and for addresses that begin with `::` and end with an IPv4 address, such as `::ffff:1.2.3.4`.
///
/// Source: RFC 4291, section 2.2.
fn ipv6() -> String {
    let group = "[0-9a-fA-F]{1,4}";
    let mut ways = vec![format!("({group}:){{7}}({group}|:)")];
    ways.extend((1..=6).map(|before| {
        let after = 7 - before;
        format!("({group}:){{{before}}}(:{group}){{1,{after}}}")
    }));
    ways.push(format!("({group}:){{1,6}}:"));
    ways.push(format!(":((:{group}){{1,7}}|:)"));
    ways.push(format!("::({group}:){{0,5}}{}", ipv4()));
    format!("({})", ways.join("|"))
}

fn matching(pattern: &str, longest: usize) -> JsonSchemaProps {
    JsonSchemaProps {
        pattern: format!("^{pattern}$"),
        max_length: i64::try_from(longest).ok(),
        ..typed("string")
    }
}

fn socket_v4() -> String {
    format!("{}:{PORT}", ipv4())
}

fn socket_v6() -> String {
    format!(r"\[{}{SCOPE}\]:{PORT}", ipv6())
}

schema_of! {
    Ipv4Addr: ShapeKind::String => matching(&ipv4(), IPV4_LENGTH);
    Ipv6Addr: ShapeKind::String => matching(&ipv6(), IPV6_LENGTH);
    IpAddr: ShapeKind::String => matching(&format!("({}|{})", ipv4(), ipv6()), IPV6_LENGTH);
    SocketAddrV4: ShapeKind::String => matching(&socket_v4(), IPV4_LENGTH + PORT_LENGTH);
    SocketAddrV6: ShapeKind::String => matching(&socket_v6(), IPV6_LENGTH + SCOPE_LENGTH + PORT_LENGTH);
    SocketAddr: ShapeKind::String => matching(
        &format!("({}|{})", socket_v4(), socket_v6()),
        IPV6_LENGTH + SCOPE_LENGTH + PORT_LENGTH,
    );
}
