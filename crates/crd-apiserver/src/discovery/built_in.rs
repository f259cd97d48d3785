//! `OpenAPI` documents of built-in kinds: the types of their fields, and the paths by which clients find the types and
//! the options of writes.
//!
//! The types are those of `k8s-openapi`. What these do not say is added from the Go types ([`super::super::go_types`]):
//! defaults, the values of enums, the types of lists and maps, and patch strategies.
//!
//! Source: `k8s.io/kube-openapi/pkg/builder3/openapi.go`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, OnceLock, PoisonError};

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::super::kind::{ServedKind, Strategy};
use super::super::{builtin, catalog, go_types};
use super::etag;

/// The query parameters of writes.
const OPTIONS: [&str; 3] = ["dryRun", "fieldManager", "fieldValidation"];
/// The media types of objects.
const OBJECT_TYPES: [&str; 2] = ["application/json", "application/yaml"];
/// The media types of patches.
const PATCH_TYPES: [&str; 4] = [
    "application/apply-patch+yaml",
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
];
/// The extensions of schemas, each with the key under which the table of Go types has its value.
const EXTENSIONS: [(&str, &str); 4] = [
    ("x-kubernetes-list-type", "l"),
    ("x-kubernetes-map-type", "m"),
    ("x-kubernetes-patch-strategy", "p"),
    ("x-kubernetes-patch-merge-key", "pk"),
];

/// The reasons of validation rules, with what they report.
const REASONS: [(&str, &str); 4] = [
    ("FieldValueDuplicate", "collisions of values that must be unique (e.g. unique IDs)."),
    (
        "FieldValueForbidden",
        "valid (as per formatting rules) values which would be accepted under some conditions, but which are not permitted \
         by the current conditions (such as security policy).",
    ),
    ("FieldValueInvalid", "malformed values (e.g. failed regex match, too long, out of bounds)."),
    (
        "FieldValueRequired",
        "required values that are not provided (e.g. empty strings, null values, or empty arrays).",
    ),
];

/// A document, which is made at the first request for it.
pub(super) struct SerializedDocument {
    /// What it depends on: the minor and the path. Its text does not have to be made for the index of all documents.
    pub(super) etag: String,
    kinds: Vec<&'static ServedKind>,
    minor: u32,
    body: OnceLock<Vec<u8>>,
}

impl SerializedDocument {
    /// Returns the document as it is sent.
    pub(super) fn body(&self) -> &[u8] {
        self.body.get_or_init(|| document(&self.kinds, self.minor).to_string().into_bytes())
    }
}

type Documents = BTreeMap<String, SerializedDocument>;

/// The documents of servers, by minor. They are computed at the first request.
static DOCUMENTS: Mutex<BTreeMap<u32, &'static Documents>> = Mutex::new(BTreeMap::new());

/// Returns the documents of servers of a minor, by their paths: `api/v1`, `apis/apps/v1`.
pub(super) fn documents(minor: u32) -> &'static Documents {
    let mut known = DOCUMENTS.lock().unwrap_or_else(PoisonError::into_inner);
    // The documents of each minor are leaked once, because the returned reference outlives the lock.
    known.entry(minor).or_insert_with(|| Box::leak(Box::new(publish(minor))))
}

fn publish(minor: u32) -> Documents {
    let mut kinds: BTreeMap<String, Vec<&'static ServedKind>> = BTreeMap::new();
    for kind in catalog::kinds_on(minor) {
        kinds.entry(group_version_path(kind)).or_default().push(kind);
    }
    let published = kinds.into_iter().map(|(path, kinds)| {
        let etag = etag(format!("{} 1.{minor} {path}", env!("CARGO_PKG_VERSION")).as_bytes());
        (path, SerializedDocument { etag, kinds, minor, body: OnceLock::new() })
    });
    published.collect()
}

/// Returns the path of the group and version of a kind, such as `apis/apps/v1`.
fn group_version_path(kind: &ServedKind) -> String {
    let prefix = if kind.group.is_empty() { "api" } else { "apis" };
    format!("{prefix}/{}", kind.api_version())
}

