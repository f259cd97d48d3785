use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Service {
    #[crd(unchecked("nothing"))]
    name: String,
    #[crd(unchecked)]
    port: u16,
    #[crd(format = "rfc3339")]
    at: String,
    #[crd(format = "our-own")]
    own: String,
    #[crd(default = None)]
    none: Option<i32>,
}

fn main() {}
