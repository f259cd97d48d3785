//! Validates a generated definition. An accepted one must compile, have an OpenAPI document, survive serialization to
//! JSON unchanged, and be a valid update of itself.

#![no_main]

use arbitrary::{Result, Unstructured};
use crd_fuzz::schema;
use crd_engine::compiled::CompiledSchema;
use crd_engine::{definition, openapi};
use libfuzzer_sys::fuzz_target;

// Ignores an input that is too short for a case.
fuzz_target!(|bytes: &[u8]| run(&mut Unstructured::new(bytes)).unwrap_or_default());

fn run(u: &mut Unstructured<'_>) -> Result<()> {
    let text = schema::definition(&schema::root(u, true)?);
    let crd = definition::decode(&text).expect("it decodes").crd;
    let errors = definition::validate(&crd);
    let again = serde_json::to_value(&crd).expect("it is written");
    let again = definition::decode(&again).expect("what is written decodes").crd;
    assert_eq!(again, crd, "written and read");
    assert_eq!(definition::validate(&again).to_string(), errors.to_string());
    if !errors.is_empty() {
        return Ok(());
    }
    CompiledSchema::for_version(&crd, "v1").expect("accepted, and compiles");
    openapi::v3(&crd, "v1").expect("accepted, and published");
    openapi::v2(&crd, "v1").expect("accepted, and published");
    let mut update = crd.clone();
    update.metadata.resource_version = "1".to_owned();
    let errors = definition::validate_update(&update, &crd);
    assert!(errors.is_empty(), "does not replace itself: {errors}");
    Ok(())
}
