use std::collections::BTreeMap;

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(bound = "T: Serialize + serde::de::DeserializeOwned")]
struct Wrapper<T> {
    items: Vec<T>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    a: Wrapper<String>,
    b: Wrapper<Wrapper<i32>>,
    modes: BTreeMap<Mode<3>, String>,
}

/// No variant uses the parameter, and the type is a map key.
#[derive(CrdSchema, Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
enum Mode<const N: usize> {
    On,
    Off,
}

#[test]
fn parameters_have_their_own_schemas() {
    let schema = serde_json::to_value(Spec::schema()).unwrap();
    let items = |field: &str| &schema["properties"][field]["properties"]["items"]["items"];
    assert_eq!(items("a")["type"], "string");
    assert_eq!(items("b")["properties"]["items"]["items"]["type"], "integer");
}