fn document(kinds: &[&ServedKind], minor: u32) -> Value {
    let mut generator = SchemaSettings::openapi3().into_generator();
    let names: Vec<_> = kinds
        .iter()
        .map(|kind| match &kind.strategy {
            Strategy::BuiltIn(built_in) => (built_in.publish)(&mut generator),
            Strategy::Definition | Strategy::Custom { .. } => {
                builtin::publish_definitions(&mut generator)
            }
        })
        .collect();
    let mut schemas = generator.take_definitions(true);
    for (name, schema) in &mut schemas {
        add_go_type_settings(name, schema, minor);
        wrap_references(schema);
    }
    let mut paths = Map::new();
    for (kind, name) in kinds.iter().zip(names) {
        if let Some(Value::Object(schema)) = schemas.get_mut(&*name) {
            // The Rust type of definitions requires `metadata`; the server does not.
            if let (Strategy::Definition, Some(Value::Array(required))) =
                (&kind.strategy, schema.get_mut("required"))
            {
                required.retain(|name| name != "metadata");
            }
            schema.insert("x-kubernetes-group-version-kind".to_owned(), json!([gvk(kind)]));
        }
        paths.extend(paths_of(kind, &name));
    }
    json!({
        "openapi": "3.0.0", "info": {"title": "Kubernetes", "version": "unversioned"},
        "paths": paths, "components": {"schemas": schemas},
    })
}

/// Moves each reference that has a field beside it, such as a description, into `allOf`, because `OpenAPI` 3.0 ignores
/// fields beside `$ref`. Recursion is bounded by the schemas, which are those of the types of `k8s-openapi`.
fn wrap_references(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            // The schema of definitions has a property `$ref`, whose value is an object.
            let is_reference = map.get("$ref").is_some_and(Value::is_string);
            if is_reference
                && map.len() > 1
                && let Some(reference) = map.remove("$ref")
            {
                map.insert("allOf".to_owned(), json!([{"$ref": reference}]));
            }
            map.values_mut().for_each(wrap_references);
        }
        Value::Array(list) => list.iter_mut().for_each(wrap_references),
        _ => {}
    }
}

/// Replaces the required fields in the schema of a struct by those of the table of Go types, and adds the table's
/// defaults, enums and extensions. `name` ends with the name of the type in the table: it is `io.k8s.api.core.v1.Pod`
/// for `core.v1.Pod`.
fn add_go_type_settings(name: &str, schema: &mut Value, minor: u32) {
    let start = name.rmatch_indices('.').nth(2).map_or(0, |(dot, _)| dot + 1);
    if name.ends_with(".ValidationRule") {
        add_reasons(schema);
    }
    let Some(type_) = go_types::named(&name[start..]) else { return };
    if let Value::Object(schema) = schema {
        // The Rust types require some fields that the server does not.
        let required: Vec<&str> =
            type_.fields(minor).filter(|field| field.is_required).map(|field| field.name).collect();
        if required.is_empty() {
            schema.remove("required");
        } else {
            schema.insert("required".to_owned(), required.into());
        }
    }
    for field in type_.fields(minor) {
        let property = schema.get_mut("properties").and_then(|all| all.get_mut(field.name));
        let Some(Value::Object(property)) = property else { continue };
        for (extension, key) in EXTENSIONS {
            if let Some(text) = field.setting(key) {
                property.insert(extension.to_owned(), text.into());
            }
        }
        if let Some(keys) = field.setting("k") {
            let keys: Vec<&str> = keys.split(',').collect();
            property.insert("x-kubernetes-list-map-keys".to_owned(), keys.into());
        }
        if let Some(default) = &field.default {
            property.insert("default".to_owned(), default.clone());
        }
        let Some(values) = field.type_.values(minor) else { continue };
        if !values.descriptions.is_empty()
            && let Some(Value::String(text)) = property.get_mut("description")
        {
            text.push_str("\n\nPossible enum values:\n");
            text.push_str(&values.descriptions);
        }
        let of = match property.get_mut("items").and_then(Value::as_object_mut) {
            Some(items) => items,
            None => property,
        };
        of.insert("enum".to_owned(), values.values.clone().into());
    }
}

