//! Checks that fields and items in junctors are specified outside of them.

use super::structural::{NestedValueValidation, Structural, ValueValidation};
use crate::field::{Path, Sink};

/// Checks only the junctors of the root, as the server does. Others may contain fields that are specified nowhere.
///
/// Source: `pkg/apiserver/schema/complete.go`, `validateStructuralCompleteness`.
pub(super) fn check(schema: &Structural, path: &Path<'_>, errors: &mut Sink) {
    check_validation(&schema.validation, schema, path, path, errors);
}

/// Checks that `schema`, at `path`, specifies all fields and items of a junctor's schema, which is at `at`.
fn check_validation(
    validation: &ValueValidation,
    schema: &Structural,
    path: &Path<'_>,
    at: &Path<'_>,
    errors: &mut Sink,
) {
    if let Some(not) = &validation.not {
        check_nested(not, schema, path, &at.field("not"), errors);
    }
    for (keyword, schemas) in [
        ("allOf", &validation.all_of),
        ("anyOf", &validation.any_of),
        ("oneOf", &validation.one_of),
    ] {
        for (index, nested) in schemas.iter().enumerate() {
            check_nested(nested, schema, path, &at.field(keyword).index(index), errors);
        }
    }
}

fn check_nested(
    nested: &NestedValueValidation,
    schema: &Structural,
    path: &Path<'_>,
    at: &Path<'_>,
    errors: &mut Sink,
) {
    check_validation(&nested.validation, schema, path, at, errors);
    if let Some(items) = &nested.items {
        let (path, at) = (path.field("items"), at.field("items"));
        match &schema.items {
            Some(schema) => check_nested(items, schema, &path, &at, errors),
            None => missing(&path, &at, errors),
        }
    }
    for (name, property) in nested.properties.iter().flatten() {
        let (path, at) = (path.field("properties"), at.field("properties"));
        let (path, at) = (path.key(name), at.key(name));
        match schema.properties.get(name) {
            Some(schema) => check_nested(property, schema, &path, &at, errors),
            None => missing(&path, &at, errors),
        }
    }
}

fn missing(path: &Path<'_>, at: &Path<'_>, errors: &mut Sink) {
    errors.required(path, format_args!("because it is defined in {at}"));
}
