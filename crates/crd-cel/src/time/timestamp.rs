//! Points in time: parsing, printing, arithmetic, calendar fields.

use std::fmt;

use super::calendar::{DAY, civil_from_days, days_from_civil};
use super::layout::{self, DATE, LOCAL_TIME, MICRO_TIME, RFC3339};
use super::{Duration, SECOND, Timestamp};
use crate::error::{EvalError, ParseError};

/// 0001-01-01T00:00:00Z. Source: `cel-go/common/types/timestamp.go`, `minUnixTime`.
const MIN_SECONDS: i64 = -62_135_596_800;
/// 9999-12-31T23:59:59Z. Source: `cel-go/common/types/timestamp.go`, `maxUnixTime`.
const MAX_SECONDS: i64 = 253_402_300_799;

const OVERFLOW: EvalError = EvalError::fixed("timestamp overflow");
const INT_OVERFLOW: EvalError = EvalError::fixed("integer overflow");

impl Timestamp {
    /// 1970-01-01T00:00:00Z
    pub const EPOCH: Self = Self { seconds: 0, nanos: 0, offset: 0 };

    /// Parses an RFC 3339 time as Go's `time.Parse` does: an hour of one digit and a fraction after
    /// a comma are valid; a `t`, a space or a leap second is not.
    pub fn parse(text: &str) -> Option<Self> {
        Self::parse_rfc3339(text).ok()
    }

    /// Does [`Timestamp::parse`] with the error.
    ///
    /// # Errors
    /// Go's error text.
    pub fn parse_rfc3339(text: &str) -> Result<Self, ParseError> {
        Ok(layout::parse(RFC3339, text)?)
    }

    /// Parses a metav1.MicroTime, whose seconds have exactly six decimals.
    ///
    /// # Errors
    /// Go's error text.
    pub fn parse_micro_time(text: &str) -> Result<Self, ParseError> {
        Ok(layout::parse(MICRO_TIME, text)?)
    }

    /// Parses what OpenAPI's format `date` accepts.
    ///
    /// # Errors
    /// Go's error text.
    pub fn parse_date(text: &str) -> Result<Self, ParseError> {
        Ok(layout::parse(DATE, text)?)
    }

    /// Parses the value of a field of OpenAPI's format `date-time`. An empty text is the epoch, and
    /// a time without a zone is UTC.
    ///
    /// # Errors
    /// Go's error text for the last layout that it tries.
    ///
    /// Source: `kube-openapi/pkg/validation/strfmt/time.go`, `ParseDateTime`.
    pub fn parse_date_time(text: &str) -> Result<Self, ParseError> {
        if text.is_empty() {
            return Ok(Self::EPOCH);
        }
        Ok(layout::parse(RFC3339, text).or_else(|_| layout::parse(LOCAL_TIME, text))?)
    }

    /// The time at this many seconds since the epoch.
    ///
    /// # Errors
    /// `timestamp overflow` outside the years 1 to 9999.
    pub(crate) fn from_seconds(seconds: i64) -> Result<Self, EvalError> {
        Self { seconds, nanos: 0, offset: 0 }.in_range()
    }

    /// The time unchanged, if it is in the range of CEL.
    ///
    /// # Errors
    /// `timestamp overflow` outside the years 1 to 9999.
    pub(crate) fn in_range(self) -> Result<Self, EvalError> {
        if (MIN_SECONDS..=MAX_SECONDS).contains(&self.seconds) { Ok(self) } else { Err(OVERFLOW) }
    }

    /// The time a duration later.
    ///
    /// # Errors
    /// `timestamp overflow` outside the years 1 to 9999.
    pub(crate) fn checked_add(self, duration: Duration) -> Result<Self, EvalError> {
        let nanos = i64::from(self.nanos) + duration.nanos % SECOND;
        let seconds = self
            .seconds
            .checked_add(duration.nanos / SECOND)
            .and_then(|seconds| seconds.checked_add(nanos.div_euclid(SECOND)))
            .ok_or(INT_OVERFLOW)?;
        let nanos = u32::try_from(nanos.rem_euclid(SECOND)).unwrap_or_default();
        Self { seconds, nanos, offset: self.offset }.in_range()
    }

    /// The time a duration earlier.
    ///
    /// # Errors
    /// `timestamp overflow` outside the years 1 to 9999, `integer overflow` for the least duration.
    pub(crate) fn checked_sub(self, duration: Duration) -> Result<Self, EvalError> {
        self.checked_add(duration.checked_neg()?)
    }

    /// The duration since another time.
    ///
    /// # Errors
    /// `integer overflow` if they are more than 292 years apart.
    pub(crate) fn checked_since(self, other: Self) -> Result<Duration, EvalError> {
        self.seconds
            .checked_sub(other.seconds)
            .and_then(|seconds| seconds.checked_mul(SECOND))
            .and_then(|nanos| nanos.checked_add(i64::from(self.nanos) - i64::from(other.nanos)))
            .map(|nanos| Duration { nanos })
            .ok_or(INT_OVERFLOW)
    }

    /// The calendar fields at an offset of seconds east of UTC.
    pub(crate) fn civil(self, offset: i64) -> Civil {
        let local = self.seconds.saturating_add(offset);
        let days = local.div_euclid(DAY);
        let second_of_day = local.rem_euclid(DAY);
        let (year, month, day) = civil_from_days(days);
        Civil {
            year,
            month,
            day,
            day_of_year: days - days_from_civil(year, 1, 1),
            // 1970-01-01 was a Thursday.
            day_of_week: (days + 4).rem_euclid(7),
            hour: second_of_day / 3600,
            minute: second_of_day / 60 % 60,
            second: second_of_day % 60,
        }
    }
}

