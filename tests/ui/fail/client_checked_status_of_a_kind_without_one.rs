use crd_runtime::CustomResource;
use crd_runtime::client::{Api, Error};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Foo", namespaced)]
struct FooSpec {
    replicas: i32,
}

async fn calls(api: Api<Foo>) -> Result<(), Error> {
    let params = kube::api::PostParams::default();
    api.checked()?.modify_status("a", &params, |_| {}).await?;
    Ok(())
}

fn main() {}
