//! A kind whose objects can be listed by color and size.

use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

/// A shirt.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(group = "stable.example.com", version = "v1", kind = "Shirt", namespaced)]
pub struct ShirtSpec {
    /// What color it has.
    #[crd(selectable, print_column)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// How large it is.
    #[crd(selectable, print_column)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<String>,
}
