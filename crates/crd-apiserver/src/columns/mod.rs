//! Table columns of the built-in kinds.
//!
//! Roles, cluster roles, limit ranges and capacities of storage have the default columns, as on the real server.
//!
//! Source: `pkg/printers/internalversion/printers.go` of kubernetes/kubernetes. The server always sets `Wide`, so that
//! every table has all columns.

mod classes;
mod config;
mod endpoints;
mod event;
mod nodes;
mod pods;
mod rbac;
mod services;
mod storage;
#[cfg(test)]
mod tests;
mod workloads;

use std::ptr;
use std::time::SystemTime;

use serde_json::{Value, json};

use super::builtin::BuiltIn;
use super::{labels, metadata};
use crate::model::JsonSchemaProps;
use crate::table;

/// A column of a kind.
struct Column {
    name: &'static str,
    type_: &'static str,
    priority: u8,
    description: Description,
    cell: Cell,
}

/// The source of a description.
enum Description {
    Text(&'static str),
    /// The field at this JSON pointer in the schema of the kind.
    Field(&'static str),
    /// As `Field`, of a column that is a name, too.
    NameField(&'static str),
    Name,
    Creation,
}

/// What a column shows of an object.
enum Cell {
    /// The text at a JSON pointer.
    At(&'static str),
    /// The number at a JSON pointer.
    Number(&'static str),
    Of(fn(&Value) -> Value),
    /// As `Of`, with the time at which the table is made.
    Since(fn(&Value, SystemTime) -> Value),
}

use Description::{Creation, Field, Text};

const STRING: &str = "string";
const INTEGER: &str = "integer";

/// A column of a cell that a function makes.
const fn of(
    name: &'static str,
    type_: &'static str,
    description: Description,
    cell: fn(&Value) -> Value,
) -> Column {
    Column { name, type_, priority: 0, description, cell: Cell::Of(cell) }
}

/// A column of the text of a field.
const fn text_of(name: &'static str, pointer: &'static str) -> Column {
    let (description, cell) = (Field(pointer), Cell::At(pointer));
    Column { name, type_: STRING, priority: 0, description, cell }
}

/// A column of the number of a field.
const fn number_of(name: &'static str, type_: &'static str, pointer: &'static str) -> Column {
    let (description, cell) = (Field(pointer), Cell::Number(pointer));
    Column { name, type_, priority: 0, description, cell }
}

/// A column of text that depends on the time.
const fn since(
    name: &'static str,
    description: Description,
    cell: fn(&Value, SystemTime) -> Value,
) -> Column {
    Column { name, type_: STRING, priority: 0, description, cell: Cell::Since(cell) }
}

impl Column {
    /// The column as one that only `-o wide` shows.
    const fn wide(self) -> Self {
        let Self { name, type_, priority: _, description, cell } = self;
        Self { name, type_, priority: 1, description, cell }
    }

    fn cell(&self, object: &Value, now: SystemTime) -> Value {
        match self.cell {
            Cell::At(pointer) => text(object, pointer),
            Cell::Number(pointer) => number(object, pointer).into(),
            Cell::Of(cell) => cell(object),
            Cell::Since(cell) => cell(object, now),
        }
    }
}

const NAME: Column = of("Name", STRING, Description::Name, |it| metadata::text(it, "name").into());
const AGE: Column = since("Age", Creation, |it, now| {
    table::age(metadata::text(it, "creationTimestamp"), now).into()
});
const SELECTOR: Column = of("Selector", STRING, Field("/spec/selector"), |it| {
    selector_text(it.pointer("/spec/selector"))
})
.wide();

/// Returns the columns of a kind; `None` for a kind that has the default columns.
fn columns(group: &str, kind: &str) -> Option<&'static [Column]> {
    Some(match (group, kind) {
        ("", "ConfigMap") => config::CONFIG_MAP,
        ("", "Event") => event::EVENT,
        ("", "Endpoints") => endpoints::ENDPOINTS,
        ("", "Namespace") => config::NAMESPACE,
        ("", "Node") => nodes::NODE,
        ("", "PersistentVolume") => storage::VOLUME,
        ("", "PersistentVolumeClaim") => storage::CLAIM,
        ("", "Pod") => pods::POD,
        ("", "PodTemplate") => workloads::POD_TEMPLATE,
        ("", "ReplicationController") => workloads::REPLICATION_CONTROLLER,
        ("", "ResourceQuota") => config::RESOURCE_QUOTA,
        ("", "Secret") => config::SECRET,
        ("", "Service") => services::SERVICE,
        ("", "ServiceAccount") => config::SERVICE_ACCOUNT,
        (_, "MutatingAdmissionPolicy") => config::MUTATING_POLICY,
        (_, "ValidatingAdmissionPolicy") => config::VALIDATING_POLICY,
        (_, "MutatingAdmissionPolicyBinding" | "ValidatingAdmissionPolicyBinding") => {
            config::POLICY_BINDING
        }
        (_, "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration") => config::WEBHOOKS,
        ("apps", "ControllerRevision") => workloads::REVISION,
        ("apps", "DaemonSet") => workloads::DAEMON_SET,
        ("apps", "Deployment") => workloads::DEPLOYMENT,
        ("apps", "ReplicaSet") => workloads::REPLICA_SET,
        ("apps", "StatefulSet") => workloads::STATEFUL_SET,
        ("autoscaling", "HorizontalPodAutoscaler") => workloads::AUTOSCALER,
        ("batch", "CronJob") => workloads::CRON_JOB,
        ("batch", "Job") => workloads::JOB,
        ("certificates.k8s.io", "CertificateSigningRequest") => config::SIGNING_REQUEST,
        ("coordination.k8s.io", "Lease") => config::LEASE,
        ("discovery.k8s.io", "EndpointSlice") => endpoints::SLICE,
        ("networking.k8s.io", "IngressClass") => classes::INGRESS_CLASS,
        ("networking.k8s.io", "Ingress") => services::INGRESS,
        ("networking.k8s.io", "NetworkPolicy") => services::NETWORK_POLICY,
        ("node.k8s.io", "RuntimeClass") => classes::RUNTIME_CLASS,
        ("policy", "PodDisruptionBudget") => workloads::DISRUPTION_BUDGET,
        ("rbac.authorization.k8s.io", "ClusterRoleBinding") => rbac::CLUSTER_ROLE_BINDING,
        ("rbac.authorization.k8s.io", "RoleBinding") => rbac::ROLE_BINDING,
        ("scheduling.k8s.io", "PriorityClass") => classes::PRIORITY_CLASS,
        ("storage.k8s.io", "CSIDriver") => classes::CSI_DRIVER,
        ("storage.k8s.io", "CSINode") => classes::CSI_NODE,
        ("storage.k8s.io", "StorageClass") => classes::STORAGE_CLASS,
        ("storage.k8s.io", "VolumeAttachment") => classes::ATTACHMENT,
        _ => return None,
    })
}

/// Returns whether a kind has columns of its own.
pub(super) fn has_own(built_in: &BuiltIn) -> bool {
    columns_of(built_in).is_some()
}

fn columns_of(built_in: &BuiltIn) -> Option<&'static [Column]> {
    let stored = built_in.stored()?;
    columns(stored.group, stored.kind)
}

/// Returns the columns of a table of objects in the version of a kind, and the cells of each row; `None` for a kind that
/// has the default columns. All versions of a kind have the columns of that in which objects are stored.
pub(super) fn table(
    built_in: &BuiltIn,
    items: &[Value],
    now: SystemTime,
) -> Option<(Vec<Value>, Vec<Vec<Value>>)> {
    let (stored, columns) = (built_in.stored()?, columns_of(built_in)?);
    let headers = columns.iter().map(|column| {
        let Column { name, type_, priority, description: source, cell: _ } = column;
        let is_name = matches!(source, Description::Name | Description::NameField(_));
        let format = if is_name { "name" } else { "" };
        let description = description(source, &stored.schema);
        json!({
            "name": name, "type": type_, "format": format, "description": description,
            "priority": priority,
        })
    });
    let is_stored = ptr::eq(stored, built_in);
    let rows = items.iter().map(|object| {
        if is_stored {
            return cells(columns, object, now);
        }
        cells(columns, &built_in.convert(object.clone(), &stored.api_version()), now)
    });
    Some((headers.collect(), rows.collect()))
}

fn cells(columns: &[Column], object: &Value, now: SystemTime) -> Vec<Value> {
    columns.iter().map(|column| column.cell(object, now)).collect()
}

/// Returns the conditions of the row of an object. Only rows of pods that have ended have conditions.
pub(super) fn conditions((group, kind): (&str, &str), object: &Value) -> Option<Value> {
    if (group, kind) == ("", "Pod") { pods::conditions(object) } else { None }
}

fn description<'a>(source: &Description, schema: &'a JsonSchemaProps) -> &'a str {
    match source {
        Text(text) => text,
        Description::Name => table::NAME_DESCRIPTION,
        Creation => table::CREATION_DESCRIPTION,
        Field(pointer) | Description::NameField(pointer) => {
            let field = pointer.split('/').skip(1).try_fold(schema, |schema, name| {
                schema.properties.as_ref()?.get(name).map(|it| &**it)
            });
            field.map_or("", |field| &field.description)
        }
    }
}

fn str_at<'a>(object: &'a Value, pointer: &str) -> &'a str {
    object.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

