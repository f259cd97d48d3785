//! Generates probes from tables: each attribute on each sort of type, with right and wrong values; each function of
//! CEL, with right and wrong arguments; and so on. Nothing is random: the same tables give the same probes.

mod bounds;
mod default_parts;
mod defaults;
mod enums;
mod keywords;
mod kinds;
mod names;
mod parts;
mod paths;
pub(super) mod rules;
mod serde;
mod types;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Family, Probe};

/// Replaces the generated families by new ones. What was written by hand about a probe is kept, and its outcome.
pub fn merge(families: &mut BTreeMap<String, Family>) {
    for (name, mut family) in all() {
        let old = families.remove(name).unwrap_or_default();
        let mut old: BTreeMap<_, _> =
            old.probes.into_iter().map(|probe| (probe.name.clone(), probe)).collect();
        for probe in &mut family.probes {
            if let Some(old) = old.remove(&probe.name) {
                probe.gap = old.gap;
                probe.why = probe.why.take().or(old.why);
                probe.outcome = old.outcome;
            }
        }
        families.insert(name.to_owned(), family);
    }
}

fn all() -> Vec<(&'static str, Family)> {
    let families = [
        ("grid-keywords", "Each keyword on each type", keywords::probes()),
        ("grid-bounds", "Bounds, right and wrong", bounds::probes()),
        ("grid-defaults", "Defaults and what they must keep", defaults::probes()),
        ("grid-enums", "Variants in each tagging", enums::probes()),
        ("grid-parts", "Flattened parts", parts::probes()),
        ("grid-paths", "Columns, scale, selectable fields and keys of lists", paths::probes()),
        ("grid-names", "Names and lengths", names::probes()),
        ("grid-kinds", "Attributes of kinds", kinds::probes()),
        ("grid-serde", "serde beside the schema", serde::probes()),
        ("grid-rules", "Functions of CEL, right and wrong", rules::probes()),
    ];
    families.map(|(name, title, probes)| (name, Family { title: title.to_owned(), probes })).into()
}

/// Adds a probe, unless there is one of the same name: two rows can give the same probe.
fn push(probes: &mut Vec<Probe>, probe: Probe) {
    if probes.iter().all(|other| other.name != probe.name) {
        probes.push(probe);
    }
}

/// The schema of a struct with a required field `a`.
fn with_field(schema: impl Into<Value>) -> Value {
    let schema = schema.into();
    json!({"type": "object", "properties": {"a": schema}, "required": ["a"]})
}

/// Adds keywords to a schema.
fn merged(mut schema: Value, keywords: &Value) -> Value {
    for (key, value) in keywords.as_object().into_iter().flatten() {
        if schema[key].is_object() && value.is_object() {
            schema[key] = merged(schema[key].take(), value);
        } else {
            schema[key] = value.clone();
        }
    }
    schema
}
