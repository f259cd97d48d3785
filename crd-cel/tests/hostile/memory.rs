//! How much memory something takes.

use std::alloc::System;
use std::sync::{Mutex, PoisonError};

use cap::Cap;

/// Beyond so many bytes at a time an allocation fails, which ends the process: a case that gets here would take
/// the machine's memory.
const LIMIT: usize = 1 << 30;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, LIMIT);

/// Held by whoever measures: the allocator counts what all threads take.
static MEASURING: Mutex<()> = Mutex::new(());

/// One MiB, in bytes.
pub(crate) const MIB: usize = 1 << 20;

/// What a call returns, and the bytes that it allocates, freed or not.
pub(crate) fn allocated<T>(call: impl FnOnce() -> T) -> (T, usize) {
    let _alone = MEASURING.lock().unwrap_or_else(PoisonError::into_inner);
    let before = ALLOCATOR.total_allocated();
    let result = call();
    (result, ALLOCATOR.total_allocated() - before)
}

/// What a call returns.
///
/// # Panics
/// Where it allocates more than `most` bytes.
#[track_caller]
pub(crate) fn within<T>(most: usize, call: impl FnOnce() -> T) -> T {
    let (result, bytes) = allocated(call);
    assert!(bytes <= most, "{bytes} bytes, of at most {most}");
    result
}
