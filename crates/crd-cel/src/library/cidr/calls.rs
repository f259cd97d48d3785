//! Evaluation of IP address ranges in CIDR notation.

use crate::budget::Budget;
use crate::domain::netip::{Addr, PREFIX_PARSE_ERROR, Prefix};
use crate::error::EvalError;
use crate::library::costs::{Operand, STRING_TRAVERSAL, scaled, size};
use crate::minors::Change;
pub(super) use crate::value::{Opaque, Value};

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

pub(super) fn parse<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [text] => parse_prefix(text).map(|prefix| Value::Opaque(Opaque::Cidr(prefix))),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

pub(super) fn is_valid<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::String(text)] => Ok(Value::Bool(Prefix::parse_plain(text).is_ok())),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

/// The cost of traversing as many bytes as the prefix has in each of two addresses.
pub(super) fn contains_ip_cost(operands: &[Operand<'_, '_>], _: Operand<'_, '_>) -> u64 {
    scaled(operand_size(operands, 0).saturating_mul(2), STRING_TRAVERSAL)
}

pub(super) fn contains_ip_text_cost(operands: &[Operand<'_, '_>], result: Operand<'_, '_>) -> u64 {
    contains_ip_cost(operands, result) + scaled(operand_size(operands, 1), STRING_TRAVERSAL)
}

/// The cost of [`contains_ip_cost`], of masking the prefix, and of comparing the lengths.
pub(super) fn contains_cidr_cost(operands: &[Operand<'_, '_>], result: Operand<'_, '_>) -> u64 {
    contains_ip_cost(operands, result) + scaled(operand_size(operands, 0), STRING_TRAVERSAL) + 1
}

pub(super) fn contains_cidr_text_cost(
    operands: &[Operand<'_, '_>],
    result: Operand<'_, '_>,
) -> u64 {
    contains_cidr_cost(operands, result) + scaled(operand_size(operands, 1), STRING_TRAVERSAL)
}

fn operand_size(operands: &[Operand<'_, '_>], index: usize) -> u64 {
    size(operands.get(index).copied().flatten())
}

/// Parses a range. Upstream: the error of the parser begins with the same words, so that the message
/// has them twice.
fn parse_prefix(value: &Value<'_>) -> std::result::Result<Prefix, EvalError> {
    let text = value.as_str().ok_or(EvalError::NO_SUCH_OVERLOAD)?;
    Prefix::parse_plain(text)
        .map_err(|error| EvalError::of(format_args!("{PREFIX_PARSE_ERROR}: {error}")))
}

pub(super) fn contains_ip<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
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

pub(super) fn contains_cidr<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let (prefix, other) = match args {
        [Value::Opaque(Opaque::Cidr(prefix)), Value::Opaque(Opaque::Cidr(other))] => {
            (prefix, *other)
        }
        [Value::Opaque(Opaque::Cidr(prefix)), text] => (prefix, parse_prefix(text)?),
        _ => return Err(EvalError::NO_SUCH_OVERLOAD),
    };
    let contains = if budget.steps.server_has(Change::SubnetsAreContained) {
        prefix.overlaps(other) && prefix.bits() <= other.bits()
    } else {
        // Upstream: each address is masked by its own prefix, so that a range contains only ranges
        // of its own length.
        prefix.overlaps(other)
            && prefix.masked().addr() == other.masked().addr()
            && prefix.bits() == other.bits()
    };
    Ok(Value::Bool(contains))
}

pub(super) fn property<'a>(args: &[Value<'a>], property: fn(Prefix) -> Value<'a>) -> Result<'a> {
    match args {
        [Value::Opaque(Opaque::Cidr(prefix))] => Ok(property(*prefix)),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}
