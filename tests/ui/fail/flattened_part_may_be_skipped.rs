use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Whole {
    #[serde(flatten, default, skip_serializing_if = "Part::is_zero")]
    part: Part,
    #[serde(flatten, default, skip_serializing_if = "Choice::is_first")]
    choice: Choice,
    #[serde(flatten, default, skip_serializing)]
    tagged: Tagged,
}

#[derive(CrdSchema, Serialize, Deserialize, Default)]
struct Part {
    a: i32,
}

impl Part {
    fn is_zero(&self) -> bool {
        self.a == 0
    }
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Choice {
    B { b: i32 },
    C { c: i32 },
}

impl Default for Choice {
    fn default() -> Self {
        Self::B { b: 0 }
    }
}

impl Choice {
    fn is_first(&self) -> bool {
        matches!(self, Self::B { .. })
    }
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Tagged {
    D { d: i32 },
}

impl Default for Tagged {
    fn default() -> Self {
        Self::D { d: 0 }
    }
}

fn main() {}
