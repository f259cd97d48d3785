//! Named string formats (`format.dns1123Label()`).
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/format.go`.

use super::binding::{Binding, Cost};
use super::costs::{Operand, REGEX_LENGTH, STRING_TRAVERSAL, scaled, size};
use super::estimate::Kubernetes;
use super::row::{Row, sig};
use crate::budget::Budget;
use crate::domain::named_format::{self, FORMATS};
use crate::error::EvalError;
use crate::value::{Opaque, Value};

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

pub(super) const OVERLOADS: &[Row] = &[
    Row::method(
        "validate",
        "format-validate",
        sig!((NamedFormat string) -> (optional [string])),
        Binding::new(validate).costing(Cost::Of(validation_cost)),
    )
    .kubernetes(Kubernetes::Validate),
    Row::function(
        "format.named",
        "format-named",
        sig!((string) -> (optional NamedFormat)),
        Binding::new(named),
    ),
    Row::function(
        "format.dns1123Label",
        "format.dns1123Label",
        sig!(() -> NamedFormat),
        Binding::new(|_, _| constant(0)),
    ),
    Row::function(
        "format.dns1123Subdomain",
        "format.dns1123Subdomain",
        sig!(() -> NamedFormat),
        Binding::new(|_, _| constant(1)),
    ),
    Row::function(
        "format.dns1035Label",
        "format.dns1035Label",
        sig!(() -> NamedFormat),
        Binding::new(|_, _| constant(2)),
    ),
    Row::function(
        "format.qualifiedName",
        "format.qualifiedName",
        sig!(() -> NamedFormat),
        Binding::new(|_, _| constant(3)),
    ),
    Row::function(
        "format.dns1123LabelPrefix",
        "format.dns1123LabelPrefix",
        sig!(() -> NamedFormat),
        Binding::new(|_, _| constant(4)),
    ),
    Row::function(
        "format.dns1123SubdomainPrefix",
        "format.dns1123SubdomainPrefix",
        sig!(() -> NamedFormat),
        Binding::new(|_, _| constant(5)),
    ),
    Row::function(
        "format.dns1035LabelPrefix",
        "format.dns1035LabelPrefix",
        sig!(() -> NamedFormat),
        Binding::new(|_, _| constant(6)),
    ),
    Row::function(
        "format.labelValue",
        "format.labelValue",
        sig!(() -> NamedFormat),
        Binding::new(|_, _| constant(7)),
    ),
    Row::function(
        "format.uri",
        "format.uri",
        sig!(() -> NamedFormat),
        Binding::new(|_, _| constant(8)),
    ),
    Row::function(
        "format.uuid",
        "format.uuid",
        sig!(() -> NamedFormat),
        Binding::new(|_, _| constant(9)),
    ),
    Row::function(
        "format.byte",
        "format.byte",
        sig!(() -> NamedFormat),
        Binding::new(|_, _| constant(10)),
    ),
    Row::function(
        "format.date",
        "format.date",
        sig!(() -> NamedFormat),
        Binding::new(|_, _| constant(11)),
    ),
    Row::function(
        "format.datetime",
        "format.datetime",
        sig!(() -> NamedFormat),
        Binding::new(|_, _| constant(12)),
    ),
];

/// The format at an index of [`FORMATS`].
fn constant<'a>(index: usize) -> Result<'a> {
    let format = FORMATS.get(index).ok_or(EvalError::NO_SUCH_OVERLOAD)?;
    Ok(Value::Opaque(Opaque::Format(format)))
}

fn named<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let [Value::String(name)] = args else { return Err(EvalError::NO_SUCH_OVERLOAD) };
    Ok(named_format::find(name)
        .map_or(Value::none(), |format| Value::some(Value::Opaque(Opaque::Format(format)))))
}

/// The cost of searching the text for the format's pattern.
fn validation_cost(operands: &[Operand<'_, '_>], _: Operand<'_, '_>) -> u64 {
    let operand = |index: usize| operands.get(index).copied().flatten();
    let Some(Value::Opaque(Opaque::Format(format))) = operand(0) else {
        return 1;
    };
    let text = scaled(size(operand(1)).saturating_add(1), STRING_TRAVERSAL);
    text.saturating_mul(scaled(format.regex_size, REGEX_LENGTH))
}

fn validate<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let [Value::Opaque(Opaque::Format(format)), Value::String(text)] = args else {
        return Err(EvalError::NO_SUCH_OVERLOAD);
    };
    let errors = format.validate(text, budget.steps.version());
    if errors.is_empty() {
        return Ok(Value::none());
    }
    Ok(Value::some(Value::list(errors.into_iter().map(Value::string).collect())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minors::KubernetesVersion;

    #[test]
    fn each_format_has_a_function_of_its_name() {
        let budget = &mut Budget::new(1, KubernetesVersion::REFERENCE);
        for format in &FORMATS {
            let function = format!("format.{}", format.name);
            let row = OVERLOADS.iter().find(|row| row.function == function).expect(&function);
            let binding = row.binding_in(KubernetesVersion::REFERENCE).expect(&function);
            match (binding.call)(budget, &[]) {
                Ok(Value::Opaque(Opaque::Format(got))) => assert_eq!(got.name, format.name),
                other => panic!("{function}: {other:?}"),
            }
        }
    }
}
