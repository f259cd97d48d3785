//! Writes objects of built-in kinds to the real server and to the API server of tests: both must return the same
//! objects.

use crd_runtime::yaml;
use serde_json::{Value, json};

use crate::cluster::Cluster;
use crate::pair::Pair;

/// Objects that a server accepts.
const OBJECTS: &str = include_str!("built_in.yaml");
/// Objects with values of the wrong type, and with fields that do not exist.
const MALFORMED: &str = include_str!("built_in_malformed.yaml");

/// The kinds without a namespace whose names do not say so.
const CLUSTER_KINDS: [&str; 9] = [
    "DeviceClass",
    "DeviceTaintRule",
    "FlowSchema",
    "Namespace",
    "PersistentVolume",
    "ResourceSlice",
    "ServiceCIDR",
    "StorageVersionMigration",
    "VolumeAttributesClass",
];

/// Returns the objects of a file, each with a name of its own, and the collection that it belongs to.
fn objects(text: &str, prefix: &str) -> Vec<(String, String, Value)> {
    let documents = yaml::documents(text).enumerate();
    documents
        .map(|(index, document)| {
            let mut object = document.expect("YAML").value;
            let kind = object["kind"].as_str().expect("a kind").to_owned();
            let name = format!("{prefix}-{index}-{}", kind.to_lowercase());
            let is_namespaced = !CLUSTER_KINDS.contains(&&*kind)
                && !kind.starts_with("Cluster")
                && !kind.ends_with("Configuration");
            if object.get("metadata").is_none() {
                object["metadata"] = json!({});
            }
            object["metadata"]["name"] = name.as_str().into();
            (name, collection(&object, &kind, is_namespaced), object)
        })
        .collect()
}

fn collection(object: &Value, kind: &str, is_namespaced: bool) -> String {
    let version = object["apiVersion"].as_str().expect("a version");
    let root = if version == "v1" { "/api/v1".to_owned() } else { format!("/apis/{version}") };
    let namespace = if is_namespaced { "/namespaces/default" } else { "" };
    let lower = kind.to_lowercase();
    let plural = match lower.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None if lower.ends_with('s') => format!("{lower}es"),
        None => format!("{lower}s"),
    };
    format!("{root}{namespace}/{plural}")
}

/// Creates and reads objects of all kinds, and replaces most of them by objects with one more label.
pub(crate) async fn read_back(cluster: Cluster) {
    let mut pair = Pair::of(cluster);
    for (name, collection, object) in objects(OBJECTS, "built-in") {
        let path = format!("{collection}/{name}");
        let created = pair.ask(&format!("{name} created"), "POST", &collection, &object).await;
        if !created.is_success() {
            pair.differences.push(format!("{name} is rejected: {}", created.message()));
            continue;
        }
        pair.ask(&format!("{name} read"), "GET", &path, &Value::Null).await;
        let mut labelled = object.clone();
        labelled["metadata"]["labels"]["changed"] = "yes".into();
        // A job, a pod, a persistent volume or a claim can only be replaced by an object with the fields that the
        // server has set.
        if !name.ends_with("-job") && !name.ends_with("-pod") && !name.contains("-persistentvolume")
        {
            let sent = with_version(&pair, &path, &labelled).await;
            let what = format!("{name} replaced");
            let (real, ours) = (
                pair.real.replace(&path, &sent[0]).await,
                pair.ours.replace(&path, &sent[1]).await,
            );
            pair.compare(&what, &real, &ours);
        }
        // Other scenarios must not find the object.
        for cluster in [&pair.real, &pair.ours] {
            cluster.send("DELETE", &path, "application/json", "application/json", Vec::new()).await;
        }
    }
    pair.finish();
}

/// Returns an object twice: with the resource version of each server.
async fn with_version(pair: &Pair, path: &str, object: &Value) -> [Value; 2] {
    let mut both = [object.clone(), object.clone()];
    for (cluster, object) in [&pair.real, &pair.ours].into_iter().zip(&mut both) {
        let live = cluster.get(path).await.body;
        object["metadata"]["resourceVersion"] = live["metadata"]["resourceVersion"].clone();
    }
    both
}

/// Creates malformed objects, as dry runs, with each value of `fieldValidation`.
pub(crate) async fn malformed(cluster: Cluster) {
    let mut pair = Pair::of(cluster);
    for (name, collection, object) in objects(MALFORMED, "malformed") {
        for validation in ["Ignore", "Warn", "Strict"] {
            let path = format!("{collection}?dryRun=All&fieldValidation={validation}");
            pair.ask(&format!("{name} with {validation}"), "POST", &path, &object).await;
        }
    }
    pair.finish();
}

