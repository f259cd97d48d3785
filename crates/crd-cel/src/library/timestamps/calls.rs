//! Evaluation of parts of timestamps and durations.

use crate::budget::Budget;
use crate::error::EvalError;
pub(super) use crate::time::Duration;
use crate::time::{Civil, Timestamp, offset_in_zone};
use crate::value::Value;

/// The timestamp, and its offset from UTC in the zone of the second argument, in seconds; 0 without
/// a zone.
fn local(args: &[Value<'_>]) -> Result<(Timestamp, i64), EvalError> {
    match args {
        [Value::Timestamp(t)] => Ok((*t, 0)),
        [Value::Timestamp(t), Value::String(zone)] => Ok((*t, offset_in_zone(zone, t.seconds)?)),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

pub(super) fn part<'a>(args: &[Value<'a>], part: fn(Civil) -> i64) -> Result<Value<'a>, EvalError> {
    let (time, offset) = local(args)?;
    Ok(Value::Int(part(time.civil(offset))))
}

pub(super) fn milliseconds<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let (time, _) = local(args)?;
    Ok(Value::Int(i64::from(time.nanos / 1_000_000)))
}

pub(super) fn total<'a>(
    args: &[Value<'a>],
    unit: fn(Duration) -> i64,
) -> Result<Value<'a>, EvalError> {
    match args {
        [Value::Duration(d)] => Ok(Value::Int(unit(*d))),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::testing;

    #[track_caller]
    fn check(overload: &str, time: &str, zone: Option<&'static str>, want: &str) {
        let time = Value::Timestamp(Timestamp::parse(time).expect("a time"));
        let args: Vec<_> = [time].into_iter().chain(zone.map(Value::str)).collect();
        testing::check(overload, &args, want);
    }

    #[test]
    fn parts_in_utc_and_elsewhere() {
        let time = "2009-02-13T23:31:30.123+01:00";
        check("timestamp_to_hours", time, None, "22");
        check("timestamp_to_month", time, None, "1");
        check("timestamp_to_day_of_month", time, None, "12");
        check("timestamp_to_day_of_month_1_based", time, None, "13");
        check("timestamp_to_day_of_week", time, None, "5");
        check("timestamp_to_day_of_year", time, None, "43");
        check("timestamp_to_milliseconds", time, None, "123");
        check("timestamp_to_hours_with_tz", time, Some("Asia/Kathmandu"), "4");
        check("timestamp_to_minutes_with_tz", time, Some("-02:30"), "1");
        check("timestamp_to_hours_with_tz", time, Some("Nowhere"), "unknown time zone Nowhere");
    }
}
