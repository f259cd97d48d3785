//! IP address ranges in CIDR notation.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/cidr.go`.

#[cfg(feature = "eval")]
pub(super) mod calls;

use super::row::{NamedType, Row, StandsFor, rows};
use crate::basic;

/// The names of types that expressions can use as values.
pub(super) const TYPES: &[NamedType] =
    &[NamedType::new(basic::type_names::CIDR, StandsFor::Basic(basic::CIDR))];

pub(super) const OVERLOADS: &[Row] = rows! {
    "cidr": fn "string_to_cidr" (string) -> CIDR: kubernetes(Parse), gives_cost_by_function_name()
        => parsing(parse).once();
    "containsIP":
        method "cidr_contains_ip_string" (CIDR string) -> bool: kubernetes(ContainsIpText)
            => Binding::new(contains_ip).costing(Cost::Of(contains_ip_text_cost));
        method "cidr_contains_ip_ip" (CIDR IP) -> bool: kubernetes(ContainsIp), gives_cost_by_function_name()
            => Binding::new(contains_ip).costing(Cost::Of(contains_ip_cost));
    "containsCIDR":
        method "cidr_contains_cidr_string" (CIDR string) -> bool: kubernetes(ContainsCidrText)
            => Binding::new(contains_cidr).costing(Cost::Of(contains_cidr_text_cost));
        method "cidr_contains_cidr" (CIDR CIDR) -> bool: kubernetes(ContainsCidr), gives_cost_by_function_name()
            => Binding::new(contains_cidr).costing(Cost::Of(contains_cidr_cost));
    "ip": method "cidr_ip" (CIDR) -> IP
        => Binding::new(|_, args| property(args, |p| Value::Opaque(Opaque::Ip(p.addr()))));
    "prefixLength": method "cidr_prefix_length" (CIDR) -> int
        => Binding::new(|_, args| property(args, |p| Value::Int(p.bits().into())));
    "masked": method "cidr_masked" (CIDR) -> CIDR
        => Binding::new(|_, args| property(args, |p| Value::Opaque(Opaque::Cidr(p.masked()))));
    "isCIDR": fn "is_cidr" (string) -> bool: kubernetes(Parse), gives_cost_by_function_name()
        => parsing(is_valid);
    "string": fn "cidr_to_string" (CIDR) -> string
        => Binding::new(|_, args| property(args, |p| Value::string(p.to_string())));
};
