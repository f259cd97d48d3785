//! Follows a path through the shape of a type.

use super::location::{FileLine, Origin};
use super::origin::{Locate, SchemaStep};
use crate::crd_schema::{FieldShape, Shape, Source};

/// A field, and the object that has it.
type Found = (&'static Source, &'static FieldShape);

impl Locate for Shape {
    /// Returns the field at the end of the steps, or the closest one before it, such as
    /// `operator::crontab::CronTabSpec.replicas (src/crontab.rs:14)`. Its type is added if the place of the type is
    /// known.
    fn locate(&self, steps: &[SchemaStep<'_>]) -> Option<Origin> {
        let mut shape = self;
        let mut last: Option<Found> = None;
        for step in steps {
            let next = match step {
                SchemaStep::Property(name) => field(shape, name).map(|(found, field)| {
                    last = found.filter(|(_, field)| field.written.is_some()).or(last);
                    field.shape
                }),
                SchemaStep::Element => shape.items,
            };
            match next {
                Some(next) => shape = next,
                // The shape does not go further: the closest field is used.
                None => return last.and_then(origin_of),
            }
        }
        let of_type = shape.source.map(|source| Origin {
            text: format!("{} ({})", source.type_, source.file),
            place: FileLine { file: source.file.to_owned(), line: 0 },
        });
        match (last.and_then(origin_of), of_type) {
            (Some(field), Some(type_)) => {
                let text = format!("{}, of type {}", field.text, type_.text);
                Some(Origin { text, ..field })
            }
            (field, type_) => field.or(type_),
        }
    }
}

/// Finds a field of an object, of a type flattened into it, or of a variant.
fn field(shape: &Shape, name: &str) -> Option<(Option<Found>, &'static FieldShape)> {
    if let Some(field) = shape.fields.iter().find(|field| field.name == name) {
        return Some((shape.source.map(|source| (source, field)), field));
    }
    let flattened = shape.fields.iter().filter(|field| field.name.is_empty());
    let parts = flattened.map(|field| field.shape).chain(shape.variants);
    parts.into_iter().find_map(|part| field(part, name))
}

fn origin_of((source, field): Found) -> Option<Origin> {
    let (field, line) = field.written?;
    Some(Origin {
        text: format!("{}.{field} ({}:{line})", source.type_, source.file),
        place: FileLine { file: source.file.to_owned(), line: usize::try_from(line).unwrap_or(0) },
    })
}
