use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "no", version = "V1", kind = 5, plural = "a_b", scale(spec = "a", status = ".b"))]
struct KindSpec {
    #[crd(minimum = "a", exclusive_minimum, pattern = "(")]
    a: String,
    #[crd(minimum = , maximum = 3)]
    b: String,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(rule("self.a >"), title = 5)]
struct Part {
    #[crd(items(max_length = "b", pattern = "("), list_type = 3, list_map_keys("a"))]
    a: Vec<String>,
    #[crd(titel = "c", unique_items)]
    b: Vec<String>,
}

fn main() {}
