use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Source {
    Git {
        #[crd(default = 1)]
        depth: i32,
    },
    Hg {
        #[crd(default = 2)]
        depth: i32,
    },
    Svn {
        depth: Option<i32>,
    },
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Depth {
        #[crd(default = 1)]
        depth: i32,
    },
    Name {
        name: String,
    },
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Keyed {
    Name(String),
    #[serde(untagged)]
    Depth {
        #[crd(default = 1)]
        #[serde(default)]
        depth: i32,
    },
}

fn main() {}
