//! Evaluation of IP addresses.

use crate::budget::Budget;
use crate::domain::netip::Addr;
use crate::error::EvalError;
pub(super) use crate::library::costs::two_traversals;
use crate::value::Opaque;
pub(super) use crate::value::Value;

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

pub(super) fn parse<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    parse_with(args, |_, addr| Value::Opaque(Opaque::Ip(addr)))
}

pub(super) fn is_canonical<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    parse_with(args, |text, addr| Value::Bool(addr.to_string() == text))
}

pub(super) fn is_valid<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::String(text)] => Ok(Value::Bool(Addr::parse_plain(text).is_ok())),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

pub(super) fn family<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    property(args, |addr| Value::Int(if addr.bit_len() == 32 { 4 } else { 6 }))
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

pub(super) fn property<'a>(args: &[Value<'a>], property: fn(Addr) -> Value<'a>) -> Result<'a> {
    match args {
        [Value::Opaque(Opaque::Ip(addr))] => Ok(property(*addr)),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}
