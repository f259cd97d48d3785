//! Widens several schemas to the narrowest structural schema that accepts and keeps every value of each.

use std::collections::{BTreeMap, BTreeSet};

use super::narrow::{items_of, narrow};
use crate::builder::any;
use crate::model::{JsonSchemaProps, SchemaOrArray, SchemaOrBool};

/// Returns the value of a keyword if it is the same in all schemas.
fn same<T: PartialEq + Clone>(
    parts: &[&JsonSchemaProps],
    get: impl Fn(&JsonSchemaProps) -> &T,
) -> Option<T> {
    let (first, rest) = parts.split_first()?;
    rest.iter().all(|part| get(part) == get(first)).then(|| get(first).clone())
}

/// Copies each field that has the same value in all parts.
macro_rules! keep {
    ($parts:ident => $into:ident: $($field:ident)*) => {$(
        if let Some(value) = same($parts, |part| &part.$field) {
            $into.$field = value;
        }
    )*};
}

const LOST_DEFAULT: &str = "the default cannot be kept: variants of the enum differ here, and a schema has only one \
                            default; use serde's instead, `#[serde(default = ..)]`";

const METADATA: &str = "the types of `metadata` in two variants differ, but Kubernetes rejects a schema with \
                        alternatives for a property of this name; rename the field, as with `#[serde(rename = ..)]`, \
                        or tag the enum externally, which is serde's default";

/// Returns the schema of a value whose alternatives are `parts`.
pub(super) fn widen(parts: &[&JsonSchemaProps]) -> JsonSchemaProps {
    let mut wide = JsonSchemaProps::default();
    keep!(parts => wide: description title default external_docs example type_ format maximum
        exclusive_maximum minimum exclusive_minimum max_length min_length pattern max_items min_items
        multiple_of enum_ max_properties min_properties required all_of one_of any_of not
        x_preserve_unknown_fields x_embedded_resource x_int_or_string x_list_map_keys x_list_type
        x_map_type x_validations);
    wide.nullable = parts.iter().any(|part| part.nullable);
    wide.enum_ = wide.enum_.or_else(|| all_enums(parts));
    // Integers or strings in all parts are one type.
    if wide.type_.is_empty() && !wide.x_int_or_string {
        widen_type(&mut wide, parts);
    }
    if wide.minimum.is_none() {
        wide.exclusive_minimum = false;
    }
    if wide.maximum.is_none() {
        wide.exclusive_maximum = false;
    }
    widen_object(&mut wide, parts);
    let mut items: Vec<_> = parts.iter().filter_map(|part| items_of(part)).collect();
    let any = any();
    if !items.is_empty() {
        // A schema that accepts any value accepts lists of any values.
        items.extend(parts.iter().filter(|part| admits_anything(part)).map(|_| &any));
        wide.items = Some(SchemaOrArray::Schema(Box::new(widen(&items))));
    }
    // What is lost becomes an invalid `type`, which `definition::validate` reports with its path.
    if wide.default.is_none() && parts.iter().any(|part| part.default.is_some()) {
        LOST_DEFAULT.clone_into(&mut wide.type_);
    }
    if let Some(rule) = lost(&wide, parts) {
        wide.type_ = format!(
            "the rule `{rule}` cannot be kept: variants of the enum differ here, and the rules of a schema apply to \
             all of them; make it a rule of a tagged variant or of the enum, rename the field, or tag the enum \
             externally, which is serde's default"
        );
    }
    wide
}

/// Whether a schema does not restrict values; it may have a description.
fn admits_anything(part: &JsonSchemaProps) -> bool {
    let JsonSchemaProps { type_, x_preserve_unknown_fields, items, properties, .. } = part;
    let alternatives = [&part.one_of, &part.any_of, &part.all_of];
    type_.is_empty()
        && *x_preserve_unknown_fields == Some(true)
        && items.is_none()
        && properties.is_none()
        && alternatives.iter().all(|alternatives| alternatives.is_none())
        && part.not.is_none()
}

/// A rule of a part that not all parts have.
fn lost<'a>(wide: &JsonSchemaProps, parts: &[&'a JsonSchemaProps]) -> Option<&'a str> {
    let kept = wide.x_validations.as_deref().unwrap_or_default();
    let mut rules = parts.iter().flat_map(|part| part.x_validations.iter().flatten());
    rules.find(|rule| !kept.contains(rule)).map(|rule| rule.rule.trim())
}

