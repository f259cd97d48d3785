//! Every form of a path that the server understands, through every kind of type.

use std::collections::{BTreeMap, HashMap};

use crd_runtime::crd_schema::open_object;
use crd_runtime::{CrdSchema, CustomResource};
use k8s_openapi::api::core::v1::PodTemplateSpec;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced, status = WidgetStatus)]
#[crd(scale(
    spec = ".spec.scale.replicas",
    status = ".status.replicas",
    selector = ".spec.selector"
))]
#[crd(
    selectable(".spec.mode"),
    selectable(".spec.scale.replicas"),
    selectable(".status.flattened")
)]
// What every object has.
#[crd(print_column(name = "A", type = "date", path = ".metadata.creationTimestamp"))]
#[crd(print_column(name = "B", type = "integer", path = ".metadata.generation"))]
#[crd(print_column(name = "C", type = "string", path = ".metadata.ownerReferences[0].name"))]
#[crd(print_column(
    name = "D",
    type = "string",
    path = ".metadata.labels.app\\.kubernetes\\.io/name"
))]
#[crd(print_column(name = "E", type = "string", path = ".metadata.annotations['a\\.b/c']"))]
#[crd(print_column(name = "F", type = "string", path = ".metadata.labels['app']"))]
#[crd(print_column(name = "G", type = "string", path = ".kind"))]
// Lists, filters, maps.
#[crd(print_column(
    name = "H",
    type = "string",
    path = ".status.conditions[?(@.type==\"Ready\")].status"
))]
#[crd(print_column(
    name = "I",
    type = "date",
    path = ".status.conditions[-1:].lastTransitionTime"
))]
#[crd(print_column(name = "J", type = "string", path = ".status.conditions[*].reason"))]
#[crd(print_column(name = "K", type = "string", path = ".spec.byName.web.image"))]
#[crd(print_column(name = "L", type = "string", path = ".spec.byName.*.image"))]
#[crd(print_column(name = "M", type = "string", path = ".spec.parts[?(@.image=='x' )].image"))]
#[crd(print_column(name = "N", type = "string", path = ".spec.parts[0]['image','replicas']"))]
#[crd(print_column(name = "O", type = "string", path = ".spec..image"))]
#[crd(print_column(name = "P", type = "string", path = ".spec['scale']['replicas']"))]
// A column of strings shows any JSON, one of integers cuts a number.
#[crd(print_column(name = "Q", type = "string", path = ".spec.parts"))]
#[crd(print_column(name = "R", type = "integer", path = ".spec.weight"))]
#[crd(print_column(name = "S", type = "number", path = ".spec.scale.replicas"))]
#[crd(print_column(name = "T", type = "integer", path = ".spec.port"))]
#[crd(print_column(name = "U", type = "date", path = ".spec.since"))]
// What is not known ends the walk.
#[crd(print_column(name = "V", type = "string", path = ".spec.template.spec.whatever"))]
#[crd(print_column(name = "W", type = "integer", path = ".spec.raw.what.ever[0]"))]
#[crd(print_column(name = "X", type = "integer", path = ".spec.open.further.fields"))]
#[crd(print_column(name = "Y", type = "boolean", path = ".spec.rest"))]
#[crd(print_column(name = "Z", type = "boolean", path = ".spec.function.anything"))]
// Enums.
#[crd(print_column(name = "aa", type = "string", path = ".spec.source.git.repository"))]
#[crd(print_column(name = "bb", type = "string", path = ".spec.source.git.type"))]
#[crd(print_column(name = "cc", type = "string", path = ".spec.tagged.type"))]
#[crd(print_column(name = "dd", type = "string", path = ".spec.tagged.image"))]
#[crd(print_column(name = "ee", type = "string", path = ".spec.adjacent.content.image"))]
#[crd(print_column(name = "ff", type = "string", path = ".spec.untagged.image"))]
#[crd(print_column(name = "gg", type = "integer", path = ".spec.untagged"))]
#[crd(print_column(name = "hh", type = "string", path = ".spec.generic.value.image"))]
#[crd(print_column(name = "ii", type = "string", path = ".spec.wrapper.image"))]
#[crd(rule("self.weight > 0.5", field_path = ".scale.replicas"))]
#[crd(rule("self.weight > 0.5", field_path = ".byName['web'].image"))]
#[crd(rule("self.weight > 0.5", field_path = ".byName.web"))]
#[crd(root_rule("self.spec.weight > 0.5", field_path = ".spec.weight"))]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    scale: Option<Box<Scale>>,
    selector: String,
    mode: Mode,
    by_name: BTreeMap<String, Part>,
    #[crd(items(
        at_least_one_of("image", "replicas"),
        rule("self.image != ''", field_path = ".image")
    ))]
    parts: Vec<Part>,
    weight: f64,
    port: IntOrString,
    since: Time,
    template: PodTemplateSpec,
    raw: Value,
    open: Open,
    #[crd(schema_with = open_object)]
    function: BTreeMap<String, String>,
    source: Source,
    tagged: Tagged,
    adjacent: Adjacent,
    untagged: Untagged,
    generic: Generic<Part>,
    wrapper: Wrapper,
    #[serde(flatten)]
    further: Map<String, Value>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Scale {
    replicas: i32,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
enum Mode {
    Fast,
    Slow,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Part {
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replicas: Option<i32>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(preserve_unknown_fields)]
struct Open {
    known: String,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
enum Source {
    Git { repository: String, r#type: String },
    Archive(Part),
    Nothing,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(tag = "type")]
enum Tagged {
    Part(Part),
    Other { name: String },
    Nothing,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(tag = "type", content = "content")]
enum Adjacent {
    Part(Part),
    Number(i32),
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(untagged)]
enum Untagged {
    Number(i32),
    Part(Part),
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Generic<T> {
    value: T,
    #[crd(list_type = "map", list_map_keys("name"))]
    named: Vec<Named<T>>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Named<T> {
    name: String,
    #[serde(flatten)]
    value: T,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Wrapper(Part);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
struct WidgetStatus {
    replicas: i32,
    #[crd(list_type = "map", list_map_keys("type"))]
    conditions: Vec<Condition>,
    #[serde(flatten)]
    further: Further,
    #[crd(list_type = "map", list_map_keys("name", "port", "host"))]
    ports: Ports,
    #[crd(list_type = "set")]
    names: Vec<Mode>,
    #[crd(list_type = "set", items(map_type = "atomic"))]
    atoms: Vec<Named<Part>>,
    #[crd(list_type = "set")]
    further_atoms: Vec<Atom>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(map_type = "atomic")]
struct Atom {
    name: String,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Further {
    flattened: String,
    #[crd(print_column(name = "First", path = ".status.conditions[0].type"))]
    #[serde(default)]
    more: HashMap<String, i32>,
}

type Ports = Vec<Port>;

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Port {
    name: String,
    #[crd(default = 80)]
    port: u16,
    #[crd(default = "Fast")]
    mode: Mode,
    #[crd(default = "Slow")]
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<Mode>,
    #[crd(default = 5.0)]
    percent: Percent,
    #[serde(flatten)]
    address: Address,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Percent(u8);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Address {
    host: String,
}

/// What is derived of it all, for the exact checker.
pub(crate) fn definition() -> crd_runtime::model::CustomResourceDefinition {
    <Widget as CustomResource>::definition()
}

fn main() {
    crd_runtime::definition::validate(&definition()).into_result().unwrap();
}
