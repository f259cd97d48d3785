//! Updates an object of a generated definition without rules. An object that can be created must be able to replace any
//! stored object, and a stored object must be able to replace itself.

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
    let root = schema::root(u, false)?;
    let crd: CustomResourceDefinition =
        serde_json::from_value(schema::definition(&root)).expect("a definition");
    if !definition::validate(&crd).is_empty() {
        return Ok(());
    }
    let schema = CompiledSchema::for_version(&crd, "v1").expect("accepted, and compiles");
    // A stored object need not be valid, because the schema may have changed since.
    let mut old = object::object(u, &root)?;
    old["metadata"] =
        serde_json::json!({"name": "w", "namespace": "default", "resourceVersion": "1"});
    let Ok(old) = admit::read(&schema, old) else { return Ok(()) };
    let is_uncorrelated =
        |name: &str| crd_fixtures::has_uncorrelated_parts(&root["properties"][name], &old[name]);
    match admit::update(&schema, old.clone(), &old) {
        Ok(same) => assert_eq!(
            json::to_go_string(&same.object["spec"]),
            json::to_go_string(&old["spec"]),
            "a write of what is stored changes it"
        ),
        // Upstream: a value is not equal to itself if a part of it has no old value
        // (`CorrelatedObject.CachedDeepEqual`), so its errors are not ratcheted.
        Err(_) if is_uncorrelated("spec") || is_uncorrelated("status") => {}
        Err(rejection) => panic!("what is stored does not replace itself: {rejection}"),
    }
    // An update keeps the status, and validates it.
    let is_status_uncorrelated = is_uncorrelated("status");
    for _ in 0..4 {
        let mut new = object::object(u, &root)?;
        let valid = admit::create(&schema, new.clone()).is_ok();
        new["metadata"]["resourceVersion"] = "1".into();
        let updated = admit::update(&schema, new, &old);
        if valid
            && !is_status_uncorrelated
            && let Err(rejection) = updated
        {
            panic!("may be created, and may not replace: {rejection}");
        }
    }
    Ok(())
}
