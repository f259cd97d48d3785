//! Checks one schema of a definition.

use super::options::Options;
use super::walk::{self, SchemaPosition};
use super::{defaults, root};
use crate::field::{Path, Sink};
use crate::model::VersionSchema;
use crate::ruleset::{self, StoredExpressions};
use crate::schema::{Structural, check_structural};

/// The context in which a schema is checked.
#[derive(Debug, Clone, Copy)]
pub(super) struct SchemaContext<'a> {
    pub(super) options: &'a Options,
    /// The version that has the schema; the first one for a shared schema.
    pub(super) version: &'a str,
    /// Whether a version that has the schema has the status subresource.
    pub(super) has_status: bool,
}

/// Checks a schema: its keywords, defaults and rules, and whether it is structural.
///
/// Source: `validateCustomResourceDefinitionValidation`.
pub(super) fn check(
    schema: Option<&VersionSchema>,
    context: SchemaContext<'_>,
    path: &Path<'_>,
    errors: &mut Sink,
) {
    let Some(props) = schema.and_then(|schema| schema.open_api_v3_schema.as_ref()) else { return };
    let path = path.field("openAPIV3Schema");
    let before = errors.len();
    if context.has_status {
        root::check_with_status(props, context.options, &path, errors);
    }
    if props.nullable {
        let detail = "nullable cannot be true at the root";
        errors.forbidden(&path.field("nullable"), detail);
    }
    let mut not_structural = None;
    let mut structural = None;
    if context.options.structural {
        match Structural::try_from(props) {
            Err(error) => not_structural = Some(error),
            Ok(converted) => {
                let mut found = errors.below();
                check_structural(&path, &converted, &mut found);
                if found.is_empty() {
                    defaults::check(&converted, context.options, &path, &mut found);
                }
                // Rules are compiled only if the schema has no other errors.
                if found.is_empty() {
                    structural = Some(converted);
                }
                errors.append(found);
            }
        }
    }
    let mut found = walk::WalkResult::new(errors.below());
    walk::check(props, &path, &SchemaPosition::ROOT, context.options, &mut found);
    let walk::WalkResult { errors: found, unsound } = found;
    errors.append(found);
    // If the sink is full, it would not keep errors of rules either.
    if let Some(structural) = structural
        && errors.bytes_left() > 0
    {
        let unchanged = context.options.unchanged_versions.contains(context.version);
        let options = ruleset::Options { unchanged, kubernetes: context.options.kubernetes };
        let stored = context
            .options
            .stored
            .as_ref()
            .map_or(StoredExpressions::None, StoredExpressions::Texts);
        ruleset::check_rules_into(&structural, &path, &unsound, options, stored, errors);
    }
    // The walk reports most of these errors itself, so this one is reported only if there are no
    // others.
    if let Some(error) = not_structural
        && errors.len() == before
    {
        errors.invalid(&path, "", error.to_string());
    }
}
