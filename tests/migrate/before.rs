//! Types for kube's derive, in the forms that operators use.

use std::collections::{BTreeMap, BTreeSet};

use k8s_openapi::api::core::v1::EnvVar;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, LabelSelector};
use kube::{CustomResource, CustomResourceExt, KubeSchema};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// A cache of key-value pairs.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
// The group is also in the chart.
#[kube(
    group = "cache.example.com",
    version = "v1",
    kind = "Memcached",
    namespaced,
    shortname = "mc", // as in `kubectl get mc`
    status = "MemcachedStatus",
    derive = "PartialEq",
    scale = r#"{"specReplicasPath":".spec.replicas","statusReplicasPath":".status.replicas"}"#,
    printcolumn = r#"{"name":"Phase","type":"string","jsonPath":".status.phase"}"#,
    printcolumn = r#"{"name":"Image","type":"string","jsonPath":".spec.image","priority":1}"#
)]
#[kube(validation = ("self.metadata.name.size() <= 40", "the name is too long"))]
#[x_kube(validation = Rule::new("self.replicas <= self.limit").message("too many replicas"))]
#[serde(rename_all = "camelCase")]
pub struct MemcachedSpec {
    /// How many servers.
    #[serde(default = "three")]
    #[schemars(range(min = 1, max = 9))]
    pub replicas: i32,

    // The limit is checked by the rule above.
    #[serde(default)]
    pub limit: i32,

    #[schemars(length(min = 1), regex(pattern = r"^[a-z./:]+$"))]
    #[x_kube(validation = "self == oldSelf")]
    pub image: String,

    /// Left out if there are none, so that kube's derive writes no default.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "env_schema")]
    pub env: Vec<EnvVar>,

    #[serde(default)]
    #[x_kube(merge_strategy = ListMerge::Set)]
    pub zones: Vec<String>,

    pub eviction: Option<Eviction>,

    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "anything")]
    pub extra: Option<serde_json::Value>,

    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "weights_schema")]
    pub weights: Option<BTreeMap<String, i32>>,

    #[schemars(extend("x-kubernetes-validations" = [
        {"rule": "self.all(key, key.size() < 9)", "message": "keys are short"}
    ]))]
    #[validate(length(max = 8))]
    pub labels: BTreeMap<String, String>,
}

/// Which entry goes first.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub enum Eviction {
    LeastRecent,
    Random,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, Default, PartialEq)]
#[serde(default, rename_all = "camelCase")]
pub struct MemcachedStatus {
    pub phase: String,
    pub replicas: i32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub nodes: BTreeSet<String>,
    pub selector: Option<LabelSelector>,
    pub version: Version,
}

/// Written as `1.2`.
#[derive(Clone, Debug, Default, PartialEq)]
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

// Server-side apply merges the list by name.
fn env_schema(generator: &mut SchemaGenerator) -> Schema {
    let item = generator.subschema_for::<EnvVar>();
    json_schema!({
        "type": "array",
        "items": item,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"]
    })
}

fn anything(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"x-kubernetes-preserve-unknown-fields": true})
}

// More than keywords, so that it stays.
fn weights_schema(_: &mut SchemaGenerator) -> Schema {
    let most = 10 * 10;
    json_schema!({
        "type": "object",
        "additionalProperties": {"type": "integer", "maximum": most}
    })
}

fn main() {
    println!("{}", serde_json::to_string(&Memcached::crd()).unwrap());
}
