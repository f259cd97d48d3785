use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

const GROUP: &str = "Example";
const VERSION: &str = "v1.2";
const PLURAL: &str = "lamps-";
const PROTECTED: &str = "apps.k8s.io";
const LONG: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = GROUP, version = VERSION, kind = "Lamp", plural = PLURAL, namespaced)]
struct LampSpec {
    height: i32,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = PROTECTED, version = "v1", kind = "Torch", namespaced)]
struct TorchSpec {
    height: i32,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = LONG, version = "v1", kind = "Beam", plural = "beamsofmanycolours", namespaced)]
struct BeamSpec {
    height: i32,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = 5, kind = "Ray", namespaced)]
struct RaySpec {
    height: i32,
}

fn main() {}
