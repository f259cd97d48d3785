//! Every attribute of `crd-derive/attributes.md`, and the YAML that it makes; the table of field types.
//! `BLESS=attributes cargo test -p crd-tests --test documentation types` writes the table anew.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::sync::Arc;

use crd_runtime::k8s_openapi::ByteString;
use crd_runtime::k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use crd_runtime::k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, MicroTime, Time};
use crd_runtime::k8s_openapi::apimachinery::pkg::runtime::RawExtension;
use crd_runtime::k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use crd_runtime::{CrdSchema, GoDuration};
use serde_json::{Map, Value};

include!(concat!(env!("OUT_DIR"), "/attributes.rs"));

/// Attributes that do not change the manifest.
const WITHOUT_YAML: [&str; 13] = [
    "allow",
    "apply",
    "attr",
    "bound",
    "crate",
    "derive",
    "fields",
    "json_schema",
    "root",
    "schema",
    "test",
    "unchecked",
    "unique_items",
];

#[test]
fn each_attribute_has_an_example() {
    let page = include_str!("../../../crd-derive/attributes.md");
    for section in page.split("\n### `").skip(1) {
        let (name, text) = section.split_once("`\n").expect("a heading");
        let has = |language| text.contains(&format!("\n```{language}\n"));
        assert!(has("rust") || name == "unique_items", "{name} has no Rust");
        assert!(has("yaml") || WITHOUT_YAML.contains(&name), "{name} has no YAML");
    }
}

/// Returns the keywords of a schema, with long patterns and the fields of objects left out.
fn keywords<T: CrdSchema>() -> String {
    let Value::Object(schema) = serde_json::to_value(T::schema()).unwrap() else {
        panic!("no object")
    };
    let keywords = schema.iter().filter(|(key, _)| *key != "description").map(|(key, value)| {
        let value = match value {
            Value::String(text) => text.clone(),
            Value::Object(fields) if key == "properties" => {
                fields.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
            }
            value => value.to_string().replace(['"', '{', '}'], "").replace(':', ": "),
        };
        if value.len() > 60 { format!("`{key}`") } else { format!("`{key}: {value}`") }
    });
    keywords.collect::<Vec<_>>().join(", ")
}

macro_rules! rows {
    ($($ty:ty, $name:literal, $note:literal;)*) => { [$(($name, keywords::<$ty>(), $note)),*] };
}

/// Returns the table of field types.
fn types() -> String {
    let rows = rows! {
        String, "`String`, `PathBuf`, `&str`", "";
        bool, "`bool`", "";
        i8, "`i8` (`i16` likewise)", "";
        i32, "`i32`", "";
        i64, "`i64`, `isize`", "";
        u8, "`u8` (`u16` likewise)", "";
        u32, "`u32`", "a format `uint32` does not exist";
        u64, "`u64`, `usize`", "the server stores no integer above 2^63 - 1";
        f64, "`f64` (`f32` with format `float`)", "";
        char, "`char`", "";
        Option<String>, "`Option<String>`", "`nullable` only without `skip_serializing_if`";
        Vec<String>, "`Vec<T>`, `VecDeque<T>`, `Box<[T]>`", "";
        BTreeSet<String>, "`BTreeSet<T>`, `HashSet<T>` of scalars", "duplicates are rejected";
        [bool; 3], "`[T; N]`, tuples of one type", "";
        BTreeMap<String, u16>, "`BTreeMap<String, T>`, `HashMap<String, T>`", "";
        Arc<String>, "`Box<T>`, `Arc<T>`, `Rc<T>`, `Cow<T>`", "the schema of `T`";
        Map<String, Value>, "`serde_json::Map<String, Value>`", "an object with any fields";
        Value, "`serde_json::Value`, `RawExtension`", "any JSON";
        IntOrString, "`IntOrString`", "for ports and percentages";
        Quantity, "`Quantity`", "such as `512Mi`, `0.5` or `2`";
        GoDuration, "`crd_runtime::GoDuration`, `kube::core::Duration`", "such as `1h30m`: use it for durations";
        std::time::Duration, "`std::time::Duration`", "serde's form, which no Kubernetes API has: use `GoDuration`";
        Time, "`Time`", "such as `2026-01-31T09:00:00Z`";
        MicroTime, "`MicroTime`", "";
        ByteString, "`ByteString`", "base64";
        std::net::Ipv4Addr, "`std::net::IpAddr` and the others of `std::net`", "";
        Condition, "`Condition`", "with the bounds of Go's type";
    };
    assert_eq!(keywords::<RawExtension>(), keywords::<Value>());
    assert_eq!(keywords::<HashMap<String, u16>>(), keywords::<BTreeMap<String, u16>>());
    assert_eq!(keywords::<std::path::PathBuf>(), keywords::<String>());
    assert_eq!(keywords::<crd_runtime::kube::core::Duration>(), keywords::<GoDuration>());
    let mut table = String::from("\n| type | schema | |\n|---|---|---|\n");
    for (name, keywords, note) in rows {
        writeln!(table, "| {name} | {keywords} | {note} |").unwrap();
    }
    table + "\n"
}

#[test]
fn the_table_of_types_has_their_schemas() {
    const PAGE: &str = "../crd-derive/attributes.md";
    let page = std::fs::read_to_string(PAGE).unwrap().replace("\r\n", "\n");
    let (before, rest) = page.split_once("<!-- types -->\n").expect("the begin of the table");
    let (table, after) = rest.split_once("<!-- /types -->").expect("the end of the table");
    if crd_tests::blesses("attributes") {
        let page = format!("{before}<!-- types -->\n{}<!-- /types -->{after}", types());
        return std::fs::write(PAGE, page).unwrap();
    }
    assert_eq!(table, types(), "`BLESS=attributes` writes it anew");
}
