//! Compiles crates of many modules, without the modules that rustc rejects.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use crate::rustc::{Rustc, lines_of_json};
use crate::rustc_error::{Error, module_of};

/// The most compilations of a crate. rustc stops at errors of one phase, so that each compilation can find new ones.
const ROUNDS: usize = 12;

/// The source of a crate.
#[derive(Debug, Default)]
pub(crate) struct Source {
    pub(crate) text: String,
    /// The number of the module that begins at each line.
    starts: BTreeMap<u64, u64>,
}

impl Source {
    /// Returns a source that begins with these lines.
    pub(crate) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), starts: BTreeMap::new() }
    }

    /// Adds lines. An error in them is about the module of this number.
    pub(crate) fn push(&mut self, number: u64, lines: &str) {
        let line = self.text.bytes().filter(|byte| *byte == b'\n').count() as u64 + 1;
        self.starts.insert(line, number);
        self.text.push_str(lines);
    }
}

/// The modules of a crate that compile, and rustc's errors about the others.
#[derive(Debug, Default)]
pub(crate) struct Compiled {
    pub(crate) numbers: Vec<u64>,
    pub(crate) rejected: BTreeMap<u64, Vec<Error>>,
}

/// Compiles the modules of these numbers in `dir`, without those that rustc rejects, until all of them compile: to the
/// program `name`, or only to metadata.
///
/// # Errors
/// If a file cannot be written, or an error is in none of the modules.
pub(crate) fn compile(
    rustc: &Rustc,
    dir: &Path,
    (name, link): (&str, bool),
    numbers: Vec<u64>,
    write: &dyn Fn(&[u64]) -> Source,
) -> io::Result<Compiled> {
    let name_argument = format!("--crate-name={name}");
    let args: &[&str] = if link {
        &[&name_argument, "-Cdebuginfo=0", "-o", name, "main.rs"]
    } else {
        &[&name_argument, "--crate-type=lib", "--emit=metadata", "main.rs"]
    };
    let mut compiled = Compiled { numbers, rejected: BTreeMap::new() };
    for _ in 0..ROUNDS {
        if compiled.numbers.is_empty() {
            return Ok(compiled);
        }
        let source = write(&compiled.numbers);
        fs::write(dir.join("main.rs"), source.text)?;
        let output = rustc.run(dir, args);
        if output.status.success() {
            return Ok(compiled);
        }
        let messages = lines_of_json(&output.stderr);
        let before = compiled.numbers.len();
        for message in messages.iter().filter(|message| message["level"] == "error") {
            if let Some(number) = module_of(message, &source.starts) {
                compiled.rejected.entry(number).or_default().push(Error::read(message));
            }
        }
        compiled.numbers.retain(|number| !compiled.rejected.contains_key(number));
        if compiled.numbers.len() == before {
            let texts = messages.iter().filter_map(|message| message["rendered"].as_str());
            let text: String = texts.take(3).collect();
            return Err(io::Error::other(format!("errors of no module: {text}")));
        }
    }
    Err(io::Error::other(format!("errors remain after {ROUNDS} rounds")))
}
