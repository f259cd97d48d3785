//! Columns of nodes. Source: `printNode` and the functions that it calls.

use serde_json::Value;

use super::{
    AGE, Column, Field, NAME, STRING, Text, list, none_if_empty, of, str_at, text, text_of, text_or,
};

const UNKNOWN: &str = "<unknown>";

pub(super) const NODE: &[Column] = &[
    NAME,
    of("Status", STRING, Text("The status of the node"), |it| status(it).into()),
    of("Roles", STRING, Text("The roles of the node"), |it| none_if_empty(roles(it))),
    AGE,
    text_of("Version", "/status/nodeInfo/kubeletVersion"),
    of("Internal-IP", STRING, Field("/status/addresses"), |it| address(it, "InternalIP")).wide(),
    of("External-IP", STRING, Field("/status/addresses"), |it| address(it, "ExternalIP")).wide(),
    of("OS-Image", STRING, Field("/status/nodeInfo/osImage"), |it| {
        text_or(it, "/status/nodeInfo/osImage", UNKNOWN)
    })
    .wide(),
    of("Kernel-Version", STRING, Field("/status/nodeInfo/kernelVersion"), kernel).wide(),
    of("Container-Runtime", STRING, Field("/status/nodeInfo/containerRuntimeVersion"), |it| {
        text_or(it, "/status/nodeInfo/containerRuntimeVersion", UNKNOWN)
    })
    .wide(),
];

fn kernel(object: &Value) -> Value {
    let kernel = text_or(object, "/status/nodeInfo/kernelVersion", UNKNOWN);
    match (kernel.as_str(), str_at(object, "/status/nodeInfo/architecture")) {
        (Some(kernel), architecture) if !architecture.is_empty() => {
            format!("{kernel} ({architecture})").into()
        }
        _ => kernel,
    }
}

fn status(object: &Value) -> String {
    // If several conditions are of one type, upstream uses the last one.
    let mut conditions = list(object, "/status/conditions").iter().rev();
    let ready = conditions.find(|it| str_at(it, "/type") == "Ready");
    let status = match ready.map(|it| str_at(it, "/status")) {
        Some("True") => "Ready",
        Some(_) => "NotReady",
        None => "Unknown",
    };
    let is_unschedulable = object.pointer("/spec/unschedulable") == Some(&Value::Bool(true));
    if is_unschedulable { format!("{status},SchedulingDisabled") } else { status.to_owned() }
}

/// Returns the roles that the labels of a node name, sorted. Source: `findNodeRoles`.
fn roles(object: &Value) -> String {
    let labels = object.pointer("/metadata/labels").and_then(Value::as_object);
    let roles = labels.into_iter().flatten().map(|(key, value)| {
        match key.strip_prefix("node-role.kubernetes.io/") {
            Some(role) => role,
            None if key == "kubernetes.io/role" => value.as_str().unwrap_or_default(),
            None => "",
        }
    });
    let mut roles: Vec<&str> = roles.filter(|role| !role.is_empty()).collect();
    roles.sort_unstable();
    roles.dedup();
    roles.join(",")
}

fn address(object: &Value, type_: &str) -> Value {
    let mut addresses = list(object, "/status/addresses").iter();
    let found = addresses.find(|it| str_at(it, "/type") == type_);
    found.map_or_else(|| "<none>".into(), |it| text(it, "/address"))
}
