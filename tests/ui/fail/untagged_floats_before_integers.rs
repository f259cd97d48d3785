use crd_runtime::CrdSchema;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde::{Deserialize, Serialize};
use serde_json::Value;

// serde reads an integer of `Any` as the nearest float.
#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Single {
    Float(f32),
    Any(Value),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Named {
    Float { value: f32, unit: String },
    Any { value: Value, unit: String },
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Port {
    Float(f32),
    Port(IntOrString),
}

// A double has all integers of 32 bits.
#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Exact {
    Float(f64),
    Port(IntOrString),
}

fn main() {}