/// The union of the parts' `enum` values, if each part has some.
fn all_enums(parts: &[&JsonSchemaProps]) -> Option<Vec<serde_json::Value>> {
    let mut values = Vec::new();
    for part in parts {
        for value in part.enum_.as_ref()? {
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
    }
    Some(values)
}

/// Sets the type of `wide`, whose parts have different types, and removes the extensions that need one type.
fn widen_type(wide: &mut JsonSchemaProps, parts: &[&JsonSchemaProps]) {
    let types: BTreeSet<&str> = parts
        .iter()
        .flat_map(|part| match part.type_.as_str() {
            "" if part.x_int_or_string => vec!["integer", "string"],
            type_ => vec![type_],
        })
        .collect();
    let within = |allowed: &[&str]| types.iter().all(|type_| allowed.contains(type_));
    wide.x_int_or_string = false;
    if within(&["integer", "number"]) {
        "number".clone_into(&mut wide.type_);
    } else if within(&["integer", "string"]) {
        wide.x_int_or_string = true;
    } else {
        wide.x_preserve_unknown_fields = Some(true);
    }
    // Extensions that apply to one type are dropped, because a junctor cannot have them either. `lost` reports a rule.
    wide.x_list_type = None;
    wide.x_list_map_keys = None;
    wide.x_map_type = None;
    wide.x_embedded_resource = false;
    wide.x_validations = None;
}

fn widen_object(wide: &mut JsonSchemaProps, parts: &[&JsonSchemaProps]) {
    let mut by_name: BTreeMap<&String, Vec<&JsonSchemaProps>> = BTreeMap::new();
    for (name, schema) in parts.iter().flat_map(|part| part.properties.iter().flatten()) {
        by_name.entry(name).or_default().push(schema);
    }
    let any = any();
    for (name, schemas) in &mut by_name {
        // A part with additional properties may have a key of that name.
        schemas.extend(parts.iter().filter_map(|part| free_key(part, name, &any)));
    }
    if !by_name.is_empty() {
        // Where one alternative admits anything, nothing that the others exclude is lost.
        let any_is_admitted = parts.iter().any(|part| admits_anything(part));
        let widened = by_name.into_iter().map(|(name, schemas)| {
            let mut wide = widen(&schemas);
            if name == "metadata" && !any_is_admitted && schemas.iter().any(|it| differs(it, &wide))
            {
                METADATA.clone_into(&mut wide.type_);
            }
            (name.clone(), wide.into())
        });
        wide.properties = Some(widened.collect());
    }
    let values: Vec<_> = parts.iter().filter_map(|part| values_of(part)).collect();
    if !values.is_empty() {
        if wide.properties.is_none() && values.len() == parts.len() {
            wide.additional_properties = Some(SchemaOrBool::Schema(Box::new(widen(&values))));
        } else {
            wide.x_preserve_unknown_fields = Some(true);
        }
    }
    if parts.iter().any(|part| part.x_preserve_unknown_fields == Some(true)) {
        wide.x_preserve_unknown_fields = Some(true);
    }
    if wide.x_int_or_string {
        wide.x_preserve_unknown_fields = None;
    }
    if wide.required.is_none() && wide.type_ == "object" {
        wide.required = required_by_all(parts);
    }
}

/// Whether a part admits fewer values than `wide`.
fn differs(part: &JsonSchemaProps, wide: &JsonSchemaProps) -> bool {
    narrow(part, wide) != JsonSchemaProps::default() || wide.nullable && !part.nullable
}

/// Returns the schema that a part has for a key that is not one of its properties.
fn free_key<'a>(
    part: &'a JsonSchemaProps,
    name: &str,
    any: &'a JsonSchemaProps,
) -> Option<&'a JsonSchemaProps> {
    if part.properties.as_ref().is_some_and(|properties| properties.contains_key(name)) {
        return None;
    }
    // A part that is open because its alternatives have several types is left out: these alternatives
    // have the properties.
    let is_object = part.type_ == "object" || admits_anything(part);
    let is_open = is_object && part.x_preserve_unknown_fields == Some(true);
    values_of(part).or_else(|| is_open.then_some(any))
}

fn required_by_all(parts: &[&JsonSchemaProps]) -> Option<Vec<String>> {
    let (first, rest) = parts.split_first()?;
    let by_all = |name: &&String| {
        rest.iter().all(|part| part.required.as_ref().is_some_and(|names| names.contains(name)))
    };
    let names: Vec<_> = first.required.iter().flatten().filter(by_all).cloned().collect();
    (!names.is_empty()).then_some(names)
}

/// The schema of a map's values.
pub(super) fn values_of(schema: &JsonSchemaProps) -> Option<&JsonSchemaProps> {
    match &schema.additional_properties {
        Some(SchemaOrBool::Schema(values)) => Some(values),
        _ => None,
    }
}
