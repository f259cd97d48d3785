use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(rule(concat!("self.a > 0 && ", "self.bb > 0", " && self.a < 9")))]
struct Fields {
    a: i32,
    b: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Texts {
    #[crd(rule(concat!(
        "self > 0 && ",
        "self >> 1",
    )))]
    a: i32,
    #[crd(rule(concat!("self > 0 // not zero", " && self < 9")))]
    b: i32,
    #[crd(rule(concat!("self > 0 && ", "isIP('localhost') && ip('localhost').isUnspecified()")))]
    c: i32,
}

fn main() {}
