use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

type Port = Option<i32>;

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Target {
    Everything,
    Port {
        #[crd(immutable)]
        port: Port,
        name: String,
    },
}

fn main() {}
