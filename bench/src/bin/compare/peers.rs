//! Prepares schemas and rules for the other crates.

use serde_json::{Map, Value};

use crd_bench::corpus::Definition;

/// The schema of the version that is measured.
pub(crate) fn schema(definition: &Definition) -> Option<&Value> {
    let versions = definition.json.pointer("/spec/versions")?.as_array()?;
    let version = versions.iter().find(|version| version["name"] == *definition.version)?;
    version.pointer("/schema/openAPIV3Schema")
}

/// The rules of a definition, compiled by kube-cel; `None` if it rejects one.
pub(crate) fn kube_cel(definition: &Definition) -> Option<kube_cel::CompiledSchema> {
    let compiled = kube_cel::compile_schema(schema(definition)?);
    (!compiled.has_errors()).then_some(compiled)
}

/// A validator of the schema, with the fastest options that keep its meaning: draft 4, in which
/// `exclusiveMinimum` is a boolean as in OpenAPI, and the engine that matches patterns in linear time.
pub(crate) fn json_schema(definition: &Definition) -> Option<jsonschema::Validator> {
    jsonschema::options()
        .with_draft(jsonschema::Draft::Draft4)
        .with_pattern_options(jsonschema::PatternOptions::regex())
        .should_validate_formats(true)
        .build(&translated(schema(definition)?))
        .ok()
}

/// Translates keywords of OpenAPI to JSON Schema: `nullable` and int-or-string become lists of types.
fn translated(schema: &Value) -> Value {
    let Value::Object(schema) = schema else { return schema.clone() };
    let mut out = Map::new();
    let nullable = schema.get("nullable") == Some(&Value::Bool(true));
    for (key, value) in schema {
        let value = match (&**key, value) {
            ("properties", Value::Object(map)) => {
                map.iter().map(|(name, schema)| (name.clone(), translated(schema))).collect()
            }
            ("items" | "additionalProperties" | "not", schema) => translated(schema),
            ("allOf" | "anyOf" | "oneOf", Value::Array(list)) => {
                list.iter().map(translated).collect()
            }
            ("type", name) if nullable => Value::from(vec![name.clone(), "null".into()]),
            ("enum", Value::Array(list)) if nullable => {
                list.iter().cloned().chain([Value::Null]).collect()
            }
            ("nullable" | "default" | "example", _) => continue,
            (key, _) if key.starts_with("x-kubernetes-") => continue,
            (_, value) => value.clone(),
        };
        out.insert(key.clone(), value);
    }
    if schema.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true)) {
        let types: &[&str] =
            if nullable { &["integer", "string", "null"] } else { &["integer", "string"] };
        out.insert("type".to_owned(), types.into());
    }
    Value::Object(out)
}
