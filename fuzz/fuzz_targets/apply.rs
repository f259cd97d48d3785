//! Extracts the fields that a manager owns from an object. The result must be a part of the object, and extracting from
//! the result must not change it.

#![no_main]

use arbitrary::{Result, Unstructured};
use crd_fuzz::{object, schema};
use crd_engine::managed_fields::extract;
use crd_engine::model::CustomResourceDefinition;
use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value, json};

// Ignores an input that is too short for a case.
fuzz_target!(|bytes: &[u8]| run(&mut Unstructured::new(bytes)).unwrap_or_default());

/// Some fields of a value, as `fieldsV1` writes them.
fn fields(u: &mut Unstructured<'_>, value: &Value) -> Result<Value> {
    let mut out = Map::new();
    if u.ratio(1, 4)? {
        out.insert(".".into(), json!({}));
    }
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if u.ratio(2, 3)? {
                    out.insert(format!("f:{name}"), fields(u, member)?);
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                let step = match (u.int_in_range(0..=2)?, item.get("name")) {
                    (0, Some(name)) => format!("k:{}", json!({"name": name})),
                    (1, _) => format!("v:{item}"),
                    _ => format!("i:{index}"),
                };
                out.insert(step, fields(u, item)?);
            }
        }
        _ => {}
    }
    Ok(Value::Object(out))
}

fn run(u: &mut Unstructured<'_>) -> Result<()> {
    let root = schema::root(u, false)?;
    let crd: CustomResourceDefinition =
        serde_json::from_value(schema::definition(&root)).expect("a definition");
    let schema = crd.spec.versions[0].schema.as_ref().and_then(|it| it.open_api_v3_schema.as_ref());
    let schema = schema.expect("it is there");
    let mut object = object::object(u, &root)?;
    let owned = fields(u, &json!({"spec": object["spec"]}))?;
    let managed = json!([{"manager": "m", "operation": "Apply", "apiVersion": "example.com/v1",
                          "fieldsType": "FieldsV1", "fieldsV1": owned}]);
    object["metadata"]["managedFields"] = managed.clone();
    let mut extracted = match extract(&object, schema, "m", "") {
        Ok(extracted) => extracted,
        Err(error) => {
            let _ = error.to_string();
            return Ok(());
        }
    };
    assert!(is_part(&extracted["spec"], &object["spec"]), "{extracted} of {object}");
    let first = extracted.clone();
    extracted["metadata"]["managedFields"] = managed;
    if let Ok(again) = extract(&extracted, schema, "m", "") {
        assert_eq!(again, first, "extracted once more");
    }
    Ok(())
}

/// Whether a value consists of parts of another: its fields have the same values there, at any depth, and its lists may
/// have fewer items. Null is a part of any value.
fn is_part(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::Null, _) => true,
        (Value::Object(part), Value::Object(whole)) => {
            part.iter().all(|(name, value)| whole.get(name).is_some_and(|it| is_part(value, it)))
        }
        (Value::Array(part), Value::Array(whole)) => {
            part.iter().all(|item| whole.iter().any(|it| is_part(item, it)))
        }
        (part, whole) => part == whole,
    }
}
