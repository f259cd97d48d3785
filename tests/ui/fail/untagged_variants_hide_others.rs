use std::collections::BTreeSet;

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

// `Small` is never read, and of `Named`, only what is not a word.
#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Size {
    Large(u32),
    Small(u8),
    Word(Word),
    Named(String),
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Word {
    Few,
    Many,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Word2 {
    Any(String),
    Known(Word),
}

// serde reads `Range` as `Port`, without `end`.
#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Ports {
    Port(Port),
    Range { port: u16, end: u16 },
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Port {
    port: u16,
    name: Option<String>,
}

// Only objects with `port`.
#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Target {
    Port(Port),
    Service { service: String, port: Option<u16> },
}

// serde reads a struct from a list too.
#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Place {
    Point(Point),
    Path(Vec<i32>),
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Nested<T> {
    One { value: T },
    Two { value: T, count: u8 },
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Uses {
    nested: Nested<bool>,
}

// serde reads any JSON as a `Value`, whatever the server admits.
#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Level {
    Scale(#[crd(int_or_string)] serde_json::Value),
    Off {},
}

// Each of the enumerated numbers is a `u32`.
#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Step {
    Any(u32),
    Few(#[crd(enum_values(1, 2, 3))] i8),
}

// serde reads `null` as `Unset`, and all else of `Maybe` as `Port`.
#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Limit {
    Port(u16),
    Unset,
    Maybe(Option<u8>),
}

// serde reads `["Http"]` and `[1, 80]` as tagged variants.
#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Check {
    Http,
    Tcp {
        port: u16,
    },
    #[serde(untagged)]
    Command(Vec<String>),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Ratio {
    None,
    Of {
        all: u16,
    },
    #[serde(untagged)]
    Parts(BTreeSet<u16>),
}

// serde reads `{"type": "Now"}` as `Never {}`.
#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum When {
    Never {},
    At(At),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum At {
    Now {},
    #[serde(untagged)]
    Second(u32),
}

fn main() {}
