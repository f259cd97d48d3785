//! Walks over a schema as written: rejects keywords that no schema of a CRD may have, and keywords in places where they
//! are not allowed.

use std::collections::{BTreeMap, BTreeSet};

use super::options::Options;
use super::{lists, rules, search};
use crate::field::{Path, Sink};
use crate::model::{JsonSchemaProps, SchemaOrArray, SchemaOrBool, SchemaOrStrings};
use crate::schema::MAX_SCHEMA_DEPTH;

/// Where in a schema the walk is.
#[derive(Debug, Clone, Copy)]
pub(super) struct SchemaPosition<'a> {
    is_root: bool,
    /// Whether it is in the `metadata`, `kind` or `apiVersion` of a resource.
    in_resource_meta: bool,
    /// Why a default is not allowed here, if it is not.
    no_default: Option<&'a str>,
    depth: usize,
}

impl SchemaPosition<'static> {
    pub(super) const ROOT: Self =
        SchemaPosition { is_root: true, in_resource_meta: false, no_default: None, depth: 0 };
}

/// The results of the walk.
#[derive(Debug)]
pub(super) struct WalkResult {
    pub(super) errors: Sink,
    /// The paths of the schemas for which the walk reported an error, in the schema itself or below it. Their rules are
    /// not compiled.
    ///
    /// Upstream: the check of a schema can report an error at a path below it, such as that the items of a set are
    /// nullable. This error does not count for the schema at that path: the rules of the items are still compiled.
    ///
    /// If the sink does not keep all errors, some of these paths are missing. Then no rules are compiled.
    pub(super) unsound: BTreeSet<String>,
}

impl WalkResult {
    pub(super) const fn new(errors: Sink) -> Self {
        Self { errors, unsound: BTreeSet::new() }
    }
}

/// The fields that every resource has, for which Kubernetes has schemas of its own.
const META_FIELDS: [&str; 3] = ["metadata", "kind", "apiVersion"];

/// Checks a schema and those below it. Rules are compiled elsewhere, in [`crate::ruleset`].
///
/// Source: `ValidateCustomResourceDefinitionOpenAPISchema`.
pub(super) fn check(
    props: &JsonSchemaProps,
    path: &Path<'_>,
    position: &SchemaPosition<'_>,
    options: &Options,
    found: &mut WalkResult,
) {
    if position.depth >= MAX_SCHEMA_DEPTH {
        return;
    }
    let before = found.errors.len();
    check_keywords(props, path, position, options, found);
    let below = SchemaPosition { is_root: false, depth: position.depth + 1, ..*position };
    check_additional(props, path, &below, options, found);
    check_properties(props, path, position, &below, options, found);
    check_others(props, path, &below, options, found);
    if props.x_preserve_unknown_fields == Some(false) {
        let path = path.field("x-kubernetes-preserve-unknown-fields");
        found.errors.invalid(&path, false, "must be true or undefined");
    }
    lists::check(props, options.atomic_sets, path, &mut found.errors);
    if options.map_keys {
        lists::check_map_keys(props, path, &mut found.errors);
    }
    rules::check(props, path, &mut found.errors);
    if found.errors.len() > before && found.errors.bytes_left() > 0 {
        found.unsound.insert(path.to_string());
    }
}

