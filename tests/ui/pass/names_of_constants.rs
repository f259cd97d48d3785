//! The group, version and plural of a kind as constants of Rust.

use crd_runtime::{CrdSchema, CustomResource, definition};
use serde::{Deserialize, Serialize};

const GROUP: &str = "example.com";
const VERSION: &str = "v1";
/// Has the name of a constant of the traits.
const PLURAL: &str = concat!("lamp", "ae");

macro_rules! group {
    () => {
        GROUP
    };
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = GROUP, version = VERSION, kind = "Lamp", plural = PLURAL, namespaced, apply)]
struct LampSpec {
    height: i32,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = group!(), version = Self::VERSION, kind = "Torch", namespaced)]
struct TorchSpec {
    height: i32,
}

impl TorchSpec {
    const VERSION: &'static str = "v2beta1";
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(
    group = APPROVED, version = "v1", kind = "Beam", cluster,
    annotation("api-approved.kubernetes.io", "unapproved, a test")
)]
struct BeamSpec {
    height: i32,
}

const APPROVED: &str = "example.k8s.io";

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Part {
    of: String,
}

fn main() {
    assert_eq!(Lamp::API_VERSION, "example.com/v1");
    assert_eq!(<Lamp as k8s_openapi::Resource>::API_VERSION, "example.com/v1");
    assert_eq!(<Lamp as k8s_openapi::Resource>::URL_PATH_SEGMENT, "lampae");
    assert_eq!(Torch::API_VERSION, "example.com/v2beta1");
    assert_eq!(Torch::PLURAL, "torches");
    assert_eq!(Beam::GROUP, APPROVED);
    let definition = Lamp::definition();
    assert_eq!(definition.metadata.name, "lampae.example.com");
    assert_eq!(definition.spec.versions[0].name, "v1");
    assert!(definition::validate(&definition).is_empty());

    let lamp = Lamp::new("a", LampSpec { height: 5 });
    let json = serde_json::to_value(&lamp).expect("JSON");
    assert_eq!(json["apiVersion"], "example.com/v1");
    let read: Lamp = serde_json::from_value(json).expect("a lamp");
    assert_eq!(read.spec.height, 5);
    let other = serde_json::json!({"apiVersion": "example.com/v2", "kind": "Lamp", "spec": {"height": 5}});
    let error = serde_json::from_value::<Lamp>(other).expect_err("another version");
    assert!(error.to_string().contains("want `example.com/v1`"), "{error}");
    let apply = serde_json::to_value(LampApply::new().name("a")).expect("JSON");
    assert_eq!(apply["apiVersion"], "example.com/v1");
    let _ = Part { of: String::new() }.of;
}
