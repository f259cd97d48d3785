//! Columns of configuration: config maps, secrets, service accounts, namespaces, quotas, leases, webhooks, admission
//! policies, and requests to sign certificates.
//!
//! Source: `printConfigMap`, `printSecret`, `printServiceAccount`, `printNamespace`, `printResourceQuota`,
//! `printLease`, `printMutatingWebhook`, `printValidatingWebhook`, `printValidatingAdmissionPolicy` and the like,
//! `printCertificateSigningRequest`.

use std::time::Duration;

use serde_json::{Map, Value};

use super::{
    AGE, Column, Description, Field, INTEGER, NAME, STRING, Text, list, of, str_at, text, text_of,
    text_or,
};
use crate::table;

pub(super) const CONFIG_MAP: &[Column] = &[
    NAME,
    of("Data", STRING, Field("/data"), |it| {
        (entry_count(it, "data") + entry_count(it, "binaryData")).into()
    }),
    AGE,
];

pub(super) const SECRET: &[Column] = &[
    NAME,
    text_of("Type", "/type"),
    of("Data", STRING, Field("/data"), |it| entry_count(it, "data").into()),
    AGE,
];

pub(super) const SERVICE_ACCOUNT: &[Column] = &[NAME, AGE];

pub(super) const NAMESPACE: &[Column] = &[
    NAME,
    of("Status", STRING, Text("The status of the namespace"), |it| text(it, "/status/phase")),
    AGE,
];

const REQUESTS: Description =
    Text("Request represents a minimum amount of cpu/memory that a container may consume.");
const LIMITS: Description = Text(
    "Limits control the maximum amount of cpu/memory that a container may use independent of contention on the node.",
);

pub(super) const RESOURCE_QUOTA: &[Column] = &[
    NAME,
    of("Request", STRING, REQUESTS, |it| quota(it, |resource| !resource.starts_with("limits."))),
    of("Limit", STRING, LIMITS, |it| quota(it, |resource| resource.starts_with("limits."))),
    AGE,
];

pub(super) const LEASE: &[Column] = &[NAME, text_of("Holder", "/spec/holderIdentity"), AGE];

const COUNT_OF_WEBHOOKS: Description =
    Text("Webhooks indicates the number of webhooks registered in this configuration");

pub(super) const WEBHOOKS: &[Column] = &[
    NAME,
    of("Webhooks", INTEGER, COUNT_OF_WEBHOOKS, |it| list(it, "/webhooks").len().into()),
    AGE,
];

pub(super) const SIGNING_REQUEST: &[Column] = &[
    NAME,
    AGE,
    of("SignerName", STRING, Field("/spec/signerName"), |it| {
        text_or(it, "/spec/signerName", "<none>")
    }),
    // Upstream: the description is that of the request.
    of("Requestor", STRING, Field("/spec/request"), |it| text(it, "/spec/username")),
    of("RequestedDuration", STRING, Field("/spec/expirationSeconds"), |it| {
        let seconds = it.pointer("/spec/expirationSeconds").and_then(Value::as_u64);
        let text = seconds.map(|it| table::human_duration(Duration::from_secs(it)));
        text.unwrap_or_else(|| "<none>".to_owned()).into()
    }),
    of("Condition", STRING, Field("/status/conditions"), |it| signing_status(it).into()),
];

/// Source: `extractCSRStatus`.
fn signing_status(object: &Value) -> String {
    let has = |type_: &str| list(object, "/status/conditions").iter().any(|it| it["type"] == type_);
    let decision = match () {
        () if has("Denied") => "Denied",
        () if has("Approved") => "Approved",
        () => "Pending",
    };
    let failed = if has("Failed") { ",Failed" } else { "" };
    let issued = if str_at(object, "/status/certificate").is_empty() { "" } else { ",Issued" };
    format!("{decision}{failed}{issued}")
}

pub(super) const VALIDATING_POLICY: &[Column] = &[
    NAME,
    of(
        "Validations",
        INTEGER,
        Text("Validations indicates the number of validation rules defined in this configuration"),
        |it| list(it, "/spec/validations").len().into(),
    ),
    PARAM_KIND,
    AGE,
];

pub(super) const MUTATING_POLICY: &[Column] = &[
    NAME,
    of(
        "Mutations",
        INTEGER,
        Text("Mutation indicates the number of mutations rules defined in this configuration"),
        |it| list(it, "/spec/mutations").len().into(),
    ),
    PARAM_KIND,
    AGE,
];

const PARAM_KIND: Column = of(
    "ParamKind",
    STRING,
    Text("ParamKind specifies the kind of resources used to parameterize this policy"),
    |it| match it.pointer("/spec/paramKind") {
        Some(kind) => format!("{}/{}", str_at(kind, "/apiVersion"), str_at(kind, "/kind")).into(),
        None => "<unset>".into(),
    },
);

/// Of both kinds of bindings.
pub(super) const POLICY_BINDING: &[Column] = &[
    NAME,
    of(
        "PolicyName",
        STRING,
        Text("PolicyName indicates the policy definition which the policy binding binded to"),
        |it| text(it, "/spec/policyName"),
    ),
    of(
        "ParamRef",
        STRING,
        Text("ParamRef indicates the param resource which sets the configuration param"),
        |it| params(it).into(),
    ),
    AGE,
];

/// Returns the parameters of a binding.
fn params(object: &Value) -> String {
    let at = |pointer: &str| str_at(object, pointer);
    match (at("/spec/paramRef/namespace"), at("/spec/paramRef/name")) {
        (_, "") => {
            let selector = object.pointer("/spec/paramRef/selector");
            selector.map_or_else(|| "<unset>".to_owned(), selector_in_go)
        }
        ("", name) => format!("*/{name}"),
        (namespace, name) => format!("{namespace}/{name}"),
    }
}

/// Returns a label selector in Go's syntax. Source: `String` of `pkg/apis/meta/v1/generated.pb.go` in apimachinery.
fn selector_in_go(selector: &Value) -> String {
    let labels = selector.get("matchLabels").and_then(Value::as_object).into_iter().flatten();
    let labels =
        labels.map(|(key, value)| format!("{key}: {},", value.as_str().unwrap_or_default()));
    let expressions = list(selector, "/matchExpressions").iter().map(|it| {
        let values =
            list(it, "/values").iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ");
        let (key, operator) = (str_at(it, "/key"), str_at(it, "/operator"));
        format!("LabelSelectorRequirement{{Key:{key},Operator:{operator},Values:[{values}],}},")
    });
    format!(
        "&LabelSelector{{MatchLabels:map[string]string{{{}}},MatchExpressions:[]LabelSelectorRequirement{{{}}},}}",
        labels.collect::<String>(),
        expressions.collect::<String>(),
    )
}

/// Returns what is used of some resources, and their limits.
fn quota(object: &Value, is_shown: fn(&str) -> bool) -> Value {
    let hard = object.pointer("/status/hard").and_then(Value::as_object).into_iter().flatten();
    let cells = hard.filter(|(resource, _)| is_shown(resource)).map(|(resource, hard)| {
        let used = object.pointer("/status/used").and_then(|used| used.get(resource));
        let used = used.and_then(Value::as_str).unwrap_or("0");
        format!("{resource}: {used}/{}", hard.as_str().unwrap_or_default())
    });
    cells.collect::<Vec<_>>().join(", ").into()
}

/// Returns the number of entries of the map under a key.
fn entry_count(object: &Value, key: &str) -> usize {
    object.get(key).and_then(Value::as_object).map_or(0, Map::len)
}
