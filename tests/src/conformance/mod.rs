//! Runs recorded verdicts of the real API server against this workspace.
//!
//! Each suite reads the files it knows in a directory of vectors, where they are present, and reports
//! every case. A suite is a file beside this one and a line in [`SUITES`].

use std::path::Path;

/// What a suite tells of its cases.
#[derive(Debug, Default)]
pub struct Report {
    /// Each case in the order in which it ran.
    pub outcomes: Vec<Outcome>,
}

/// One case.
#[derive(Debug)]
pub struct Outcome {
    /// The file the case stands in, relative to the directory of vectors.
    pub source: String,
    /// The case's name.
    pub id: String,
    /// What differs, for a person; `None` where all agrees.
    pub difference: Option<String>,
}

impl Report {
    /// Reports a case that agrees.
    pub fn pass(&mut self, source: &str, id: &str) {
        self.add(source, id, None);
    }

    /// Reports a case that differs.
    pub fn fail(&mut self, source: &str, id: &str, difference: String) {
        self.add(source, id, Some(difference));
    }

    fn add(&mut self, source: &str, id: &str, difference: Option<String>) {
        self.outcomes.push(Outcome { source: source.to_owned(), id: id.to_owned(), difference });
    }
}

/// Runs the cases that a directory of vectors holds for one suite.
pub type Suite = fn(&Path, &mut Report);

/// Every suite, by name.
pub const SUITES: &[(&str, Suite)] = &[];
