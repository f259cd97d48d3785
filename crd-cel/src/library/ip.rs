//! IP addresses.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/ip.go`.

use super::Declarations;
use crate::types::Type;

/// The name of the type of IP addresses.
pub(crate) const TYPE_NAME: &str = "net.IP";

pub(super) fn ip() -> Type {
    Type::opaque(TYPE_NAME)
}

/// Declares the library's functions and types.
pub(crate) fn declare(d: &mut Declarations) {
    d.type_name(TYPE_NAME, ip());
    d.function("ip", "string_to_ip", [Type::String], ip());
    d.method("family", "ip_family", [ip()], Type::Int);
    d.function("ip.isCanonical", "ip_is_canonical", [Type::String], Type::Bool);
    d.method("isUnspecified", "ip_is_unspecified", [ip()], Type::Bool);
    d.method("isLoopback", "ip_is_loopback", [ip()], Type::Bool);
    d.method("isLinkLocalMulticast", "ip_is_link_local_multicast", [ip()], Type::Bool);
    d.method("isLinkLocalUnicast", "ip_is_link_local_unicast", [ip()], Type::Bool);
    d.method("isGlobalUnicast", "ip_is_global_unicast", [ip()], Type::Bool);
    d.function("isIP", "is_ip", [Type::String], Type::Bool);
    d.function("string", "ip_to_string", [ip()], Type::String);
}
