//! Bounds and texts that are constants of Rust, and rules in files.

use crd_runtime::{CrdSchema, CustomResource, definition};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde::{Deserialize, Serialize};

const MAX: u16 = 100;
const HALF: f64 = 0.5;
const LENGTH: usize = 8;
const RULE: &str = "self > 1";
const MESSAGE: &str = "must be more than one";

macro_rules! more_than_two {
    () => {
        "self > 2"
    };
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(
    group = "example.com",
    version = "v1",
    kind = "Limited",
    namespaced,
    root_description = MESSAGE,
    root_rule(Self::NAMED),
    description = MESSAGE,
    rule("self.path != '/'")
)]
struct LimitedSpec {
    #[crd(maximum = MAX, minimum = -Self::LEAST, default = 3)]
    number: i32,
    #[crd(maximum = HALF, exclusive_maximum)]
    share: f64,
    #[crd(max_length = LENGTH, min_length = 1, title = MESSAGE, default = "/a")]
    path: String,
    #[crd(max_items = LENGTH, items(max_length = Self::LONGEST), default = ["a"])]
    names: Vec<String>,
    #[crd(rule(RULE, message = MESSAGE))]
    rule: i32,
    #[crd(rule(more_than_two!()))]
    of_a_macro: i32,
    #[crd(rule(include_str!("rule_of_a_file.cel"), message = "must be positive"))]
    of_a_file: i32,
    #[crd(rule(concat!("self > 0 &&", stringify!(self < 9))))]
    of_pieces: i32,
    part: Part<IntOrString>,
}

impl LimitedSpec {
    const LEAST: i32 = 3;
    const LONGEST: u8 = 9;
    const NAMED: &'static str = "self.metadata.name != 'a'";
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Part<T> {
    #[crd(maximum = Self::MOST, rule(Self::RULE))]
    most: i64,
    of: T,
}

impl<T> Part<T> {
    const MOST: i64 = 7;
    const RULE: &'static str = "self != 5";
}

fn main() {
    let definition = Limited::crd();
    let errors = definition::validate(&definition);
    assert!(errors.is_empty(), "{errors}");
    let schema = serde_json::to_value(&definition).expect("JSON");
    let schema = &schema["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    assert_eq!(schema["description"], MESSAGE);
    assert_eq!(schema["x-kubernetes-validations"][0]["rule"], LimitedSpec::NAMED);
    let spec = &schema["properties"]["spec"]["properties"];
    assert_eq!(spec["number"]["maximum"], 100.0);
    assert_eq!(spec["number"]["minimum"], -3.0);
    assert_eq!(spec["share"]["maximum"], 0.5);
    assert_eq!(spec["path"]["maxLength"], 8);
    assert_eq!(spec["names"]["maxItems"], 8);
    assert_eq!(spec["names"]["items"]["maxLength"], 9);
    let rules = |name: &str| &spec[name]["x-kubernetes-validations"][0];
    assert_eq!(rules("rule")["rule"], RULE);
    assert_eq!(rules("rule")["message"], MESSAGE);
    assert_eq!(rules("of_a_macro")["rule"], "self > 2");
    assert_eq!(rules("of_a_file")["rule"], "self > 0\n");
    assert_eq!(rules("of_pieces")["rule"], "self > 0 &&self < 9");
    assert_eq!(spec["part"]["properties"]["most"]["maximum"], 7.0);
}
