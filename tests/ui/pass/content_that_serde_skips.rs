//! The form of values is that of serde: a newtype variant whose content is skipped, and an optional flattened part.
use std::marker::PhantomData;

use crd_runtime::compiled::CompiledSchema;
use crd_runtime::{CrdSchema, CustomResource, admit};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
enum Plain {
    A(#[serde(skip)] PhantomData<i32>),
    B(String),
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(tag = "type")]
enum Tagged {
    A(#[serde(skip)] PhantomData<i32>),
    B { b: String },
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(at_least_one_of("low", "high"))]
struct Limits {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    low: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    high: Option<i32>,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Sample", singular = "specimen", namespaced)]
#[crd(selectable(".spec.type"))]
struct SampleSpec {
    plain: Plain,
    tagged: Tagged,
    #[serde(flatten)]
    limits: Option<Limits>,
    #[serde(flatten)]
    part: Part,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Part {
    r#type: String,
}

/// Kinds:
/// * a
/// * b
#[derive(CrdSchema, Serialize, Deserialize)]
struct Starred {}

fn main() {
    let part = Part { r#type: "t".to_owned() };
    for (plain, tagged, limits) in [
        (Plain::A(PhantomData), Tagged::A(PhantomData), None),
        (Plain::B("b".to_owned()), Tagged::B { b: "b".to_owned() }, Some(Limits { low: Some(1), high: None })),
    ] {
        let spec = SampleSpec { plain, tagged, limits, part: part.clone() };
        let mut sample = serde_json::to_value(Sample::new("a", spec)).unwrap();
        sample["metadata"]["namespace"] = json!("default");
        let admitted = admit::create(&CompiledSchema::of::<Sample>().unwrap(), sample);
        assert!(admitted.is_ok(), "{admitted:?}");
    }
    assert_eq!(Sample::crd().spec.names.plural, "specimens");
    assert_eq!(Starred::schema().description, "Kinds:\n* a\n* b");
}
