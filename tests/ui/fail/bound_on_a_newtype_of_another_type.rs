use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Name(String);

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(maximum = 5)]
struct Other(Name);

fn main() {}
