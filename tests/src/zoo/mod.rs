//! Generates random types, and checks the laws of derived types on them.
//!
//! A type either does not compile, with an error of the derives at one of its tokens, or all of this holds: the server
//! accepts its definition, admits what the type writes and prunes nothing of it, the stored value is read as an equal
//! value, and the type can read every object that the server admits.

mod build;
mod laws;
mod types;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::ops::Range;
use std::path::Path;

pub use laws::{admitted, definition_of, object_of, written_is_stored};
pub(crate) use laws::{ask, is_beyond_rust};

use crate::cores::on_all_cores;
use crate::rustc::Rustc;
use crate::rustc_error::Error;

/// Which types a run generates.
#[derive(Debug, Clone, Copy)]
pub struct Sampling {
    /// The number of types.
    pub types: u64,
    /// The number of types in one crate.
    pub batch: u64,
    /// The seed; a type depends on it and on the type's number.
    pub seed: u64,
}

/// The results of a run.
#[derive(Debug, Default)]
pub struct Report {
    /// Types that compile.
    pub compiled: u64,
    /// Types with an error of the derives.
    pub rejected: u64,
    /// Values that were written, admitted and read back.
    pub written: u64,
    /// Objects that were admitted and read.
    pub read: u64,
    /// Broken laws: the number of the type, and a description.
    pub disagreements: Vec<(u64, String)>,
    /// The number of times that each error of the derives occurred.
    pub errors: BTreeMap<String, u64>,
}

impl Report {
    /// Adds the results of further types.
    fn add(&mut self, other: Self) {
        self.compiled += other.compiled;
        self.rejected += other.rejected;
        self.written += other.written;
        self.read += other.read;
        self.disagreements.extend(other.disagreements);
        for (error, count) in other.errors {
            *self.errors.entry(error).or_default() += count;
        }
    }

    /// Renders the results, with the first `show` disagreements and the source of their types.
    #[must_use]
    pub fn render(&self, sampling: &Sampling, show: usize) -> String {
        let mut text = format!(
            "{} types, of which {} compile and {} are rejected; {} values written, {} objects read; {} disagreements\n",
            self.compiled + self.rejected,
            self.compiled,
            self.rejected,
            self.written,
            self.read,
            self.disagreements.len()
        );
        for (number, disagreement) in self.disagreements.iter().take(show) {
            let source = source(sampling.seed, *number);
            let _ = writeln!(
                text,
                "--- type {number} of seed {}: {disagreement}\n{source}",
                sampling.seed
            );
        }
        text
    }
}

/// Returns the source of a type.
#[must_use]
pub fn source(seed: u64, number: u64) -> String {
    types::module(seed.wrapping_mul(1_000_003).wrapping_add(number))
}

/// Generates types, compiles them in crates in `dir`, one on each core at a time, and checks the laws.
///
/// # Errors
/// If a file cannot be written, or a crate fails for another reason than its types.
pub fn run(sampling: &Sampling, dir: &Path, rustc: &Rustc) -> io::Result<Report> {
    let mut report = Report::default();
    let starts: Vec<_> = (0..sampling.types)
        .step_by(usize::try_from(sampling.batch).unwrap_or(usize::MAX))
        .collect();
    // Each core has a directory, in which its next crate overwrites the files of the one before.
    let reports = on_all_cores(&starts, |core, start| {
        let end = (start + sampling.batch).min(sampling.types);
        batch(sampling, *start..end, &dir.join(core.to_string()), rustc)
    });
    for batch in reports {
        report.add(batch?);
    }
    Ok(report)
}

/// Runs the types of one crate.
fn batch(
    sampling: &Sampling,
    numbers: Range<u64>,
    dir: &Path,
    rustc: &Rustc,
) -> io::Result<Report> {
    let mut report = Report::default();
    let modules = numbers.map(|number| (number, source(sampling.seed, number))).collect();
    let built = build::build(&modules, dir, rustc)?;
    report.rejected += built.rejected.len() as u64;
    for (number, errors) in built.rejected {
        // A type that serde's derive rejects too has a second error, a missing serde implementation. It is not counted.
        let has_own_error = errors.iter().any(Error::is_of_macro);
        let errors: Vec<_> =
            errors.iter().filter(|error| !(has_own_error && error.asks_for_serde())).collect();
        for error in &errors {
            *report.errors.entry(error.summary()).or_default() += 1;
        }
        let wrong = errors.iter().find_map(|error| error.foreign_reason());
        report.disagreements.extend(wrong.map(|wrong| (number, wrong)));
    }
    report.compiled += built.compiled.len() as u64;
    laws::check(&built.compiled, &built.program, &mut report)?;
    Ok(report)
}
