//! Parts of timestamps and durations.
//!
//! Source: cel-go `common/stdlib/standard.go`, the `TimeGet*` functions.

use super::Declarations;
use super::bind::{Binding, Call};
use crate::budget::Budget;
use crate::error::EvalError;
use crate::time::{Civil, Duration, Timestamp, offset_in_zone};
use crate::types::Type;
use crate::value::Value;

/// Declares the library's functions and types.
pub(crate) fn declare(d: &mut Declarations) {
    d.method("getFullYear", "timestamp_to_year", [Type::Timestamp], Type::Int);
    d.method(
        "getFullYear",
        "timestamp_to_year_with_tz",
        [Type::Timestamp, Type::String],
        Type::Int,
    );
    d.method("getMonth", "timestamp_to_month", [Type::Timestamp], Type::Int);
    d.method("getMonth", "timestamp_to_month_with_tz", [Type::Timestamp, Type::String], Type::Int);
    d.method("getDayOfYear", "timestamp_to_day_of_year", [Type::Timestamp], Type::Int);
    d.method(
        "getDayOfYear",
        "timestamp_to_day_of_year_with_tz",
        [Type::Timestamp, Type::String],
        Type::Int,
    );
    d.method("getDayOfMonth", "timestamp_to_day_of_month", [Type::Timestamp], Type::Int);
    d.method(
        "getDayOfMonth",
        "timestamp_to_day_of_month_with_tz",
        [Type::Timestamp, Type::String],
        Type::Int,
    );
    d.method("getDate", "timestamp_to_day_of_month_1_based", [Type::Timestamp], Type::Int);
    d.method(
        "getDate",
        "timestamp_to_day_of_month_1_based_with_tz",
        [Type::Timestamp, Type::String],
        Type::Int,
    );
    d.method("getDayOfWeek", "timestamp_to_day_of_week", [Type::Timestamp], Type::Int);
    d.method(
        "getDayOfWeek",
        "timestamp_to_day_of_week_with_tz",
        [Type::Timestamp, Type::String],
        Type::Int,
    );
    d.method("getHours", "timestamp_to_hours", [Type::Timestamp], Type::Int);
    d.method("getHours", "timestamp_to_hours_with_tz", [Type::Timestamp, Type::String], Type::Int);
    d.method("getHours", "duration_to_hours", [Type::Duration], Type::Int);
    d.method("getMinutes", "timestamp_to_minutes", [Type::Timestamp], Type::Int);
    d.method(
        "getMinutes",
        "timestamp_to_minutes_with_tz",
        [Type::Timestamp, Type::String],
        Type::Int,
    );
    d.method("getMinutes", "duration_to_minutes", [Type::Duration], Type::Int);
    d.method("getSeconds", "timestamp_to_seconds", [Type::Timestamp], Type::Int);
    d.method("getSeconds", "timestamp_to_seconds_tz", [Type::Timestamp, Type::String], Type::Int);
    d.method("getSeconds", "duration_to_seconds", [Type::Duration], Type::Int);
    d.method("getMilliseconds", "timestamp_to_milliseconds", [Type::Timestamp], Type::Int);
    d.method(
        "getMilliseconds",
        "timestamp_to_milliseconds_with_tz",
        [Type::Timestamp, Type::String],
        Type::Int,
    );
    d.method("getMilliseconds", "duration_to_milliseconds", [Type::Duration], Type::Int);
}

/// How the overloads are evaluated.
pub(super) fn bind(overload: &str) -> Option<Binding> {
    let call: Call = match overload {
        "timestamp_to_year" | "timestamp_to_year_with_tz" => |_, args| part(args, |t| t.year),
        // CEL counts months and days from 0, but for `getDate`.
        "timestamp_to_month" | "timestamp_to_month_with_tz" => {
            |_, args| part(args, |t| t.month - 1)
        }
        "timestamp_to_day_of_year" | "timestamp_to_day_of_year_with_tz" => {
            |_, args| part(args, |t| t.day_of_year)
        }
        "timestamp_to_day_of_month" | "timestamp_to_day_of_month_with_tz" => {
            |_, args| part(args, |t| t.day - 1)
        }
        "timestamp_to_day_of_month_1_based" | "timestamp_to_day_of_month_1_based_with_tz" => {
            |_, args| part(args, |t| t.day)
        }
        "timestamp_to_day_of_week" | "timestamp_to_day_of_week_with_tz" => {
            |_, args| part(args, |t| t.day_of_week)
        }
        "timestamp_to_hours" | "timestamp_to_hours_with_tz" => |_, args| part(args, |t| t.hour),
        "timestamp_to_minutes" | "timestamp_to_minutes_with_tz" => {
            |_, args| part(args, |t| t.minute)
        }
        "timestamp_to_seconds" | "timestamp_to_seconds_tz" => |_, args| part(args, |t| t.second),
        "timestamp_to_milliseconds" | "timestamp_to_milliseconds_with_tz" => milliseconds,
        "duration_to_hours"
        | "duration_to_minutes"
        | "duration_to_seconds"
        | "duration_to_milliseconds" => return duration(overload),
        _ => return None,
    };
    Some(Binding::new(call))
}

fn duration(overload: &str) -> Option<Binding> {
    let call: Call = match overload {
        "duration_to_hours" => |_, args| total(args, Duration::whole_hours),
        "duration_to_minutes" => |_, args| total(args, Duration::whole_minutes),
        "duration_to_seconds" => |_, args| total(args, Duration::whole_seconds),
        "duration_to_milliseconds" => |_, args| total(args, Duration::whole_milliseconds),
        _ => return None,
    };
    Some(Binding::new(call))
}

/// The time that is asked about, and its offset in the zone it is asked for; without one, UTC.
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
        let binding = bind(overload).expect("bound");
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