/// Checks the type of a schema, and that it has no keyword that is forbidden at its position.
///
/// Source: `specStandardValidatorV3.validate`.
fn check_keywords(
    props: &JsonSchemaProps,
    path: &Path<'_>,
    position: &SchemaPosition<'_>,
    options: &Options,
    found: &mut WalkResult,
) {
    let type_ = props.type_.as_str();
    if options.valid_types && !type_.is_empty() && !search::TYPES.contains(&type_) {
        found.errors.not_supported(&path.field("type"), type_, search::TYPES);
    }
    if let Some(reason) = position.no_default
        && search::has_default(props)
    {
        let detail = format!("must not be set {reason}");
        found.errors.forbidden(&path.field("default"), detail);
    }
    let has = |schemas: &Option<BTreeMap<String, JsonSchemaProps>>| {
        schemas.as_ref().is_some_and(|schemas| !schemas.is_empty())
    };
    for (keyword, present) in [
        ("id", !props.id.is_empty()),
        ("additionalItems", props.additional_items.is_some()),
        ("patternProperties", has(&props.pattern_properties)),
        ("definitions", has(&props.definitions)),
        ("dependencies", props.dependencies.is_some()),
        ("$ref", props.ref_.is_some()),
    ] {
        if present {
            let detail = format!("{keyword} is not supported");
            found.errors.forbidden(&path.field(keyword), detail);
        }
    }
    for (keyword, present, detail) in [
        ("type", type_ == "null", "type cannot be set to null, use nullable as an alternative"),
        (
            "items",
            matches!(&props.items, Some(SchemaOrArray::Array(schemas)) if !schemas.is_empty()),
            "items must be a schema object and not an array",
        ),
        (
            "x-kubernetes-embedded-resource",
            position.in_resource_meta && props.x_embedded_resource,
            "must not be used inside of resource meta",
        ),
        (
            "uniqueItems",
            props.unique_items,
            "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
        ),
    ] {
        if present {
            found.errors.forbidden(&path.field(keyword), detail);
        }
    }
}

fn check_additional(
    props: &JsonSchemaProps,
    path: &Path<'_>,
    below: &SchemaPosition<'_>,
    options: &Options,
    found: &mut WalkResult,
) {
    let Some(additional) = &props.additional_properties else { return };
    let at = path.field("additionalProperties");
    let has_properties = props.properties.as_ref().is_some_and(|map| !map.is_empty());
    if has_properties && !matches!(additional, SchemaOrBool::Bool(true)) {
        let detail = "additionalProperties and properties are mutual exclusive";
        found.errors.forbidden(&at, detail);
    }
    if let SchemaOrBool::Schema(schema) = additional {
        // Upstream: without an actual value it is ambiguous how such a default is pruned.
        let no_default = if below.in_resource_meta {
            Some("inside additionalProperties applying to object metadata")
        } else {
            below.no_default
        };
        check(schema, &at, &SchemaPosition { no_default, ..*below }, options, found);
    }
}

fn check_properties(
    props: &JsonSchemaProps,
    path: &Path<'_>,
    position: &SchemaPosition<'_>,
    below: &SchemaPosition<'_>,
    options: &Options,
    found: &mut WalkResult,
) {
    let at = path.field("properties");
    for (name, property) in props.properties.iter().flatten() {
        let is_meta =
            (position.is_root || props.x_embedded_resource) && META_FIELDS.contains(&name.as_str());
        let reason = (is_meta && position.is_root).then(|| format!("in top-level {name}"));
        let position = SchemaPosition {
            in_resource_meta: below.in_resource_meta || is_meta,
            no_default: reason.as_deref().or(below.no_default),
            ..*below
        };
        check(property, &at.key(name), &position, options, found);
    }
}

fn check_others(
    props: &JsonSchemaProps,
    path: &Path<'_>,
    below: &SchemaPosition<'_>,
    options: &Options,
    found: &mut WalkResult,
) {
    if let Some(not) = &props.not {
        check(not, &path.field("not"), below, options, found);
    }
    for (keyword, schemas) in
        [("allOf", &props.all_of), ("oneOf", &props.one_of), ("anyOf", &props.any_of)]
    {
        let at = path.field(keyword);
        for (index, schema) in schemas.iter().flatten().enumerate() {
            check(schema, &at.index(index), below, options, found);
        }
    }
    let at = path.field("definitions");
    for (name, schema) in props.definitions.iter().flatten() {
        check(schema, &at.key(name), below, options, found);
    }
    let at = path.field("items");
    match &props.items {
        Some(SchemaOrArray::Schema(items)) => check(items, &at, below, options, found),
        Some(SchemaOrArray::Array(schemas)) => {
            for (index, items) in schemas.iter().enumerate() {
                check(items, &at.index(index), below, options, found);
            }
        }
        Some(SchemaOrArray::Neither(_)) | None => {}
    }
    let at = path.field("dependencies");
    for (name, dependency) in props.dependencies.iter().flatten() {
        if let SchemaOrStrings::Schema(schema) = dependency {
            check(schema, &at.key(name), below, options, found);
        }
    }
}
