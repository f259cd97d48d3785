//! Finds the Rust source of a part of a type's schema.

use super::location::{FileLine, Origin};
use super::origin::Locate;
use crate::crd_schema::Shape;
use crate::definition::SchemaStep;

impl Locate for Shape {
    fn locate(&self, steps: &[SchemaStep<'_>]) -> Option<Origin> {
        let found = self.written_at(steps)?;
        let line = usize::try_from(found.line).unwrap_or(0);
        Some(Origin { text: found.text, place: FileLine { file: found.file.to_owned(), line } })
    }
}
