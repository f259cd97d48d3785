//! The cause of an error, which is part of its text.
//!
//! The text of each of this crate's errors includes the cause, and `source()` returns `None`. Otherwise a program that
//! prints an error with its sources, as anyhow does, would print the cause twice.

use std::error::Error;
use std::{fmt, io};

/// The largest number of errors in a chain, because an error may be its own source.
const MAX_SOURCES: usize = 16;

/// Returns an error and its sources.
///
/// `io::Error::source` skips the error that it wraps and returns the source of that error; the chain includes both.
pub fn chain<'a>(
    error: &'a (dyn Error + 'static),
) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    let mut next = Some(error);
    let sources = std::iter::from_fn(move || {
        let error = next?;
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        next = match wrapped {
            Some(wrapped) => Some(wrapped),
            None => error.source(),
        };
        Some(error)
    });
    sources.take(MAX_SOURCES)
}

/// Displays an error and its sources, and leaves out a text that the output already contains.
#[derive(Debug)]
pub struct Chain<'a>(pub &'a (dyn Error + 'static));

impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text_so_far = String::new();
        for error in chain(self.0) {
            let text = error.to_string();
            if text_so_far.contains(&text) {
                continue;
            }
            if !text_so_far.is_empty() {
                text_so_far.push_str(": ");
            }
            text_so_far.push_str(&text);
        }
        f.write_str(&text_so_far)
    }
}
