//! Measures how much memory a call allocates.

use std::alloc::System;
use std::sync::{Mutex, PoisonError};

use cap::Cap;

/// The most bytes that may be allocated at a time. An allocation beyond them ends the process, before a case takes all
/// memory of the machine.
const LIMIT: usize = 1 << 30;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, LIMIT);

/// Locked during a measurement, because the allocator counts the memory of all threads.
static MEASURING: Mutex<()> = Mutex::new(());

/// One MiB, in bytes.
pub(crate) const MIB: usize = 1 << 20;

/// Returns the result of a call, and the number of bytes that it allocates, freed or not.
pub(crate) fn allocated<T>(call: impl FnOnce() -> T) -> (T, usize) {
    let _alone = MEASURING.lock().unwrap_or_else(PoisonError::into_inner);
    let before = ALLOCATOR.total_allocated();
    let result = call();
    (result, ALLOCATOR.total_allocated() - before)
}

/// Returns the result of a call.
///
/// # Panics
/// If the call allocates more than `most` bytes.
#[track_caller]
pub(crate) fn within<T>(most: usize, call: impl FnOnce() -> T) -> T {
    let (result, bytes) = allocated(call);
    assert!(bytes <= most, "{bytes} bytes, of at most {most}");
    result
}
