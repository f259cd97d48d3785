use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Job {
    #[crd(rule = "self > 1", message = "too small")]
    a: i32,
    #[crd(rule = Rule::new("self > 1").message("too small").reason(Reason::FieldValueInvalid))]
    b: i32,
}

fn main() {}
