use crd_runtime::CustomResource;
use crd_runtime::client::Api;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Foo", namespaced)]
struct FooSpec {
    replicas: i32,
}

fn calls(client: kube::Client) -> Api<Foo> {
    Api::cluster(client)
}

fn main() {}
