use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct String(i32);

#[derive(CrdSchema, Serialize, Deserialize)]
struct Vec<T> {
    content: T,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(min_length = 1)]
    name: String,
    #[crd(max_items = 3)]
    list: Option<Vec<i32>>,
    plain: Vec<String>,
    #[crd(minimum = 1)]
    number: self::String,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Other {
    #[crd(minimum = 1)]
    number: String,
}

// Checked as a rule about a text of std.
#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(rule("self.label != ''"))]
struct Ruled {
    label: String,
    other: String,
}

// No rule about a text of std, so rustc checks it.
#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(rule("self.number > 1"))]
struct RuledAsNumber {
    number: String,
}

// The variable of a rule of another field.
#[derive(CrdSchema, Serialize, Deserialize)]
struct RuledBeside {
    #[crd(rule("self.all(label, label > 0)"))]
    numbers: std::vec::Vec<i32>,
    label: String,
}

fn main() {}
