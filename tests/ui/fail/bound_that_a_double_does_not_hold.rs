use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(maximum = 9223372036854775807)]
    most: i64,
    #[crd(minimum = 9007199254740993)]
    odd: i64,
    #[crd(maximum = 1e30)]
    large: f64,
    #[crd(maximum = 9223372036854775808.0)]
    least_too_large: f64,
    #[crd(minimum = -9223372036854775808)]
    least: i64,
    #[crd(minimum = -1e30)]
    small: f64,
    #[crd(items(minimum = -9007199254740993))]
    items: Vec<i64>,
}

fn main() {}
