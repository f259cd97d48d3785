//! Converts partial objects with conversions of whole ones.
//!
//! During a server-side apply, the server also converts objects from which it has removed fields, down to
//! `{"metadata": {"name": "x"}}`. These do not fit a type with required fields. So the required fields that are absent
//! are filled in with several generated values, each filled object is converted, and what the results have in common
//! comes from the fields that are present.
//!
//! Source: `Updater.prune` of structured-merge-diff `merge/update.go`.

use serde_json::{Map, Value};

use super::StepError;
use crate::generate::{self, DEPTH, Options, Random};
use crate::json;
use crate::model::{JsonSchemaProps, SchemaOrArray, SchemaOrBool};

/// The number of filled objects whose conversions are compared. Two generated values may be equal by chance; so many
/// are not.
const CONVERSIONS: usize = 8;
/// The largest number of filled objects that are tried: the conversion may reject generated values.
const ATTEMPTS: u64 = 100;
/// The depth at which generated values begin. Near [`DEPTH`], they have few optional parts.
const START: u32 = DEPTH - 2;

/// Converts an object that lacks required fields; `None` if it does not lack any.
///
/// # Errors
/// The last error of `convert` if it rejects nearly all filled objects.
pub(super) fn convert(
    schema: &JsonSchemaProps,
    object: &Value,
    convert: impl Fn(Value) -> Result<Value, StepError>,
) -> Option<Result<Value, StepError>> {
    let mut results = Vec::with_capacity(CONVERSIONS);
    let mut last_error = None;
    for seed in 0..ATTEMPTS {
        let filled = fill(&mut Random::new(seed), schema, object.clone());
        if seed == 0 && filled == *object {
            return None;
        }
        match convert(filled) {
            Ok(result) => results.push(result),
            Err(error) => last_error = Some(error),
        }
        if let (CONVERSIONS, Some((first, others))) = (results.len(), results.split_first()) {
            let others: Vec<&Value> = others.iter().collect();
            return Some(Ok(in_common(first, &others).unwrap_or_else(|| Map::new().into())));
        }
    }
    last_error.map(Err)
}

/// Adds generated values for the absent fields that are required or have a default.
fn fill(random: &mut Random, schema: &JsonSchemaProps, value: Value) -> Value {
    match value {
        Value::Object(mut map) => {
            for (key, below) in &mut map {
                if let Some(schema) = schema_of_field(schema, key) {
                    *below = fill(random, schema, below.take());
                }
            }
            add_required(random, schema, schema, &mut map);
            // A type may require a field for which the server sets a default, but not in a partial object.
            for (name, property) in schema.properties.iter().flatten() {
                if property.default.is_some() && !map.contains_key(name) {
                    map.insert(name.clone(), generated(random, property));
                }
            }
            Value::Object(map)
        }
        Value::Array(items) => match &schema.items {
            Some(SchemaOrArray::Schema(schema)) => {
                items.into_iter().map(|item| fill(random, schema, item)).collect()
            }
            _ => Value::Array(items),
        },
        other => other,
    }
}

fn generated(random: &mut Random, schema: &JsonSchemaProps) -> Value {
    let value = generate::value(random, schema, &Options::default(), START);
    fill(random, schema, value)
}

fn schema_of_field<'a>(schema: &'a JsonSchemaProps, key: &str) -> Option<&'a JsonSchemaProps> {
    if let Some(property) = schema.properties.as_ref().and_then(|all| all.get(key)) {
        return Some(property);
    }
    match &schema.additional_properties {
        Some(SchemaOrBool::Schema(values)) => Some(values),
        _ => None,
    }
}

/// Adds the fields that `part` requires: `whole` itself, or one of its junctors. Of alternatives, one is chosen that has
/// most of its fields in the object.
fn add_required(
    random: &mut Random,
    whole: &JsonSchemaProps,
    part: &JsonSchemaProps,
    map: &mut Map<String, Value>,
) {
    for name in part.required.iter().flatten() {
        if map.contains_key(name) {
            continue;
        }
        let of = |schema: &'_ JsonSchemaProps| schema.properties.as_ref()?.get(name).cloned();
        let choices = of(part).and_then(|property| property.enum_.clone());
        let choice = choices.as_ref().and_then(|choices| random.choose(choices));
        let value = match (choice, of(whole)) {
            (Some(choice), _) => choice.clone(),
            (None, Some(property)) => generated(random, &property),
            (None, None) => continue,
        };
        map.insert(name.clone(), value);
    }
    for branch in part.all_of.iter().flatten() {
        add_required(random, whole, branch, map);
    }
    for alternatives in [&part.one_of, &part.any_of].into_iter().flatten() {
        let matches = |branch: &&JsonSchemaProps| {
            branch.properties.iter().flatten().all(|(name, property)| {
                let allowed = property.enum_.as_ref().zip(map.get(name));
                allowed.is_none_or(|(allowed, value)| allowed.contains(value))
            })
        };
        let present = |branch: &JsonSchemaProps| {
            branch.required.iter().flatten().filter(|name| map.contains_key(*name)).count()
        };
        let mut fitting: Vec<&JsonSchemaProps> = alternatives.iter().filter(matches).collect();
        let most = fitting.iter().map(|branch| present(branch)).max().unwrap_or_default();
        fitting.retain(|branch| present(branch) == most);
        if let Some(branch) = random.choose(&fitting) {
            add_required(random, whole, branch, map);
        }
    }
}

/// Returns what a value has in common with all others; `None` if that is nothing.
fn in_common(value: &Value, others: &[&Value]) -> Option<Value> {
    if others.iter().all(|other| json::equal(value, other)) {
        return Some(value.clone());
    }
    match value {
        Value::Object(map) => {
            let common = map.iter().filter_map(|(key, value)| {
                let others: Option<Vec<&Value>> =
                    others.iter().map(|other| other.get(key)).collect();
                Some((key.clone(), in_common(value, &others?)?))
            });
            let common: Map<String, Value> = common.collect();
            (!common.is_empty()).then_some(Value::Object(common))
        }
        Value::Array(items) => {
            let lists: Option<Vec<&Vec<Value>>> =
                others.iter().map(|other| other.as_array()).collect();
            let lists = lists.filter(|lists| lists.iter().all(|list| list.len() == items.len()))?;
            let common = items.iter().enumerate().filter_map(|(index, item)| {
                let others: Vec<&Value> = lists.iter().map(|list| &list[index]).collect();
                in_common(item, &others)
            });
            let common: Vec<Value> = common.collect();
            (!common.is_empty()).then_some(Value::Array(common))
        }
        _ => None,
    }
}
