//! IP address ranges in CIDR notation.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/cidr.go`.

use super::Declarations;
use super::ip::ip;
use crate::types::Type;

/// The name of the type of CIDR ranges.
pub(crate) const TYPE_NAME: &str = "net.CIDR";

fn cidr() -> Type {
    Type::opaque(TYPE_NAME)
}

/// Declares the library's functions and types.
pub(crate) fn declare(d: &mut Declarations) {
    d.type_name(TYPE_NAME, cidr());
    d.function("cidr", "string_to_cidr", [Type::String], cidr());
    d.method("containsIP", "cidr_contains_ip_string", [cidr(), Type::String], Type::Bool);
    d.method("containsIP", "cidr_contains_ip_ip", [cidr(), ip()], Type::Bool);
    d.method("containsCIDR", "cidr_contains_cidr_string", [cidr(), Type::String], Type::Bool);
    d.method("containsCIDR", "cidr_contains_cidr", [cidr(), cidr()], Type::Bool);
    d.method("ip", "cidr_ip", [cidr()], ip());
    d.method("prefixLength", "cidr_prefix_length", [cidr()], Type::Int);
    d.method("masked", "cidr_masked", [cidr()], cidr());
    d.function("isCIDR", "is_cidr", [Type::String], Type::Bool);
    d.function("string", "cidr_to_string", [cidr()], Type::String);
}
