//! Compares the keywords of two schemas, without those below them.

use serde_json::{Value, json};

use super::change::{Change, Site};
use super::kinds::{self, Kind};
use crate::model::JsonSchemaProps;

type Schema = JsonSchemaProps;

/// A keyword that bounds a value.
struct Bound {
    keyword: &'static str,
    is_upper: bool,
    get: fn(&Schema) -> Option<f64>,
    is_exclusive: fn(&Schema) -> bool,
    /// Makes a schema demand values beyond a bound.
    exceed: fn(&mut Schema, f64, bool),
}

#[expect(clippy::cast_precision_loss, reason = "bounds are compared, not shown")]
fn float(bound: Option<i64>) -> Option<f64> {
    bound.map(|bound| bound as f64)
}

#[expect(clippy::cast_possible_truncation, reason = "the bound was an integer")]
fn integer(bound: f64) -> i64 {
    bound as i64
}

const BOUNDS: &[Bound] = &[
    Bound {
        keyword: "maximum",
        is_upper: true,
        get: |schema| schema.maximum,
        is_exclusive: |schema| schema.exclusive_maximum,
        exceed: |schema, bound, exclusive| {
            (schema.minimum, schema.exclusive_minimum) = (Some(bound), !exclusive);
        },
    },
    Bound {
        keyword: "minimum",
        is_upper: false,
        get: |schema| schema.minimum,
        is_exclusive: |schema| schema.exclusive_minimum,
        exceed: |schema, bound, exclusive| {
            (schema.maximum, schema.exclusive_maximum) = (Some(bound), !exclusive);
        },
    },
    Bound {
        keyword: "maxLength",
        is_upper: true,
        get: |schema| float(schema.max_length),
        is_exclusive: |_| false,
        exceed: |schema, bound, _| schema.min_length = Some(integer(bound) + 1),
    },
    Bound {
        keyword: "minLength",
        is_upper: false,
        get: |schema| float(schema.min_length),
        is_exclusive: |_| false,
        exceed: |schema, bound, _| schema.max_length = Some(integer(bound) - 1),
    },
    Bound {
        keyword: "maxItems",
        is_upper: true,
        get: |schema| float(schema.max_items),
        is_exclusive: |_| false,
        exceed: |schema, bound, _| schema.min_items = Some(integer(bound) + 1),
    },
    Bound {
        keyword: "minItems",
        is_upper: false,
        get: |schema| float(schema.min_items),
        is_exclusive: |_| false,
        exceed: |schema, bound, _| schema.max_items = Some(integer(bound) - 1),
    },
    Bound {
        keyword: "maxProperties",
        is_upper: true,
        get: |schema| float(schema.max_properties),
        is_exclusive: |_| false,
        exceed: |schema, bound, _| schema.min_properties = Some(integer(bound) + 1),
    },
    Bound {
        keyword: "minProperties",
        is_upper: false,
        get: |schema| float(schema.min_properties),
        is_exclusive: |_| false,
        exceed: |schema, bound, _| schema.max_properties = Some(integer(bound) - 1),
    },
];

/// Adds the changes from one schema to another at a place.
pub(super) fn compare(old: &Schema, new: &Schema, site: &Site, out: &mut Vec<Change>) {
    types(old, new, site, out);
    enumeration(old, new, site, out);
    for bound in BOUNDS {
        bounded(bound, old, new, site, out);
    }
    pattern(old, new, site, out);
    required(old, new, site, out);
    nullable(old, new, site, out);
    default(old, new, site, out);
    let mut differs = |kind: &'static Kind, keyword: &str, before: Value, after: Value| {
        if before != after {
            let message = format!("`{keyword}` was {before}, and is {after}");
            out.push(Change::new(kind, site, message).values(before, after).probe(old, |_| {}));
        }
    };
    differs(&kinds::FORMAT_CHANGED, "format", json!(old.format), json!(new.format));
    differs(&kinds::MULTIPLE_CHANGED, "multipleOf", json!(old.multiple_of), json!(new.multiple_of));
    differs(
        &kinds::JUNCTOR_CHANGED,
        "uniqueItems",
        json!(old.unique_items),
        json!(new.unique_items),
    );
    differs(
        &kinds::EMBEDDED_CHANGED,
        "x-kubernetes-embedded-resource",
        json!(old.x_embedded_resource),
        json!(new.x_embedded_resource),
    );
    // `atomic` is what a list without a type is.
    let list_type =
        |schema: &Schema| schema.x_list_type.clone().unwrap_or_else(|| "atomic".to_owned());
    let map_type =
        |schema: &Schema| schema.x_map_type.clone().unwrap_or_else(|| "granular".to_owned());
    let kind = &kinds::LIST_TYPE_CHANGED;
    differs(kind, "x-kubernetes-list-type", json!(list_type(old)), json!(list_type(new)));
    differs(kind, "x-kubernetes-map-type", json!(map_type(old)), json!(map_type(new)));
    differs(
        kind,
        "x-kubernetes-list-map-keys",
        json!(old.x_list_map_keys),
        json!(new.x_list_map_keys),
    );
    let kind = &kinds::JUNCTOR_CHANGED;
    differs(kind, "allOf", json!(old.all_of), json!(new.all_of));
    differs(kind, "anyOf", json!(any_of(old)), json!(any_of(new)));
    differs(kind, "oneOf", json!(old.one_of), json!(new.one_of));
    differs(kind, "not", json!(old.not), json!(new.not));
    texts(old, new, site, out);
}

