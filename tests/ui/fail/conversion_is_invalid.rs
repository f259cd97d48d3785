use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Foo", cluster, conversion(webhook(url = "http://a", ca_bundle = "no base64", review_versions("v2"))))]
struct FooSpec {
    a: String,
}

fn main() {}
