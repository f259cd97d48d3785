//! From the schema of a version to JSON Schema 2020-12.
//!
//! The schema accepts what the server accepts, as far as JSON Schema can say it: also a null that the server drops, and a
//! required field with a default. Fields that the server would prune are refused.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::{DIALECT, EXCLUSIVE, KINDS, OWN, TYPE_FIELDS, metadata, pattern};
use crate::model::{CustomResourceDefinition, CustomResourceDefinitionVersion};
use crate::schema::MAX_SCHEMA_DEPTH;
use crate::schemas;

/// Formats that JSON Schema defines in another way: its durations are those of ISO 8601.
const OTHER_FORMATS: [&str; 1] = ["duration"];
/// The junctors.
const JUNCTORS: [&str; 4] = ["allOf", "anyOf", "not", "oneOf"];

/// Where a schema is, which decides what a null there means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A field that may be absent: the server drops a null.
    Optional,
    /// A field that has to be there, or a whole object.
    Required,
    /// An item of a list.
    Item,
    /// A branch of a junctor, which says nothing about other fields.
    Branch,
}

/// Returns the schema of the objects of a version; `None` if it has none.
pub(super) fn of_version(
    crd: &CustomResourceDefinition,
    version: &CustomResourceDefinitionVersion,
) -> Option<Value> {
    let mut root = serde_json::to_value(schemas::of_version(version)?).ok()?;
    if crd.spec.preserve_unknown_fields {
        root["x-kubernetes-preserve-unknown-fields"] = true.into();
    }
    rewrite(&mut root, Place::Required, 0);
    let map = root.as_object_mut()?;
    let (group, kind) = (&crd.spec.group, &crd.spec.names.kind);
    let api_version = format!("{group}/{}", version.name);
    add_type_fields(map, Some([&api_version, kind]));
    require(map, "metadata");
    if let Some(Value::Object(metadata)) =
        map.get_mut("properties").and_then(|all| all.get_mut("metadata"))
    {
        metadata::demand_name(metadata);
    }
    let scale = version.subresources.as_ref().and_then(|subresources| subresources.scale.as_ref());
    if let Some(scale) = scale {
        count_replicas(map, &scale.spec_replicas_path);
    }
    if version.deprecated {
        map.insert("deprecated".to_owned(), true.into());
        let warning = version.deprecation_warning.clone();
        let warning = warning.unwrap_or_else(|| format!("{api_version} {kind} is deprecated"));
        describe(map, &format!("Deprecated: {warning}"));
    }
    map.insert("$schema".to_owned(), DIALECT.into());
    map.insert("title".to_owned(), format!("{kind} of {api_version}").into());
    map.insert(KINDS.to_owned(), json!([{"group": group, "kind": kind, "version": version.name}]));
    map.insert("$defs".to_owned(), DEFINITIONS.clone().into());
    Some(root)
}

/// Demands a number of replicas that is not negative, at a path such as `.spec.replicas`, as the server does.
fn count_replicas(root: &mut Map<String, Value>, path: &str) {
    let mut below = path.split('.').filter(|name| !name.is_empty());
    let found = below.try_fold(root, |schema, name| {
        schema.get_mut("properties")?.get_mut(name)?.as_object_mut()
    });
    let Some(replicas) = found else { return };
    let least = replicas.get("minimum").and_then(Value::as_f64);
    if least.is_none_or(|least| least < 0.0) && !replicas.contains_key("exclusiveMinimum") {
        replicas.insert("minimum".to_owned(), 0.into());
    }
}

/// The schemas of metadata, which are the same for all kinds.
static DEFINITIONS: LazyLock<Map<String, Value>> = LazyLock::new(definitions);

fn definitions() -> Map<String, Value> {
    let mut definitions = metadata::definitions();
    for schema in definitions.values_mut() {
        let has_fields = schema.get("properties").is_some();
        if !has_fields && schema["type"] == "object" {
            schema["additionalProperties"] = true.into();
        }
        // A null is an absent text or set of fields.
        rewrite(schema, if has_fields { Place::Item } else { Place::Optional }, 0);
    }
    definitions
}

