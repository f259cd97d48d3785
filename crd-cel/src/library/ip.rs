//! IP addresses.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/ip.go`.

use super::Declarations;
use super::bind::{Binding, Call, Cost, Operand, STRING_TRAVERSAL, scaled, size, traversal};
use crate::domain::netip::Addr;
use crate::error::EvalError;
use crate::types::{Type, type_names};
use crate::value::{Opaque, Value};

pub(super) fn ip() -> Type {
    Type::opaque(type_names::IP)
}

/// Declares the library's functions and types.
pub(crate) fn declare(d: &mut Declarations) {
    d.type_name(type_names::IP, ip());
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

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

/// How the overloads are evaluated.
pub(super) fn bind(overload: &str) -> Option<Binding> {
    let parsing = |call| Binding::new(call).costing(Cost::Of(traversal));
    let call: Call = match overload {
        "string_to_ip" => {
            return Some(
                parsing(|_, args| parse_with(args, |_, addr| Value::Opaque(Opaque::Ip(addr))))
                    .once(),
            );
        }
        "is_ip" => {
            return Some(parsing(|_, args| match args {
                [Value::String(text)] => Ok(Value::Bool(Addr::parse_plain(text).is_ok())),
                _ => Err(EvalError::NO_SUCH_OVERLOAD),
            }));
        }
        "ip_is_canonical" => {
            let call: Call =
                |_, args| parse_with(args, |text, addr| Value::Bool(addr.to_string() == text));
            return Some(Binding::new(call).costing(Cost::Of(two_traversals)));
        }
        "ip_family" => {
            |_, args| property(args, |addr| Value::Int(if addr.bit_len() == 32 { 4 } else { 6 }))
        }
        "ip_is_unspecified" => |_, args| property(args, |addr| Value::Bool(addr.is_unspecified())),
        "ip_is_loopback" => |_, args| property(args, |addr| Value::Bool(addr.is_loopback())),
        "ip_is_link_local_multicast" => {
            |_, args| property(args, |addr| Value::Bool(addr.is_link_local_multicast()))
        }
        "ip_is_link_local_unicast" => {
            |_, args| property(args, |addr| Value::Bool(addr.is_link_local_unicast()))
        }
        "ip_is_global_unicast" => {
            |_, args| property(args, |addr| Value::Bool(addr.is_global_unicast()))
        }
        "ip_to_string" => |_, args| property(args, |addr| Value::string(addr.to_string())),
        _ => return None,
    };
    Some(Binding::new(call))
}

/// The address is parsed, and its text compared.
fn two_traversals(operands: &[Operand<'_, '_>], _: Operand<'_, '_>) -> u64 {
    scaled(size(operands.first().copied().flatten()).saturating_mul(2), STRING_TRAVERSAL)
}

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
