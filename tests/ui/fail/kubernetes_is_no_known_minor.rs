use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Old", namespaced, kubernetes = "1.21")]
struct OldSpec {}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Number", namespaced, kubernetes = 1.33)]
struct NumberSpec {}

const OLDEST: &str = "x";

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Constant", namespaced, kubernetes = OLDEST)]
struct ConstantSpec {}

fn main() {}
