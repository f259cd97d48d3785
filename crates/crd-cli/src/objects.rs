//! Reads all documents at once, for commands that need them together.

use std::sync::Arc;

use serde_json::Value;

use super::args::{Files, Paths};
use super::catalog::{self, CrdCatalog};
use super::input::{self, Document, Unit};
use super::location::{FieldLocation, FileLine};
use super::verdict::LocatedError;
use super::{CommandError, CommandOutcome, Context, Registry, hint, origin, report};
use crate::field::Error;

/// The file name shown for a registered CRD.
const REGISTERED: &str = "(registered)";
/// The most memory of all documents with aliases together, in bytes. The aliases of a few small files can expand to as
/// much as the memory of the machine, although those of each document are limited.
const MAX_ALIASED: usize = 256 << 20;

/// The documents in the given files.
#[derive(Default)]
pub(super) struct Loaded {
    /// The CRDs in them, and the registered ones.
    pub(super) catalog: CrdCatalog,
    /// The CRDs in them, in order.
    pub(super) crds: Vec<Placed>,
    /// The other objects, with the items of lists as objects of their own.
    pub(super) objects: Vec<Placed>,
    /// Documents that could not be read.
    pub(super) unreadable: Vec<Unreadable>,
    /// CRDs that do not decode, which the catalog does not have. Commands that check CRDs report them with the others.
    undecodable: Vec<Unreadable>,
    /// The memory of the documents with aliases.
    aliased: usize,
}

/// A document and its place.
pub(super) struct Placed {
    pub(super) place: FileLine,
    pub(super) value: Value,
    /// The text in which lines of fields can be looked up; `None` if it is from no file.
    pub(super) source: Option<DocumentText>,
}

/// The text of a document.
pub(super) struct DocumentText {
    unit: Arc<Unit>,
    item: Option<usize>,
}

impl Placed {
    /// Returns the places of fields of a CRD: lines of its file, or places in the types of a registered kind.
    pub(super) fn locate(&self, registry: &Registry, fields: &[&str]) -> Vec<FieldLocation> {
        let Some(DocumentText { unit, item }) = &self.source else {
            let in_rust = |field: &&str| origin::locate(registry, &self.value, field);
            let located =
                fields.iter().map(|field| FieldLocation { line: 0, origin: in_rust(field) });
            return located.collect();
        };
        let fields: Vec<String> = fields.iter().map(|field| catalog::in_manifest(field)).collect();
        let lines = unit.lines(self.place.line, *item, &fields).into_iter();
        lines.map(|line| FieldLocation { line, origin: None }).collect()
    }

    /// Returns the errors of a CRD, each with the location of its field.
    pub(super) fn located(&self, registry: &Registry, errors: Vec<Error>) -> Vec<LocatedError> {
        let fields: Vec<&str> = errors.iter().map(|error| &*error.field).collect();
        let located = self.locate(registry, &fields).into_iter();
        errors
            .into_iter()
            .zip(located)
            .map(|(error, location)| LocatedError { error, location })
            .collect()
    }
}

/// The reason why a document could not be read, and its position.
pub(super) struct Unreadable {
    pub(super) place: FileLine,
    pub(super) message: String,
    pub(super) hint: Option<String>,
}

/// The CRDs that a command works on.
pub(super) struct Definitions {
    pub(super) crds: Vec<Placed>,
    /// Documents that could not be read.
    pub(super) unreadable: Vec<Unreadable>,
}

/// Returns the CRDs in the given files, or else the registered ones. With `is_printed`, prints what cannot be read on
/// the error stream.
///
/// # Errors
/// If there are none.
pub(super) fn definitions(
    context: &mut Context<'_>,
    files: &Files,
    is_printed: bool,
) -> Result<Definitions, CommandError> {
    let nothing = |message: &str| Err(CommandError(format!("{message}; nothing to work on")));
    if files.is_empty() {
        let crds = registered(context.registry)?;
        if crds.is_empty() {
            return nothing("no CRDs given and none registered");
        }
        return Ok(Definitions { crds, unreadable: Vec::new() });
    }
    let files = files.paths();
    let loaded = if is_printed { load(context, &files)? } else { read(context.registry, &files)? };
    let Loaded { crds, unreadable, .. } = loaded;
    if crds.is_empty() && unreadable.is_empty() {
        return nothing("no CRDs found in the documents");
    }
    Ok(Definitions { crds, unreadable })
}

/// Returns the place of a registered CRD.
pub(super) fn place_of_registered() -> FileLine {
    FileLine { file: REGISTERED.to_owned(), line: 0 }
}

/// Returns the registered CRDs as documents.
pub(super) fn registered(registry: &Registry) -> Result<Vec<Placed>, CommandError> {
    let registered = registry.crds.iter().map(|crd| {
        let value = crd.clone().map_err(CommandError)?;
        Ok(Placed { place: place_of_registered(), value, source: None })
    });
    registered.collect()
}

/// Reads every document.
pub(super) fn read(registry: &Registry, files: &Paths) -> Result<Loaded, CommandError> {
    input::check(files)?;
    let mut loaded = Loaded::default();
    for crd in &registry.crds {
        let crd = crd.as_ref().map_err(|error| CommandError(error.clone()))?;
        loaded.catalog.add(crd, 0).map_err(CommandError)?;
    }
    for unit in input::units(files) {
        loaded.take(&Arc::new(unit));
    }
    Ok(loaded)
}

