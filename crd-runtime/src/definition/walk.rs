//! The walk over a schema as it is written: keywords that no schema of a CRD may have, and where others
//! may stand.

use super::rules;
use super::schema::Check;
use super::{lists, search};
use crate::field::{Error, ErrorList, Path};
use crate::model::{JsonSchemaProps, SchemaOrArray, SchemaOrBool, SchemaOrStrings};
use crate::schema::{MAX_SCHEMA_DEPTH, Structural};

/// What the walk finds: what is wrong with the schema, and apart from it with its rules.
#[derive(Debug)]
pub(super) struct Findings<'a> {
    pub(super) schema_errors: ErrorList,
    pub(super) rule_errors: ErrorList,
    pub(super) check: Check<'a>,
}

impl<'a> Findings<'a> {
    pub(super) fn new(_root: Option<&Structural>, check: Check<'a>) -> Self {
        Self { schema_errors: ErrorList::new(), rule_errors: ErrorList::new(), check }
    }
}

/// Where the walk is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    is_root: bool,
    /// Whether it is in the metadata, kind or version of a resource.
    in_resource_meta: bool,
    /// Why no default may stand here.
    no_default: Option<&'a str>,
    /// The list that old and new values cannot be paired below.
    pub(super) uncorrelatable: Option<&'a Path<'a>>,
    depth: usize,
}

impl Place<'static> {
    pub(super) const ROOT: Self = Place {
        is_root: true,
        in_resource_meta: false,
        no_default: None,
        uncorrelatable: None,
        depth: 0,
    };
}

/// The keys that every resource has.
const META_FIELDS: [&str; 3] = ["metadata", "kind", "apiVersion"];

/// `structural` is the same node as a structural schema; there is none under junctors, and none where the
/// schema is not sound: rules are not compiled there.
///
/// Source: `ValidateCustomResourceDefinitionOpenAPISchema`.
pub(super) fn check<'p>(
    props: &JsonSchemaProps,
    path: &'p Path<'p>,
    place: &Place<'p>,
    structural: Option<&Structural>,
    findings: &mut Findings<'_>,
) {
    if place.depth >= MAX_SCHEMA_DEPTH {
        return;
    }
    let before = findings.schema_errors.len();
    check_keywords(props, path, place, findings);
    let below = Place { is_root: false, depth: place.depth + 1, ..*place };
    check_additional(props, path, &below, structural, findings);
    check_properties(props, path, place, &below, structural, findings);
    check_junctors(props, path, &below, findings);
    check_items(props, path, &below, structural, findings);
    for (name, dependency) in props.dependencies.iter().flatten() {
        if let SchemaOrStrings::Schema(schema) = dependency {
            let path = path.field("dependencies");
            check(schema, &path.key(name), &below, None, findings);
        }
    }
    if props.x_preserve_unknown_fields == Some(false) {
        let path = path.field("x-kubernetes-preserve-unknown-fields");
        findings.schema_errors.push(Error::invalid(&path, false, "must be true or undefined"));
    }
    let options = findings.check.options;
    lists::check(props, options.atomic_sets, path, &mut findings.schema_errors);
    if options.map_keys {
        lists::check_map_keys(props, path, &mut findings.schema_errors);
    }
    rules::check(props, path, &mut findings.schema_errors);
    let _ = before;
}

/// Source: `specStandardValidatorV3.validate`.
fn check_keywords(
    props: &JsonSchemaProps,
    path: &Path<'_>,
    place: &Place<'_>,
    findings: &mut Findings<'_>,
) {
    let valid_types = findings.check.options.valid_types;
    let errors = &mut findings.schema_errors;
    let type_ = props.type_.as_str();
    if valid_types && !type_.is_empty() && !search::TYPES.contains(&type_) {
        errors.push(Error::not_supported(&path.field("type"), type_, search::TYPES));
    }
    if let Some(reason) = place.no_default
        && search::has_default(props)
    {
        let detail = format!("must not be set {reason}");
        errors.push(Error::forbidden(&path.field("default"), detail));
    }
    let has = |map: Option<bool>| map == Some(false);
    for (keyword, present) in [
        ("id", !props.id.is_empty()),
        ("additionalItems", props.additional_items.is_some()),
        ("patternProperties", has(props.pattern_properties.as_ref().map(|map| map.is_empty()))),
        ("definitions", has(props.definitions.as_ref().map(|map| map.is_empty()))),
        ("dependencies", props.dependencies.is_some()),
        ("$ref", props.ref_.is_some()),
    ] {
        if present {
            let detail = format!("{keyword} is not supported");
            errors.push(Error::forbidden(&path.field(keyword), detail));
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
            place.in_resource_meta && props.x_embedded_resource,
            "must not be used inside of resource meta",
        ),
        (
            "uniqueItems",
            props.unique_items,
            "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
        ),
    ] {
        if present {
            errors.push(Error::forbidden(&path.field(keyword), detail));
        }
    }
}

