//! The cause of an error, which is part of its text.
//!
//! The errors of this crate say everything in their text and have no source: a program that prints an error with
//! its sources, as anyhow does, would print the same twice.

use std::error::Error;
use std::{fmt, io};

/// How far an error is followed to what it comes from; some may come from themselves.
const MAX_SOURCES: usize = 16;

/// An error and its sources. An error of IO does not give the one that it wraps as its source, but that one's.
pub(crate) fn chain<'a>(
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

/// An error and what it comes from, each text once.
pub(crate) struct Chain<'a>(pub(crate) &'a (dyn Error + 'static));

impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut said = String::new();
        for error in chain(self.0) {
            let text = error.to_string();
            if said.contains(&text) {
                continue;
            }
            if !said.is_empty() {
                said.push_str(": ");
            }
            said.push_str(&text);
        }
        f.write_str(&said)
    }
}
