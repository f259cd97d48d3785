use crd_runtime::CustomResource;
use crd_runtime::client::{Api, Error};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Foo", cluster)]
struct FooSpec {
    replicas: i32,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Bar", cluster)]
struct BarSpec {
    replicas: i32,
}

async fn calls(client: kube::Client) -> Result<(), Error> {
    Api::<Foo>::namespaced(client.clone(), "mine").get("a").await?;
    Api::<Foo>::all_namespaces(client).list(&Default::default()).await?;
    let _ = Bar::fields().metadata_namespace().eq("mine");
    Ok(())
}

fn main() {}
