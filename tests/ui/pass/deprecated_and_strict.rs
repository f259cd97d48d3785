//! Lints that the type's own crate has turned on say nothing of what is generated.

#![deny(warnings, deprecated, unused_qualifications, unused_parens)]

use crd_runtime::{CrdSchema, CustomResource, definition};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Old", namespaced, apply, status = OldStatus)]
struct OldSpec {
    #[deprecated]
    #[crd(default = 3, minimum = 1, rule("self > 0"), print_column, selectable)]
    number: i32,
    #[deprecated = "use `number`"]
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<Choice>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply)]
struct OldStatus {
    #[deprecated]
    ready: bool,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply)]
enum Choice {
    #[deprecated]
    A(i32),
    B {
        #[deprecated]
        b: u8,
    },
}

fn main() {
    let errors = definition::validate(&Old::crd());
    assert!(errors.is_empty(), "{errors}");
}
