//! Durations and points in time as Go and CEL have them.

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
