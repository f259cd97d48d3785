//! Columns of configuration: config maps, secrets, service accounts, namespaces, quotas, leases, webhooks.
//!
//! Source: `printConfigMap`, `printSecret`, `printServiceAccount`, `printNamespace`, `printResourceQuota`,
//! `printLease`, `printMutatingWebhook`, `printValidatingWebhook`.

use serde_json::{Map, Value};

use super::DescriptionSource::{Field, Text};
use super::{AGE, NAME, Printer, age, list, name, text};

pub(super) const CONFIG_MAP: Printer =
    (&[NAME, ("Data", "string", 0, Field(&["data"])), AGE], |object, now| {
        let data = entry_count(object, "data") + entry_count(object, "binaryData");
        vec![name(object), data.into(), age(object, now)]
    });

pub(super) const SECRET: Printer = (
    &[NAME, ("Type", "string", 0, Field(&["type"])), ("Data", "string", 0, Field(&["data"])), AGE],
    |object, now| {
        vec![
            name(object),
            text(object, "/type"),
            entry_count(object, "data").into(),
            age(object, now),
        ]
    },
);

pub(super) const SERVICE_ACCOUNT: Printer =
    (&[NAME, AGE], |object, now| vec![name(object), age(object, now)]);

pub(super) const NAMESPACE: Printer =
    (&[NAME, ("Status", "string", 0, Text("The status of the namespace")), AGE], |object, now| {
        vec![name(object), text(object, "/status/phase"), age(object, now)]
    });

pub(super) const RESOURCE_QUOTA: Printer = (
    &[
        NAME,
        (
            "Request",
            "string",
            0,
            Text("Request represents a minimum amount of cpu/memory that a container may consume."),
        ),
        (
            "Limit",
            "string",
            0,
            Text(
                "Limits control the maximum amount of cpu/memory that a container may use independent of contention on \
                 the node.",
            ),
        ),
        AGE,
    ],
    |object, now| {
        let (mut requests, mut limits) = (Vec::new(), Vec::new());
        let hard = object.pointer("/status/hard").and_then(Value::as_object);
        for (resource, hard) in hard.into_iter().flatten() {
            let used = object.pointer("/status/used").and_then(|used| used.get(resource));
            let used = used.and_then(Value::as_str).unwrap_or("0");
            let column = if resource.starts_with("limits.") { &mut limits } else { &mut requests };
            column.push(format!("{resource}: {used}/{}", hard.as_str().unwrap_or_default()));
        }
        let [requests, limits] = [requests, limits].map(|cells| cells.join(", ").into());
        vec![name(object), requests, limits, age(object, now)]
    },
);

pub(super) const LEASE: Printer =
    (&[NAME, ("Holder", "string", 0, Field(&["spec", "holderIdentity"])), AGE], |object, now| {
        vec![name(object), text(object, "/spec/holderIdentity"), age(object, now)]
    });

pub(super) const WEBHOOKS: Printer = (
    &[
        NAME,
        (
            "Webhooks",
            "integer",
            0,
            Text("Webhooks indicates the number of webhooks registered in this configuration"),
        ),
        AGE,
    ],
    |object, now| vec![name(object), list(object, "/webhooks").len().into(), age(object, now)],
);

/// Returns the number of entries of the map under a key.
fn entry_count(object: &Value, key: &str) -> usize {
    object.get(key).and_then(Value::as_object).map_or(0, Map::len)
}