/// Replaces an event in both of its groups, by objects that differ in one field.
pub(crate) async fn events(cluster: Cluster) {
    const NAME: &str = "replaced-event";
    let old = json!({
        "apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": {"name": NAME},
        "eventTime": "2024-01-01T00:00:00.000000Z", "action": "Run", "reason": "Started",
        "type": "Normal", "note": "n", "reportingController": "example.com/c",
        "reportingInstance": "c-1", "regarding": {"kind": "Pod", "name": "a", "namespace": "default"},
        "series": {"count": 2, "lastObservedTime": "2024-01-01T00:00:00.000000Z"},
    });
    let changes = [
        json!({"metadata": {"name": NAME, "labels": {"a": "b"}}}),
        json!({"metadata": {"name": NAME, "finalizers": ["none"]}}),
        json!({"regarding": {"kind": "Pod", "name": "b", "namespace": "default", "uid": "u"}}),
        json!({"regarding": {"kind": "Node", "name": "b"}}),
        json!({"related": {"kind": "Pod", "name": "b", "fieldPath": "spec.containers{a}"}}),
        json!({"related": {}}),
        json!({"eventTime": null}),
        json!({"eventTime": "2024-01-01T01:00:00.000000+01:00"}),
        json!({"eventTime": "2024-01-01T00:00:00.000001Z"}),
        json!({"action": "Stop", "reason": "Stopped", "type": "Warning", "note": ""}),
        json!({"reportingController": "d", "reportingInstance": null}),
        json!({"series": {"count": 1}}),
        json!({"series": null}),
        json!({"deprecatedCount": 3, "deprecatedSource": {"component": "c"}}),
        json!({"deprecatedFirstTimestamp": "2024-01-01T00:00:00Z"}),
    ];
    let mut pair = Pair::of(cluster);
    let new = collection(&old, "Event", true);
    let core = "/api/v1/namespaces/default/events";
    pair.ask("creation", "POST", &new, &old).await;
    for change in changes {
        let mut object = old.clone();
        for (key, value) in change.as_object().expect("a change") {
            object[key] = value.clone();
        }
        let what = format!("{change} in events.k8s.io");
        pair.ask(&what, "PUT", &format!("{new}/{NAME}?dryRun=All"), &object).await;
        let object = in_core(object);
        let what = format!("{change} in the core group");
        pair.ask(&what, "PUT", &format!("{core}/{NAME}?dryRun=All"), &object).await;
    }
    // The owners of fields in one group are lost when the object is written in the other.
    for (path, object) in [(core, in_core(old.clone())), (&*new, old.clone())] {
        let mut object = object;
        object["metadata"]["labels"] = json!({"group": if path == core { "old" } else { "new" }});
        pair.ask("a label", "PUT", &format!("{path}/{NAME}"), &object).await;
        pair.ask("the same name", "POST", path, &object).await;
        pair.ask("no such event", "GET", &format!("{path}/none"), &Value::Null).await;
        pair.ask("no such event", "DELETE", &format!("{path}/none"), &Value::Null).await;
    }
    // A PUT of an event that does not exist creates it.
    let absent = json!({"apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": {"name": "Absent Event"}});
    pair.ask("PUT creates", "PUT", &format!("{new}/Absent%20Event?dryRun=All"), &absent).await;
    let absent = in_core(absent);
    pair.ask("PUT creates", "PUT", &format!("{core}/Absent%20Event?dryRun=All"), &absent).await;
    for cluster in [&pair.real, &pair.ours] {
        let path = format!("{core}/{NAME}");
        cluster.send("DELETE", &path, "application/json", "application/json", Vec::new()).await;
    }
    pair.finish();
}

/// Renames the fields of an event to those of `v1`.
fn in_core(event: Value) -> Value {
    let Value::Object(fields) = event else { return event };
    let renamed = fields.into_iter().map(|(key, value)| match &*key {
        "apiVersion" => (key, "v1".into()),
        "regarding" => ("involvedObject".to_owned(), value),
        "note" => ("message".to_owned(), value),
        "reportingController" => ("reportingComponent".to_owned(), value),
        "deprecatedFirstTimestamp" => ("firstTimestamp".to_owned(), value),
        "deprecatedCount" => ("count".to_owned(), value),
        "deprecatedSource" => ("source".to_owned(), value),
        _ => (key, value),
    });
    renamed.collect()
}
