use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

struct Port(u16);

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(default = Port(80))]
    port: u16,
}

fn main() {}
