//! Definitions and parameters that every document has: built-in types, copied from the documents of Kubernetes.

use std::sync::LazyLock;

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Map, Value, json};

use super::Edition;
use crate::differences::Difference;

/// The name of `ObjectMeta`'s definition.
pub(super) const OBJECT_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
/// The name of `ListMeta`'s definition.
pub(super) const LIST_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";
/// The name of Status's definition.
pub(super) const STATUS: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.Status";
/// The name of `DeleteOptions`'s definition.
pub(super) const DELETE_OPTIONS: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";
/// The name of Patch's definition.
pub(super) const PATCH: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.Patch";
/// The name of Scale's definition.
pub(super) const SCALE: &str = "io.k8s.api.autoscaling.v1.Scale";

/// The prefix of the types that only a scale subresource needs.
const SCALE_ONLY_PREFIX: &str = "io.k8s.api.autoscaling.";

/// The name of the parameter in `OpenAPI` v2 that is the body of deletions. The hash is the server's.
pub(super) const DELETE_BODY: &str = "body-2Y1dVQaQ";
/// As [`DELETE_BODY`], for patches.
pub(super) const PATCH_BODY: &str = "body-78PwaGsr";

/// The definitions of built-in types in `OpenAPI` v3. Published by kube-apiserver 1.36.2 (Apache-2.0); what 1.37 does
/// not have is removed or renewed when they are read.
const DEFINITIONS: &str = include_str!("data/definitions.json");
/// The parameters of operations, by the name of the shared parameter in `OpenAPI` v2, or by their own name if they are
/// not shared. Published by kube-apiserver 1.36.2 (Apache-2.0).
static PARAMETERS: LazyLock<Map<String, Value>> =
    LazyLock::new(|| read(include_str!("data/parameters.json")));

/// The description of a scale's metadata since 1.37.
const SCALE_METADATA: &str = "metadata is the standard object metadata; More info: \
    https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata.";
/// The groups and versions with `DeleteOptions` that 1.37 added.
const ADDED_GROUPS: [(&str, &str); 3] = [
    ("lifecycle.k8s.io", "v1alpha1"),
    ("scheduling.k8s.io", "v1alpha3"),
    ("storagemigration.k8s.io", "v1"),
];
/// The group and version with `DeleteOptions` that 1.37 removed.
const REMOVED_GROUP: (&str, &str) = ("scheduling.k8s.io", "v1alpha2");

/// Returns the built-in types that a kind refers to.
pub(super) fn definitions(
    edition: Edition,
    with_scale: bool,
    kubernetes: KubernetesVersion,
) -> Map<String, Value> {
    let mut definitions = read(DEFINITIONS);
    if Difference::PartsWithoutDefaults.is_in(kubernetes) {
        definitions.values_mut().for_each(remove_defaults_of_parts);
    }
    if Difference::RenewedTypes.is_in(kubernetes) {
        renew(&mut definitions);
    }
    definitions.retain(|name, _| with_scale || !name.starts_with(SCALE_ONLY_PREFIX));
    if edition == Edition::V2 {
        for definition in definitions.values_mut() {
            definition_to_v2(definition);
        }
    }
    definitions
}

/// Changes built-in types to what 1.37 publishes.
fn renew(definitions: &mut Map<String, Value>) {
    let scale = definitions.get_mut(SCALE);
    if let Some(text) = scale.and_then(|it| it.pointer_mut("/properties/metadata/description")) {
        *text = SCALE_METADATA.into();
    }
    let options = definitions.get_mut(DELETE_OPTIONS);
    let kinds =
        options.and_then(|it| it.get_mut("x-kubernetes-group-version-kind")?.as_array_mut());
    let Some(kinds) = kinds else { return };
    let has_version = |kind: &Value, (group, version): (&str, &str)| {
        kind["group"] == group && kind["version"] == version
    };
    kinds.retain(|kind| !has_version(kind, REMOVED_GROUP));
    let added = ADDED_GROUPS.map(
        |(group, version)| json!({"group": group, "kind": "DeleteOptions", "version": version}),
    );
    kinds.extend(added);
    let key = |kind: &Value, key: &str| kind[key].as_str().unwrap_or_default().to_owned();
    kinds.sort_by_cached_key(|kind| (key(kind, "group"), key(kind, "version")));
}

