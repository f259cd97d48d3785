//! Literals that are written in different ways and have the same value.

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Limits {
    #[crd(default = 0x10, enum_values(16, 1_000))]
    number: i32,
    #[crd(default = 1, enum_values(1.0, 2.5))]
    share: f64,
    #[crd(default = 1e39, enum_values(1e39, 1e40))]
    large: f64,
    #[crd(default = r"a", enum_values("a", "b"))]
    text: String,
}

#[test]
fn literals_are_equal_by_value() {
    let schema = serde_json::to_value(Limits::schema()).unwrap();
    assert_eq!(schema["properties"]["number"]["default"], 16);
    assert_eq!(schema["properties"]["text"]["enum"], serde_json::json!(["a", "b"]));
}
