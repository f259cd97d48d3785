use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Cache", namespaced, apply)]
struct CacheSpec {
    size: i32,
}

fn main() {
    let _ = CacheApply::new().spec(CacheSpecApply::new().siez(3));
    let _ = CacheApply::new().spec(CacheSpecApply::new().size("3"));
}
