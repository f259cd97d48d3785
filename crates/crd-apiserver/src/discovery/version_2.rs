//! The `OpenAPI` document of version 2, which is merged from all kinds.
//!
//! Built-in kinds are described as in their documents of version 3.
//!
//! Source: `pkg/handler/handler.go` of kube-openapi, and `pkg/controller/openapi` of apiextensions-apiserver.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value, json};

use super::super::core::Core;
use super::super::failure::{Answer, Failure};
use super::super::reply::Reply;
use super::super::{definition, media};
use super::built_in::documents;
use super::{etag, protobuf, release};
use crate::{Server, openapi};

/// The media types of the document: JSON, and two names of Protocol Buffers.
const MEDIA_TYPES: [&str; 3] = ["application/json", DEPRECATED_PROTOBUF, PROTOBUF];
const PROTOBUF: &str = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
const DEPRECATED_PROTOBUF: &str = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

/// The definitions and the paths of built-in kinds, by minor. They are computed at the first request.
static BUILT_IN: Mutex<BTreeMap<u32, Arc<Value>>> = Mutex::new(BTreeMap::new());

/// Answers with the document as JSON or as Protocol Buffers.
pub(super) fn openapi_v2(core: &Core, accept: &str) -> Answer<Reply> {
    let accepted = media::first_of(accept, &MEDIA_TYPES);
    // Upstream: the answer has no body.
    let accepted = accepted.ok_or_else(Failure::empty_not_acceptable)?;
    let document = merged_v2(core);
    let json = document.to_string().into_bytes();
    let etag = Some(etag(&json));
    if accepted == MEDIA_TYPES[0] {
        return Ok(Reply::Document { media_type: accepted, body: json, etag });
    }
    let body = protobuf::encode(&document);
    Ok(Reply::Document { media_type: PROTOBUF, body, etag })
}

fn merged_v2(core: &Core) -> Value {
    let mut all = (*built_in(core.catalog.kubernetes.minor())).clone();
    all["info"]["version"] = release(core.catalog.kubernetes).into();
    for (name, stored) in core.store.list(definition::RESOURCE, "") {
        let crd =
            core.definitions.get(definition::RESOURCE, Arc::clone(name), stored, definition::model);
        for version in crd.spec.versions.iter().filter(|version| version.served) {
            if let Ok(document) =
                Server::of(core.catalog.kubernetes).openapi_v2(&*crd, &version.name)
            {
                add(&mut all, document);
            }
        }
    }
    all
}

/// Adds the paths and the schemas of a document to another.
fn add(known: &mut Value, other: Value) {
    let (Value::Object(known), Value::Object(other)) = (known, other) else { return };
    for (key, value) in other {
        match (known.get_mut(&key), value) {
            (Some(Value::Object(known)), Value::Object(more)) if key != "info" => {
                known.extend(more);
            }
            (Some(_), _) => {}
            (None, value) => {
                known.insert(key, value);
            }
        }
    }
}

/// Returns the document of built-in kinds for servers of a minor.
fn built_in(minor: u32) -> Arc<Value> {
    let mut known = BUILT_IN.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(known.entry(minor).or_insert_with(|| Arc::new(of_version_3(minor))))
}

fn of_version_3(minor: u32) -> Value {
    let (mut definitions, mut paths) = (Map::new(), Map::new());
    for published in documents(minor).values() {
        let document = serde_json::from_slice(published.body()).unwrap_or(Value::Null);
        let part = |at: &str| document.pointer(at).and_then(Value::as_object).into_iter().flatten();
        for (name, schema) in part("/components/schemas") {
            let mut schema = schema.clone();
            openapi::definition_to_v2(&mut schema);
            // Version 2 has no `oneOf`: a number or text is a string, and any other such value has no type.
            if let Value::Object(map) = &mut schema {
                map.remove("oneOf");
                if is_number_or_text(name) {
                    map.insert("type".to_owned(), "string".into());
                }
            }
            definitions.insert(name.clone(), schema);
        }
        for (path, item) in part("/paths") {
            let operations = item.as_object().into_iter().flatten();
            let operations = operations.map(|(method, it)| (method.clone(), operation(it)));
            paths.insert(path.clone(), operations.collect());
        }
    }
    json!({
        "swagger": "2.0", "info": {"title": "Kubernetes", "version": ""},
        "paths": paths, "definitions": definitions, "parameters": {},
    })
}

fn is_number_or_text(name: &str) -> bool {
    [".IntOrString", ".Quantity"].iter().any(|ending| name.ends_with(ending))
}

/// Converts an operation of [`built_in`](super::built_in).
fn operation(operation: &Value) -> Value {
    let list = |at: &str| operation.pointer(at).and_then(Value::as_array).into_iter().flatten();
    let types = |at: &str| -> Vec<&String> {
        let content = operation.pointer(at).and_then(Value::as_object);
        content.into_iter().flat_map(Map::keys).collect()
    };
    let schema = |at: &str| {
        let content = operation.pointer(at).and_then(Value::as_object);
        let first = content.and_then(|content| content.values().next());
        let mut schema = first.and_then(|first| first.get("schema")).cloned().unwrap_or_default();
        openapi::definition_to_v2(&mut schema);
        schema
    };
    let mut parameters: Vec<Value> = list("/parameters")
        .map(
            |it| json!({"name": it["name"], "in": it["in"], "type": "string", "uniqueItems": true}),
        )
        .collect();
    let consumes = types("/requestBody/content");
    if !consumes.is_empty() {
        let schema = schema("/requestBody/content");
        parameters.push(json!({"name": "body", "in": "body", "required": true, "schema": schema}));
    }
    let consumes = if consumes.is_empty() { json!(["*/*"]) } else { json!(consumes) };
    let content = "/responses/200/content";
    json!({
        "consumes": consumes, "produces": types(content), "parameters": parameters, "schemes": ["https"],
        "responses": {"200": {"description": "OK", "schema": schema(content)}},
        "x-kubernetes-action": operation["x-kubernetes-action"],
        "x-kubernetes-group-version-kind": operation["x-kubernetes-group-version-kind"],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_found() {
        let document = built_in(37);
        let definitions = document["definitions"].as_object().expect("definitions");
        let text = document.to_string();
        let left = text.find("#/components/");
        assert_eq!(left.map(|at| &text[at.saturating_sub(200)..at + 100]), None);
        let mut count = 0;
        for reference in text.split("\"$ref\":\"#/definitions/").skip(1) {
            let name = reference.split('"').next().unwrap_or_default();
            assert!(definitions.contains_key(name), "{name}");
            count += 1;
        }
        assert!(count > 700, "{count}");
        let quantity = &definitions["io.k8s.apimachinery.pkg.api.resource.Quantity"];
        assert_eq!(quantity["type"], "string");
        let patch =
            &document["paths"]["/apis/apps/v1/namespaces/{namespace}/deployments/{name}"]["patch"];
        assert_eq!(patch["consumes"].as_array().map(Vec::len), Some(4));
        assert_eq!(patch["x-kubernetes-group-version-kind"]["kind"], "Deployment");
    }
}
