use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

type Count = u32;

#[derive(CrdSchema, Serialize, Deserialize)]
struct Byte(u8);

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(maximum = 300)]
struct Wide(u8);

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(maximum = 1000)]
    byte: Byte,
    #[crd(minimum = -1)]
    count: Option<Count>,
    #[crd(minimum = 0.5)]
    part: Count,
    #[crd(items(maximum = 1000))]
    bytes: Vec<Byte>,
    #[crd(minimum = 0)]
    some: std::num::NonZeroU8,
}

fn main() {}
