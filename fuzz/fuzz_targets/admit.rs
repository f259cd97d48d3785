//! Creates an object of a generated definition. An admitted object must survive serialization unchanged, and be
//! admitted again.

#![no_main]

use arbitrary::{Result, Unstructured};
use crd_fuzz::{object, schema};
use crd_engine::admit;
use crd_engine::compiled::CompiledSchema;
use crd_engine::model::CustomResourceDefinition;
use crd_engine::{definition, json};
use libfuzzer_sys::fuzz_target;

// Ignores an input that is too short for a case.
fuzz_target!(|bytes: &[u8]| run(&mut Unstructured::new(bytes)).unwrap_or_default());

fn run(u: &mut Unstructured<'_>) -> Result<()> {
    let rules = u.arbitrary()?;
    let root = schema::root(u, rules)?;
    let crd: CustomResourceDefinition =
        serde_json::from_value(schema::definition(&root)).expect("a definition");
    let accepted = definition::validate(&crd).is_empty();
    let Ok(schema) = CompiledSchema::for_version(&crd, "v1") else {
        assert!(!accepted, "accepted, and does not compile");
        return Ok(());
    };
    for _ in 0..4 {
        let body = object::object(u, &root)?;
        let Ok(admitted) = admit::create(&schema, body) else { continue };
        let stored = json::stored(admitted.object);
        let mut read = admit::read(&schema, stored.clone()).expect("what was admitted is read");
        if !accepted {
            continue;
        }
        // A creation drops the status, and reading sets its default again.
        if stored.get("status").is_none()
            && let Some(object) = read.as_object_mut()
        {
            object.remove("status");
        }
        assert_eq!(json::to_go_string(&read), json::to_go_string(&stored), "reading changes it");
        let again = admit::create(&schema, stored.clone()).expect("what was admitted is admitted");
        assert!(again.unknown_fields.is_empty(), "{:?}", again.unknown_fields);
        assert_eq!(json::to_go_string(&json::stored(again.object)), json::to_go_string(&stored));
    }
    Ok(())
}
