//! Go's `time.Parse` for the layouts that the API server uses, with its error texts.

use std::fmt::Write as _;

use super::Timestamp;
use super::calendar::{DAY, days_from_civil, days_in_month};

/// A layout: Go's text for it, whether it has a time and a zone, and whether seconds have exactly six decimals.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    text: &'static str,
    time: bool,
    zone: bool,
    micros: bool,
}

/// `time.RFC3339`
pub(super) const RFC3339: Layout =
    Layout { text: "2006-01-02T15:04:05Z07:00", time: true, zone: true, micros: false };
/// `RFC3339Micro` of apimachinery's meta/v1
pub(super) const MICRO_TIME: Layout =
    Layout { text: "2006-01-02T15:04:05.000000Z07:00", time: true, zone: true, micros: true };
/// `strfmt.ISO8601LocalTime`
pub(super) const LOCAL_TIME: Layout =
    Layout { text: "2006-01-02T15:04:05", time: true, zone: false, micros: false };
/// `strfmt.RFC3339FullDate`
pub(super) const DATE: Layout =
    Layout { text: "2006-01-02", time: false, zone: false, micros: false };

/// Parses a text by a layout.
///
/// # Errors
///
/// Go's text, such as `parsing time "x" as "2006-01-02": cannot parse "x" as "2006"`.
pub(super) fn parse(layout: Layout, text: &str) -> Result<Timestamp, String> {
    let mut parser = Parser { layout, text, rest: text };
    let year = parser.year()?;
    parser.literal("-")?;
    let month = parser.number("01", true)?;
    if !(1..=12).contains(&month) {
        return Err(parser.out_of_range("month"));
    }
    parser.literal("-")?;
    let day = parser.number("02", true)?;
    let (mut seconds, mut nanos, mut offset) = (0, 0, 0);
    if layout.time {
        parser.literal("T")?;
        // Upstream: an hour may have a single digit, minutes and seconds may not.
        let hour = parser.number("15", false)?;
        if hour > 23 {
            return Err(parser.out_of_range("hour"));
        }
        parser.literal(":")?;
        let minute = parser.number("04", true)?;
        if minute > 59 {
            return Err(parser.out_of_range("minute"));
        }
        parser.literal(":")?;
        let second = parser.number("05", true)?;
        if second > 59 {
            return Err(parser.out_of_range("second"));
        }
        seconds = hour * 3600 + minute * 60 + second;
        nanos = if layout.micros { parser.micros()? } else { parser.fraction() };
    }
    if layout.zone {
        offset = parser.zone()?;
    }
    if !parser.rest.is_empty() {
        let message = format!(": extra text: {}", quote(parser.rest));
        return Err(parser.message(&message));
    }
    if !(1..=days_in_month(year, month)).contains(&day) {
        return Err(parser.out_of_range("day"));
    }
    let days = days_from_civil(year, month, day);
    Ok(Timestamp { seconds: days * DAY + seconds - i64::from(offset), nanos, offset })
}

struct Parser<'t> {
    layout: Layout,
    text: &'t str,
    rest: &'t str,
}

