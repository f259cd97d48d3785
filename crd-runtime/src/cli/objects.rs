//! All documents of a call at once, for commands that need them together.

use std::fmt;
use std::path::PathBuf;

use serde_json::Value;

use super::catalog::{self, Catalog};
use super::input::{self, Unit};
use super::{Context, Registry, Unable, style};

/// The documents that `-f` names.
pub(super) struct Loaded {
    /// The CRDs among them, and those that are registered.
    pub(super) catalog: Catalog,
    /// The CRDs among them, in their order.
    pub(super) crds: Vec<Placed>,
    /// All else, lists taken apart.
    pub(super) objects: Vec<Placed>,
    /// What is no document.
    pub(super) unreadable: Vec<Unreadable>,
}

/// A document, and where it stands.
pub(super) struct Placed {
    pub(super) place: FileLine,
    pub(super) value: Value,
}

/// Why there is no document, and where.
pub(super) struct Unreadable {
    pub(super) place: FileLine,
    pub(super) message: String,
}

/// A line of a file, counted from 1; 0 where it is about the file as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileLine {
    pub(super) file: String,
    pub(super) line: usize,
}

impl fmt::Display for FileLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 | 1 => f.write_str(&self.file),
            line => write!(f, "{}:{line}", self.file),
        }
    }
}

/// Reads every document.
pub(super) fn read(registry: &Registry, files: &[PathBuf]) -> Result<Loaded, Unable> {
    input::check(files)?;
    let catalog = Catalog::default();
    for crd in &registry.crds {
        let crd = crd.as_ref().map_err(|error| Unable(error.clone()))?;
        catalog.add(crd, 0).map_err(Unable)?;
    }
    let mut loaded =
        Loaded { catalog, crds: Vec::new(), objects: Vec::new(), unreadable: Vec::new() };
    for unit in input::units(files) {
        loaded.take(&unit);
    }
    Ok(loaded)
}

/// As [`read`]; what cannot be read is told on the error stream.
pub(super) fn load(context: &mut Context<'_>, files: &[PathBuf]) -> Result<Loaded, Unable> {
    let loaded = read(context.registry, files)?;
    for Unreadable { place, message } in &loaded.unreadable {
        writeln!(context.err, "{place}: {}: {message}", style::bad("error"))?;
    }
    Ok(loaded)
}

impl Loaded {
    /// Whether some could not be read.
    pub(super) fn is_partial(&self) -> bool {
        !self.unreadable.is_empty()
    }

    fn take(&mut self, unit: &Unit) {
        let file = unit.place.file().to_string();
        let at = |line| FileLine { file: file.clone(), line };
        for document in unit.documents() {
            let document = match document {
                Ok(document) if document.duplicates.is_empty() => document,
                Ok(document) => {
                    let message = document.duplicates.join("; ");
                    self.unreadable.push(Unreadable { place: at(document.line), message });
                    continue;
                }
                Err(trouble) => {
                    let message = trouble.to_string();
                    self.unreadable.push(Unreadable { place: at(trouble.line), message });
                    continue;
                }
            };
            for document in document.flatten() {
                let placed = Placed { place: at(document.line), value: document.value };
                if catalog::is_crd(&placed.value) {
                    // What is wrong with it is for `check` to tell; here it is as if it were not given.
                    let _ = self.catalog.add(&placed.value, 0);
                    self.crds.push(placed);
                } else {
                    self.objects.push(placed);
                }
            }
        }
    }
}