fn check_additional<'p>(
    props: &JsonSchemaProps,
    path: &'p Path<'p>,
    below: &Place<'p>,
    structural: Option<&Structural>,
    findings: &mut Findings<'_>,
) {
    let Some(additional) = &props.additional_properties else { return };
    let at = path.field("additionalProperties");
    let has_properties = props.properties.as_ref().is_some_and(|map| !map.is_empty());
    if has_properties && !matches!(additional, SchemaOrBool::Bool(true)) {
        let detail = "additionalProperties and properties are mutual exclusive";
        findings.schema_errors.push(Error::forbidden(&at, detail));
    }
    if let SchemaOrBool::Schema(schema) = additional {
        // What a default is pruned by depends on a value that is not there.
        let no_default = match below.in_resource_meta {
            true => Some("inside additionalProperties applying to object metadata"),
            false => below.no_default,
        };
        let place = Place { no_default, ..*below };
        let structural = structural.and_then(Structural::additional_schema);
        check(schema, &at, &place, structural, findings);
    }
}

fn check_properties<'p>(
    props: &JsonSchemaProps,
    path: &'p Path<'p>,
    place: &Place<'p>,
    below: &Place<'p>,
    structural: Option<&Structural>,
    findings: &mut Findings<'_>,
) {
    let at = path.field("properties");
    let is_correlatable = matches!(props.x_map_type.as_deref(), None | Some("granular" | "atomic"));
    for (name, property) in props.properties.iter().flatten() {
        let is_meta =
            (place.is_root || props.x_embedded_resource) && META_FIELDS.contains(&name.as_str());
        let reason = format!("in top-level {name}");
        let place = Place {
            in_resource_meta: below.in_resource_meta || is_meta,
            no_default: match is_meta && place.is_root {
                true => Some(&reason),
                false => below.no_default,
            },
            uncorrelatable: match is_correlatable {
                true => below.uncorrelatable,
                false => below.uncorrelatable.or(Some(path)),
            },
            ..*below
        };
        let structural = structural.and_then(|structural| structural.properties.get(name));
        check(property, &at.key(name), &place, structural, findings);
    }
}

fn check_junctors<'p>(
    props: &JsonSchemaProps,
    path: &'p Path<'p>,
    below: &Place<'p>,
    findings: &mut Findings<'_>,
) {
    if let Some(not) = &props.not {
        check(not, &path.field("not"), below, None, findings);
    }
    for (keyword, schemas) in
        [("allOf", &props.all_of), ("oneOf", &props.one_of), ("anyOf", &props.any_of)]
    {
        let at = path.field(keyword);
        for (index, schema) in schemas.iter().flatten().enumerate() {
            check(schema, &at.index(index), below, None, findings);
        }
    }
    let at = path.field("definitions");
    for (name, schema) in props.definitions.iter().flatten() {
        check(schema, &at.key(name), below, None, findings);
    }
}

fn check_items<'p>(
    props: &JsonSchemaProps,
    path: &'p Path<'p>,
    below: &Place<'p>,
    structural: Option<&Structural>,
    findings: &mut Findings<'_>,
) {
    let uncorrelatable = match props.x_list_type.as_deref() {
        Some("map") => below.uncorrelatable,
        _ => below.uncorrelatable.or(Some(path)),
    };
    let place = Place { uncorrelatable, ..*below };
    let at = path.field("items");
    match &props.items {
        Some(SchemaOrArray::Schema(items)) => {
            let structural = structural.and_then(|structural| structural.items.as_deref());
            check(items, &at, &place, structural, findings);
        }
        Some(SchemaOrArray::Array(schemas)) => {
            for (index, items) in schemas.iter().enumerate() {
                check(items, &at.index(index), &place, None, findings);
            }
        }
        None => {}
    }
}
