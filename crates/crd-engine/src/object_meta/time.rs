//! RFC 3339 as Go reads and writes it.

use std::fmt::Write as _;

/// The layout that Go's errors name. Source: `time.RFC3339`.
const LAYOUT: &str = "2006-01-02T15:04:05Z07:00";

/// The layout of metav1.MicroTime. Source: `RFC3339Micro`.
const MICROS: &str = "2006-01-02T15:04:05.000000Z07:00";

const SECONDS_PER_DAY: i64 = 86_400;

/// The start of 1970, in seconds since the start of year 1.
const UNIX_EPOCH: i64 = 719_162 * SECONDS_PER_DAY;

/// The number of nanoseconds in a second.
const NANOS_PER_SECOND: i32 = 1_000_000_000;

/// An instant: whole seconds since the start of year 1 in UTC, and the nanoseconds after them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time {
    seconds: i64,
    nanos: u32,
}

impl Time {
    /// Go's zero time, which the API leaves out.
    pub const fn is_zero(self) -> bool {
        self.seconds == 0 && self.nanos == 0
    }

    /// An instant in whole seconds since the Unix epoch.
    pub const fn from_unix(seconds: i64) -> Self {
        Self { seconds: seconds.saturating_add(UNIX_EPOCH), nanos: 0 }
    }

    /// An instant in seconds since the Unix epoch, and nanoseconds after them.
    pub fn from_unix_nanos(seconds: i64, nanos: i32) -> Self {
        let whole = i64::from(nanos.div_euclid(NANOS_PER_SECOND));
        let nanos = nanos.rem_euclid(NANOS_PER_SECOND).unsigned_abs();
        Self { nanos, ..Self::from_unix(seconds.saturating_add(whole)) }
    }

    /// Reads what Go's `time.Parse(time.RFC3339, text)` reads. That includes an hour of one digit, a comma before the
    /// fraction, and an offset of 24 hours.
    ///
    /// # Errors
    /// If Go cannot parse the text, with Go's error.
    pub fn parse(text: &str) -> Result<Self, String> {
        Parser { text, rest: text.as_bytes(), layout: LAYOUT }.parse()
    }

    /// Reads what Go reads with the layout of metav1.MicroTime, whose seconds have exactly six decimals.
    ///
    /// # Errors
    /// If Go cannot parse the text, with Go's error.
    pub fn parse_micros(text: &str) -> Result<Self, String> {
        Parser { text, rest: text.as_bytes(), layout: MICROS }.parse()
    }

    /// Nanoseconds since the Unix epoch.
    pub fn unix_nanos(self) -> i128 {
        i128::from(self.seconds - UNIX_EPOCH) * 1_000_000_000 + i128::from(self.nanos)
    }

    /// In UTC, with six decimals, as metav1.MicroTime is encoded.
    pub fn to_micros(self) -> String {
        let seconds = self.to_rfc3339();
        format!("{}.{:06}Z", seconds.trim_end_matches('Z'), self.nanos / 1_000)
    }

    /// In UTC, without the fraction, as metav1.Time is encoded.
    pub fn to_rfc3339(self) -> String {
        let days = self.seconds.div_euclid(SECONDS_PER_DAY);
        let second = self.seconds.rem_euclid(SECONDS_PER_DAY);
        let (year, month, day) = civil(days);
        let mut out = String::with_capacity(20);
        if year < 0 {
            out.push('-');
        }
        let _ = write!(
            out,
            "{:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
            year.unsigned_abs(),
            second / 3600,
            second / 60 % 60,
            second % 60
        );
        out
    }
}

struct Parser<'a> {
    text: &'a str,
    rest: &'a [u8],
    layout: &'static str,
}

