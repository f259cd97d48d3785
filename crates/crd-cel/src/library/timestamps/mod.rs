//! Parts of timestamps and durations.
//!
//! Source: cel-go `common/stdlib/standard.go`, the `TimeGet*` functions.

#[cfg(feature = "eval")]
pub(super) mod calls;

use super::row::{Row, rows};

/// The overloads. CEL counts months and days from 0, except in `getDate`.
pub(super) const OVERLOADS: &[Row] = rows! {
    "getFullYear":
        method "timestamp_to_year" (timestamp) -> int
            => Binding::new(|_, args| part(args, |t| t.year));
        method "timestamp_to_year_with_tz" (timestamp string) -> int
            => Binding::new(|_, args| part(args, |t| t.year));
    "getMonth":
        method "timestamp_to_month" (timestamp) -> int
            => Binding::new(|_, args| part(args, |t| t.month - 1));
        method "timestamp_to_month_with_tz" (timestamp string) -> int
            => Binding::new(|_, args| part(args, |t| t.month - 1));
    "getDayOfYear":
        method "timestamp_to_day_of_year" (timestamp) -> int
            => Binding::new(|_, args| part(args, |t| t.day_of_year));
        method "timestamp_to_day_of_year_with_tz" (timestamp string) -> int
            => Binding::new(|_, args| part(args, |t| t.day_of_year));
    "getDayOfMonth":
        method "timestamp_to_day_of_month" (timestamp) -> int
            => Binding::new(|_, args| part(args, |t| t.day - 1));
        method "timestamp_to_day_of_month_with_tz" (timestamp string) -> int
            => Binding::new(|_, args| part(args, |t| t.day - 1));
    "getDate":
        method "timestamp_to_day_of_month_1_based" (timestamp) -> int
            => Binding::new(|_, args| part(args, |t| t.day));
        method "timestamp_to_day_of_month_1_based_with_tz" (timestamp string) -> int
            => Binding::new(|_, args| part(args, |t| t.day));
    "getDayOfWeek":
        method "timestamp_to_day_of_week" (timestamp) -> int
            => Binding::new(|_, args| part(args, |t| t.day_of_week));
        method "timestamp_to_day_of_week_with_tz" (timestamp string) -> int
            => Binding::new(|_, args| part(args, |t| t.day_of_week));
    "getHours":
        method "timestamp_to_hours" (timestamp) -> int
            => Binding::new(|_, args| part(args, |t| t.hour));
        method "timestamp_to_hours_with_tz" (timestamp string) -> int
            => Binding::new(|_, args| part(args, |t| t.hour));
        method "duration_to_hours" (duration) -> int
            => Binding::new(|_, args| total(args, Duration::whole_hours));
    "getMinutes":
        method "timestamp_to_minutes" (timestamp) -> int
            => Binding::new(|_, args| part(args, |t| t.minute));
        method "timestamp_to_minutes_with_tz" (timestamp string) -> int
            => Binding::new(|_, args| part(args, |t| t.minute));
        method "duration_to_minutes" (duration) -> int
            => Binding::new(|_, args| total(args, Duration::whole_minutes));
    "getSeconds":
        method "timestamp_to_seconds" (timestamp) -> int
            => Binding::new(|_, args| part(args, |t| t.second));
        method "timestamp_to_seconds_tz" (timestamp string) -> int
            => Binding::new(|_, args| part(args, |t| t.second));
        method "duration_to_seconds" (duration) -> int
            => Binding::new(|_, args| total(args, Duration::whole_seconds));
    "getMilliseconds":
        method "timestamp_to_milliseconds" (timestamp) -> int => Binding::new(milliseconds);
        method "timestamp_to_milliseconds_with_tz" (timestamp string) -> int
            => Binding::new(milliseconds);
        method "duration_to_milliseconds" (duration) -> int
            => Binding::new(|_, args| total(args, Duration::whole_milliseconds));
};
