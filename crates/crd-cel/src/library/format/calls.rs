//! Evaluation of named string formats (`format.dns1123Label()`).

use crate::budget::Budget;
use crate::domain::named_format::{self, FORMATS};
use crate::error::EvalError;
use crate::library::costs::{Operand, REGEX_LENGTH, STRING_TRAVERSAL, scaled, size};
use crate::value::{Opaque, Value};

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

/// The format at an index of [`FORMATS`].
pub(super) fn constant<'a>(index: usize) -> Result<'a> {
    let format = FORMATS.get(index).ok_or(EvalError::NO_SUCH_OVERLOAD)?;
    Ok(Value::Opaque(Opaque::Format(format)))
}

pub(super) fn named<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let [Value::String(name)] = args else { return Err(EvalError::NO_SUCH_OVERLOAD) };
    Ok(named_format::find(name)
        .map_or(Value::none(), |format| Value::some(Value::Opaque(Opaque::Format(format)))))
}

/// The cost of searching the text for the format's pattern.
pub(super) fn validation_cost(operands: &[Operand<'_, '_>], _: Operand<'_, '_>) -> u64 {
    let operand = |index: usize| operands.get(index).copied().flatten();
    let Some(Value::Opaque(Opaque::Format(format))) = operand(0) else {
        return 1;
    };
    let text = scaled(size(operand(1)).saturating_add(1), STRING_TRAVERSAL);
    text.saturating_mul(scaled(format.regex_size, REGEX_LENGTH))
}

pub(super) fn validate<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
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
    use super::super::OVERLOADS;
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
