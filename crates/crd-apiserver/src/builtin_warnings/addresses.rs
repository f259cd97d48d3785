//! The warnings for IP addresses and ranges that are not in canonical form.
//!
//! Source: `pkg/util/validation/ip.go` of apimachinery.

use crd_cel::domain::netip::{Addr, Prefix};
use crd_cel::gofmt::quote;
use serde_json::Value;

use super::since;

/// Adds the warnings for the address `value` at a path. Values that are no addresses are left to validation.
/// Source: `GetWarningsForIP`.
pub(super) fn warn_of_ip(path: &str, value: &str, minor: u32, warnings: &mut Vec<String>) {
    if minor < since::ADDRESSES {
        return;
    }
    let Some(sloppy) = Addr::parse_sloppy(value) else { return };
    let value_text = quote(value);
    match Addr::parse(value) {
        Ok((addr, _)) if !addr.is_4_in_6() => {
            if matches!(addr, Addr::V6(_)) && addr.to_string() != value {
                warnings.push(format!(
                    "{path}: IPv6 address {value_text} should be in RFC 5952 canonical format (\"{addr}\")"
                ));
            }
        }
        _ => warnings.push(format!(
            "{path}: non-standard IP address {value_text} {}: use \"{}\"",
            nonstandard(minor),
            go_text(sloppy)
        )),
    }
}

/// Adds the warnings for the range `value` at a path. Values that are no ranges are left to validation.
/// Source: `GetWarningsForCIDR`.
pub(super) fn warn_of_cidr(path: &str, value: &str, minor: u32, warnings: &mut Vec<String>) {
    if minor < since::ADDRESSES {
        return;
    }
    let Some(sloppy) = Prefix::parse_sloppy(value) else { return };
    let (value_text, network) = (quote(value), network(sloppy));
    let before = warnings.len();
    let addr = sloppy.addr();
    if addr != sloppy.masked().addr() {
        let (single, bits) = (go_text(addr), addr.bit_len());
        warnings.push(format!(
            "{path}: CIDR value {value_text} is ambiguous in this context (should be \"{network}\" or \
             \"{single}/{bits}\"?)"
        ));
    }
    let strict = Prefix::parse(value).ok().filter(|prefix| !prefix.addr().is_4_in_6());
    match strict {
        None => warnings.push(format!(
            "{path}: non-standard CIDR value {value_text} {}: use \"{network}\"",
            nonstandard(minor)
        )),
        Some(prefix) if warnings.len() == before && prefix.to_string() != value => {
            warnings.push(format!(
                "{path}: IPv6 CIDR value {value_text} should be in RFC 5952 canonical format (\"{prefix}\")"
            ));
        }
        Some(_) => {}
    }
}

/// Adds the warnings for a list of addresses, each in the field `key` of an item, or each an item if there is no key.
pub(super) fn warn_of_ips(
    path: &str,
    list: Option<&Value>,
    key: Option<&str>,
    minor: u32,
    warnings: &mut Vec<String>,
) {
    for (index, item) in list.and_then(Value::as_array).into_iter().flatten().enumerate() {
        let value = key.map_or(Some(item), |key| item.get(key));
        let dot_key = key.map(|key| format!(".{key}")).unwrap_or_default();
        let text = value.and_then(Value::as_str).unwrap_or_default();
        warn_of_ip(&format!("{path}[{index}]{dot_key}"), text, minor, warnings);
    }
}

/// Adds the warnings for a list of ranges.
pub(super) fn warn_of_cidrs(
    path: &str,
    list: Option<&Value>,
    minor: u32,
    warnings: &mut Vec<String>,
) {
    for (index, item) in list.and_then(Value::as_array).into_iter().flatten().enumerate() {
        let text = item.as_str().unwrap_or_default();
        warn_of_cidr(&format!("{path}[{index}]"), text, minor, warnings);
    }
}

/// Returns how a minor describes an address or range in a nonstandard form.
fn nonstandard(minor: u32) -> &'static str {
    match minor {
        since::INVALID_ADDRESSES.. => "is invalid",
        _ => "will be considered invalid in a future Kubernetes release",
    }
}

/// Returns an address as Go's `net.IP` prints it: an IPv4-mapped IPv6 address as IPv4.
fn go_text(addr: Addr) -> String {
    match addr {
        Addr::V6(v6) => v6.to_ipv4_mapped().map_or_else(|| v6.to_string(), |v4| v4.to_string()),
        Addr::V4(v4) => v4.to_string(),
    }
}

/// Returns the network of a range as Go's `net.IPNet` prints it.
fn network(prefix: Prefix) -> String {
    /// The bits of an IPv4-mapped IPv6 address before the IPv4 address.
    const MAPPED: u8 = 96;
    let masked = prefix.masked().addr();
    let bits = prefix.bits();
    let bits = if masked.is_4_in_6() { bits.saturating_sub(MAPPED) } else { bits };
    format!("{}/{bits}", go_text(masked))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        #[track_caller]
        fn check(value: &str, want: &[&str]) {
            let mut found = Vec::new();
            warn_of_ip("a", value, 37, &mut found);
            assert_eq!(found, want);
        }
        check("10.0.0.1", &[]);
        check("2001:db8::1", &[]);
        check("nothing", &[]);
        check(
            "010.0.0.1",
            &["a: non-standard IP address \"010.0.0.1\" is invalid: use \"10.0.0.1\""],
        );
        check(
            "::ffff:1.2.3.4",
            &["a: non-standard IP address \"::ffff:1.2.3.4\" is invalid: use \"1.2.3.4\""],
        );
        check(
            "2001:DB8:0::1",
            &[
                "a: IPv6 address \"2001:DB8:0::1\" should be in RFC 5952 canonical format (\"2001:db8::1\")",
            ],
        );
    }

    #[test]
    fn ranges() {
        #[track_caller]
        fn check(value: &str, want: &[&str]) {
            let mut found = Vec::new();
            warn_of_cidr("a", value, 37, &mut found);
            assert_eq!(found, want);
        }
        check("10.0.0.0/8", &[]);
        check("10.0.0.0/33", &[]);
        check(
            "10.1.2.3/8",
            &[
                "a: CIDR value \"10.1.2.3/8\" is ambiguous in this context (should be \"10.0.0.0/8\" or \
               \"10.1.2.3/32\"?)",
            ],
        );
        check(
            "010.0.0.0/8",
            &["a: non-standard CIDR value \"010.0.0.0/8\" is invalid: use \"10.0.0.0/8\""],
        );
        check(
            "::ffff:1.2.3.0/120",
            &["a: non-standard CIDR value \"::ffff:1.2.3.0/120\" is invalid: use \"1.2.3.0/24\""],
        );
        check(
            "2001:DB8::/32",
            &[
                "a: IPv6 CIDR value \"2001:DB8::/32\" should be in RFC 5952 canonical format (\"2001:db8::/32\")",
            ],
        );
    }
}
