//! Durations and points in time as Go and CEL have them.
//!
//! No clock is read.
//!
//! Source: Go 1.26 package `time`, cel-go `common/types/{duration,timestamp,overflow}.go`.

mod calendar;
mod duration;
mod layout;
mod timestamp;
#[cfg(feature = "eval")]
mod zone;

#[cfg(feature = "eval")]
pub(crate) use timestamp::Civil;
#[cfg(feature = "eval")]
pub(crate) use zone::offset_in_zone;

/// A duration in nanoseconds, as Go's `time.Duration`: about 292 years either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration {
    /// The whole duration in nanoseconds.
    pub nanos: i64,
}

/// A point in time, with the offset it was written in. It prints in that offset; comparisons ignore
/// the offset.
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
