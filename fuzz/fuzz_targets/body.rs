//! Sends arbitrary bytes as the body of a write, against a fixed set of definitions.
//!
//! The first line of the input, such as `2u!`, is a digit for the definition, a letter for the operation and optionally
//! `!` for strict field validation. The second line is the body, and the optional third line is the stored object:
//! with it, `s` updates the status, `x` the scale, and any other letter the object.

#![no_main]

use std::sync::LazyLock;
use std::time::SystemTime;

use crd_engine::admit::{self, FieldValidation, MAX_BODY_BYTES, Operation, Write, scale};
use crd_engine::compiled::CompiledSchema;
use crd_engine::field_selector::FieldSelector;
use crd_engine::{definition, json, table, yaml};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

const DEFINITIONS: &[&str] = &[
    include_str!("../crds/everything.yaml"),
    include_str!("../../examples/crds/cleaners.apps.example.com.yaml"),
    include_str!("../../examples/crds/clusterprofiles.config.example.com.yaml"),
    include_str!("../../examples/crds/crontabs.stable.example.com.yaml"),
    include_str!("../../examples/crds/raws.stable.example.com.yaml"),
    include_str!("../../examples/crds/shirts.stable.example.com.yaml"),
];

static SCHEMAS: LazyLock<Vec<CompiledSchema>> = LazyLock::new(|| {
    DEFINITIONS
        .iter()
        .map(|text| {
            let document = yaml::documents(text).next().expect("one document").expect("it reads");
            let crd = definition::decode(&document.value).expect("it decodes").crd;
            let errors = definition::validate(&crd);
            assert!(errors.is_empty(), "{errors}");
            CompiledSchema::for_version(&crd, &crd.spec.versions[0].name).expect("it compiles")
        })
        .collect()
});

fuzz_target!(|bytes: &[u8]| {
    let mut lines = bytes.splitn(3, |byte| *byte == b'\n');
    let (Some(head), Some(body)) = (lines.next(), lines.next()) else { return };
    let (Some(which), Some(how)) = (head.first(), head.get(1)) else { return };
    let schema = &SCHEMAS[usize::from(which.wrapping_sub(b'0')) % DEFINITIONS.len()];
    let stored = lines.next().and_then(|line| json::decode(line).ok()).map(|read| read.value);
    let stored = stored.and_then(|stored| admit::read(schema, stored).ok());
    let operation = match (how, &stored) {
        (b's', Some(stored)) => Operation::UpdateStatus(stored),
        (b'x', Some(stored)) => return put_scale(schema, body, stored),
        (_, Some(stored)) => Operation::Update(stored),
        (_, None) => Operation::Create,
    };
    let strict = FieldValidation::Strict;
    let field_validation = if head.get(2) == Some(&b'!') { strict } else { FieldValidation::Warn };
    match Write::new(operation).field_validation(field_validation).admit_slice(schema, body) {
        Ok(admitted) => check_admitted(schema, admitted.object, body),
        Err(rejection) => drop(rejection.to_string()),
    }
});

/// Checks an admitted object: reading it twice gives the same as reading it once, and it can be shown as a table, as a
/// scale and as JSON.
fn check_admitted(schema: &CompiledSchema, object: Value, body: &[u8]) {
    assert!(body.len() <= MAX_BODY_BYTES);
    let stored = json::stored(object);
    let read = admit::read(schema, stored).expect("what was admitted is read");
    let again = admit::read(schema, read.clone()).expect("what was read is read");
    assert_eq!(read, again, "reading is not idempotent");
    table::render(schema, [&read], SystemTime::UNIX_EPOCH);
    let _ = scale::get(schema, &read);
    if let Ok(selector) = FieldSelector::parse("metadata.name=a,metadata.namespace!=b") {
        let _ = selector.matches(schema, &read);
    }
    let body = json::to_go_string(&read);
    let decoded = json::decode(body.as_bytes()).expect("what is written is read");
    assert_eq!(json::to_go_string(&decoded.value), body);
}

fn put_scale(schema: &CompiledSchema, body: &[u8], stored: &Value) {
    let Ok(decoded) = json::decode(body) else { return };
    match scale::put(schema, &decoded.value, stored) {
        Ok(object) => drop(admit::read(schema, object)),
        Err(error) => drop(error.to_string()),
    }
}
