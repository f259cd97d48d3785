use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

type Port = u16;

#[derive(CrdSchema, Serialize, Deserialize)]
struct Pair(Port, u32);

// A string is certainly no integer.
#[derive(CrdSchema, Serialize, Deserialize)]
struct Named(u16, String);

fn main() {}
