use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

const BEYOND: u16 = 256;
const HALF: f64 = 1.5;
const NO_DOUBLE: i64 = 9_007_199_254_740_993;
const BELOW: i32 = -1;
const TWO: usize = 2;
const BEYOND_INT64: f64 = 1e30;
const NAN: f64 = f64::NAN;

type Percent = u8;

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(maximum = BEYOND)]
    outside_of_the_type: u8,
    #[crd(maximum = BEYOND)]
    outside_of_an_alias: Percent,
    #[crd(maximum = HALF)]
    no_integer: i32,
    #[crd(maximum = NO_DOUBLE)]
    no_double: i64,
    #[crd(minimum = NAN)]
    no_number: f64,
    #[crd(max_length = BELOW)]
    no_count: String,
    #[crd(min_items = 3, max_items = TWO)]
    in_no_order: Vec<u8>,
    #[crd(max_length = TWO, default = "abc")]
    default_above: String,
    #[crd(minimum = Self::LEAST, default = 2)]
    default_below: i32,
    #[crd(multiple_of = Self::NOTHING)]
    multiple_of_nothing: i32,
    #[crd(minimum = i64::MIN)]
    beyond_int64: i64,
    #[crd(maximum = BEYOND_INT64)]
    number_beyond_int64: f64,
}

impl Spec {
    const LEAST: i32 = 3;
    const NOTHING: i32 = 0;
}

fn main() {}