fn text(object: &Value, pointer: &str) -> Value {
    str_at(object, pointer).into()
}

/// Returns the text at a pointer, or `default` if there is none or it is empty.
fn text_or(object: &Value, pointer: &str, default: &str) -> Value {
    match str_at(object, pointer) {
        "" => default.into(),
        text => text.into(),
    }
}

fn number(object: &Value, pointer: &str) -> i64 {
    object.pointer(pointer).and_then(Value::as_i64).unwrap_or_default()
}

fn list<'a>(object: &'a Value, pointer: &str) -> &'a [Value] {
    object.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn is_deleted(object: &Value) -> bool {
    !metadata::text(object, "deletionTimestamp").is_empty()
}

/// Returns the value of a key in each item, separated by commas.
fn joined(items: &[Value], key: &str) -> String {
    let texts = items.iter().map(|item| item[key].as_str().unwrap_or_default());
    texts.collect::<Vec<_>>().join(",")
}

/// Returns labels as text. The texts `key=value` are sorted, not the keys: `app.kubernetes.io/name=a` comes before
/// `app=b`. Source: `FormatLabels` and `Set.String` of `k8s.io/apimachinery/pkg/labels`.
fn labels_text(labels: Option<&Value>) -> Value {
    let labels = labels.and_then(Value::as_object).into_iter().flatten();
    let mut texts: Vec<_> = labels
        .map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default()))
        .collect();
    texts.sort_unstable();
    none_if_empty(texts.join(","))
}

/// Returns a selector as text. Source: `FormatLabelSelector` of `k8s.io/apimachinery/pkg/apis/meta/v1`.
fn selector_text(selector: Option<&Value>) -> Value {
    none_if_empty(labels::text_of(selector.unwrap_or(&Value::Null)))
}

fn none_if_empty(text: String) -> Value {
    if text.is_empty() { "<none>".into() } else { text.into() }
}

/// Returns the addresses of a load balancer, sorted. Source: `loadBalancerStatusStringer`.
fn load_balancer(object: &Value) -> String {
    let ingress = list(object, "/status/loadBalancer/ingress").iter();
    let mut found: Vec<&str> = ingress
        .map(|it| match str_at(it, "/ip") {
            "" => str_at(it, "/hostname"),
            ip => ip,
        })
        .filter(|it| !it.is_empty())
        .collect();
    found.sort_unstable();
    found.dedup();
    found.join(",")
}
