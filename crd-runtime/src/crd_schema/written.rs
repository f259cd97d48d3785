//! Where the parts of a schema are written in Rust.

use super::field::written;
use super::{FieldShape, Shape, Source};
use crd_engine::definition::SchemaStep;

/// A place in Rust source.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenAt {
    /// The text shown: `operator::CronTabSpec.replicas (src/crontab.rs:14)`.
    pub text: String,
    /// The file, as its name was passed to the compiler.
    pub file: &'static str,
    /// The line of the field, or else of the type.
    pub line: u32,
}

/// Where a field of a derived object is declared.
#[derive(Clone, Copy)]
struct Place {
    source: Source,
    field: &'static str,
    line: u32,
}

impl Place {
    fn written_at(self) -> WrittenAt {
        let Self { source, field, line } = self;
        let file = source.file;
        WrittenAt { text: format!("{}.{field} ({file}:{line})", source.type_()), file, line }
    }
}

impl Shape {
    /// Returns the field at the end of the steps, or the closest one before it, such as
    /// `operator::crontab::CronTabSpec.replicas (src/crontab.rs:14)`. Its type is added if the place of the type is
    /// known.
    #[doc(hidden)]
    #[must_use]
    pub fn written_at(&self, steps: &[SchemaStep<'_>]) -> Option<WrittenAt> {
        let mut shape = self;
        let mut last: Option<Place> = None;
        for step in steps {
            let next = match step {
                SchemaStep::Property(name) => field(shape, name).map(|(place, field)| {
                    last = place.or(last);
                    field.shape
                }),
                SchemaStep::Element => shape.items,
            };
            match next {
                Some(next) => shape = next,
                // The shape does not go further: the closest field is used.
                None => return last.map(Place::written_at),
            }
        }
        let of_type = shape.source.map(|source| {
            let source = source();
            let Source { file, line, .. } = source;
            WrittenAt { text: format!("{} ({file}:{line})", source.type_()), file, line }
        });
        match (last.map(Place::written_at), of_type) {
            (Some(field), Some(type_)) => {
                let text = format!("{}, of type {}", field.text, type_.text);
                Some(WrittenAt { text, ..field })
            }
            (field, type_) => field.or(type_),
        }
    }

    /// Returns whether `#[crd(allow(..))]` has a lint on the type, or on a type or field that the steps lead through.
    ///
    /// The recursion ends with the steps, apart from flattened types, which rustc keeps finite.
    #[doc(hidden)]
    #[must_use]
    pub fn allows_lint(&self, steps: &[SchemaStep<'_>], lint: &str) -> bool {
        if self.allows.contains(&lint) {
            return true;
        }
        let Some((step, rest)) = steps.split_first() else { return false };
        let name = match step {
            SchemaStep::Element => {
                return self.items.is_some_and(|items| items.allows_lint(rest, lint));
            }
            SchemaStep::Property(name) => *name,
        };
        let in_field = self.fields.iter().any(|of| match of.name {
            "" if field(of.shape, name).is_none() => false,
            "" => of.allows.contains(&lint) || of.shape.allows_lint(steps, lint),
            known => {
                known == name && (of.allows.contains(&lint) || of.shape.allows_lint(rest, lint))
            }
        });
        let mut variants = self.variants.iter().filter(|variant| field(variant, name).is_some());
        in_field || variants.any(|variant| variant.allows_lint(steps, lint))
    }

    /// Returns the names of all lints in `#[crd(allow(..))]` of the type and of the types in it, each with the closest
    /// field.
    #[doc(hidden)]
    #[must_use]
    pub fn allowed_lints(&self) -> Vec<(&'static str, Option<WrittenAt>)> {
        let mut allowed = Vec::new();
        collect(self, None, &mut allowed);
        allowed
    }
}

fn collect(shape: &Shape, place: Option<Place>, out: &mut Vec<(&'static str, Option<WrittenAt>)>) {
    out.extend(shape.allows.iter().map(|lint| (*lint, place.map(Place::written_at))));
    for (own, field) in fields(shape) {
        let place = own.or(place);
        out.extend(field.allows.iter().map(|lint| (*lint, place.map(Place::written_at))));
        collect(field.shape, place, out);
    }
    for part in shape.items.into_iter().chain(shape.variants) {
        collect(part, place, out);
    }
}

/// Returns the fields of an object, each with its place.
fn fields(shape: &Shape) -> Vec<(Option<Place>, &'static FieldShape)> {
    let source = shape.source.map(|source| source());
    let fields = written(shape.fields, source).map(|(field, written)| {
        let place = source.zip(written);
        let place = place.map(|(source, (field, line, _))| Place { source, field, line });
        (place, field)
    });
    fields.collect()
}

/// Finds a field of an object, of a type flattened into it, or of a variant.
fn field(shape: &Shape, name: &str) -> Option<(Option<Place>, &'static FieldShape)> {
    if let Some(found) = fields(shape).into_iter().find(|(_, field)| field.name == name) {
        return Some(found);
    }
    let flattened = shape.fields.iter().filter(|field| field.name.is_empty());
    let parts = flattened.map(|field| field.shape).chain(shape.variants);
    parts.into_iter().find_map(|part| field(part, name))
}
