//! Rules and patterns that are constants. The derive does not see their text, so the checks of the definition find
//! mistakes in them.

use crd_runtime::{CustomResource, definition};
use serde::{Deserialize, Serialize};

const RULE: &str = "self.replica > 0";
const PATTERN: &str = "(";

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Tab", namespaced, rule(RULE), test = false)]
struct TabSpec {
    replicas: i32,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Page", namespaced, test = false)]
struct PageSpec {
    #[crd(pattern = PATTERN)]
    name: String,
}

#[test]
fn constants_are_checked_with_the_definition() {
    let rule = definition::validate(&Tab::crd()).to_string();
    assert!(rule.contains("undefined field 'replica'"), "{rule}");
    let pattern = definition::validate(&Page::crd()).to_string();
    assert!(pattern.contains("properties[spec].properties[name].pattern"), "{pattern}");
}
