//! The part of a crate of probes that all such crates share: common types, and a loop that answers requests.
//!
//! This file is copied into the crate.

use std::io::{BufRead as _, Write as _};

use crd_runtime::{CrdSchema, CustomResource};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Types that many probes use.
pub mod types {
    use std::collections::BTreeMap;

    use crd_runtime::CrdSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
    pub struct Part {
        pub n: i32,
        pub s: String,
    }

    #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
    pub struct Other {
        pub x: Option<i32>,
        #[serde(default)]
        pub list: Vec<String>,
    }

    #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Word {
        #[default]
        On,
        Off,
    }

    #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[serde(tag = "kind")]
    pub enum Tagged {
        One { n: i32 },
        Two { s: String },
    }

    #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
    pub enum External {
        N(i32),
        S { s: String },
    }

    #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[serde(untagged)]
    pub enum Untagged {
        N(i32),
        S(String),
    }

    #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
    pub struct Small(pub u8);

    #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Name(#[crd(min_length = 1, max_length = 5)] pub String);

    #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
    pub struct Of<T> {
        pub value: T,
    }

    pub type Port = u16;

    /// The type whose fields the rules of probes use.
    #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default)]
    pub struct Fields {
        pub i: i64,
        pub d: f64,
        pub b: bool,
        #[crd(max_length = 20)]
        pub s: String,
        #[crd(max_length = 20)]
        pub t: String,
        #[crd(max_items = 5)]
        pub li: Vec<i64>,
        #[crd(max_items = 5, items(max_length = 9))]
        pub ls: Vec<String>,
        #[crd(max_items = 5)]
        pub lo: Vec<Part>,
        #[crd(max_properties = 5, values(max_length = 9))]
        pub m: BTreeMap<String, String>,
        pub o: Part,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub oi: Option<i64>,
        #[crd(format = "date-time", max_length = 30)]
        pub ts: String,
        #[crd(format = "duration", max_length = 30)]
        pub du: String,
        #[crd(format = "byte", max_length = 30)]
        pub by: String,
        pub w: Word,
    }
}

/// Answers a request about a type.
pub type Handler = fn(&str, Value) -> Value;

/// Answers a request about a part: returns its schema, or deserializes a value and serializes it again.
pub fn part<T: CrdSchema + Serialize + DeserializeOwned>(request: &str, value: Value) -> Value {
    match request {
        "schema" => serde_json::to_value(T::schema()).expect("schemas serialize"),
        _ => read::<T>(value),
    }
}

/// Answers a request about a part that only has a schema.
pub fn schema_only<T: CrdSchema>(request: &str, _: Value) -> Value {
    match request {
        "schema" => serde_json::to_value(T::schema()).expect("schemas serialize"),
        _ => Value::Null,
    }
}

/// Answers a request about a kind.
pub fn kind<T: CustomResource + Serialize + DeserializeOwned>(request: &str, value: Value) -> Value {
    match request {
        "schema" => json!({ "definition": serde_json::to_value(T::crd()).expect("definitions serialize") }),
        _ => read::<T>(value),
    }
}

fn read<T: Serialize + DeserializeOwned>(value: Value) -> Value {
    match serde_json::from_value::<T>(value) {
        Ok(read) => match serde_json::to_value(read) {
            Ok(written) => json!({ "written": written }),
            Err(error) => json!({ "stuck": error.to_string() }),
        },
        Err(error) => json!({ "error": error.to_string() }),
    }
}

/// Answers each line of standard input, `[probe, request, value]`, with a line of standard output.
pub fn serve(probes: &[(usize, Handler)]) {
    std::panic::set_hook(Box::new(|_| {}));
    let stdin = std::io::stdin().lock();
    let mut stdout = std::io::BufWriter::new(std::io::stdout().lock());
    for line in stdin.lines() {
        let line = line.expect("requests are UTF-8");
        let (index, request, value): (usize, String, Value) = serde_json::from_str(&line).expect("requests are JSON");
        let (_, handler) = probes.iter().find(|(number, _)| *number == index).expect("a probe that compiled");
        let answer = std::panic::catch_unwind(|| handler(&request, value));
        let answer = answer.unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            json!({ "panic": text.unwrap_or_default() })
        });
        writeln!(stdout, "{answer}").expect("the reader is there");
    }
}
