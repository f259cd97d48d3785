//! Untagged variants of which each is read as such.

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Scalar {
    Small(u8),
    Large(u32),
    Float(f64),
    Word(Word),
    Version(Version),
    Text(String),
    List(Vec<u8>),
    Any(serde_json::Value),
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Word {
    Few,
    Many,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone)]
#[serde(try_from = "String", into = "String")]
struct Version(String);

impl TryFrom<String> for Version {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        if text.starts_with('v') { Ok(Self(text)) } else { Err(text) }
    }
}

impl From<Version> for String {
    fn from(version: Version) -> Self {
        version.0
    }
}

// The words differ, and so do the types of `size`.
#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Objects {
    A { mode: A, name: String },
    B { mode: B, name: String, more: i32 },
    Count { size: i32 },
    Text { size: String, unit: String },
    Both { name: String, count: i32 },
    One { name: String },
    #[crd(unchecked("written by hand, and never with `name`"))]
    Other { name: Option<String>, other: i32 },
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum A {
    X,
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum B {
    Y,
    Z,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Strict {
    A(Exact),
    B { a: i32, b: i32 },
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exact {
    a: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Mixed {
    Fast,
    Slow,
    #[serde(untagged)]
    Other(String),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Limit {
    Small(u8),
    Unset,
    Maybe(Option<u16>),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Check {
    Http,
    Tcp {
        port: u16,
    },
    #[crd(unchecked("never begins with `Http` or `Tcp`"))]
    #[serde(untagged)]
    Command(Vec<String>),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Mask {
    All,
    Of {
        bits: u16,
    },
    #[serde(untagged)]
    Flags(Vec<bool>),
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Sets {
    #[crd(list_type = "set", items(map_type = "atomic"))]
    strict: Vec<Strict>,
    #[crd(list_type = "set")]
    limits: Vec<Amount>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Amount {
    Number(u32),
    Text(String),
}

fn main() {}
