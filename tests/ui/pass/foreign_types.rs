//! Types without a schema of their own: their schema is that of a function, of another type, or of the module that
//! serde uses.

use std::collections::BTreeMap;
use std::time::Duration;

use crd_runtime::crd_schema::bridge;
use crd_runtime::{CrdSchema, CustomResource, HasStatus, definition};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A type of another crate, say.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
struct Foreign {
    ready: bool,
}

#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default)]
struct Listed<T> {
    of: Vec<T>,
}

/// As a module with functions of its own would be, without a schema.
mod seconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(value: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(value.as_secs())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_secs)
    }
}

/// As [`seconds`], with a schema.
mod minutes {
    use std::time::Duration;

    use crd_runtime::CrdSchema;
    use crd_runtime::model::JsonSchemaProps;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(value: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u32((value.as_secs() / 60) as u32)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        u32::deserialize(from).map(|minutes| Duration::from_secs(60 * u64::from(minutes)))
    }

    pub fn schema() -> JsonSchemaProps {
        JsonSchemaProps { title: "minutes".to_owned(), ..u32::schema() }
    }
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(
    group = "example.com", version = "v1", kind = "Clock", namespaced, apply,
    status(Listed<Foreign>, schema_with = bridge::schema::<_>),
    rule("self.every > 1 && self.limits.all(k, self.limits[k] < 9)"),
    root_rule("!has(self.spec.wait) || self.spec.wait > 0")
)]
struct ClockSpec {
    #[serde(with = "seconds")]
    #[crd(schema_as = u32, minimum = 1)]
    every: Duration,
    #[serde(with = "minutes", default = "an_hour")]
    #[crd(schema_with, default)]
    rest: Duration,
    #[crd(schema_with = bridge::schema::<_>)]
    list: Vec<Foreign>,
    #[crd(schema_with = bridge::schema::<_>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    one: Option<Box<Foreign>>,
    #[crd(schema_as = BTreeMap<String, i8>, max_properties = 3)]
    limits: Limits,
    #[crd(schema_as = i64)]
    #[serde(skip_serializing_if = "Option::is_none")]
    wait: Option<Wait>,
    port: Port,
}

fn an_hour() -> Duration {
    Duration::from_secs(3600)
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Limits(BTreeMap<String, i8>);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Wait(i64);

/// A type with serde implementations of its own, as `serde_repr` writes them.
#[derive(CrdSchema, Clone, Debug)]
#[crd(schema_as = u16, maximum = 99)]
enum Port {
    Low,
    High(u16),
}

impl Serialize for Port {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u16(match self {
            Self::Low => 0,
            Self::High(port) => *port,
        })
    }
}

impl<'de> Deserialize<'de> for Port {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        u16::deserialize(from).map(|port| if port == 0 { Self::Low } else { Self::High(port) })
    }
}

/// A status with the schema of another type.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(
    group = "example.com", version = "v1", kind = "Bell", namespaced,
    status(Limits, schema_as = BTreeMap<String, i8>),
    root_rule("!has(self.status) || self.status.all(k, self.status[k] < 9)")
)]
struct BellSpec {
    loud: bool,
}

fn status_of<K: HasStatus<Status = S>, S>() {}

fn main() {
    status_of::<Clock, Listed<Foreign>>();
    for definition in [Clock::definition(), Bell::definition()] {
        let errors = definition::validate(&definition);
        assert!(errors.is_empty(), "{errors}");
    }
    let definition = serde_json::to_value(Clock::crd()).expect("JSON");
    let root = &definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"];
    let spec = &root["spec"]["properties"];
    assert_eq!(root["status"]["properties"]["of"]["items"]["required"][0], "ready");
    assert_eq!(spec["every"]["type"], "integer");
    assert_eq!(spec["every"]["minimum"], 1.0);
    assert_eq!(spec["rest"]["title"], "minutes");
    // As serde writes it.
    assert_eq!(spec["rest"]["default"], 60);
    assert_eq!(spec["list"]["items"]["properties"]["ready"]["type"], "boolean");
    assert_eq!(spec["one"]["properties"]["ready"]["type"], "boolean");
    assert_eq!(spec["limits"]["maxProperties"], 3);
    assert_eq!(spec["limits"]["additionalProperties"]["maximum"], 127.0);
    assert_eq!(spec["wait"]["format"], "int64");
    assert_eq!(spec["port"]["maximum"], 99.0);
    let required = root["spec"]["required"].as_array().expect("names");
    assert_eq!(required.len(), 4, "{required:?}");

    let clock = Clock::new("a", ClockSpec {
        every: Duration::from_secs(5),
        rest: Duration::from_secs(60),
        list: Vec::new(),
        one: None,
        limits: Limits([("a".to_owned(), 1)].into()),
        wait: Some(Wait(5)),
        port: Port::High(7),
    });
    let json = serde_json::to_value(&clock).expect("JSON");
    let apply: ClockSpecApply = serde_json::from_value(json["spec"].clone()).expect("a configuration");
    assert_eq!(serde_json::to_value(apply).expect("JSON"), json["spec"]);
    assert_eq!(json["spec"]["every"], 5);
    let bell = Bell::definition();
    let status = serde_json::to_value(&bell).expect("JSON");
    let status = &status["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["status"];
    assert_eq!(status["additionalProperties"]["maximum"], 127.0);
}