/// Rewrites a schema and those below it, at most as deep as the server allows.
fn rewrite(schema: &mut Value, place: Place, depth: usize) {
    let (Some(map), true) = (schema.as_object_mut(), depth <= MAX_SCHEMA_DEPTH) else { return };
    below(map, place, depth);
    texts(map);
    limits(map);
    let is_embedded = map.get("x-kubernetes-embedded-resource") == Some(&Value::Bool(true));
    if is_embedded {
        add_type_fields(map, None);
    }
    forget_defaulted(map);
    if place != Place::Branch && is_closed(map) {
        map.insert("additionalProperties".to_owned(), false.into());
    }
    if map.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true)) {
        map.insert("type".to_owned(), json!(["integer", "string"]));
        // The only branches that a definition may have here.
        map.retain(|keyword, below| keyword != "anyOf" || !is_int_or_string(below));
    }
    nulls(map, place);
}

/// Rewrites the schemas of fields, items, values and branches.
fn below(map: &mut Map<String, Value>, place: Place, depth: usize) {
    let required: Vec<String> = names(map.get("required")).map(str::to_owned).collect();
    schemas::each_below(map, &mut |keyword, name, schema| {
        let is_required = name.is_some_and(|name| required.iter().any(|other| other == name));
        let place = match keyword {
            _ if JUNCTORS.contains(&keyword) || place == Place::Branch => Place::Branch,
            "items" => Place::Item,
            _ if is_required => Place::Required,
            _ => Place::Optional,
        };
        rewrite(schema, place, depth + 1);
    });
}

/// Adds rules and links to the description, and renames what JSON Schema names differently.
fn texts(map: &mut Map<String, Value>) {
    let rules = map.get("x-kubernetes-validations").and_then(Value::as_array);
    let rules = rules.into_iter().flatten().filter_map(|rule| {
        let text = rule.get("rule")?.as_str()?;
        let message = rule.get("message").and_then(Value::as_str);
        Some(match message {
            Some(message) => format!("\n- {message}: `{text}`"),
            None => format!("\n- `{text}`"),
        })
    });
    let rules: String = rules.collect();
    if !rules.is_empty() {
        describe(map, &format!("Rules:{rules}"));
    }
    if let Some(docs) = map.remove("externalDocs") {
        let text = |key| docs.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        describe(map, format!("{} {}", text("description"), text("url")).trim());
    }
    if let Some(example) = map.remove("example") {
        map.insert("examples".to_owned(), json!([example]));
    }
}

/// Appends a paragraph to the description.
fn describe(map: &mut Map<String, Value>, text: &str) {
    let known = map.get("description").and_then(Value::as_str).unwrap_or_default();
    let parts = [known.trim_end(), text].into_iter().filter(|part| !part.is_empty());
    let text = parts.collect::<Vec<_>>().join("\n\n");
    map.insert("description".to_owned(), text.into());
}

/// Rewrites bounds, formats, patterns and unique lists.
fn limits(map: &mut Map<String, Value>) {
    for (flag, bound) in EXCLUSIVE {
        // In OpenAPI 3.0 a flag of the bound, here a bound.
        if map.remove(flag) == Some(Value::Bool(true))
            && let Some(value) = map.remove(bound)
        {
            map.insert(flag.to_owned(), value);
        }
    }
    for (keyword, own) in OWN {
        let is_other = |text: &str| match keyword {
            "format" => OTHER_FORMATS.contains(&text),
            _ => !pattern::is_shared(text),
        };
        if map.get(keyword).and_then(Value::as_str).is_some_and(is_other)
            && let Some(value) = map.remove(keyword)
        {
            map.insert(own.to_owned(), value);
        }
    }
    if map.get("format").is_some_and(|format| format == "int32")
        && map.get("type").is_some_and(|type_| type_ == "integer")
    {
        let has = |map: &Map<String, Value>, keywords: [&str; 2]| {
            keywords.iter().any(|it| map.contains_key(*it))
        };
        if !has(map, ["minimum", "exclusiveMinimum"]) {
            map.insert("minimum".to_owned(), i32::MIN.into());
        }
        if !has(map, ["maximum", "exclusiveMaximum"]) {
            map.insert("maximum".to_owned(), i32::MAX.into());
        }
    }
    if map.get("x-kubernetes-list-type").is_some_and(|type_| type_ == "set") {
        map.insert("uniqueItems".to_owned(), true.into());
    }
}

