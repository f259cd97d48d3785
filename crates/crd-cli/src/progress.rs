//! A progress bar for long runs, on a terminal.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::args::Paths;
use super::input::FileWalk;
use super::report::Counts;

/// The delay before the bar is shown.
const PATIENCE: Duration = Duration::from_secs(1);
/// The interval between updates.
const INTERVAL: Duration = Duration::from_millis(100);
/// Width of the bar, in columns.
const WIDTH: usize = 30;
/// Moves to the start of the line and clears it.
const CLEAR: &str = "\r\x1b[K";

/// A bar on the error stream, if that is a terminal.
pub(super) struct ProgressBar<'a> {
    err: &'a mut dyn Write,
    has_terminal: bool,
    begun: Instant,
    drawn: Option<Instant>,
    total: Arc<FileCount>,
}

/// The number of files, counted by another thread.
#[derive(Default)]
struct FileCount {
    files: AtomicUsize,
    is_final: AtomicBool,
    is_over: AtomicBool,
}

impl<'a> ProgressBar<'a> {
    /// Starts, and counts the files if a bar may be shown.
    pub(super) fn start(err: &'a mut dyn Write, has_terminal: bool, files: &Paths) -> Self {
        let total = Arc::new(FileCount::default());
        if has_terminal {
            let (total, files) = (Arc::clone(&total), files.clone());
            thread::spawn(move || total.count(&files));
        }
        Self { err, has_terminal, begun: Instant::now(), drawn: None, total }
    }

    /// Clears the bar before output is written.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        if self.drawn.is_some() {
            self.err.write_all(CLEAR.as_bytes())?;
            self.err.flush()?;
        }
        Ok(())
    }

    /// Updates the bar if enough time has passed.
    pub(super) fn step(&mut self, counts: &Counts) -> io::Result<()> {
        if !self.has_terminal
            || self.begun.elapsed() < PATIENCE
            || self.drawn.is_some_and(|at| at.elapsed() < INTERVAL)
        {
            return Ok(());
        }
        self.drawn = Some(Instant::now());
        let done = counts.valid + counts.invalid;
        let invalid = counts.invalid;
        let total = self.total.files.load(Ordering::Relaxed);
        let bar = if self.total.is_final.load(Ordering::Relaxed) && total >= done {
            // A file can hold several documents, so the bar may overestimate the progress.
            format!("[{}] {done}/{total}", bar(done, total))
        } else {
            done.to_string()
        };
        write!(self.err, "{CLEAR}{bar} documents, {invalid} invalid")?;
        self.err.flush()
    }

    /// Clears the bar.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.total.is_over.store(true, Ordering::Relaxed);
        self.clear()?;
        self.drawn = None;
        Ok(())
    }
}

impl FileCount {
    fn count(&self, files: &Paths) {
        for _ in FileWalk::new(files) {
            if self.is_over.load(Ordering::Relaxed) {
                return;
            }
            self.files.fetch_add(1, Ordering::Relaxed);
        }
        self.is_final.store(true, Ordering::Relaxed);
    }
}

fn bar(done: usize, total: usize) -> String {
    let full = (done * WIDTH).checked_div(total).unwrap_or(WIDTH).min(WIDTH);
    format!("{}{}", "#".repeat(full), "-".repeat(WIDTH - full))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_fills_up() {
        assert_eq!(bar(0, 10), "-".repeat(30));
        assert_eq!(bar(5, 10), "#".repeat(15) + &"-".repeat(15));
        assert_eq!(bar(0, 0), "#".repeat(30));
    }

    #[test]
    fn nothing_is_drawn_without_a_terminal() {
        let mut err = Vec::new();
        let mut progress =
            ProgressBar::start(&mut err, false, &Paths { paths: Vec::new(), ignore: Vec::new() });
        progress.begun = Instant::now().checked_sub(PATIENCE * 2).unwrap_or(progress.begun);
        progress.step(&Counts::default()).expect("written");
        progress.finish().expect("written");
        assert!(err.is_empty());
    }
}
