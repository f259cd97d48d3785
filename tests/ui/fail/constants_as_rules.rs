use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

const BLANK: &str = " ";
const LINES: &str = "self > 0
&& self < 9";
const NUMBER: i32 = 5;
const FROZEN: &str = "self == oldSelf";

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(rule(FROZEN))]
struct Part {
    n: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(rule(BLANK))]
    blank: i32,
    #[crd(rule(LINES))]
    lines: i32,
    #[crd(rule("self > 0", message = LINES))]
    message_of_lines: i32,
    #[serde(flatten)]
    part: Part,
}

fn main() {}
