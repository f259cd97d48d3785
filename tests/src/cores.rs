//! Processes many items on all cores.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Calls `work` with each item, on as many threads as there are cores, and returns the results in the order of the
/// items.
///
/// The first argument of `work` is the number of the thread, from 0: concurrent calls have different numbers.
///
/// # Panics
/// If `work` panics.
pub fn on_all_cores<T: Sync, R: Send>(items: &[T], work: impl Fn(usize, &T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let answers: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::new());
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for core in 0..cores {
            let (next, answers, work) = (&next, &answers, &work);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let answer = work(core, item);
                    answers.lock().expect("no call panicked").push((index, answer));
                }
            });
        }
    });
    let mut answers = answers.into_inner().expect("no call panicked");
    answers.sort_unstable_by_key(|(index, _)| *index);
    answers.into_iter().map(|(_, answer)| answer).collect()
}