/// Adds the fields of whole objects, with their values if they are known.
fn add_type_fields(map: &mut Map<String, Value>, values: Option<[&str; 2]>) {
    let properties = map.entry("properties").or_insert_with(|| json!({}));
    for (index, field) in TYPE_FIELDS.into_iter().enumerate() {
        if properties.get(field).is_none() {
            properties[field] = json!({});
        }
        let property = &mut properties[field];
        property["type"] = "string".into();
        match values {
            Some(values) => property["const"] = values[index].into(),
            None => property["minLength"] = 1.into(),
        }
    }
    let metadata =
        properties.get_mut("metadata").and_then(Value::as_object_mut).map(std::mem::take);
    let mut metadata = metadata.unwrap_or_default();
    // What a definition says of metadata is about its name.
    for keyword in ["additionalProperties", "type"] {
        metadata.remove(keyword);
    }
    metadata.extend(metadata::reference());
    properties["metadata"] = metadata.into();
    for field in TYPE_FIELDS {
        require(map, field);
    }
}

fn require(map: &mut Map<String, Value>, name: &str) {
    let required = map.entry("required").or_insert_with(|| json!([]));
    if let Some(required) = required.as_array_mut()
        && !required.iter().any(|other| other == name)
    {
        required.push(name.into());
    }
}

/// Removes what has a default from the required fields: the server sets it first.
fn forget_defaulted(map: &mut Map<String, Value>) {
    let Some(Value::Array(mut required)) = map.remove("required") else { return };
    required.retain(|name| {
        let property = map.get("properties").and_then(|all| all.get(name.as_str()?));
        property.is_none_or(|property| property.get("default").is_none())
    });
    if !required.is_empty() {
        map.insert("required".to_owned(), required.into());
    }
}

/// Whether the server prunes or refuses fields that a schema does not have.
fn is_closed(map: &Map<String, Value>) -> bool {
    map.get("type").is_some_and(|type_| type_ == "object")
        && !map.contains_key("additionalProperties")
        && map.get("x-kubernetes-preserve-unknown-fields") != Some(&Value::Bool(true))
}

fn is_int_or_string(branches: &Value) -> bool {
    *branches == json!([{"type": "integer"}, {"type": "string"}])
}

/// Allows a null where the server accepts it.
fn nulls(map: &mut Map<String, Value>, place: Place) {
    let is_nullable = map.get("nullable") == Some(&Value::Bool(true));
    let is_accepted = match place {
        Place::Branch => false,
        // A null is never a member of an enum.
        _ if is_nullable => !map.contains_key("enum"),
        // It is dropped, or replaced by the default.
        Place::Optional => true,
        Place::Required | Place::Item => map.contains_key("default"),
    };
    if !is_accepted {
        return;
    }
    let junctors: Map<String, Value> =
        JUNCTORS.iter().filter_map(|junctor| map.remove_entry(*junctor)).collect();
    if !junctors.is_empty() {
        // The server does not ask them about a null.
        map.insert("if".to_owned(), json!({"not": {"type": "null"}}));
        map.insert("then".to_owned(), junctors.into());
    }
    match map.get_mut("type") {
        Some(Value::Array(types)) => types.push("null".into()),
        Some(type_) => *type_ = json!([type_.take(), "null"]),
        None => {}
    }
    if let Some(Value::Array(members)) = map.get_mut("enum") {
        members.push(Value::Null);
    }
}

/// Returns the texts of a list.
fn names(list: Option<&Value>) -> impl Iterator<Item = &str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}