/// Adds the enum of the `reason` of a validation rule, whose type is not in the table of Go types.
fn add_reasons(schema: &mut Value) {
    let property = schema.get_mut("properties").and_then(|all| all.get_mut("reason"));
    let Some(Value::Object(property)) = property else { return };
    if let Some(Value::String(text)) = property.get_mut("description") {
        text.push_str("\n\nPossible enum values:");
        for (reason, meaning) in REASONS {
            let _ = write!(text, "\n - `\"{reason}\"` is used to report {meaning}");
        }
    }
    property.insert("enum".to_owned(), REASONS.map(|(reason, _)| reason).to_vec().into());
}

fn gvk(kind: &ServedKind) -> Value {
    json!({"group": kind.group, "version": kind.version, "kind": kind.names.kind})
}

/// Returns the paths of a collection and of its objects.
fn paths_of(kind: &ServedKind, name: &str) -> [(String, Value); 2] {
    let namespace = if kind.namespaced { "/namespaces/{namespace}" } else { "" };
    let collection = format!("/{}{namespace}/{}", group_version_path(kind), kind.names.plural);
    let reference = json!({"schema": {"$ref": format!("#/components/schemas/{name}")}});
    let content = |types: &[&str], schema: &Value| -> Map<String, Value> {
        types.iter().map(|type_| ((*type_).to_owned(), schema.clone())).collect()
    };
    let operation = |action: &str, body: Option<Map<String, Value>>| {
        let mut operation = json!({
            "x-kubernetes-action": action, "x-kubernetes-group-version-kind": gvk(kind),
            "responses": {"200": {"description": "OK", "content": content(&OBJECT_TYPES, &reference)}},
        });
        if let Some(body) = body {
            let parameter =
                |name| json!({"name": name, "in": "query", "schema": {"type": "string"}});
            operation["parameters"] = OPTIONS.map(parameter).to_vec().into();
            operation["requestBody"] = json!({"content": body, "required": true});
        }
        operation
    };
    let object = || Some(content(&OBJECT_TYPES, &reference));
    let patch = Some(content(&PATCH_TYPES, &json!({"schema": {"type": "object"}})));
    let one = json!({
        "get": operation("get", None), "put": operation("put", object()),
        "patch": operation("patch", patch), "delete": operation("delete", None),
    });
    let all = json!({"get": operation("list", None), "post": operation("post", object())});
    [(format!("{collection}/{{name}}"), one), (collection, all)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_and_kinds_are_found() {
        let mut kinds = 0;
        for (path, published) in documents(37) {
            let document: Value = serde_json::from_slice(published.body()).expect("JSON");
            let schemas = document["components"]["schemas"].as_object().expect("schemas");
            kinds += schemas
                .values()
                .filter(|schema| schema.get("x-kubernetes-group-version-kind").is_some())
                .count();
            // A property `$ref` is no reference: it must not become an array in a property `allOf`.
            let all_of = |schema: &Value| schema.pointer("/properties/allOf").map(Value::is_object);
            assert!(schemas.values().all(|schema| all_of(schema) != Some(false)), "{path}");
            let text = document.to_string();
            for reference in text.split("\"$ref\":\"#/components/schemas/").skip(1) {
                let name = reference.split('"').next().unwrap_or_default();
                assert!(schemas.contains_key(name), "{path}: {name}");
            }
        }
        assert_eq!(kinds, catalog::KINDS.len());
    }

    #[test]
    fn types_state_what_patches_need() {
        let published = documents(37).get("api/v1").expect("a document");
        let document: Value = serde_json::from_slice(published.body()).expect("JSON");
        let schemas = &document["components"]["schemas"];
        let ports = &schemas["io.k8s.api.core.v1.Container"]["properties"]["ports"];
        assert_eq!(ports["x-kubernetes-patch-merge-key"], "containerPort");
        assert_eq!(ports["x-kubernetes-list-map-keys"], json!(["containerPort", "protocol"]));
        let port = &schemas["io.k8s.api.core.v1.ContainerPort"]["properties"]["protocol"];
        assert_eq!(port["default"], "TCP");
        assert_eq!(port["enum"], json!(["SCTP", "TCP", "UDP"]));
    }
}
