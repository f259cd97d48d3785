//! Parts of timestamps and durations.
//!
//! Source: cel-go `common/stdlib/standard.go`, the `TimeGet*` functions.

use super::binding::Binding;
use super::row::{Row, sig};
use crate::budget::Budget;
use crate::error::EvalError;
use crate::time::{Civil, Duration, Timestamp, offset_in_zone};
use crate::value::Value;

/// The overloads. CEL counts months and days from 0, except in `getDate`.
pub(super) const OVERLOADS: &[Row] = &[
    Row::method(
        "getFullYear",
        "timestamp_to_year",
        sig!((timestamp) -> int),
        Binding::new(|_, args| part(args, |t| t.year)),
    ),
    Row::method(
        "getFullYear",
        "timestamp_to_year_with_tz",
        sig!((timestamp string) -> int),
        Binding::new(|_, args| part(args, |t| t.year)),
    ),
    Row::method(
        "getMonth",
        "timestamp_to_month",
        sig!((timestamp) -> int),
        Binding::new(|_, args| part(args, |t| t.month - 1)),
    ),
    Row::method(
        "getMonth",
        "timestamp_to_month_with_tz",
        sig!((timestamp string) -> int),
        Binding::new(|_, args| part(args, |t| t.month - 1)),
    ),
    Row::method(
        "getDayOfYear",
        "timestamp_to_day_of_year",
        sig!((timestamp) -> int),
        Binding::new(|_, args| part(args, |t| t.day_of_year)),
    ),
    Row::method(
        "getDayOfYear",
        "timestamp_to_day_of_year_with_tz",
        sig!((timestamp string) -> int),
        Binding::new(|_, args| part(args, |t| t.day_of_year)),
    ),
    Row::method(
        "getDayOfMonth",
        "timestamp_to_day_of_month",
        sig!((timestamp) -> int),
        Binding::new(|_, args| part(args, |t| t.day - 1)),
    ),
    Row::method(
        "getDayOfMonth",
        "timestamp_to_day_of_month_with_tz",
        sig!((timestamp string) -> int),
        Binding::new(|_, args| part(args, |t| t.day - 1)),
    ),
    Row::method(
        "getDate",
        "timestamp_to_day_of_month_1_based",
        sig!((timestamp) -> int),
        Binding::new(|_, args| part(args, |t| t.day)),
    ),
    Row::method(
        "getDate",
        "timestamp_to_day_of_month_1_based_with_tz",
        sig!((timestamp string) -> int),
        Binding::new(|_, args| part(args, |t| t.day)),
    ),
    Row::method(
        "getDayOfWeek",
        "timestamp_to_day_of_week",
        sig!((timestamp) -> int),
        Binding::new(|_, args| part(args, |t| t.day_of_week)),
    ),
    Row::method(
        "getDayOfWeek",
        "timestamp_to_day_of_week_with_tz",
        sig!((timestamp string) -> int),
        Binding::new(|_, args| part(args, |t| t.day_of_week)),
    ),
    Row::method(
        "getHours",
        "timestamp_to_hours",
        sig!((timestamp) -> int),
        Binding::new(|_, args| part(args, |t| t.hour)),
    ),
    Row::method(
        "getHours",
        "timestamp_to_hours_with_tz",
        sig!((timestamp string) -> int),
        Binding::new(|_, args| part(args, |t| t.hour)),
    ),
    Row::method(
        "getHours",
        "duration_to_hours",
        sig!((duration) -> int),
        Binding::new(|_, args| total(args, Duration::whole_hours)),
    ),
    Row::method(
        "getMinutes",
        "timestamp_to_minutes",
        sig!((timestamp) -> int),
        Binding::new(|_, args| part(args, |t| t.minute)),
    ),
    Row::method(
        "getMinutes",
        "timestamp_to_minutes_with_tz",
        sig!((timestamp string) -> int),
        Binding::new(|_, args| part(args, |t| t.minute)),
    ),
    Row::method(
        "getMinutes",
        "duration_to_minutes",
        sig!((duration) -> int),
        Binding::new(|_, args| total(args, Duration::whole_minutes)),
    ),
    Row::method(
        "getSeconds",
        "timestamp_to_seconds",
        sig!((timestamp) -> int),
        Binding::new(|_, args| part(args, |t| t.second)),
    ),
    Row::method(
        "getSeconds",
        "timestamp_to_seconds_tz",
        sig!((timestamp string) -> int),
        Binding::new(|_, args| part(args, |t| t.second)),
    ),
    Row::method(
        "getSeconds",
        "duration_to_seconds",
        sig!((duration) -> int),
        Binding::new(|_, args| total(args, Duration::whole_seconds)),
    ),
    Row::method(
        "getMilliseconds",
        "timestamp_to_milliseconds",
        sig!((timestamp) -> int),
        Binding::new(milliseconds),
    ),
    Row::method(
        "getMilliseconds",
        "timestamp_to_milliseconds_with_tz",
        sig!((timestamp string) -> int),
        Binding::new(milliseconds),
    ),
    Row::method(
        "getMilliseconds",
        "duration_to_milliseconds",
        sig!((duration) -> int),
        Binding::new(|_, args| total(args, Duration::whole_milliseconds)),
    ),
];

/// The timestamp, and its offset from UTC in the zone of the second argument, in seconds; 0 without
/// a zone.
fn local(args: &[Value<'_>]) -> Result<(Timestamp, i64), EvalError> {
    match args {
        [Value::Timestamp(t)] => Ok((*t, 0)),
        [Value::Timestamp(t), Value::String(zone)] => Ok((*t, offset_in_zone(zone, t.seconds)?)),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

fn part<'a>(args: &[Value<'a>], part: fn(Civil) -> i64) -> Result<Value<'a>, EvalError> {
    let (time, offset) = local(args)?;
    Ok(Value::Int(part(time.civil(offset))))
}

fn milliseconds<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let (time, _) = local(args)?;
    Ok(Value::Int(i64::from(time.nanos / 1_000_000)))
}

fn total<'a>(args: &[Value<'a>], unit: fn(Duration) -> i64) -> Result<Value<'a>, EvalError> {
    match args {
        [Value::Duration(d)] => Ok(Value::Int(unit(*d))),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minors::KubernetesVersion;

    #[track_caller]
    fn check(overload: &str, time: &str, zone: Option<&'static str>, want: &str) {
        let time = Value::Timestamp(Timestamp::parse(time).expect("a time"));
        let args: Vec<_> = [time].into_iter().chain(zone.map(Value::str)).collect();
        let binding = crate::library::bound(overload);
        let got = match (binding.call)(
            &mut Budget::new(1_000_000, KubernetesVersion::REFERENCE),
            &args,
        ) {
            Ok(value) => value.to_string(),
            Err(error) => error.to_string(),
        };
        assert_eq!(got, want, "{overload}");
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
