//! Walks two schemas side by side.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::json;

use super::change::{Change, Site, Step};
use super::{keywords, kinds, rules};
use crate::model::{JsonSchemaProps, SchemaOrBool};
use crate::schema::MAX_SCHEMA_DEPTH;
use crate::schemas;

type Schema = JsonSchemaProps;

/// What a schema says about a field that it has no property for.
enum Unlisted<'s> {
    /// It is dropped.
    Dropped,
    /// It may hold anything.
    Anything,
    /// It has the schema of all values.
    Values(&'s Schema),
}

/// Adds the changes from one schema to another, outermost first.
pub(super) fn compare(old: &Schema, new: &Schema, site: &Site, out: &mut Vec<Change>) {
    if old == new || site.steps.len() > MAX_SCHEMA_DEPTH {
        return;
    }
    let is_whole = |schema: &Schema| site.steps.is_empty() || schema.x_embedded_resource;
    if is_whole(old) && is_whole(new) {
        compare_keywords(&whole(old), &whole(new), site, out);
    } else {
        compare_keywords(old, new, site, out);
    }
}

/// Returns the schema of a whole resource with the fields that it has in any case.
fn whole(schema: &Schema) -> Schema {
    let mut schema = schema.clone();
    let add = |schema: &mut Schema, names: [&str; 2]| {
        for name in names {
            let properties = schema.properties.get_or_insert_default();
            let text = Schema { type_: "string".to_owned(), ..Schema::default() };
            properties.entry(name.to_owned()).or_insert_with(|| text.into());
        }
    };
    add(&mut schema, ["apiVersion", "kind"]);
    let properties = schema.properties.get_or_insert_default();
    let metadata = Arc::make_mut(properties.entry("metadata".to_owned()).or_default());
    "object".clone_into(&mut metadata.type_);
    // A schema can say more of them only.
    add(metadata, ["name", "generateName"]);
    schema
}

fn compare_keywords(old: &Schema, new: &Schema, site: &Site, out: &mut Vec<Change>) {
    keywords::compare(old, new, site, out);
    rules::compare(old, new, site, out);
    let names: BTreeSet<&String> = old
        .properties
        .iter()
        .flatten()
        .chain(new.properties.iter().flatten())
        .map(|(name, _)| name)
        .collect();
    for name in names {
        property(old, new, name, site, out);
    }
    if let (Some(before), Some(after)) = (schemas::items(old), schemas::items(new)) {
        compare(before, after, &site.below(Step::Items, ".items", ".items"), out);
    }
    unlisted(old, new, site, out);
}

fn property(old: &Schema, new: &Schema, name: &str, site: &Site, out: &mut Vec<Change>) {
    let listed = format!(".properties[{name}]");
    let values = ".additionalProperties";
    let step = || Step::Property(name.to_owned());
    match (schemas::property(old, name), schemas::property(new, name)) {
        (Some(before), Some(after)) => compare(before, after, &site.property(name), out),
        (Some(before), None) => match rest(new) {
            Unlisted::Values(after) => {
                compare(before, after, &site.below(step(), &listed, values), out);
            }
            Unlisted::Anything => {
                let change = Change::new(
                    &kinds::FIELD_UNSPECIFIED,
                    &site.property(name),
                    "has no schema any more",
                );
                out.push(change.values(json!(before), None).probe(&anything(), |_| {}));
            }
            Unlisted::Dropped => {
                let change = Change::new(&kinds::FIELD_REMOVED, &site.property(name), "is gone");
                out.push(change.values(json!(before), None).probe(before, |_| {}));
            }
        },
        (None, Some(after)) => match rest(old) {
            Unlisted::Values(before) => {
                compare(before, after, &site.below(step(), values, &listed), out);
            }
            Unlisted::Anything => {
                let message = "could hold anything, and has a schema now";
                let change = Change::new(&kinds::FIELD_SPECIFIED, &site.property(name), message);
                out.push(change.values(None, json!(after)).probe(&anything(), |_| {}));
            }
            Unlisted::Dropped => {
                let change = Change::new(&kinds::FIELD_ADDED, &site.property(name), "is new");
                out.push(change.values(None, json!(after)));
            }
        },
        (None, None) => {}
    }
}

/// Compares what is said about fields without a property.
fn unlisted(old: &Schema, new: &Schema, site: &Site, out: &mut Vec<Change>) {
    let is_object = |schema: &Schema| schema.type_ == "object" || schema.type_.is_empty();
    if !is_object(old) || !is_object(new) {
        // Reported as another type.
        return;
    }
    let at_values = || site.below(Step::Values, ".additionalProperties", ".additionalProperties");
    match (rest(old), rest(new)) {
        (Unlisted::Values(before), Unlisted::Values(after)) => {
            compare(before, after, &at_values(), out);
        }
        (Unlisted::Values(before), Unlisted::Dropped) => {
            let change = Change::new(
                &kinds::FIELD_REMOVED,
                &at_values(),
                "fields without a property are gone",
            );
            out.push(change.values(json!(before), None).probe(before, |_| {}));
        }
        (Unlisted::Values(before), Unlisted::Anything) => {
            let message = "fields without a property may hold anything";
            let change = Change::new(&kinds::FIELD_UNSPECIFIED, &at_values(), message);
            out.push(change.values(json!(before), None).probe(&anything(), |_| {}));
        }
        (Unlisted::Anything, Unlisted::Values(after)) => {
            let message = "fields without a property could hold anything, and have a schema now";
            let change = Change::new(&kinds::FIELD_SPECIFIED, &at_values(), message);
            out.push(change.values(None, json!(after)).probe(&anything(), |_| {}));
        }
        (Unlisted::Anything, Unlisted::Dropped) => {
            let message = "fields without a schema are no longer kept";
            let change = Change::new(&kinds::UNKNOWN_FIELDS_DROPPED, &at_values(), message);
            out.push(change.probe(&anything(), |_| {}));
        }
        (Unlisted::Dropped, Unlisted::Anything | Unlisted::Values(_)) => {
            let message = "fields without a property are kept";
            out.push(Change::new(&kinds::UNKNOWN_FIELDS_KEPT, site, message));
        }
        (Unlisted::Dropped, Unlisted::Dropped) | (Unlisted::Anything, Unlisted::Anything) => {}
    }
}

fn rest(schema: &Schema) -> Unlisted<'_> {
    match &schema.additional_properties {
        Some(SchemaOrBool::Schema(values)) => Unlisted::Values(values),
        Some(SchemaOrBool::Bool(true)) => Unlisted::Anything,
        _ if schema.x_preserve_unknown_fields == Some(true) => Unlisted::Anything,
        _ => Unlisted::Dropped,
    }
}

/// The schema of values of all kinds.
fn anything() -> Schema {
    let values = vec![json!("x"), json!(1), json!(true), json!({"a": ["b"]}), json!([1])];
    Schema { enum_: Some(values), ..Schema::default() }
}
