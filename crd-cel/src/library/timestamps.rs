//! Parts of timestamps and durations.
//!
//! Source: cel-go `common/stdlib/standard.go`, the `TimeGet*` functions.

use super::Declarations;
use crate::types::Type;

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