/// Removes the defaults of `items` and `additionalProperties`. The recursion is as deep as the embedded data.
/// Source: kube-openapi `pkg/generators/openapi.go`.
fn remove_defaults_of_parts(schema: &mut Value) {
    for part in ["items", "additionalProperties"] {
        if let Some(part) = schema.get_mut(part) {
            if let Value::Object(map) = part {
                map.remove("default");
                // A reference is only wrapped in `allOf` if something stands beside it.
                if map.len() == 1
                    && let Some(only) = map.get_mut("allOf").and_then(|all| all.get_mut(0))
                {
                    *part = only.take();
                }
            }
            remove_defaults_of_parts(part);
        }
    }
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.values_mut().for_each(remove_defaults_of_parts);
    }
}

/// Returns a parameter as an operation lists it.
pub(super) fn parameter(key: &str, edition: Edition) -> Value {
    let is_shared = key.contains('-');
    if edition == Edition::V2 && is_shared {
        return json!({"$ref": format!("#/parameters/{key}")});
    }
    PARAMETERS.get(key).map_or(Value::Null, |parameter| parameter_object(parameter, edition))
}

/// Returns the parameters that `OpenAPI` v2 shares among operations.
pub(super) fn parameters(namespaced: bool) -> Map<String, Value> {
    let shared = PARAMETERS
        .iter()
        .filter(|(key, _)| key.contains('-') && (namespaced || !key.starts_with("namespace-")));
    let mut parameters: Map<String, Value> = shared
        .map(|(key, parameter)| (key.clone(), parameter_object(parameter, Edition::V2)))
        .collect();
    let body = |name| json!({"$ref": Edition::V2.reference(name)});
    parameters.insert(
        DELETE_BODY.to_owned(),
        json!({"name": "body", "in": "body", "schema": body(DELETE_OPTIONS)}),
    );
    parameters.insert(
        PATCH_BODY.to_owned(),
        json!({"name": "body", "in": "body", "required": true, "schema": body(PATCH)}),
    );
    parameters
}

/// Returns the Parameter Object of `OpenAPI`.
fn parameter_object(parameter: &Value, edition: Edition) -> Value {
    let text = |key: &str| parameter.get(key).cloned().unwrap_or_default();
    let mut out =
        json!({"name": text("name"), "in": text("in"), "description": text("description")});
    let type_ = json!({"type": text("type"), "uniqueItems": true});
    match (&mut out, edition, type_) {
        (Value::Object(out), Edition::V2, Value::Object(type_)) => out.extend(type_),
        (Value::Object(out), _, type_) => {
            out.insert("schema".to_owned(), type_);
        }
        _ => {}
    }
    if let (Value::Object(out), "path") = (&mut out, text("in").as_str().unwrap_or_default()) {
        out.insert("required".to_owned(), Value::Bool(true));
    }
    out
}

/// Converts a definition of `OpenAPI` v3 to v2: an `allOf` with one reference becomes that `$ref`, and defaults are
/// dropped.
pub fn definition_to_v2(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    map.remove("default");
    if let Some(Value::String(reference)) = map.get_mut("$ref") {
        *reference = reference.replace("#/components/schemas/", "#/definitions/");
    }
    if let Some(reference) = map.get("allOf").and_then(lone_reference) {
        map.remove("allOf");
        map.insert("$ref".to_owned(), Value::from(reference));
    }
    for (keyword, below) in map.iter_mut() {
        match (keyword.as_str(), below) {
            ("properties", Value::Object(properties)) => {
                for property in properties.values_mut() {
                    definition_to_v2(property);
                }
            }
            ("items" | "additionalProperties", below) => definition_to_v2(below),
            _ => {}
        }
    }
}

fn lone_reference(all_of: &Value) -> Option<String> {
    match &all_of.as_array()?[..] {
        [only] => only
            .get("$ref")?
            .as_str()
            .map(|name| name.replace("#/components/schemas/", "#/definitions/")),
        _ => None,
    }
}

fn read(json: &str) -> Map<String, Value> {
    // Does not fail: the texts are embedded, and a test parses them.
    serde_json::from_str(json).unwrap_or_default()
}
