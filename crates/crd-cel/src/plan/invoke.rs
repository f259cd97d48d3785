//! Calls the first overload of a planned call that fits the arguments.
//!
//! Source: `cel-go/common/decls/decls.go`, `Bindings`.

use super::node::Call;
use crate::budget::Budget;
use crate::error::EvalError;
use crate::types::Type;
use crate::value::Value;

impl Call {
    /// Calls the first overload that fits the arguments, and reserves the memory that its result
    /// holds.
    ///
    /// # Errors
    /// If no overload fits, the function fails, or the memory limit is exceeded.
    pub(crate) fn invoke<'v>(
        &self,
        budget: &mut Budget,
        args: &[Value<'v>],
    ) -> Result<Value<'v>, EvalError> {
        let before = budget.memory();
        let result = self.first_that_fits(budget, args)?;
        let held = result.held_alone();
        if held > 0 {
            // The function may have reserved some of it already.
            budget.allocate(held.saturating_sub(budget.memory() - before))?;
        }
        Ok(result)
    }

    #[inline]
    fn first_that_fits<'v>(
        &self,
        budget: &mut Budget,
        args: &[Value<'v>],
    ) -> Result<Value<'v>, EvalError> {
        if let Some((regex, function)) = &self.regex {
            return function(budget, regex, args);
        }
        for overload in &self.overloads {
            let fits = overload.params.as_ref().is_none_or(|params| {
                params.len() == args.len() && params.iter().zip(args).all(|(ty, arg)| fits(ty, arg))
            });
            if fits {
                return (overload.function)(budget, args);
            }
        }
        let types: Vec<&str> = args.iter().map(Value::type_name).collect();
        let function = &self.function;
        Err(EvalError::of(format_args!("no such overload: {function}({})", types.join(", "))))
    }
}

/// Whether a value has a type at run time. Only the first element of a list or map is tested.
///
/// Source: `cel-go/common/types/types.go`, `defaultIsAssignableRuntimeType`.
fn fits(ty: &Type, value: &Value<'_>) -> bool {
    match (ty, value) {
        (Type::List(element), Value::List(list)) => match list.get(0) {
            Some(Ok(first)) => fits(element, &first),
            Some(Err(_)) => fits_error(element),
            None => true,
        },
        (Type::Map(key, member), Value::Map(map)) => match map.keys().first() {
            Some(first) => {
                fits(key, first)
                    && match map.get(first) {
                        Ok(Some(value)) => fits(member, &value),
                        Ok(None) | Err(_) => fits_error(member),
                    }
            }
            None => true,
        },
        (Type::Dyn | Type::Any | Type::Var(_) | Type::Param(_), _)
        | (Type::Null, Value::Null)
        | (Type::Bool, Value::Bool(_))
        | (Type::Int, Value::Int(_))
        | (Type::Uint, Value::Uint(_))
        | (Type::Double, Value::Double(_))
        | (Type::String, Value::String(_))
        | (Type::Bytes, Value::Bytes(_))
        | (Type::Duration, Value::Duration(_))
        | (Type::Timestamp, Value::Timestamp(_))
        | (Type::Type(_), Value::Type(_)) => true,
        (Type::Wrapper(inner), _) => matches!(value, Value::Null) || fits(inner, value),
        (Type::Object(name) | Type::Opaque(name, _), _) => **name == *value.type_name(),
        _ => false,
    }
}

/// Whether a type fits an element that is an error, which only `dyn` and the like do.
fn fits_error(ty: &Type) -> bool {
    matches!(ty, Type::Dyn | Type::Any | Type::Var(_) | Type::Param(_))
}
