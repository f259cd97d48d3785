//! Named string formats (`format.dns1123Label()`).
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/format.go`.

use super::Declarations;
use super::bind::{Binding, Cost, Operand, STRING_TRAVERSAL, scaled, size};
use crate::domain::named_format::{self, FORMATS};
use crate::error::EvalError;
use crate::types::{Type, type_names};
use crate::value::{Opaque, Value};

fn named_format() -> Type {
    Type::object(type_names::FORMAT)
}

/// Declares the library's functions and types.
pub(crate) fn declare(d: &mut Declarations) {
    d.method(
        "validate",
        "format-validate",
        [named_format(), Type::String],
        Type::optional(Type::list(Type::String)),
    );
    d.function("format.named", "format-named", [Type::String], Type::optional(named_format()));
    d.function("format.dns1123Label", "format.dns1123Label", [], named_format());
    d.function("format.dns1123Subdomain", "format.dns1123Subdomain", [], named_format());
    d.function("format.dns1035Label", "format.dns1035Label", [], named_format());
    d.function("format.qualifiedName", "format.qualifiedName", [], named_format());
    d.function("format.dns1123LabelPrefix", "format.dns1123LabelPrefix", [], named_format());
    d.function(
        "format.dns1123SubdomainPrefix",
        "format.dns1123SubdomainPrefix",
        [],
        named_format(),
    );
    d.function("format.dns1035LabelPrefix", "format.dns1035LabelPrefix", [], named_format());
    d.function("format.labelValue", "format.labelValue", [], named_format());
    d.function("format.uri", "format.uri", [], named_format());
    d.function("format.uuid", "format.uuid", [], named_format());
    d.function("format.byte", "format.byte", [], named_format());
    d.function("format.date", "format.date", [], named_format());
    d.function("format.datetime", "format.datetime", [], named_format());
}

/// What a code point of a pattern costs, per code point of the text.
/// Source: `cel-go/common/cost.go`, `RegexStringLengthCostFactor`.
const PATTERN_FACTOR: f64 = 0.25;

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

/// How the overloads are evaluated.
pub(super) fn bind(overload: &str) -> Option<Binding> {
    match overload {
        "format-validate" => {
            Some(Binding::new(|_, args| validate(args)).costing(Cost::Of(validation_cost)))
        }
        "format-named" => Some(Binding::new(|_, args| match args {
            [Value::String(name)] => Ok(named_format::find(name).map_or(Value::none(), |format| {
                Value::some(Value::Opaque(Opaque::Format(format)))
            })),
            _ => Err(EvalError::NO_SUCH_OVERLOAD),
        })),
        _ => constant(overload.strip_prefix("format.")?),
    }
}

/// The function that gives the format of a name.
fn constant(name: &str) -> Option<Binding> {
    macro_rules! calls {
        ($($index:literal)*) => {
            [$(|_, _| Ok(Value::Opaque(Opaque::Format(&FORMATS[$index])))),*]
        };
    }
    const CALLS: [super::bind::Call; FORMATS.len()] = calls!(0 1 2 3 4 5 6 7 8 9 10 11 12);
    let index = FORMATS.iter().position(|format| format.name == name)?;
    CALLS.get(index).map(|call| Binding::new(*call))
}

/// What a search of the text for the format's pattern would cost.
fn validation_cost(operands: &[Operand<'_, '_>], _: Operand<'_, '_>) -> u64 {
    let operand = |index: usize| operands.get(index).copied().flatten();
    let Some(Value::Opaque(Opaque::Format(format))) = operand(0) else {
        return 1;
    };
    let text = scaled(size(operand(1)).saturating_add(1), STRING_TRAVERSAL);
    text.saturating_mul(scaled(format.regex_size, PATTERN_FACTOR))
}

fn validate<'a>(args: &[Value<'a>]) -> Result<'a> {
    let [Value::Opaque(Opaque::Format(format)), Value::String(text)] = args else {
        return Err(EvalError::NO_SUCH_OVERLOAD);
    };
    let errors = format.validate(text);
    if errors.is_empty() {
        return Ok(Value::none());
    }
    Ok(Value::some(Value::list(errors.into_iter().map(Value::string).collect())))
}
