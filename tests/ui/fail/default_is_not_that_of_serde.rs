use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

fn five() -> i32 {
    5
}

fn is_five(number: &i32) -> bool {
    *number == 5
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Retries {
    #[serde(default = "five", skip_serializing_if = "is_five")]
    #[crd(default = 7)]
    number: i32,
    #[serde(default = "five", skip_serializing_if = "is_five")]
    #[crd(default = five())]
    same: i32,
    #[serde(default = "five", skip_serializing_if = "is_five")]
    #[crd(default)]
    inherited: i32,
}

fn main() {}
