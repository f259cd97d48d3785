//! Lists of several types in variants, whose elements have a type or can be `null`.

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Typed {
    Names(Vec<String>),
    Ports(Vec<u16>),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Nullable {
    Names(Vec<Option<String>>),
    Flags(Vec<Option<bool>>),
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum External {
    Names(Vec<String>),
    Flags(Vec<bool>),
}

fn main() {}
