//! Recognizes timestamps of YAML 1.1 as go-yaml does.
//!
//! Source: go.yaml.in/yaml v2.4.4 `resolve.go` (`parseTimestamp`), Go's `time.Parse`.

/// Returns whether a text is a date, a date and a time with a zone after `T`, or one without a zone after a blank.
pub(super) fn is_timestamp(text: &str) -> bool {
    date(text).is_some_and(|rest| {
        rest.is_empty()
            || rest.strip_prefix(' ').and_then(time).is_some_and(str::is_empty)
            || rest
                .strip_prefix(['T', 't'])
                .and_then(time)
                .and_then(zone)
                .is_some_and(str::is_empty)
    })
}

/// Skips a number of one digit or two that is at most `max`.
fn number(text: &str, max: u32) -> Option<(u32, &str)> {
    let digits = text.bytes().take(2).take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at_checked(digits)?;
    let number = digits.parse().ok().filter(|number| *number <= max)?;
    Some((number, rest))
}

/// Skips a date; its year has four digits.
fn date(text: &str) -> Option<&str> {
    let (year, rest) = text.split_at_checked(4)?;
    if !year.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let year: u32 = year.parse().ok()?;
    let (month, rest) = number(rest.strip_prefix('-')?, 12)?;
    let (day, rest) = number(rest.strip_prefix('-')?, 31)?;
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let last = match month {
        0 => return None,
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    (1..=last).contains(&day).then_some(rest)
}

/// Skips a time of the day with its fraction.
fn time(text: &str) -> Option<&str> {
    let (_, rest) = number(text, 23)?;
    let (_, rest) = number(rest.strip_prefix(':')?, 59)?;
    let (_, rest) = number(rest.strip_prefix(':')?, 59)?;
    let Some(fraction) = rest.strip_prefix(['.', ',']) else { return Some(rest) };
    let without = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
    Some(if without.len() < fraction.len() { without } else { rest })
}

/// Skips `Z` or an offset such as `+01:00`.
fn zone(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix('Z') {
        return Some(rest);
    }
    let (hours, rest) = text.strip_prefix(['+', '-'])?.split_at_checked(2)?;
    let (minutes, rest) = rest.strip_prefix(':')?.split_at_checked(2)?;
    let is_at_most = |text: &str, max| number(text, max).is_some_and(|(_, rest)| rest.is_empty());
    (is_at_most(hours, 24) && is_at_most(minutes, 60)).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_of_go_yaml() {
        for text in [
            "2001-12-14",
            "2001-1-2",
            "2000-2-29",
            "2001-12-14T21:59:43.10-05:00",
            "2001-12-14t1:2:3Z",
            "2001-12-14 21:59:43.10",
            "2001-12-14 21:59:43,1",
        ] {
            assert!(is_timestamp(text), "{text}");
        }
        for text in [
            "",
            "201-12-14",
            "2001-13-14",
            "2001-2-29",
            "2001-12-14T21:59:43",
            "2001-12-14 21:59:43.10 -5",
            "2001-12-14 24:00:00",
            "2001-12-14T21:59:43+5:00",
            "2001-12-14x",
            "20011-1-1",
            "2001-12-14 1:2:3.",
        ] {
            assert!(!is_timestamp(text), "{text}");
        }
    }
}
