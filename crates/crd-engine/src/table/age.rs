//! Ages, as the server prints them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::go_types::time::Time;

const NANOS_PER_SECOND: i128 = 1_000_000_000;
const SECONDS_PER_MINUTE: i128 = 60;
const SECONDS_PER_HOUR: i128 = 3_600;
const HOURS_PER_DAY: i128 = 24;
const DAYS_PER_YEAR: i128 = 365;

/// Formats a timestamp as a cell. An empty or zero time is `<unknown>`, and a text that is not a time is `<invalid>`.
///
/// Source: `metav1.Time.UnmarshalQueryParameter`, `ConvertToHumanReadableDateType` in
/// `k8s.io/apimachinery/pkg/api/meta/table`.
pub fn of(text: &str, now: SystemTime) -> String {
    if text.is_empty() || text == "null" {
        return "<unknown>".to_owned();
    }
    match Time::parse(text) {
        Err(_) => "<invalid>".to_owned(),
        Ok(time) if time.is_zero() => "<unknown>".to_owned(),
        Ok(time) => {
            // Go's durations are limited to about 292 years.
            let since = unix_nanos(now).saturating_sub(time.unix_nanos());
            human(since.clamp(i64::MIN.into(), i64::MAX.into()))
        }
    }
}

/// Formats the time from one timestamp to another as a cell.
pub fn between(from: &str, to: &str) -> String {
    match (Time::parse(from), Time::parse(to)) {
        (Ok(from), Ok(to)) => {
            let between = to.unix_nanos().saturating_sub(from.unix_nanos());
            human(between.clamp(i64::MIN.into(), i64::MAX.into()))
        }
        _ => "<invalid>".to_owned(),
    }
}

fn unix_nanos(time: SystemTime) -> i128 {
    let nanos = |nanos: u128| i128::try_from(nanos).unwrap_or(i128::MAX);
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => nanos(after.as_nanos()),
        Err(before) => -nanos(before.duration().as_nanos()),
    }
}

/// Formats a duration as `kubectl get` prints ages, in one or two units: `90s`, `5m30s`, `2d4h`, `9y`.
///
/// Source: `HumanDuration` in `k8s.io/apimachinery/pkg/util/duration`.
pub fn human_duration(duration: Duration) -> String {
    human(i128::try_from(duration.as_nanos()).unwrap_or(i128::MAX))
}

/// Formats a duration in nanoseconds, which may be negative. See [`human_duration`].
fn human(nanos: i128) -> String {
    let seconds = nanos / NANOS_PER_SECOND;
    let minutes = seconds / SECONDS_PER_MINUTE;
    let hours = seconds / SECONDS_PER_HOUR;
    let (days, years) = (hours / HOURS_PER_DAY, hours / HOURS_PER_DAY / DAYS_PER_YEAR);
    match seconds {
        ..-1 => "<invalid>".to_owned(),
        -1 => "0s".to_owned(),
        0..120 => format!("{seconds}s"),
        _ if minutes < 10 => two_units(minutes, "m", seconds % 60, "s"),
        _ if minutes < 180 => format!("{minutes}m"),
        _ if hours < 8 => two_units(hours, "h", minutes % 60, "m"),
        _ if hours < 48 => format!("{hours}h"),
        _ if days < 8 => two_units(days, "d", hours % HOURS_PER_DAY, "h"),
        _ if years < 2 => format!("{days}d"),
        _ if years < 8 => two_units(years, "y", days % DAYS_PER_YEAR, "d"),
        _ => format!("{years}y"),
    }
}

/// Formats a duration in two units; the smaller one is left out if it is zero.
fn two_units(large: i128, unit: &str, small: i128, small_unit: &str) -> String {
    if small == 0 { format!("{large}{unit}") } else { format!("{large}{unit}{small}{small_unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (seconds, want) in [
            (-3, "<invalid>"),
            (-2, "<invalid>"),
            (-1, "0s"),
            (0, "0s"),
            (119, "119s"),
            (120, "2m"),
            (121, "2m1s"),
            (599, "9m59s"),
            (600, "10m"),
            (3_600, "60m"),
            (10_799, "179m"),
            (10_800, "3h"),
            (10_860, "3h1m"),
            (28_800, "8h"),
            (172_799, "47h"),
            (172_800, "2d"),
            (176_400, "2d1h"),
            (691_200, "8d"),
            (63_072_000, "2y"),
            (63_158_400, "2y1d"),
            (252_288_000, "8y"),
        ] {
            assert_eq!(human(seconds * NANOS_PER_SECOND), want, "{seconds}");
        }
        assert_eq!(human(-1_999_000_000), "0s");
        assert_eq!(human_duration(Duration::from_secs(121)), "2m1s");
    }

    #[test]
    fn timestamps() {
        let now = UNIX_EPOCH + Duration::from_secs(100);
        for (text, want) in [
            ("1970-01-01T00:00:00Z", "100s"),
            ("1970-01-01T01:00:00+01:00", "100s"),
            ("1970-01-01T00:02:00Z", "<invalid>"),
            ("0001-01-01T00:00:00Z", "<unknown>"),
            ("", "<unknown>"),
            ("null", "<unknown>"),
            ("1970-01-01", "<invalid>"),
            ("yesterday", "<invalid>"),
            ("0002-01-01T00:00:00Z", "292y"),
        ] {
            assert_eq!(of(text, now), want, "{text}");
        }
    }
}
