use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Target {
    #[crd(rule("self.port > 0"))]
    Port {
        port: i32,
        #[crd(rule("size(self) > 1"))]
        shared: String,
    },
    Name {
        name: String,
        #[crd(rule("size(self) > 2"))]
        shared: String,
    },
}

fn main() {}
