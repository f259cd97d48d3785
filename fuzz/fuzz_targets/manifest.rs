//! Reads arbitrary bytes as a definition in JSON or YAML, and as the definition that it replaces. An accepted
//! definition is compiled, published and used to admit objects.

#![no_main]

use std::time::SystemTime;

use crd_engine::compiled::CompiledSchema;
use crd_engine::field::Path;
use crd_engine::model::CustomResourceDefinition;
use crd_engine::{admit, definition, json, openapi, ruleset, table, yaml};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

/// The longest input, in bytes. Longer ones take more time and find nothing new.
const MAX_BYTES: usize = 16 * 1024;

fuzz_target!(|bytes: &[u8]| {
    if bytes.len() > MAX_BYTES {
        return;
    }
    let mut definitions = match json::decode(bytes) {
        Ok(decoded) => vec![decoded.value],
        Err(_) => {
            let Ok(text) = str::from_utf8(bytes) else { return };
            yaml::documents(text).take(2).filter_map(|read| Some(read.ok()?.value)).collect()
        }
    }
    .into_iter()
    .filter_map(|value| Some(definition::decode(&value).ok()?.crd));
    let Some(crd) = definitions.next() else { return };
    let errors = definition::validate(&crd);
    drop(errors.to_string());
    definition::warnings(&crd);
    if let Some(old) = definitions.next() {
        drop(definition::validate_update(&crd, &old).to_string());
        let _ = definition::validate_status_update(&crd, &old);
        definition::update_warnings(&crd, &old);
    }
    for version in &crd.spec.versions {
        // A rejected definition is never served, but its schema must not cause a panic or an endless loop either.
        match CompiledSchema::for_version(&crd, &version.name) {
            Ok(schema) => serve(&crd, &schema, &version.name, errors.is_empty()),
            Err(_) => assert!(!errors.is_empty(), "accepted, and does not compile"),
        }
    }
});

fn serve(crd: &CustomResourceDefinition, schema: &CompiledSchema, version: &str, accepted: bool) {
    if let Some(structural) = schema.structural() {
        ruleset::report(structural, &Path::new("schema"), schema.kubernetes());
    }
    let published = openapi::v3(crd, version).is_ok() && openapi::v2(crd, version).is_ok();
    assert!(published || !accepted, "accepted, and is not published");
    for object in objects(schema) {
        let admitted = admit::create(schema, object.clone());
        let Ok(admitted) = admitted else { continue };
        let read = admit::read(schema, json::stored(admitted.object));
        let read = read.expect("what was admitted is read");
        table::render(schema, [&read], SystemTime::UNIX_EPOCH);
        let _ = admit::scale::get(schema, &read);
        let _ = admit::update(schema, object, &read);
    }
}

fn objects(schema: &CompiledSchema) -> impl Iterator<Item = Value> {
    let resource = schema.resource();
    let (version, kind) = (resource.api_version(), resource.names.kind.clone());
    let values = [
        json!({}),
        json!({"spec": {}, "status": {}}),
        json!({"spec": {"replicas": 3, "a": [1, 1, {"name": "x"}, {"name": "x"}], "b": "é", "m": {"k": null}}}),
        json!({"spec": [1.5, null, "x", {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": 1}}]}),
    ];
    values.into_iter().map(move |mut object| {
        object["apiVersion"] = version.clone().into();
        object["kind"] = kind.clone().into();
        object["metadata"] = json!({"name": "a", "namespace": "b"});
        object
    })
}
