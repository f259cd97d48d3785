//! Table columns of the built-in kinds that clients list most.
//!
//! Source: `pkg/printers/internalversion/printers.go` of kubernetes/kubernetes.

use std::time::SystemTime;

use serde_json::{Value, json};

use super::{labels, metadata};
use crate::model::JsonSchemaProps;
use crate::table;

/// A column after `Name`, the first column of each table: its name, type, priority, and the source of its description.
type Column = (&'static str, &'static str, u8, DescriptionSource);

/// The source of a description.
enum DescriptionSource {
    Text(&'static str),
    /// The field at this path in the schema of the kind.
    Field(&'static [&'static str]),
    Creation,
}

use DescriptionSource::{Creation, Field, Text};

const AGE: Column = ("Age", "string", 0, Creation);
const CONFIG_MAP: &[Column] = &[("Data", "string", 0, Field(&["data"])), AGE];
const SECRET: &[Column] =
    &[("Type", "string", 0, Field(&["type"])), ("Data", "string", 0, Field(&["data"])), AGE];
const NAMESPACE: &[Column] = &[("Status", "string", 0, Text("The status of the namespace")), AGE];
const LEASE: &[Column] = &[("Holder", "string", 0, Field(&["spec", "holderIdentity"])), AGE];
const DEPLOYMENT: &[Column] = &[
    ("Ready", "string", 0, Text("Number of the pod with ready state")),
    ("Up-to-date", "string", 0, Field(&["status", "updatedReplicas"])),
    ("Available", "string", 0, Field(&["status", "availableReplicas"])),
    AGE,
    ("Containers", "string", 1, Text("Names of each container in the template.")),
    ("Images", "string", 1, Text("Images referenced by each container in the template.")),
    ("Selector", "string", 1, Field(&["spec", "selector"])),
];

/// Returns the columns of a table of objects, and the cells of each row; `None` for a kind whose columns are not listed
/// here.
pub(super) fn table(
    (group, kind): (&str, &str),
    schema: &JsonSchemaProps,
    items: &[Value],
    now: SystemTime,
) -> Option<(Vec<Value>, Vec<Vec<Value>>)> {
    let (columns, cells): (_, fn(&Value, Value) -> Vec<Value>) = match (group, kind) {
        ("", "ConfigMap") => (CONFIG_MAP, config_map),
        ("", "Secret") => (SECRET, secret),
        ("", "ServiceAccount") => (&[AGE][..], |_, age| vec![age]),
        ("", "Namespace") => (NAMESPACE, |object, age| vec![text(object, "/status/phase"), age]),
        ("coordination.k8s.io", "Lease") => {
            (LEASE, |object, age| vec![text(object, "/spec/holderIdentity"), age])
        }
        ("apps", "Deployment") => (DEPLOYMENT, deployment),
        _ => return None,
    };
    let name = json!({
        "name": "Name", "type": "string", "format": "name", "priority": 0,
        "description": table::NAME_DESCRIPTION,
    });
    let headers = columns.iter().map(|(name, type_, priority, about)| {
        let description = description(about, schema);
        json!({
            "name": name, "type": type_, "format": "", "description": description,
            "priority": priority,
        })
    });
    let headers = [name].into_iter().chain(headers).collect();
    let row = |object: &Value| {
        let age = table::age(metadata::text(object, "creationTimestamp"), now);
        let mut row = vec![metadata::text(object, "name").into()];
        row.extend(cells(object, age.into()));
        row
    };
    Some((headers, items.iter().map(row).collect()))
}

fn description<'a>(about: &DescriptionSource, schema: &'a JsonSchemaProps) -> &'a str {
    match about {
        Text(text) => text,
        Creation => table::CREATION_DESCRIPTION,
        Field(path) => {
            let field = path.iter().try_fold(schema, |schema, name| {
                schema.properties.as_ref()?.get(*name).map(|it| &**it)
            });
            field.map_or("", |field| &field.description)
        }
    }
}

fn text(object: &Value, pointer: &str) -> Value {
    object.pointer(pointer).and_then(Value::as_str).unwrap_or_default().into()
}

fn number(object: &Value, pointer: &str) -> i64 {
    object.pointer(pointer).and_then(Value::as_i64).unwrap_or_default()
}

fn keys(object: &Value, key: &str) -> usize {
    object.get(key).and_then(Value::as_object).map_or(0, serde_json::Map::len)
}

fn config_map(object: &Value, age: Value) -> Vec<Value> {
    vec![(keys(object, "data") + keys(object, "binaryData")).into(), age]
}

fn secret(object: &Value, age: Value) -> Vec<Value> {
    vec![text(object, "/type"), keys(object, "data").into(), age]
}

fn deployment(object: &Value, age: Value) -> Vec<Value> {
    let containers = object.pointer("/spec/template/spec/containers").and_then(Value::as_array);
    let listed = |key: &str| {
        let texts = containers.into_iter().flatten().map(|container| container[key].as_str());
        texts.map(Option::unwrap_or_default).collect::<Vec<_>>().join(",")
    };
    let (ready, wanted) =
        (number(object, "/status/readyReplicas"), number(object, "/spec/replicas"));
    vec![
        format!("{ready}/{wanted}").into(),
        number(object, "/status/updatedReplicas").into(),
        number(object, "/status/availableReplicas").into(),
        age,
        listed("name").into(),
        listed("image").into(),
        labels::text_of(object.pointer("/spec/selector").unwrap_or(&Value::Null)).into(),
    ]
}
