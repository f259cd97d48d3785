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

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(rule("self.port > 0"))]
struct Port {
    port: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(at_least_one_of("a", "b"))]
struct Names {
    a: Option<String>,
    b: Option<String>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum PortOrNames {
    Port(Port),
    Names(Names),
}

fn main() {}