/// Returns `anyOf`, unless it says of an int-or-string what holds for each.
fn any_of(schema: &Schema) -> Option<&Vec<Schema>> {
    let either =
        ["integer", "string"].map(|name| Schema { type_: name.to_owned(), ..Schema::default() });
    schema.any_of.as_ref().filter(|all| !schema.x_int_or_string || all.as_slice() != either)
}

fn types(old: &Schema, new: &Schema, site: &Site, out: &mut Vec<Change>) {
    let name = |schema: &Schema| match (schema.x_int_or_string, schema.type_.as_str()) {
        (true, _) => "int-or-string".to_owned(),
        (_, "") => "any".to_owned(),
        (_, name) => name.to_owned(),
    };
    let (before, after) = (name(old), name(new));
    if before == after {
        return;
    }
    let is_wider = after == "any"
        || (after == "int-or-string" && matches!(before.as_str(), "integer" | "string"))
        || (after == "number" && before == "integer");
    let kind = if is_wider { &kinds::TYPE_WIDENED } else { &kinds::TYPE_CHANGED };
    let message = format!("was of type {before}, and is of type {after}");
    let probe = if is_wider { new } else { old };
    out.push(
        Change::new(kind, site, message).values(json!(before), json!(after)).probe(probe, |_| {}),
    );
}

fn enumeration(old: &Schema, new: &Schema, site: &Site, out: &mut Vec<Change>) {
    let list =
        |values: &[Value]| values.iter().map(Value::to_string).collect::<Vec<_>>().join(", ");
    match (&old.enum_, &new.enum_) {
        (None, Some(values)) => {
            let message = format!("has to be one of {}", list(values));
            let change = Change::new(&kinds::ENUM_ADDED, site, message);
            out.push(change.values(None, json!(values)).probe(old, |_| {}));
        }
        (Some(values), None) => {
            let message = format!("need not be one of {} any more", list(values));
            let change = Change::new(&kinds::ENUM_REMOVED, site, message);
            out.push(change.values(json!(values), None).probe(new, |_| {}));
        }
        (Some(old_values), Some(new_values)) => {
            let only = |a: &[Value], b: &[Value]| -> Vec<Value> {
                a.iter().filter(|value| !b.contains(value)).cloned().collect()
            };
            let (removed, added) = (only(old_values, new_values), only(new_values, old_values));
            let mut add = |kind, text: &str, values: Vec<Value>, probe: &Schema| {
                if !values.is_empty() {
                    let message = format!("{text} {}", list(&values));
                    let change = Change::new(kind, site, message);
                    let change = change.values(json!(old_values), json!(new_values));
                    out.push(change.probe(probe, |probe| probe.enum_ = Some(values)));
                }
            };
            add(&kinds::ENUM_VALUE_REMOVED, "no longer allows", removed, old);
            add(&kinds::ENUM_VALUE_ADDED, "also allows", added, new);
        }
        (None, None) => {}
    }
}

fn bounded(bound: &Bound, old: &Schema, new: &Schema, site: &Site, out: &mut Vec<Change>) {
    let of = |schema: &Schema| ((bound.get)(schema), (bound.is_exclusive)(schema));
    let (before, after) = (of(old), of(new));
    if before.0 == after.0 && (before.0.is_none() || before.1 == after.1) {
        return;
    }
    let keyword = bound.keyword;
    let text = |(value, exclusive): (Option<f64>, bool)| match (value, exclusive) {
        (None, _) => "absent".to_owned(),
        (Some(value), true) => format!("{value} (exclusive)"),
        (Some(value), false) => value.to_string(),
    };
    let is_narrower = match (before.0, after.0) {
        (_, None) => false,
        (None, Some(_)) => true,
        (Some(before), Some(value)) if value < before => bound.is_upper,
        (Some(before), Some(value)) if value > before => !bound.is_upper,
        (Some(_), Some(_)) => after.1,
    };
    let kind = if is_narrower { &kinds::BOUND_NARROWED } else { &kinds::BOUND_WIDENED };
    let message = format!("`{keyword}` was {}, and is {}", text(before), text(after));
    let change = Change::new(kind, site, message).values(before.0.map(number), after.0.map(number));
    out.push(match after {
        (Some(value), exclusive) if is_narrower => {
            change.probe(old, |probe| (bound.exceed)(probe, value, exclusive))
        }
        _ => change,
    });
}

