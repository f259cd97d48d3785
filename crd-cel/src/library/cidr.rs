//! IP address ranges in CIDR notation.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/cidr.go`.

use super::Declarations;
use super::bind::{Binding, Call, Cost, Operand, STRING_TRAVERSAL, scaled, size, traversal};
use super::ip::ip;
use crate::budget::Budget;
use crate::domain::netip::{Addr, PREFIX_PARSE_ERROR, Prefix};
use crate::error::EvalError;
use crate::minors::Change;
use crate::types::{Type, type_names};
use crate::value::{Opaque, Value};

fn cidr() -> Type {
    Type::opaque(type_names::CIDR)
}

/// Declares the library's functions and types.
pub(crate) fn declare(d: &mut Declarations) {
    d.type_name(type_names::CIDR, cidr());
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

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

/// How the overloads are evaluated.
pub(super) fn bind(overload: &str) -> Option<Binding> {
    let parsing = |call| Binding::new(call).costing(Cost::Of(traversal));
    let contains = |call, cost| Binding::new(call).costing(Cost::Of(cost));
    let call: Call = match overload {
        "string_to_cidr" => {
            return Some(
                parsing(|_, args| match args {
                    [text] => convert(text).map(|prefix| Value::Opaque(Opaque::Cidr(prefix))),
                    _ => Err(EvalError::NO_SUCH_OVERLOAD),
                })
                .once(),
            );
        }
        "is_cidr" => {
            return Some(parsing(|_, args| match args {
                [Value::String(text)] => Ok(Value::Bool(Prefix::parse_plain(text).is_ok())),
                _ => Err(EvalError::NO_SUCH_OVERLOAD),
            }));
        }
        "cidr_contains_ip_string" => {
            return Some(contains(|_, args| contains_ip(args), contains_ip_text_cost));
        }
        "cidr_contains_ip_ip" => {
            return Some(contains(|_, args| contains_ip(args), contains_ip_cost));
        }
        "cidr_contains_cidr_string" => {
            return Some(contains(contains_cidr, contains_cidr_text_cost));
        }
        "cidr_contains_cidr" => {
            return Some(contains(contains_cidr, contains_cidr_cost));
        }
        "cidr_ip" => |_, args| property(args, |prefix| Value::Opaque(Opaque::Ip(prefix.addr()))),
        "cidr_prefix_length" => |_, args| property(args, |prefix| Value::Int(prefix.bits().into())),
        "cidr_masked" => {
            |_, args| property(args, |prefix| Value::Opaque(Opaque::Cidr(prefix.masked())))
        }
        "cidr_to_string" => |_, args| property(args, |prefix| Value::string(prefix.to_string())),
        _ => return None,
    };
    Some(Binding::new(call))
}

/// Comparing as many bytes as the prefix has, twice.
fn contains_ip_cost(operands: &[Operand<'_, '_>], _: Operand<'_, '_>) -> u64 {
    scaled(operand_size(operands, 0).saturating_mul(2), STRING_TRAVERSAL)
}

fn contains_ip_text_cost(operands: &[Operand<'_, '_>], result: Operand<'_, '_>) -> u64 {
    contains_ip_cost(operands, result) + scaled(operand_size(operands, 1), STRING_TRAVERSAL)
}

/// The same, and masking the prefix, and comparing the lengths.
fn contains_cidr_cost(operands: &[Operand<'_, '_>], result: Operand<'_, '_>) -> u64 {
    contains_ip_cost(operands, result) + scaled(operand_size(operands, 0), STRING_TRAVERSAL) + 1
}

fn contains_cidr_text_cost(operands: &[Operand<'_, '_>], result: Operand<'_, '_>) -> u64 {
    contains_cidr_cost(operands, result) + scaled(operand_size(operands, 1), STRING_TRAVERSAL)
}

fn operand_size(operands: &[Operand<'_, '_>], index: usize) -> u64 {
    size(operands.get(index).copied().flatten())
}

/// Upstream: the parser has put the same words in front already.
fn convert(value: &Value<'_>) -> std::result::Result<Prefix, EvalError> {
    let text = value.as_str().ok_or(EvalError::NO_SUCH_OVERLOAD)?;
    Prefix::parse_plain(text)
        .map_err(|error| EvalError::of(format_args!("{PREFIX_PARSE_ERROR}: {error}")))
}

fn contains_ip<'a>(args: &[Value<'a>]) -> Result<'a> {
    let (prefix, addr) = match args {
        [Value::Opaque(Opaque::Cidr(prefix)), Value::Opaque(Opaque::Ip(addr))] => (prefix, *addr),
        // Upstream: the error of the parser is dropped.
        [Value::Opaque(Opaque::Cidr(prefix)), Value::String(text)] => {
            (prefix, Addr::parse_plain(text).map_err(|_| EvalError::NO_SUCH_OVERLOAD)?)
        }
        _ => return Err(EvalError::NO_SUCH_OVERLOAD),
    };
    Ok(Value::Bool(prefix.contains(addr)))
}

fn contains_cidr<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let (prefix, other) = match args {
        [Value::Opaque(Opaque::Cidr(prefix)), Value::Opaque(Opaque::Cidr(other))] => {
            (prefix, *other)
        }
        [Value::Opaque(Opaque::Cidr(prefix)), text] => (prefix, convert(text)?),
        _ => return Err(EvalError::NO_SUCH_OVERLOAD),
    };
    let contains = if budget.steps.of_server_with(Change::SubnetsAreContained) {
        prefix.overlaps(other) && prefix.bits() <= other.bits()
    } else {
        // Upstream: what is left of the address by the longer prefix is compared with what is left by the shorter.
        prefix.overlaps(other)
            && prefix.masked().addr() == other.masked().addr()
            && prefix.bits() == other.bits()
    };
    Ok(Value::Bool(contains))
}

fn property<'a>(args: &[Value<'a>], property: fn(Prefix) -> Value<'a>) -> Result<'a> {
    match args {
        [Value::Opaque(Opaque::Cidr(prefix))] => Ok(property(*prefix)),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}
