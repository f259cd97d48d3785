use crd_runtime::CustomResource;
use crd_runtime::client::{Api, Error};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Foo", namespaced)]
struct FooSpec {
    replicas: i32,
}

async fn calls(api: Api<Foo>) -> Result<(), Error> {
    api.get_status("a").await?;
    Ok(())
}

fn main() {}