/// Follows the layout step by step. Each error names the layout element and the text in its place.
///
/// Source: `parse` in `time/format.go`.
impl Parser<'_> {
    fn parse(mut self) -> Result<Time, String> {
        let hold = self.rest;
        let year = match hold {
            [a, b, c, d, rest @ ..] if [a, b, c, d].into_iter().all(u8::is_ascii_digit) => {
                self.rest = rest;
                [a, b, c, d].into_iter().fold(0, |n, digit| n * 10 + i64::from(digit - b'0'))
            }
            _ => return Err(self.cannot_parse(hold, "2006")),
        };
        self.skip(b'-', "-")?;
        let month = self.number("01", true)?;
        if !(1..=12).contains(&month) {
            return Err(self.fail(": month out of range"));
        }
        self.skip(b'-', "-")?;
        let day = self.number("02", true)?;
        self.skip(b'T', "T")?;
        let hour = self.number("15", false)?;
        if hour > 23 {
            return Err(self.fail(": hour out of range"));
        }
        self.skip(b':', ":")?;
        let minute = self.number("04", true)?;
        if minute > 59 {
            return Err(self.fail(": minute out of range"));
        }
        self.skip(b':', ":")?;
        let second = self.number("05", true)?;
        if second > 59 {
            return Err(self.fail(": second out of range"));
        }
        let nanos = if self.layout == LAYOUT { self.fraction() } else { self.micros()? };
        let offset = self.offset()?;
        if !self.rest.is_empty() {
            let extra = quote(self.rest);
            return Err(self.fail(&format!(": extra text: {extra}")));
        }
        if day < 1 || day > days_in(year, month) {
            return Err(self.fail(": day out of range"));
        }
        let days = days_since_year_1(year, month, day);
        let seconds = days * SECONDS_PER_DAY + hour * 3600 + minute * 60 + second - offset;
        Ok(Time { seconds, nanos })
    }

    fn skip(&mut self, byte: u8, element: &str) -> Result<(), String> {
        match self.rest {
            [first, rest @ ..] if *first == byte => {
                self.rest = rest;
                Ok(())
            }
            rest => Err(self.cannot_parse(rest, element)),
        }
    }

    /// Reads one or two digits; exactly two if `fixed` is set.
    fn number(&mut self, element: &str, fixed: bool) -> Result<i64, String> {
        let (number, rest) =
            digits(self.rest, fixed).ok_or_else(|| self.cannot_parse(self.rest, element))?;
        self.rest = rest;
        Ok(number)
    }

    /// Reads a dot or a comma and six digits.
    fn micros(&mut self) -> Result<u32, String> {
        let micros = match self.rest {
            [b'.' | b',', digits @ ..] => {
                digits.get(..6).filter(|it| it.iter().all(u8::is_ascii_digit))
            }
            _ => None,
        };
        if micros.is_none() {
            return Err(self.cannot_parse(self.rest, ".000000"));
        }
        let mut read = Parser { rest: self.rest.get(..7).unwrap_or_default(), ..*self };
        self.rest = self.rest.get(7..).unwrap_or_default();
        Ok(read.fraction())
    }

    fn fraction(&mut self) -> u32 {
        let [b'.' | b',', after @ ..] = self.rest else { return 0 };
        let length = after.iter().take_while(|b| b.is_ascii_digit()).count();
        if length == 0 {
            return 0;
        }
        self.rest = after.get(length..).unwrap_or_default();
        // Upstream: digits beyond nanoseconds are ignored.
        (0..9).fold(0, |nanos, i| {
            nanos * 10 + after.get(i).filter(|_| i < length).map_or(0, |b| u32::from(b - b'0'))
        })
    }

    /// Seconds east of UTC.
    fn offset(&mut self) -> Result<i64, String> {
        const ELEMENT: &str = "Z07:00";
        let hold = self.rest;
        if let [b'Z', rest @ ..] = hold {
            self.rest = rest;
            return Ok(0);
        }
        let [sign, h1, h2, b':', m1, m2, rest @ ..] = hold else {
            return Err(self.cannot_parse(hold, ELEMENT));
        };
        self.rest = rest;
        let hour = digits(&[*h1, *h2], true).map(|(n, _)| n);
        // Upstream: the minute is read only if the hour is a number.
        let minute = hour.and_then(|_| digits(&[*m1, *m2], true).map(|(n, _)| n));
        // Upstream: an offset of 24 hours or 60 minutes is accepted, because some people write it. If both are out of
        // range, the second check overwrites the error of the first.
        if minute.is_some_and(|minute| minute > 60) {
            return Err(self.fail(": time zone offset minute out of range"));
        }
        if hour.is_some_and(|hour| hour > 24) {
            return Err(self.fail(": time zone offset hour out of range"));
        }
        match (sign, hour, minute) {
            (b'+', Some(hour), Some(minute)) => Ok(hour * 3600 + minute * 60),
            (b'-', Some(hour), Some(minute)) => Ok(-(hour * 3600 + minute * 60)),
            _ => Err(self.cannot_parse(hold, ELEMENT)),
        }
    }

    fn cannot_parse(&self, rest: &[u8], element: &str) -> String {
        format!(
            "parsing time {} as {}: cannot parse {} as {}",
            quote(self.text.as_bytes()),
            quote(self.layout.as_bytes()),
            quote(rest),
            quote(element.as_bytes())
        )
    }

    fn fail(&self, message: &str) -> String {
        format!("parsing time {}{message}", quote(self.text.as_bytes()))
    }
}

fn digits(text: &[u8], fixed: bool) -> Option<(i64, &[u8])> {
    match text {
        [a, b, rest @ ..] if a.is_ascii_digit() && b.is_ascii_digit() => {
            Some((i64::from(a - b'0') * 10 + i64::from(b - b'0'), rest))
        }
        [a, rest @ ..] if a.is_ascii_digit() && !fixed => Some((i64::from(a - b'0'), rest)),
        _ => None,
    }
}

const fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

const fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 0001-01-01 in the proleptic Gregorian calendar.
const fn days_since_year_1(year: i64, month: i64, day: i64) -> i64 {
    // Years are counted from March, so that the leap day is the last of a year.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 306
}

/// The inverse of [`days_since_year_1`]: returns year, month and day.
const fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 306;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400;
    (if month <= 2 { year + 1 } else { year }, month, day)
}

/// Quotes as Go's package `time` does: it escapes control characters below U+0020, and each byte beyond ASCII.
fn quote(text: &[u8]) -> String {
    let mut out = String::from("\"");
    for byte in text {
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b' '..=0x7f => out.push(char::from(*byte)),
            _ => {
                let _ = write!(out, "\\x{byte:02x}");
            }
        }
    }
    out.push('"');
    out
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
