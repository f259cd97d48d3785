//! All documents of a call at once, for commands that need them together.

use std::path::PathBuf;

use serde_json::Value;

use super::catalog::{self, Catalog};
use super::input::{self, Unit};
use super::{Context, Unable, style};

/// The documents that `-f` names.
pub(super) struct Loaded {
    /// The CRDs among them, and those that are registered.
    pub(super) catalog: Catalog,
    /// The CRDs among them, in their order.
    pub(super) crds: Vec<Placed>,
    /// All else, lists taken apart.
    pub(super) objects: Vec<Placed>,
    /// Whether some could not be read, which has been said.
    pub(super) is_partial: bool,
}

/// A document, and where it stands.
pub(super) struct Placed {
    pub(super) place: String,
    pub(super) value: Value,
}

/// Reads every document; what cannot be read is told on the error stream.
pub(super) fn load(context: &mut Context<'_>, files: &[PathBuf]) -> Result<Loaded, Unable> {
    input::check(files)?;
    let catalog = Catalog::default();
    for crd in &context.registry.crds {
        let crd = crd.as_ref().map_err(|error| Unable(error.clone()))?;
        catalog.add(crd, 0).map_err(Unable)?;
    }
    let mut loaded = Loaded { catalog, crds: Vec::new(), objects: Vec::new(), is_partial: false };
    for unit in input::units(files) {
        loaded.take(context, &unit)?;
    }
    Ok(loaded)
}

impl Loaded {
    fn take(&mut self, context: &mut Context<'_>, unit: &Unit) -> Result<(), Unable> {
        let file = unit.place.file().to_string();
        for document in unit.documents() {
            let document = match document {
                Ok(document) if document.duplicates.is_empty() => document,
                Ok(document) => {
                    let told = document.duplicates.join("; ");
                    writeln!(context.err, "{file}: {}: {told}", style::bad("error"))?;
                    self.is_partial = true;
                    continue;
                }
                Err(trouble) => {
                    writeln!(context.err, "{file}: {}: {trouble}", style::bad("error"))?;
                    self.is_partial = true;
                    continue;
                }
            };
            for document in document.flatten() {
                let place = match document.line {
                    0 | 1 => file.clone(),
                    line => format!("{file}:{line}"),
                };
                let placed = Placed { place, value: document.value };
                if catalog::is_crd(&placed.value) {
                    // What is wrong with it is for `check` to tell; here it is as if it were not given.
                    let _ = self.catalog.add(&placed.value, 0);
                    self.crds.push(placed);
                } else {
                    self.objects.push(placed);
                }
            }
        }
        Ok(())
    }
}
