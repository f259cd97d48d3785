use crd_runtime::client::{Api, Error};
use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Foo", namespaced, status = FooStatus)]
struct FooSpec {
    replicas: i32,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct FooStatus {
    replicas: i32,
}

async fn calls(api: Api<Foo>) -> Result<(), Error> {
    api.get_scale("a").await?;
    Ok(())
}

fn main() {}
