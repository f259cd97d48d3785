//! Types for kube's derive, in the forms that operators use.

use std::collections::{BTreeMap, BTreeSet};

use k8s_openapi::api::core::v1::EnvVar;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, LabelSelector};
use crd_runtime::{CrdSchema, CustomResource};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// A cache of key-value pairs.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
// The group is also in the chart.
#[crd(
    group = "cache.example.com",
    version = "v1",
    kind = "Memcached",
    namespaced,
    short_name = "mc", // as in `kubectl get mc`
    status = MemcachedStatus,
    derive(PartialEq),
    scale(spec = ".spec.replicas", status = ".status.replicas"),
    print_column(name = "Phase", type = "string", path = ".status.phase"),
    print_column(name = "Image", type = "string", path = ".spec.image", priority = 1)
)]
#[crd(root_rule("self.metadata.name.size() <= 40", message = "the name is too long"))]
#[crd(rule("self.replicas <= self.limit", message = "too many replicas"))]
#[serde(rename_all = "camelCase")]
#[allow(clippy::duplicated_attributes)]
pub struct MemcachedSpec {
    /// How many servers.
    #[serde(default = "three")]
    #[crd(minimum = 1, maximum = 9, default)]
    pub replicas: i32,

    // The limit is checked by the rule above.
    #[crd(default)]
    #[serde(default)]
    pub limit: i32,

    #[crd(min_length = 1, pattern = r"^[a-z./:]+$")]
    #[crd(rule("self == oldSelf"))]
    pub image: String,

    /// Left out if there are none, so that kube's derive writes no default.
    // Server-side apply merges the list by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[crd(list_map_keys("name"), list_type = "map")]
    pub env: Vec<EnvVar>,

    #[serde(default)]
    #[crd(list_type = "set", default)]
    pub zones: Vec<String>,

    #[serde(skip_serializing_if = "Option::is_none")]
    pub eviction: Option<Eviction>,

    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra: Option<serde_json::Value>,

    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[crd(schema_with = weights_schema_in_crd)]
    pub weights: Option<BTreeMap<String, i32>>,

    #[crd(rule("self.all(key, key.size() < 9)", message = "keys are short"))]
    #[crd(max_properties = 8)]
    pub labels: BTreeMap<String, String>,
}

/// Which entry goes first.
#[derive(Serialize, Deserialize, CrdSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub enum Eviction {
    LeastRecent,
    Random,
}

#[derive(Serialize, Deserialize, CrdSchema, Clone, Debug, Default, PartialEq)]
#[serde(default, rename_all = "camelCase")]
pub struct MemcachedStatus {
    #[crd(default)]
    pub phase: String,
    #[crd(default)]
    pub replicas: i32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub nodes: BTreeSet<String>,
    pub selector: Option<LabelSelector>,
    #[crd(default)]
    pub version: Version,
}

/// Written as `1.2`.
#[derive(Clone, Debug, Default, PartialEq)]
#[derive(crd_runtime::CrdSchema)]
#[crd(
    schema_with = crd_runtime::crd_schema::bridge::schema::<Version>,
    json_schema = false
)]
pub struct Version(u16, u16);

impl Serialize for Version {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{}.{}", self.0, self.1))
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let numbers = text.split_once('.').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        let (a, b) = numbers.ok_or_else(|| serde::de::Error::custom("not a version"))?;
        Ok(Self(a, b))
    }
}

impl JsonSchema for Version {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Version".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": "^[0-9]+[.][0-9]+$"})
    }
}

fn three() -> i32 {
    3
}

// More than keywords, so that it stays.
fn weights_schema(_: &mut SchemaGenerator) -> Schema {
    let most = 10 * 10;
    json_schema!({
        "type": "object",
        "additionalProperties": {"type": "integer", "maximum": most}
    })
}

fn weights_schema_in_crd() -> Result<
    crd_runtime::model::JsonSchemaProps,
    crd_runtime::crd_schema::bridge::BridgeError,
> {
    crd_runtime::crd_schema::bridge::function(weights_schema)
}

fn main() {
    println!("{}", serde_json::to_string(&Memcached::crd()).unwrap());
}
