use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(rule(include_str!("there_is_no_such_file.cel")))]
    a: i32,
    #[crd(rule(stringify!(self > > 0)))]
    b: i32,
}

fn main() {}