/// Returns a bound as the manifest has it: `10`, not `10.0`.
fn number(bound: f64) -> Value {
    if bound.fract() == 0.0 && bound.abs() < 9e15 { json!(integer(bound)) } else { json!(bound) }
}

fn pattern(old: &Schema, new: &Schema, site: &Site, out: &mut Vec<Change>) {
    let (before, after) = (&old.pattern, &new.pattern);
    if before == after {
        return;
    }
    let (kind, message) = match (before.as_str(), after.as_str()) {
        ("", after) => (&kinds::PATTERN_ADDED, format!("has to match `{after}`")),
        (before, "") => (&kinds::PATTERN_REMOVED, format!("need not match `{before}` any more")),
        (before, after) => (
            &kinds::PATTERN_CHANGED,
            format!("had to match `{before}`, and has to match `{after}`"),
        ),
    };
    let value = |pattern: &String| (!pattern.is_empty()).then(|| json!(pattern));
    out.push(
        Change::new(kind, site, message).values(value(before), value(after)).probe(old, |_| {}),
    );
}

fn required(old: &Schema, new: &Schema, site: &Site, out: &mut Vec<Change>) {
    let names = |schema: &Schema| schema.required.clone().unwrap_or_default();
    let (before, after) = (names(old), names(new));
    let property = |name: &String| new.properties.as_ref().and_then(|all| all.get(name));
    // `probe` is the side whose objects have the field, of which one is tried without it.
    let mut add = |kind, name: &String, probe: &Schema, is: &str, requires: &str| {
        let mut site = site.property(name);
        if property(name).is_some_and(|property| property.default.is_some()) {
            out.push(Change::new(&kinds::REQUIRED_WITH_DEFAULT, &site, is));
            return;
        }
        site.steps.pop();
        let change = Change::new(kind, &site, format!("{requires} `{name}`"));
        let mut change = change.values(json!(before), json!(after)).probe(probe, |probe| {
            if let Some(properties) = &mut probe.properties {
                properties.remove(name);
            }
        });
        change.names.push(name.clone());
        out.push(change);
    };
    for name in after.iter().filter(|name| !before.contains(name)) {
        add(&kinds::REQUIRED_ADDED, name, old, "is required", "requires");
    }
    let is_gone = |name: &String| property(name).is_none();
    for name in before.iter().filter(|name| !after.contains(name) && !is_gone(name)) {
        let is = "is no longer required";
        add(&kinds::REQUIRED_REMOVED, name, new, is, "no longer requires");
    }
}

fn nullable(old: &Schema, new: &Schema, site: &Site, out: &mut Vec<Change>) {
    let null = |probe: &mut Schema| probe.enum_ = Some(vec![Value::Null]);
    match (old.nullable, new.nullable) {
        (false, true) => {
            let change = Change::new(&kinds::NULLABLE_ADDED, site, "may be null");
            out.push(change.probe(new, null));
        }
        (true, false) => {
            let change = Change::new(&kinds::NULLABLE_REMOVED, site, "may no longer be null");
            out.push(change.probe(old, null));
        }
        _ => {}
    }
}

fn default(old: &Schema, new: &Schema, site: &Site, out: &mut Vec<Change>) {
    if old.default == new.default {
        return;
    }
    let (kind, message) = match (&old.default, &new.default) {
        (None, Some(value)) => (&kinds::DEFAULT_ADDED, format!("has the default {value}")),
        (Some(value), None) => {
            (&kinds::DEFAULT_REMOVED, format!("has no longer the default {value}"))
        }
        (Some(before), Some(after)) => {
            (&kinds::DEFAULT_CHANGED, format!("had the default {before}, and has {after}"))
        }
        (None, None) => return,
    };
    out.push(Change::new(kind, site, message).values(old.default.clone(), new.default.clone()));
}

fn texts(old: &Schema, new: &Schema, site: &Site, out: &mut Vec<Change>) {
    let keywords = [
        ("description", json!(old.description), json!(new.description)),
        ("title", json!(old.title), json!(new.title)),
        ("example", json!(old.example), json!(new.example)),
        ("externalDocs", json!(old.external_docs), json!(new.external_docs)),
    ];
    for (keyword, before, after) in keywords {
        if before != after {
            let message = format!("`{keyword}` is another one");
            out.push(Change::new(&kinds::TEXT_CHANGED, site, message).values(before, after));
        }
    }
}
