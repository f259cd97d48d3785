//! Finds the Rust source of a part of a type's schema.

use super::location::{FileLine, Origin};
use super::origin::Locate;
use crate::crd_schema::{Shape, WrittenAt};
use crate::definition::SchemaStep;

impl Locate for Shape {
    fn locate(&self, steps: &[SchemaStep<'_>]) -> Option<Origin> {
        self.written_at(steps).map(origin)
    }

    fn allows(&self, steps: &[SchemaStep<'_>], lint: &str) -> bool {
        self.allows_lint(steps, lint)
    }

    fn allowed(&self) -> Vec<(&'static str, Option<Origin>)> {
        let allowed = self.allowed_lints().into_iter();
        allowed.map(|(lint, place)| (lint, place.map(origin))).collect()
    }
}

fn origin(found: WrittenAt) -> Origin {
    let line = usize::try_from(found.line).unwrap_or(0);
    Origin { text: found.text, place: FileLine { file: found.file.to_owned(), line } }
}
