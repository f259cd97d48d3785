//! Fields that a schema does not describe, and the handling of `null`.

use crd_runtime::{CrdSchema, CustomResource};
use k8s_openapi::apimachinery::pkg::runtime::RawExtension;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Carries content of others.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(group = "stable.example.com", version = "v1", kind = "Raw", plural = "raws", namespaced)]
#[serde(rename_all = "camelCase")]
pub struct RawSpec {
    /// A whole Kubernetes object.
    #[crd(embedded_resource = true, preserve_unknown_fields = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<RawExtension>,
    /// A port by number or name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<IntOrString>,
    /// Unknown fields are kept here, but not in `json.spec`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub json: Option<Json>,
    /// Defaulted where absent or `null`.
    #[crd(default = "default")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foo: Option<String>,
    /// Stays `null`.
    #[crd(nullable = true)]
    pub bar: Option<String>,
    /// Dropped where `null`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baz: Option<String>,
}

/// Anything, with one subtree that is specified.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(preserve_unknown_fields = true)]
pub struct Json {
    /// Specified: unknown fields are dropped here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spec: Option<Specified>,
    /// The rest.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A subtree that is specified.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Specified {
    /// A text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foo: Option<String>,
    /// Another text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bar: Option<String>,
}
