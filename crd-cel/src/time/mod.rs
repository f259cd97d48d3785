//! Durations and points in time as Go and CEL have them.
//!
//! No clock is read. Source: Go 1.26 package `time`, cel-go `common/types/{duration,timestamp,overflow}.go`.

mod calendar;
mod duration;
mod layout;
mod timestamp;
mod zone;

pub(crate) use timestamp::Civil;
pub(crate) use zone::offset_in_zone;

use std::ops::RangeInclusive;

use crate::error::EvalError;

/// Nanoseconds in a second.
pub(crate) const NANOS_PER_SECOND: i64 = 1_000_000_000;

/// The seconds since 1970 that a CEL timestamp can have: the years 1 to 9999.
/// Source: `cel-go/common/types/timestamp.go`, `minUnixTime` and `maxUnixTime`.
pub(crate) const SECONDS: RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

/// The error of a timestamp beyond [`SECONDS`].
pub(crate) const OUT_OF_RANGE: EvalError = EvalError::fixed("timestamp overflow");

/// A duration in nanoseconds, as Go's `time.Duration`: about 292 years either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration {
    /// The whole duration in nanoseconds.
    pub nanos: i64,
}

/// A point in time, with the offset it was written in: it prints in that offset and compares without.
#[derive(Debug, Clone, Copy)]
pub struct Timestamp {
    /// Seconds since 1970-01-01T00:00:00Z.
    pub seconds: i64,
    /// Nanoseconds within the second, below 1,000,000,000.
    pub nanos: u32,
    /// Seconds east of UTC.
    pub offset: i32,
}

/// Nanoseconds in a second.
pub(crate) const SECOND: i64 = 1_000_000_000;