impl Parser<'_> {
    fn digit(&self, index: usize) -> Option<i64> {
        let digit = self.rest.as_bytes().get(index).filter(|byte| byte.is_ascii_digit())?;
        Some(i64::from(digit - b'0'))
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    fn year(&mut self) -> Result<i64, String> {
        let digits = (0..4).try_fold(0, |year, index| Some(year * 10 + self.digit(index)?));
        let year = digits.ok_or_else(|| self.cannot_parse("2006"))?;
        self.skip(4);
        Ok(year)
    }

    fn literal(&mut self, literal: &str) -> Result<(), String> {
        match self.rest.strip_prefix(literal) {
            Some(rest) => {
                self.rest = rest;
                Ok(())
            }
            None => Err(self.cannot_parse(literal)),
        }
    }

    /// Reads one or two digits; exactly two if `fixed` is set.
    fn number(&mut self, element: &str, fixed: bool) -> Result<i64, String> {
        match (self.digit(0), self.digit(1)) {
            (Some(tens), Some(ones)) => {
                self.skip(2);
                Ok(tens * 10 + ones)
            }
            (Some(digit), None) if !fixed => {
                self.skip(1);
                Ok(digit)
            }
            _ => Err(self.cannot_parse(element)),
        }
    }

    /// Reads a fraction of a second: `.` or `,` and digits, only nine of which count. No layout here has
    /// one, but Go accepts one after the seconds of any layout.
    fn fraction(&mut self) -> u32 {
        if !self.rest.starts_with(['.', ',']) || self.digit(1).is_none() {
            return 0;
        }
        let digits = self.rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        let mut nanos = 0;
        for index in 1..=9 {
            let digit = if index <= digits { self.digit(index).unwrap_or_default() } else { 0 };
            nanos = nanos * 10 + u32::try_from(digit).unwrap_or_default();
        }
        self.skip(1 + digits);
        nanos
    }

    /// Reads `.` or `,` and six digits.
    fn micros(&mut self) -> Result<u32, String> {
        if !self.rest.starts_with(['.', ',']) {
            return Err(self.cannot_parse(".000000"));
        }
        let micros = (1..=6).try_fold(0, |micros, index| Some(micros * 10 + self.digit(index)?));
        let micros = micros.ok_or_else(|| self.cannot_parse(".000000"))?;
        self.skip(7);
        Ok(u32::try_from(micros * 1_000).unwrap_or_default())
    }

    /// `Z`, or an offset. Upstream allows 24 hours and 60 minutes.
    fn zone(&mut self) -> Result<i32, String> {
        if let Some(rest) = self.rest.strip_prefix('Z') {
            self.rest = rest;
            return Ok(0);
        }
        let bytes = self.rest.as_bytes();
        let part = |first: usize| Some(self.digit(first)? * 10 + self.digit(first + 1)?);
        let sign = match bytes.first() {
            Some(b'+') => 1,
            Some(b'-') => -1,
            _ => 0,
        };
        let parts = part(1).zip(part(4)).filter(|_| sign != 0 && bytes.get(3) == Some(&b':'));
        // Upstream: a number out of range is reported before a wrong sign, and an hour out of range before
        // minutes that are no digits.
        let ranges = part(1)
            .zip(part(4).or(Some(0)))
            .filter(|_| bytes.len() >= 6 && bytes.get(3) == Some(&b':'));
        if let Some((hours, minutes)) = ranges {
            if minutes > 60 {
                self.skip(6);
                return Err(self.out_of_range("time zone offset minute"));
            }
            if hours > 24 {
                self.skip(6);
                return Err(self.out_of_range("time zone offset hour"));
            }
        }
        let (hours, minutes) = parts.ok_or_else(|| self.cannot_parse("Z07:00"))?;
        self.skip(6);
        Ok(i32::try_from(sign * (hours * 60 + minutes) * 60).unwrap_or_default())
    }

    fn cannot_parse(&self, element: &str) -> String {
        format!(
            "parsing time {} as {}: cannot parse {} as {}",
            quote(self.text),
            quote(self.layout.text),
            quote(self.rest),
            quote(element)
        )
    }

    fn out_of_range(&self, what: &str) -> String {
        self.message(&format!(": {what} out of range"))
    }

    fn message(&self, message: &str) -> String {
        format!("parsing time {}{message}", quote(self.text))
    }
}

/// Quotes as Go's package `time` does: it escapes control characters below U+0020, and each byte
/// beyond ASCII.
fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(byte.into());
            }
            b' '..=b'~' | 0x7f => out.push(byte.into()),
            byte => {
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
    fn rejects(layout: Layout, text: &str, want: &str) {
        assert_eq!(parse(layout, text).map(|t| t.seconds), Err(want.to_owned()));
    }

    #[test]
    fn errors_are_those_of_go() {
        rejects(DATE, "x", r#"parsing time "x" as "2006-01-02": cannot parse "x" as "2006""#);
        rejects(
            DATE,
            "2020/01",
            r#"parsing time "2020/01" as "2006-01-02": cannot parse "/01" as "-""#,
        );
        rejects(
            DATE,
            "2020-1-01",
            r#"parsing time "2020-1-01" as "2006-01-02": cannot parse "1-01" as "01""#,
        );
        rejects(DATE, "2020-13-01", r#"parsing time "2020-13-01": month out of range"#);
        rejects(DATE, "2021-02-29", r#"parsing time "2021-02-29": day out of range"#);
        rejects(
            DATE,
            "2021-02-01é",
            r#"parsing time "2021-02-01é": extra text: "é""#.replace('é', r"\xc3\xa9").as_str(),
        );
        rejects(
            RFC3339,
            "2020-01-01T24:00:00Z",
            r#"parsing time "2020-01-01T24:00:00Z": hour out of range"#,
        );
        rejects(
            RFC3339,
            "2020-01-01T00:00:00",
            r#"parsing time "2020-01-01T00:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00""#,
        );
        rejects(
            RFC3339,
            "2020-01-01T00:00:00+99:99",
            r#"parsing time "2020-01-01T00:00:00+99:99": time zone offset minute out of range"#,
        );
        rejects(
            MICRO_TIME,
            "2020-01-01T00:00:00.12345Z",
            r#"parsing time "2020-01-01T00:00:00.12345Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse ".12345Z" as ".000000""#,
        );
        rejects(
            LOCAL_TIME,
            "2020-01-01t00:00:00z",
            r#"parsing time "2020-01-01t00:00:00z" as "2006-01-02T15:04:05": cannot parse "t00:00:00z" as "T""#,
        );
    }
}