/// As [`read`], but prints what cannot be read on the error stream.
pub(super) fn load(context: &mut Context<'_>, files: &Paths) -> Result<Loaded, CommandError> {
    let loaded = read(context.registry, files)?;
    loaded.print_unreadable(context)?;
    Ok(loaded)
}

impl Loaded {
    /// Returns the documents of some units.
    pub(super) fn of(units: Vec<Unit>) -> Self {
        let mut loaded = Self::default();
        for unit in units {
            loaded.take(&Arc::new(unit));
        }
        loaded
    }

    /// Returns definitions that are in no file.
    pub(super) fn of_values(origin: &str, crds: Vec<Value>) -> Self {
        let place = || FileLine { file: origin.to_owned(), line: 0 };
        let crds = crds.into_iter().map(|value| Placed { place: place(), value, source: None });
        Self { crds: crds.collect(), ..Self::default() }
    }

    /// Prints what cannot be read on the error stream.
    pub(super) fn print_unreadable(&self, context: &mut Context<'_>) -> Result<(), CommandError> {
        for Unreadable { place, message, hint } in &self.unreadable {
            report::write_unreadable(context.err, place, message, hint.as_deref())?;
        }
        Ok(())
    }

    /// Prints the CRDs that do not decode on the error stream, for commands that need them to read objects. Returns
    /// whether there are none.
    pub(super) fn print_undecodable(
        &self,
        context: &mut Context<'_>,
    ) -> Result<bool, CommandError> {
        for Unreadable { place, message, .. } in &self.undecodable {
            report::write_unreadable(context.err, place, message, None)?;
        }
        Ok(self.undecodable.is_empty())
    }

    /// Returns the outcome of a command that has read the documents, and has found other errors or not.
    pub(super) fn outcome(&self, is_valid: bool) -> CommandOutcome {
        match (self.is_partial(), is_valid) {
            (true, _) => CommandOutcome::Unreadable,
            (false, true) => CommandOutcome::Valid,
            (false, false) => CommandOutcome::Invalid,
        }
    }

    /// Returns whether some documents could not be read.
    pub(super) fn is_partial(&self) -> bool {
        !self.unreadable.is_empty()
    }

    fn take(&mut self, unit: &Arc<Unit>) {
        let file = unit.place.file().to_string();
        let at = |line| FileLine { file: file.clone(), line };
        let has_aliases = unit.mentions("&") && unit.mentions("*");
        for document in unit.documents() {
            let document = match document {
                Ok(document) if document.duplicates.is_empty() => document,
                Ok(document) => {
                    let message = document.duplicates.join("; ");
                    let place = at(document.line);
                    self.unreadable.push(Unreadable { place, message, hint: None });
                    continue;
                }
                Err(error) => {
                    let (place, message) = (at(error.line), error.to_string());
                    let hint = hint::of_unit(unit, false);
                    self.unreadable.push(Unreadable { place, message, hint });
                    continue;
                }
            };
            if has_aliases {
                self.aliased = self.aliased.saturating_add(memory_of(&document.value));
            }
            if self.aliased > MAX_ALIASED {
                let limit = MAX_ALIASED >> 20;
                let message = format!(
                    "the aliases of all documents together expand to more than {limit} MiB: give fewer files"
                );
                self.unreadable.push(Unreadable { place: at(document.line), message, hint: None });
                return;
            }
            for Document { line, item, value, .. } in document.flatten() {
                if let Some(message) = catalog::former_definition(&value) {
                    self.unreadable.push(Unreadable { place: at(line), message, hint: None });
                } else if catalog::is_crd(&value) {
                    if let Err(message) = self.catalog.add(&value, 0) {
                        let message = format!("{}: {message}", catalog::named(&value));
                        self.undecodable.push(Unreadable { place: at(line), message, hint: None });
                    }
                    let source = Some(DocumentText { unit: Arc::clone(unit), item });
                    self.crds.push(Placed { place: at(line), value, source });
                } else {
                    self.objects.push(Placed { place: at(line), value, source: None });
                }
            }
        }
    }
}

/// Returns the memory that a value takes, in bytes. The recursion follows the value, whose depth is limited.
fn memory_of(value: &Value) -> usize {
    let content = match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(memory_of).sum(),
        Value::Object(map) => {
            map.iter().map(|(key, value)| size_of::<String>() + key.len() + memory_of(value)).sum()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    };
    size_of::<Value>() + content
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_aliases_of_all_documents_together_are_limited() {
        let unit = |text: &str| Arc::new(Unit::of_yaml(text));
        let mut loaded = Loaded { aliased: MAX_ALIASED - 1_000, ..Loaded::default() };
        let plain = "apiVersion: v1\nkind: A\nmetadata: {name: a}\n";
        loaded.take(&unit(&format!("{plain}text: {}\n", "x".repeat(2_000))));
        loaded.take(&unit(&format!("{plain}a: &a [1]\nb: *a\n")));
        assert_eq!((loaded.objects.len(), loaded.unreadable.len()), (2, 0));
        loaded.take(&unit(&format!("{plain}a: &a [{}]\nb: *a\n", "1,".repeat(50))));
        assert_eq!((loaded.objects.len(), loaded.unreadable.len()), (2, 1));
        let message = &loaded.unreadable[0].message;
        assert!(message.contains("expand to more than 256 MiB: give fewer files"), "{message}");
    }
}
