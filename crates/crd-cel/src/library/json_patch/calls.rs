//! Evaluation of the functions for JSON patches.

use crate::budget::Budget;
use crate::error::EvalError;
pub(super) use crate::value::Value;

/// Escapes a key for a path: `~` as `~0`, and `/` as `~1`.
pub(super) fn escape_key<'a>(
    budget: &mut Budget,
    args: &[Value<'a>],
) -> Result<Value<'a>, EvalError> {
    let [Value::String(key)] = args else { return Err(EvalError::NO_SUCH_OVERLOAD) };
    budget.allocate(2 * key.len() as u64)?;
    Ok(Value::string(key.replace('~', "~0").replace('/', "~1")))
}
