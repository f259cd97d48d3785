use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(
    group = "example.com",
    version = "v1",
    kind = "CronTab",
    namespaced,
    served = "no",
    short_name("a", "b"),
    scale = ".spec.replicas",
    print_column,
    label("a"),
    conversion,
    status(),
    root_rule,
    attr = "non_exhaustive"
)]
struct CronTabSpec {
    a: i32,
}

fn main() {}
