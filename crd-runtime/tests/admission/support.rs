//! Short constructors of definitions and objects.

use crd_runtime::admit::{Admitted, Rejection};
use crd_runtime::compiled::CompiledSchema;
use crd_runtime::model::CustomResourceDefinition;
use serde_json::{Value, json};

/// `Widget` of `example.com/v1`, namespaced, with this root schema and these further keys of the version.
pub(crate) fn widget_with(root: &Value, version: &Value) -> CompiledSchema {
    kind(root, version, "Namespaced")
}

/// `Widget` with this schema at `spec`, and the status subresource.
pub(crate) fn widget(spec: &Value) -> CompiledSchema {
    let any = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let root = json!({"type": "object", "properties": {"spec": spec, "status": any}});
    widget_with(&root, &json!({"subresources": {"status": {}}}))
}

pub(crate) fn kind(root: &Value, version: &Value, scope: &str) -> CompiledSchema {
    CompiledSchema::for_version(&definition(root, version, scope), "v1").unwrap()
}

/// `Widget` of `example.com/v1` with this root schema and these further keys of the version.
pub(crate) fn definition(root: &Value, version: &Value, scope: &str) -> CustomResourceDefinition {
    let mut crd = crd_fixtures::widget(root).set("/spec/scope", scope);
    for (key, value) in version.as_object().unwrap() {
        crd = crd.set(&format!("/spec/versions/0/{key}"), value);
    }
    crd.read()
}

/// A `Widget` with valid metadata.
pub(crate) fn object(spec: &Value) -> Value {
    json!({
        "apiVersion": "example.com/v1", "kind": "Widget", "spec": spec,
        "metadata": {"name": "w", "namespace": "default", "resourceVersion": "1"},
    })
}

/// A `Widget` without spec, with this metadata.
pub(crate) fn with_metadata(metadata: &Value) -> Value {
    json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": metadata})
}

/// The texts of the errors; empty if the object is admitted.
pub(crate) fn errors(result: &Result<Admitted, Rejection>) -> Vec<String> {
    match result {
        Ok(_) => Vec::new(),
        Err(Rejection::Invalid(invalid)) => {
            invalid.errors.iter().map(ToString::to_string).collect()
        }
        Err(other) => vec![other.to_string()],
    }
}

/// The object that was validated, and its unknown fields, whatever the verdict.
#[track_caller]
pub(crate) fn outcome(result: Result<Admitted, Rejection>) -> (Value, Vec<String>) {
    match result {
        Ok(admitted) => (admitted.object, admitted.unknown_fields),
        Err(Rejection::Invalid(invalid)) => (invalid.object, invalid.unknown_fields),
        Err(other) => panic!("{other}"),
    }
}
