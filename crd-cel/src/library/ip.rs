//! IP addresses.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/ip.go`.

use super::binding::{Binding, Cost, parsing};
use super::costs::two_traversals;
use super::estimate::Kubernetes;
use super::row::{NamedType, Row, Sig, sig};
use crate::domain::netip::Addr;
use crate::error::EvalError;
use crate::types::type_names;
use crate::value::{Opaque, Value};

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

/// The types that have a name.
pub(super) const TYPES: &[NamedType] =
    &[NamedType::new(type_names::IP, Sig::Opaque(type_names::IP))];

pub(super) const OVERLOADS: &[Row] = &[
    Row::function(
        "ip",
        "string_to_ip",
        sig!((string) -> IP),
        parsing(|_, args| parse_with(args, |_, addr| Value::Opaque(Opaque::Ip(addr)))).once(),
    )
    .kubernetes(Kubernetes::Parse)
    .costed_by_name(),
    Row::method(
        "family",
        "ip_family",
        sig!((IP) -> int),
        Binding::new(|_, args| {
            property(args, |addr| Value::Int(if addr.bit_len() == 32 { 4 } else { 6 }))
        }),
    ),
    Row::function(
        "ip.isCanonical",
        "ip_is_canonical",
        sig!((string) -> bool),
        Binding::new(|_, args| {
            parse_with(args, |text, addr| Value::Bool(addr.to_string() == text))
        })
        .costing(Cost::Of(two_traversals)),
    )
    .kubernetes(Kubernetes::ParseTwice)
    .costed_by_name(),
    Row::method(
        "isUnspecified",
        "ip_is_unspecified",
        sig!((IP) -> bool),
        Binding::new(|_, args| property(args, |addr| Value::Bool(addr.is_unspecified()))),
    ),
    Row::method(
        "isLoopback",
        "ip_is_loopback",
        sig!((IP) -> bool),
        Binding::new(|_, args| property(args, |addr| Value::Bool(addr.is_loopback()))),
    ),
    Row::method(
        "isLinkLocalMulticast",
        "ip_is_link_local_multicast",
        sig!((IP) -> bool),
        Binding::new(|_, args| property(args, |addr| Value::Bool(addr.is_link_local_multicast()))),
    ),
    Row::method(
        "isLinkLocalUnicast",
        "ip_is_link_local_unicast",
        sig!((IP) -> bool),
        Binding::new(|_, args| property(args, |addr| Value::Bool(addr.is_link_local_unicast()))),
    ),
    Row::method(
        "isGlobalUnicast",
        "ip_is_global_unicast",
        sig!((IP) -> bool),
        Binding::new(|_, args| property(args, |addr| Value::Bool(addr.is_global_unicast()))),
    ),
    Row::function(
        "isIP",
        "is_ip",
        sig!((string) -> bool),
        parsing(|_, args| match args {
            [Value::String(text)] => Ok(Value::Bool(Addr::parse_plain(text).is_ok())),
            _ => Err(EvalError::NO_SUCH_OVERLOAD),
        }),
    )
    .kubernetes(Kubernetes::Parse)
    .costed_by_name(),
    Row::function(
        "string",
        "ip_to_string",
        sig!((IP) -> string),
        Binding::new(|_, args| property(args, |addr| Value::string(addr.to_string()))),
    ),
];

fn parse_with<'a>(args: &[Value<'a>], result: fn(&str, Addr) -> Value<'a>) -> Result<'a> {
    match args {
        [Value::String(text)] => match Addr::parse_plain(text) {
            Ok(addr) => Ok(result(text, addr)),
            Err(error) => Err(error.into()),
        },
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

fn property<'a>(args: &[Value<'a>], property: fn(Addr) -> Value<'a>) -> Result<'a> {
    match args {
        [Value::Opaque(Opaque::Ip(addr))] => Ok(property(*addr)),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}
