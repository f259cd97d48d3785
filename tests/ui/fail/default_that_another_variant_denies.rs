use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Strict {
    size: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Lax {
    #[crd(default = true)]
    enabled: bool,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Tagged {
    Strict(Strict),
    Lax(Lax),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type", content = "content")]
enum Adjacent {
    Strict(Strict),
    Lax(#[crd(preserve_unknown_fields)] Lax),
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum External {
    Strict(Strict),
    Lax(Lax),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
enum Denying {
    Size { size: i32 },
    Switch {
        #[crd(default = true)]
        enabled: bool,
    },
}

fn main() {}
