//! Columns of nodes. Source: `printNode` and the functions that it calls.

use std::time::SystemTime;

use serde_json::Value;

use super::DescriptionSource::{Field, Text};
use super::{AGE, NAME, Printer, age, list, name, none_if_empty, str_at, text, text_or};

pub(super) const NODE: Printer = (
    &[
        NAME,
        ("Status", "string", 0, Text("The status of the node")),
        ("Roles", "string", 0, Text("The roles of the node")),
        AGE,
        ("Version", "string", 0, Field(&["status", "nodeInfo", "kubeletVersion"])),
        ("Internal-IP", "string", 1, Field(&["status", "addresses"])),
        ("External-IP", "string", 1, Field(&["status", "addresses"])),
        ("OS-Image", "string", 1, Field(&["status", "nodeInfo", "osImage"])),
        ("Kernel-Version", "string", 1, Field(&["status", "nodeInfo", "kernelVersion"])),
        (
            "Container-Runtime",
            "string",
            1,
            Field(&["status", "nodeInfo", "containerRuntimeVersion"]),
        ),
    ],
    node,
);

fn node(object: &Value, now: SystemTime) -> Vec<Value> {
    let mut kernel =
        text_or(object, "/status/nodeInfo/kernelVersion", "<unknown>").as_str().map(str::to_owned);
    let architecture = str_at(object, "/status/nodeInfo/architecture");
    if !architecture.is_empty() {
        kernel = kernel.map(|kernel| format!("{kernel} ({architecture})"));
    }
    vec![
        name(object),
        status(object).into(),
        none_if_empty(roles(object)),
        age(object, now),
        text(object, "/status/nodeInfo/kubeletVersion"),
        address(object, "InternalIP"),
        address(object, "ExternalIP"),
        text_or(object, "/status/nodeInfo/osImage", "<unknown>"),
        kernel.into(),
        text_or(object, "/status/nodeInfo/containerRuntimeVersion", "<unknown>"),
    ]
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
