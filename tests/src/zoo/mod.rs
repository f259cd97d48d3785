//! Types at random, asked whether the laws of derived types hold for them.
//!
//! A type either does not compile, by an error of the derives at one of its tokens, or the server takes its definition,
//! admits what it writes with nothing pruned, gives it back equal, and admits nothing that it cannot read.

mod build;
mod laws;
mod types;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::ops::Range;
use std::path::Path;

pub use laws::{admitted, is_beyond_rust, written_is_stored};
pub(crate) use laws::{ask, definition_of, object_of};

use crate::cores::on_all_cores;
use crate::rustc::Rustc;
use crate::rustc_error::Error;

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Asked {
    /// How many types.
    pub types: u64,
    /// Types in one crate.
    pub batch: u64,
    /// With the number of a type, what it is made from.
    pub seed: u64,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Report {
    /// Types that compile.
    pub compiled: u64,
    /// Types with an error of the derives.
    pub refused: u64,
    /// Values that were written, admitted and read.
    pub written: u64,
    /// Objects that were admitted and read.
    pub read: u64,
    /// What should not be, and the type it is about.
    pub disagreements: Vec<(u64, String)>,
    /// How often the derives said what.
    pub errors: BTreeMap<String, u64>,
}

impl Report {
    /// Counts what came of further types too.
    fn add(&mut self, other: Self) {
        self.compiled += other.compiled;
        self.refused += other.refused;
        self.written += other.written;
        self.read += other.read;
        self.disagreements.extend(other.disagreements);
        for (error, count) in other.errors {
            *self.errors.entry(error).or_default() += count;
        }
    }

    /// As text, with the first few disagreements and the types that they are about.
    #[must_use]
    pub fn render(&self, asked: &Asked, show: usize) -> String {
        let mut text = format!(
            "{} types, of which {} compile and {} are refused; {} values written, {} objects read; {} disagreements\n",
            self.compiled + self.refused,
            self.compiled,
            self.refused,
            self.written,
            self.read,
            self.disagreements.len()
        );
        for (number, disagreement) in self.disagreements.iter().take(show) {
            let source = source(asked.seed, *number);
            let _ = writeln!(
                text,
                "--- type {number} of seed {}: {disagreement}\n{source}",
                asked.seed
            );
        }
        text
    }
}

/// The source of one type.
#[must_use]
pub fn source(seed: u64, number: u64) -> String {
    types::module(seed.wrapping_mul(1_000_003).wrapping_add(number))
}

/// Makes types, compiles them in crates in `dir`, a crate a core at a time, and holds them to the laws.
///
/// # Errors
/// Those of the file system, and of a crate that fails for another reason than its types.
pub fn run(asked: &Asked, dir: &Path, rustc: &Rustc) -> io::Result<Report> {
    let mut report = Report::default();
    let starts: Vec<_> =
        (0..asked.types).step_by(usize::try_from(asked.batch).unwrap_or(usize::MAX)).collect();
    // Each core has a directory: what is written there for one crate is overwritten for its next.
    let reports = on_all_cores(&starts, |core, start| {
        let end = (start + asked.batch).min(asked.types);
        batch(asked, *start..end, &dir.join(core.to_string()), rustc)
    });
    for batch in reports {
        report.add(batch?);
    }
    Ok(report)
}

/// What comes of the types of one crate.
fn batch(asked: &Asked, numbers: Range<u64>, dir: &Path, rustc: &Rustc) -> io::Result<Report> {
    let mut report = Report::default();
    let modules = numbers.map(|number| (number, source(asked.seed, number))).collect();
    let built = build::build(modules, dir, rustc)?;
    report.refused += built.refused.len() as u64;
    for (number, errors) in built.refused {
        // Where serde's derive refuses a type too, there is no implementation, which is no error of ours.
        let beside = errors.iter().any(Error::is_of_macro);
        let errors: Vec<_> =
            errors.iter().filter(|error| !(beside && error.asks_for_serde())).collect();
        for error in &errors {
            *report.errors.entry(error.summary()).or_default() += 1;
        }
        let wrong = errors.iter().find_map(|error| error.is_foreign());
        report.disagreements.extend(wrong.map(|wrong| (number, wrong)));
    }
    report.compiled += built.compiled.len() as u64;
    laws::hold(&built.compiled, &built.program, &mut report)?;
    Ok(report)
}
