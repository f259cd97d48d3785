//! Columns of configuration: config maps, secrets, service accounts, namespaces, quotas, leases, webhooks, and requests to
//! sign certificates.
//!
//! Source: `printConfigMap`, `printSecret`, `printServiceAccount`, `printNamespace`, `printResourceQuota`,
//! `printLease`, `printMutatingWebhook`, `printValidatingWebhook`, `printCertificateSigningRequest`.

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
