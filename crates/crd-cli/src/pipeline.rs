//! Runs work on all cores, and returns the results in order.
//!
//! At most [`WINDOW`] pieces are in progress, so that results do not pile up behind a slow one.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::{io, thread};

/// The largest number of pieces in progress.
const WINDOW: usize = 256;

/// Stack of a worker, in bytes: objects nest up to [`crate::json::MAX_DEPTH`] levels, and a debug build uses some
/// kilobytes per level.
const STACK: usize = 16 << 20;

/// Runs `work` for each piece on worker threads, and passes the results to `take` on this thread, in order.
///
/// # Errors
/// The first error of `take`; the remaining pieces are dropped.
///
/// # Panics
/// If `work` panics, with its message, or if the iterator panics; the remaining pieces are dropped.
pub(crate) fn run<T: Send, R: Send>(
    pieces: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R) -> io::Result<()>,
) -> io::Result<()> {
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let (send_piece, pieces_to_do) = mpsc::sync_channel(WINDOW);
    let (send_result, results) = mpsc::channel();
    // Holds a ticket for each piece in progress, so it is full when `WINDOW` pieces are.
    let (send_ticket, tickets) = mpsc::sync_channel::<()>(WINDOW);
    let pieces_to_do = Mutex::new(pieces_to_do);
    thread::scope(|scope| {
        scope.spawn(move || {
            for (number, piece) in pieces.enumerate() {
                // The channels close when `take` fails.
                if send_ticket.send(()).is_err() || send_piece.send((number, piece)).is_err() {
                    return;
                }
            }
        });
        for _ in 0..workers {
            let send_result = send_result.clone();
            let (pieces_to_do, work) = (&pieces_to_do, &work);
            thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, move || worker(pieces_to_do, work, &send_result))?;
        }
        drop(send_result);
        // The channels close on return, which ends the threads after an error too.
        collect(results, tickets, &mut take)
    })
}

fn worker<T, R>(
    pieces: &Mutex<Receiver<(usize, T)>>,
    work: impl Fn(T) -> R,
    results: &Sender<(usize, thread::Result<R>)>,
) {
    loop {
        let piece = pieces.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, piece)) = piece else { return };
        // A panic is sent as a result, because every number is waited for.
        let result = panic::catch_unwind(AssertUnwindSafe(|| work(piece)));
        if results.send((number, result)).is_err() {
            return;
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "to close the channels on return")]
fn collect<R>(
    results: Receiver<(usize, thread::Result<R>)>,
    tickets: Receiver<()>,
    take: &mut impl FnMut(R) -> io::Result<()>,
) -> io::Result<()> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for (number, result) in &results {
        early.insert(number, result);
        while let Some(result) = early.remove(&next) {
            take(result.unwrap_or_else(|payload| panic::resume_unwind(payload)))?;
            let _ = tickets.recv();
            next += 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_results_come_in_order() {
        for pieces in [0_u64, 1, 255, 256, 257, 5_000] {
            let mut taken = Vec::new();
            let slow_ones = |piece: u64| {
                if piece.is_multiple_of(97) {
                    thread::sleep(std::time::Duration::from_millis(1));
                }
                piece * 2
            };
            let result = run(0..pieces, slow_ones, |result| {
                taken.push(result);
                Ok(())
            });
            assert!(result.is_ok());
            assert_eq!(taken, (0..pieces).map(|piece| piece * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_of_take_ends_the_run() {
        let endless = std::iter::repeat(1);
        let mut left = 1_000;
        let result = run(
            endless,
            |piece| piece,
            |_| {
                left -= 1;
                if left == 0 { Err(io::Error::other("enough")) } else { Ok(()) }
            },
        );
        assert_eq!(result.map_err(|error| error.to_string()), Err("enough".to_owned()));
    }

    /// Returns the panic message of a run. Fails if the run takes a minute, because it hangs then.
    fn panic_of(run: impl FnOnce() + Send + 'static) -> Option<String> {
        let (send, received) = mpsc::channel();
        thread::spawn(move || {
            let payload = panic::catch_unwind(AssertUnwindSafe(run)).expect_err("a panic");
            let _ = send.send(payload.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        });
        received.recv_timeout(std::time::Duration::from_secs(60)).expect("the run ends")
    }

    #[test]
    fn a_panic_of_a_worker_ends_the_run() {
        for pieces in [250_u32, 300, 10_000] {
            let received = panic_of(move || {
                let work = |piece| assert!(piece != 3, "piece 3 is broken");
                let _ = run(0..pieces, work, |()| Ok(()));
            });
            assert_eq!(received.as_deref(), Some("piece 3 is broken"), "{pieces}");
        }
    }

    #[test]
    fn a_panic_of_the_reader_ends_the_run() {
        panic_of(|| {
            let pieces = (0..1_000).inspect(|piece| assert!(*piece != 300, "no more"));
            let _ = run(pieces, |piece| piece, |_| Ok(()));
        });
    }
}
