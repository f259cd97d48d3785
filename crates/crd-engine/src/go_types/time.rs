//! metav1.Time and metav1.MicroTime, read and written as by Go.

use crd_cel::time::Timestamp;

/// The start of year 1, Go's zero time, in seconds since the Unix epoch.
const ZERO: i64 = -719_162 * 86_400;

/// The number of nanoseconds in a second.
const NANOS_PER_SECOND: i32 = 1_000_000_000;

/// An instant. It is written in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time(Timestamp);

impl Time {
    /// Go's zero time, which the API leaves out.
    pub const fn is_zero(self) -> bool {
        self.0.seconds == ZERO && self.0.nanos == 0
    }

    /// An instant in whole seconds since the Unix epoch.
    pub const fn from_unix(seconds: i64) -> Self {
        Self(Timestamp { seconds, nanos: 0, offset: 0 })
    }

    /// An instant in seconds since the Unix epoch, and nanoseconds after them.
    pub fn from_unix_nanos(seconds: i64, nanos: i32) -> Self {
        let whole = i64::from(nanos.div_euclid(NANOS_PER_SECOND));
        let nanos = nanos.rem_euclid(NANOS_PER_SECOND).unsigned_abs();
        Self(Timestamp { seconds: seconds.saturating_add(whole), nanos, offset: 0 })
    }

    /// Reads what Go's `time.Parse(time.RFC3339, text)` reads. That includes an hour of one digit, a comma before the
    /// fraction, and an offset of 24 hours.
    ///
    /// # Errors
    /// If Go cannot parse the text, with Go's error.
    pub fn parse(text: &str) -> Result<Self, String> {
        Timestamp::parse_rfc3339(text).map(Self).map_err(|error| error.to_string())
    }

    /// Reads what Go reads with the layout of metav1.MicroTime, whose seconds have exactly six decimals.
    ///
    /// # Errors
    /// If Go cannot parse the text, with Go's error.
    pub fn parse_micros(text: &str) -> Result<Self, String> {
        Timestamp::parse_micro_time(text).map(Self).map_err(|error| error.to_string())
    }

    /// Nanoseconds since the Unix epoch.
    pub fn unix_nanos(self) -> i128 {
        i128::from(self.0.seconds) * 1_000_000_000 + i128::from(self.0.nanos)
    }

    /// In UTC, with six decimals, as metav1.MicroTime is encoded.
    pub fn to_micros(self) -> String {
        let seconds = self.to_rfc3339();
        format!("{}.{:06}Z", seconds.trim_end_matches('Z'), self.0.nanos / 1_000)
    }

    /// In UTC, without the fraction, as metav1.Time is encoded.
    pub fn to_rfc3339(self) -> String {
        Self::from_unix(self.0.seconds).0.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, want: &str) {
        let got = match Time::parse(text) {
            Ok(time) => time.to_rfc3339(),
            Err(error) => error,
        };
        assert_eq!(got, want);
    }

    #[test]
    fn times_are_normalized_to_utc() {
        check("2024-02-29T23:59:59Z", "2024-02-29T23:59:59Z");
        check("2024-01-01T01:00:00+02:00", "2023-12-31T23:00:00Z");
        check("2023-12-31T20:00:00.123456789123-04:30", "2024-01-01T00:30:00Z");
        check("2024-01-01T1:00:00,5Z", "2024-01-01T01:00:00Z");
        check("0000-01-01T00:00:00+24:00", "-0001-12-31T00:00:00Z");
        check("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z");
    }

    #[test]
    fn the_zero_time_is_the_start_of_year_1() {
        assert!(Time::parse("0001-01-01T00:00:00Z").unwrap().is_zero());
        assert!(!Time::parse("0001-01-01T00:00:00.5Z").unwrap().is_zero());
        assert!(Time::parse("0001-01-01T01:00:00+01:00").unwrap().is_zero());
    }

    #[test]
    fn errors_are_those_of_go() {
        for (text, want) in [
            ("", r#"parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006""#),
            (
                "2024-1-01T00:00:00Z",
                r#"parsing time "2024-1-01T00:00:00Z" as "2006-01-02T15:04:05Z07:00": cannot parse "1-01T00:00:00Z" as "01""#,
            ),
            ("2024-13-01T00:00:00Z", r#"parsing time "2024-13-01T00:00:00Z": month out of range"#),
            ("2023-02-29T00:00:00Z", r#"parsing time "2023-02-29T00:00:00Z": day out of range"#),
            ("2024-01-01T24:00:00Z", r#"parsing time "2024-01-01T24:00:00Z": hour out of range"#),
            (
                "2024-01-01",
                r#"parsing time "2024-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T""#,
            ),
            (
                "2024-01-01T00:00:00",
                r#"parsing time "2024-01-01T00:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00""#,
            ),
            (
                "2024-01-01T00:00:00Zé",
                r#"parsing time "2024-01-01T00:00:00Z\xc3\xa9": extra text: "\xc3\xa9""#,
            ),
            (
                "2024-01-01T00:00:00+25:00",
                r#"parsing time "2024-01-01T00:00:00+25:00": time zone offset hour out of range"#,
            ),
        ] {
            check(text, want);
        }
    }
}
