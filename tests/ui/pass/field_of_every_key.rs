use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Foreign;

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(title = "t", description = "d", example = 5, external_docs(url = "https://a.b", description = "e"), default = 1,
        minimum = -5, maximum = 9, exclusive_minimum, exclusive_maximum = true, multiple_of = 1, format = "int32",
        enum_values(1, -2), rule("self > 0", message = "m", message_expression = "'e'", reason = "FieldValueRequired"),
        immutable, print_column, selectable)]
    a: i32,
    #[crd(min_length = 1, max_length = 5, pattern = "^a$", nullable)]
    b: Option<String>,
    #[crd(min_items = 1, max_items = 5, list_type = "set", items(max_length = 5))]
    c: Vec<String>,
    #[crd(min_properties = 1, max_properties = 5, map_type = "atomic", values(items(maximum = 5)),
        rule("self.size() > 0", field_path = "['k']"))]
    d: std::collections::BTreeMap<String, Vec<i32>>,
    #[crd(int_or_string)]
    e: serde_json::Value,
    #[crd(embedded_resource, preserve_unknown_fields)]
    f: serde_json::Value,
    #[crd(schema_with = crd_runtime::crd_schema::any)]
    g: Foreign,
    #[crd(default = json!({"a": [1]}))]
    h: serde_json::Value,
    #[crd(default)]
    #[serde(default)]
    i: i32,
    #[crd(rule = "self == 1")]
    j: i32,
}

fn main() {}
