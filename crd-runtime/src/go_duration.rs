//! Durations as Go writes them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A duration that is text in JSON, such as `1h30m`, like `metav1.Duration` in Go. It holds nanoseconds, from
/// [`GoDuration::MIN`] to [`GoDuration::MAX`] (-292 to 292 years).
///
/// The text is parsed as by Go's `time.ParseDuration` and formatted as by Go's `Duration.String`.
/// The schema is a string of format `duration` with a pattern, so that rules can compare it:
///
/// ```
/// use crd_runtime::{CrdSchema, GoDuration};
/// use serde::{Deserialize, Serialize};
/// use std::time::Duration;
///
/// #[derive(CrdSchema, Serialize, Deserialize)]
/// struct Probe {
///     #[crd(default = "90s", rule("self <= duration('1h')", message = "at most one hour"))]
///     timeout: GoDuration,
/// }
///
/// let probe: Probe = serde_json::from_str(r#"{"timeout": "1.5m"}"#)?;
/// assert_eq!(Duration::try_from(probe.timeout)?, Duration::from_secs(90));
/// assert_eq!(serde_json::to_string(&probe)?, r#"{"timeout":"1m30s"}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Source: `time/format.go` and `time/time.go` of Go 1.26, and `Duration` of
/// `k8s.io/apimachinery/pkg/apis/meta/v1/duration.go`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct GoDuration {
    nanoseconds: i64,
}

const MICROSECOND: u64 = 1_000;
const MILLISECOND: u64 = 1_000_000;
const SECOND: u64 = 1_000_000_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

impl GoDuration {
    /// The least duration: some -292 years.
    pub const MIN: Self = Self { nanoseconds: i64::MIN };
    /// The greatest duration: some 292 years.
    pub const MAX: Self = Self { nanoseconds: i64::MAX };

    /// Creates a duration from a number of nanoseconds.
    #[must_use]
    pub const fn from_nanoseconds(nanoseconds: i64) -> Self {
        Self { nanoseconds }
    }

    /// Returns the number of nanoseconds.
    #[must_use]
    pub const fn nanoseconds(self) -> i64 {
        self.nanoseconds
    }
}

/// A text that is not a duration, or a duration outside the range of the target type.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct GoDurationError {
    message: String,
}

impl GoDurationError {
    fn of_text(text: &str) -> Self {
        Self {
            message: format!(
                "invalid duration {text:?}: write numbers with units (ns, us, ms, s, m, h), such as `1h30m`, of at \
                 most 292 years"
            ),
        }
    }
}

impl fmt::Display for GoDurationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for GoDurationError {}

impl TryFrom<Duration> for GoDuration {
    type Error = GoDurationError;

    fn try_from(duration: Duration) -> Result<Self, Self::Error> {
        let nanoseconds = i64::try_from(duration.as_nanos());
        nanoseconds.map(Self::from_nanoseconds).map_err(|_| GoDurationError {
            message: format!("{duration:?} is longer than 292 years"),
        })
    }
}

impl TryFrom<GoDuration> for Duration {
    type Error = GoDurationError;

    fn try_from(duration: GoDuration) -> Result<Self, Self::Error> {
        let nanoseconds = u64::try_from(duration.nanoseconds);
        nanoseconds
            .map(Self::from_nanos)
            .map_err(|_| GoDurationError { message: format!("{duration} is negative") })
    }
}

impl FromStr for GoDuration {
    type Err = GoDurationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = crd_cel::time::Duration::parse(text);
        let nanoseconds = parsed.map(|duration| duration.nanos);
        nanoseconds.map(Self::from_nanoseconds).ok_or_else(|| GoDurationError::of_text(text))
    }
}

impl fmt::Display for GoDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanoseconds = self.nanoseconds.unsigned_abs();
        if self.nanoseconds < 0 {
            f.write_str("-")?;
        }
        match nanoseconds {
            0 => f.write_str("0s"),
            n if n < MICROSECOND => write!(f, "{n}ns"),
            n if n < MILLISECOND => with_fraction(f, n, MICROSECOND, "\u{b5}s"),
            n if n < SECOND => with_fraction(f, n, MILLISECOND, "ms"),
            n => {
                if n >= HOUR {
                    write!(f, "{}h", n / HOUR)?;
                }
                if n >= MINUTE {
                    write!(f, "{}m", n % HOUR / MINUTE)?;
                }
                with_fraction(f, n % MINUTE, SECOND, "s")
            }
        }
    }
}

/// Writes `n` in the given unit, with as many decimal places as an exact value needs.
fn with_fraction(f: &mut fmt::Formatter<'_>, n: u64, unit: u64, name: &str) -> fmt::Result {
    let width = usize::try_from(unit.ilog10()).unwrap_or_default();
    let fraction = format!("{:0width$}", n % unit);
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    write!(f, "{}{point}{fraction}{name}", n / unit)
}

impl Serialize for GoDuration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for GoDuration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nanoseconds(text: &str) -> Option<i64> {
        text.parse::<GoDuration>().ok().map(GoDuration::nanoseconds)
    }

    #[test]
    fn texts_are_read_as_go_reads_them() {
        for (text, want) in [
            ("0", 0),
            ("-0", 0),
            ("5s", 5_000_000_000),
            ("+5s", 5_000_000_000),
            ("1h30m", 5_400_000_000_000),
            ("-1.5h", -5_400_000_000_000),
            (".5s", 500_000_000),
            ("5.s", 5_000_000_000),
            ("1us2\u{b5}s3\u{3bc}s", 6_000),
            ("1.0000000000000000000000009ns", 1),
            ("9223372036854775807ns", i64::MAX),
            ("-9223372036854775808ns", i64::MIN),
        ] {
            assert_eq!(nanoseconds(text), Some(want), "{text}");
        }
    }

    #[test]
    fn errors_of_other_texts_show_what_to_write() {
        for text in
            ["", "-", "3", "s", ".s", "1d", "1 h", "--1s", "1h ", "9223372036854775808ns", "1e3s"]
        {
            assert_eq!(nanoseconds(text), None, "{text}");
        }
        let error = "1d".parse::<GoDuration>().unwrap_err().to_string();
        assert!(error.contains("\"1d\"") && error.contains("such as `1h30m`"), "{error}");
    }

    #[test]
    fn durations_are_written_as_go_writes_them() {
        for (nanoseconds, want) in [
            (0, "0s"),
            (1, "1ns"),
            (1_100, "1.1\u{b5}s"),
            (2_200_000, "2.2ms"),
            (3_300_000_000, "3.3s"),
            (65_000_000_000, "1m5s"),
            (5_400_000_000_000, "1h30m0s"),
            (3_600_001_000_000, "1h0m0.001s"),
            (-1_500_000_000, "-1.5s"),
            (i64::MIN, "-2562047h47m16.854775808s"),
        ] {
            let duration = GoDuration::from_nanoseconds(nanoseconds);
            assert_eq!(duration.to_string(), want);
            assert_eq!(want.parse(), Ok(duration));
        }
    }
}
