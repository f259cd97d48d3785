//! Patches that are malformed, and patches of what cannot be patched, sent to both servers.

use serde_json::json;

use crate::cluster::{Cluster, DEFINITIONS};
use crate::definitions::{kind, version};
use crate::pair::Pair;

const JOBS: &str = "/apis/patched.example.com/v1/namespaces/default/jobs";

/// Patches with repeated or unknown keys, without operations, and those that take away what every object needs.
const JSON_PATCHES: [&str; 18] = [
    r#"[{"op": "replace", "path": "/spec/a", "value": "b", "extra": 1}]"#,
    r#"[{"op": "test", "path": "/spec/a", "value": "a", "from": "/spec", "more": {"x": 1}}]"#,
    r#"[{"op": "replace", "op": "replace", "path": "/spec/a", "value": "b"}]"#,
    r#"[{"op": "add", "path": "/spec/unknown", "value": 1}, {"op": "add", "path": "/spec/a", "value": "c", "path": "/spec/a"}]"#,
    r#"[{"op": "add", "path": "/spec/unknown", "value": 1, "extra": 1}]"#,
    "[null]",
    "[1]",
    "[[]]",
    "[{}]",
    "null",
    "{}",
    "\"text\"",
    "[{",
    r#"[{"op": "remove", "path": "/kind"}]"#,
    r#"[{"op": "replace", "path": "/kind", "value": ""}]"#,
    r#"[{"op": "remove", "path": "/apiVersion"}]"#,
    r#"[{"op": "replace", "path": "", "value": {}}]"#,
    r#"[{"op": "replace", "path": "/metadata", "value": null}]"#,
];
/// Patches whose values repeat keys. They are not sent with `Strict`: the server's error shows the object with both.
const REPEATED: [&str; 2] = [
    r#"[{"op": "add", "path": "/spec/map", "value": {"x": 1, "x": 2}}]"#,
    r#"[{"op": "add", "path": "/spec/map", "value": [{"x": 1, "x": 2}, {"y": {"z": 1, "z": 1}}]}]"#,
];
const MERGE_PATCHES: [&str; 10] = [
    r#"{"kind": null}"#,
    r#"{"kind": ""}"#,
    r#"{"kind": "Other"}"#,
    r#"{"apiVersion": null}"#,
    r#"{"apiVersion": ""}"#,
    r#"{"apiVersion": "patched.example.com/v9"}"#,
    r#"{"spec": {"a": "x", "a": "y", "unknown": 1}}"#,
    r#"{"metadata": null}"#,
    "[]",
    "null",
];

/// Sends each patch as a dry run, with each value of `fieldValidation`.
pub(crate) async fn malformed(cluster: Cluster) {
    let mut pair = Pair::of(cluster);
    let properties = json!({"a": {"type": "string"}, "map": {"type": "object", "additionalProperties": {"type": "integer"}}});
    let crd = kind("patched.example.com", json!([version("v1", true, &properties)]));
    let object = json!({
        "apiVersion": "patched.example.com/v1", "kind": "Job", "metadata": {"name": "p"},
        "spec": {"a": "a"},
    });
    for cluster in [&pair.real, &pair.ours] {
        cluster.install(&crd).await;
        cluster.create(JOBS, &object).await.ok();
    }
    let patches = JSON_PATCHES.iter().map(|patch| ("json-patch", patch));
    let patches = patches.chain(MERGE_PATCHES.iter().map(|patch| ("merge-patch", patch)));
    let repeated = REPEATED.iter().map(|patch| ("json-patch", patch, &["Ignore", "Warn"][..]));
    let patches = patches.map(|(kind, patch)| (kind, patch, &["Ignore", "Warn", "Strict"][..]));
    for (kind, patch, validations) in patches.chain(repeated) {
        for validation in validations {
            let path = format!("{JOBS}/p?dryRun=All&fieldValidation={validation}");
            let what = format!("{kind} {patch} with {validation}");
            let content_type = format!("application/{kind}+json");
            pair.send(&what, "PATCH", &path, &content_type, patch.as_bytes().to_vec()).await;
        }
    }
    for cluster in [&pair.real, &pair.ours] {
        let path = format!("{DEFINITIONS}/jobs.patched.example.com");
        cluster.send("DELETE", &path, "application/json", "application/json", Vec::new()).await;
    }
    pair.finish();
}
