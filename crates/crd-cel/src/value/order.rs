//! Ordering of values.
//!
//! Source: `cel-go/common/types`, `Compare` of each type, and `compare.go`.

use std::cmp::Ordering;

use super::Value;
use crate::error::EvalError;

const NAN: EvalError = EvalError::fixed("NaN values cannot be ordered");

/// The order of two values; `None` if values of the left operand's type have no order.
///
/// # Errors
/// If the right operand is of another type, or a number is NaN.
pub(crate) fn compare(a: &Value<'_>, b: &Value<'_>) -> Option<Result<Ordering, EvalError>> {
    let ordering = match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::String(a), Value::String(b)) => (**a).cmp(&**b),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Uint(a), Value::Uint(b)) => a.cmp(b),
        (Value::Bytes(a), Value::Bytes(b)) => (**a).cmp(&**b),
        (Value::Duration(a), Value::Duration(b)) => a.nanos.cmp(&b.nanos),
        (Value::Timestamp(a), Value::Timestamp(b)) => {
            (a.seconds, a.nanos).cmp(&(b.seconds, b.nanos))
        }
        (
            Value::Int(_) | Value::Uint(_) | Value::Double(_),
            Value::Int(_) | Value::Uint(_) | Value::Double(_),
        ) => match numbers(a, b) {
            Some(ordering) => ordering,
            None => return Some(Err(NAN)),
        },
        // cel-go tests the left number for NaN before it tests the type of the right operand.
        (Value::Double(f), _) if f.is_nan() => return Some(Err(NAN)),
        (
            Value::Int(_)
            | Value::Uint(_)
            | Value::Double(_)
            | Value::String(_)
            | Value::Bool(_)
            | Value::Bytes(_)
            | Value::Duration(_)
            | Value::Timestamp(_),
            _,
        ) => return Some(Err(EvalError::NO_SUCH_OVERLOAD)),
        _ => return None,
    };
    Some(Ok(ordering))
}

/// The order of two numbers of any of the three types; `None` if one is NaN or of another type.
pub(crate) fn numbers(a: &Value<'_>, b: &Value<'_>) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Uint(a), Value::Uint(b)) => Some(a.cmp(b)),
        (Value::Double(a), Value::Double(b)) => a.partial_cmp(b),
        (Value::Double(a), Value::Int(b)) => double_int(*a, *b),
        (Value::Int(a), Value::Double(b)) => double_int(*b, *a).map(Ordering::reverse),
        (Value::Double(a), Value::Uint(b)) => double_uint(*a, *b),
        (Value::Uint(a), Value::Double(b)) => double_uint(*b, *a).map(Ordering::reverse),
        (Value::Int(a), Value::Uint(b)) => Some(int_uint(*a, *b)),
        (Value::Uint(a), Value::Int(b)) => Some(int_uint(*b, *a).reverse()),
        _ => None,
    }
}

fn int_uint(a: i64, b: u64) -> Ordering {
    u64::try_from(a).map_or(Ordering::Less, |a| a.cmp(&b))
}

/// The int is rounded to a double, as cel-go does: 2^53+1 equals 2^53 as a double.
#[expect(clippy::cast_precision_loss, reason = "as cel-go does")]
fn double_int(a: f64, b: i64) -> Option<Ordering> {
    a.partial_cmp(&(b as f64))
}

#[expect(clippy::cast_precision_loss, reason = "as cel-go does")]
fn double_uint(a: f64, b: u64) -> Option<Ordering> {
    a.partial_cmp(&(b as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(a: &Value<'_>, b: &Value<'_>, want: Ordering) {
        assert_eq!(compare(a, b), Some(Ok(want)), "{a:?} {b:?}");
        assert_eq!(compare(b, a), Some(Ok(want.reverse())), "{b:?} {a:?}");
    }

    #[test]
    fn numbers_compare_across_types() {
        check(&Value::Int(1), &Value::Double(1.5), Ordering::Less);
        check(&Value::Int(i64::MAX), &Value::Double(1e19), Ordering::Less);
        check(&Value::Int(-1), &Value::Uint(0), Ordering::Less);
        check(&Value::Uint(u64::MAX), &Value::Int(i64::MAX), Ordering::Greater);
        check(&Value::Double(-0.5), &Value::Uint(0), Ordering::Less);
        check(&Value::Int((1 << 53) + 1), &Value::Double(9_007_199_254_740_992.0), Ordering::Equal);
    }

    #[test]
    fn values_without_an_order() {
        assert_eq!(compare(&Value::Null, &Value::Null), None);
        assert_eq!(
            compare(&Value::Int(1), &Value::str("1")),
            Some(Err(EvalError::NO_SUCH_OVERLOAD))
        );
        assert_eq!(compare(&Value::Double(f64::NAN), &Value::Int(1)), Some(Err(NAN)));
        assert_eq!(compare(&Value::Int(1), &Value::Double(f64::NAN)), Some(Err(NAN)));
    }
}