/// The calendar fields of a time at some offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Civil {
    pub(crate) year: i64,
    /// From 1.
    pub(crate) month: i64,
    /// From 1.
    pub(crate) day: i64,
    /// From 0.
    pub(crate) day_of_year: i64,
    /// From 0, which is Sunday.
    pub(crate) day_of_week: i64,
    pub(crate) hour: i64,
    pub(crate) minute: i64,
    pub(crate) second: i64,
}

impl PartialEq for Timestamp {
    fn eq(&self, other: &Self) -> bool {
        (self.seconds, self.nanos) == (other.seconds, other.nanos)
    }
}

impl Eq for Timestamp {}

/// RFC 3339 at the offset the time was written in, with as many digits of the second as needed.
/// Source: Go's `time.RFC3339Nano`.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Civil { year, month, day, hour, minute, second, .. } = self.civil(self.offset.into());
        let sign = if year < 0 { "-" } else { "" };
        let year = year.unsigned_abs();
        write!(f, "{sign}{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        if self.nanos != 0 {
            let digits = format!("{:09}", self.nanos);
            write!(f, ".{}", digits.trim_end_matches('0'))?;
        }
        if self.offset == 0 {
            return f.write_str("Z");
        }
        let minutes = self.offset / 60;
        let sign = if minutes < 0 { '-' } else { '+' };
        let minutes = minutes.unsigned_abs();
        write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn prints(text: &str, want: &str) {
        let printed = Timestamp::parse(text).map(|t| t.to_string());
        assert_eq!(printed.as_deref(), Some(want));
    }

    #[test]
    fn times_print_at_their_offset() {
        prints("2023-12-25T00:00:00Z", "2023-12-25T00:00:00Z");
        prints("2023-12-25T00:00:00.120-05:30", "2023-12-25T00:00:00.12-05:30");
        prints("2023-12-25T00:00:00+00:00", "2023-12-25T00:00:00Z");
        prints("2023-12-25T1:02:03,5Z", "2023-12-25T01:02:03.5Z");
        prints("2023-12-25T01:02:03.1234567899Z", "2023-12-25T01:02:03.123456789Z");
        prints("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z");
        prints("2023-12-25T00:00:00+24:60", "2023-12-25T00:00:00+25:00");
    }

    #[test]
    fn texts_that_are_not_times() {
        for text in [
            "",
            "2023-12-25",
            "2023-12-25T00:00:00",
            "2023-12-25t00:00:00Z",
            "2023-12-25 00:00:00Z",
            "2023-12-25T00:00:60Z",
            "2023-12-25T24:00:00Z",
            "2023-02-29T00:00:00Z",
            "2023-12-25T00:00:00z",
            "2023-12-25T00:00:00+0100",
            "2023-12-25T00:00:00+25:00",
            "2023-12-25T00:00:00.Z",
            "23-12-25T00:00:00Z",
            "2023-12-25T00:0:00Z",
            "2023-12-25T00:00:00Z ",
        ] {
            assert!(Timestamp::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn dates_and_times_of_fields() {
        let text = |t: Result<Timestamp, ParseError>| t.map(|t| t.to_string());
        assert_eq!(
            text(Timestamp::parse_date("2020-02-29")),
            Ok("2020-02-29T00:00:00Z".to_owned())
        );
        assert_eq!(text(Timestamp::parse_date_time("")), Ok("1970-01-01T00:00:00Z".to_owned()));
        let local = Timestamp::parse_date_time("2020-01-02T03:04:05.5");
        assert_eq!(text(local), Ok("2020-01-02T03:04:05.5Z".to_owned()));
        assert!(Timestamp::parse_date_time("2020-01-02").is_err());
    }

    #[test]
    fn arithmetic_stays_in_range() {
        let t = |text| Timestamp::parse(text).unwrap();
        let d = |nanos| Duration { nanos };
        let max = t("9999-12-31T23:59:59.999999999Z");
        assert_eq!(max.checked_add(d(1)), Err(OVERFLOW));
        assert_eq!(t("0001-01-01T00:00:00Z").checked_sub(d(1)), Err(OVERFLOW));
        assert_eq!(t("2020-01-01T00:00:00Z").checked_sub(d(i64::MIN)), Err(INT_OVERFLOW));
        assert_eq!(max.checked_since(t("0001-01-01T00:00:00Z")), Err(INT_OVERFLOW));
        let sum = t("1969-12-31T23:59:59.5Z").checked_add(d(700_000_000));
        assert_eq!(sum.map(|t| t.to_string()), Ok("1970-01-01T00:00:00.2Z".to_owned()));
        let since = t("1970-01-01T00:00:00.2Z").checked_since(t("1970-01-01T00:00:01.1+00:00"));
        assert_eq!(since, Ok(d(-900_000_000)));
        assert_eq!(Timestamp::from_seconds(MAX_SECONDS + 1), Err(OVERFLOW));
        assert_eq!(t("2020-01-01T01:00:00+01:00"), t("2020-01-01T00:00:00Z"));
    }

    #[test]
    fn calendar_fields() {
        let civil = Timestamp::parse("2024-12-31T23:30:15Z").unwrap().civil(3600);
        let want = Civil {
            year: 2025,
            month: 1,
            day: 1,
            day_of_year: 0,
            day_of_week: 3,
            hour: 0,
            minute: 30,
            second: 15,
        };
        assert_eq!(civil, want);
    }
}
