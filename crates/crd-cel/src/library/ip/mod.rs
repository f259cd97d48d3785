//! IP addresses.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/ip.go`.

#[cfg(feature = "eval")]
pub(super) mod calls;

use super::row::{NamedType, Row, StandsFor, rows};
use crate::basic;

/// The names of types that expressions can use as values.
pub(super) const TYPES: &[NamedType] =
    &[NamedType::new(basic::type_names::IP, StandsFor::Basic(basic::IP))];

pub(super) const OVERLOADS: &[Row] = rows! {
    "ip": fn "string_to_ip" (string) -> IP: kubernetes(Parse), gives_cost_by_function_name()
        => parsing(parse).once();
    "family": method "ip_family" (IP) -> int => Binding::new(family);
    "ip.isCanonical": fn "ip_is_canonical" (string) -> bool:
        kubernetes(ParseTwice), gives_cost_by_function_name()
        => Binding::new(is_canonical).costing(Cost::Of(two_traversals));
    "isUnspecified": method "ip_is_unspecified" (IP) -> bool
        => Binding::new(|_, args| property(args, |ip| Value::Bool(ip.is_unspecified())));
    "isLoopback": method "ip_is_loopback" (IP) -> bool
        => Binding::new(|_, args| property(args, |ip| Value::Bool(ip.is_loopback())));
    "isLinkLocalMulticast": method "ip_is_link_local_multicast" (IP) -> bool
        => Binding::new(|_, args| property(args, |ip| Value::Bool(ip.is_link_local_multicast())));
    "isLinkLocalUnicast": method "ip_is_link_local_unicast" (IP) -> bool
        => Binding::new(|_, args| property(args, |ip| Value::Bool(ip.is_link_local_unicast())));
    "isGlobalUnicast": method "ip_is_global_unicast" (IP) -> bool
        => Binding::new(|_, args| property(args, |ip| Value::Bool(ip.is_global_unicast())));
    "isIP": fn "is_ip" (string) -> bool: kubernetes(Parse), gives_cost_by_function_name() => parsing(is_valid);
    "string": fn "ip_to_string" (IP) -> string
        => Binding::new(|_, args| property(args, |ip| Value::string(ip.to_string())));
};
