use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
enum Color {
    Red,
    Green,
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Shape {
    Round,
    Square,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Word {
    Color(Color),
    Shape(Shape),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Empty {
    Object {},
    Null,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(default = "Squar")]
    word: Word,
    #[crd(default = 1)]
    number: Word,
    #[crd(enum_values("Red", "Blue"))]
    values: Word,
    #[crd(default = [1])]
    objects: Vec<Empty>,
    #[crd(minimum = 1)]
    bound: Word,
    #[crd(default = "Round")]
    right: Word,
}

fn main() {}
