//! Sequences about a namespace: its finalizers, those of its spec, and its deletion with each propagation policy.
//!
//! The real server runs without a controller-manager, so requests to `finalize` end the namespace.

use fastrand::Rng;
use serde_json::{Value, json};

use super::generate::{PARTIAL, TABLE, delete_options};
use super::objects::{MANAGERS, once_in, pick};
use super::step::{NAMESPACE, Reads, Step};

const NAMESPACES: &str = "/api/v1/namespaces";
const PATH: &str = "/api/v1/namespaces/{{namespace}}";
/// The number of requests in a sequence, without those of its beginning and its end.
const LENGTH: std::ops::Range<u32> = 10..30;
/// The finalizers of a spec.
const FINALIZERS: [&[&str]; 5] =
    [&[], &[], &["kubernetes"], &["example.com/own"], &["kubernetes", "example.com/own"]];

pub(super) fn sequence(rng: &mut Rng) -> Vec<Step> {
    let mut begin = Step::new("GET", NAMESPACES);
    begin.reads = Reads::Uncompared;
    let mut steps = vec![begin, Step::new("POST", NAMESPACES).body(namespace(rng))];
    for _ in 0..rng.u32(LENGTH) {
        steps.push(request(rng));
    }
    let only = |step: Step| step.with("fieldSelector", "metadata.name={{namespace}}");
    steps.push(only(Step::new("GET", NAMESPACES)));
    // The event for which the watch waits does not come, because another namespace would have to be created for it.
    let mut watch = only(Step::new("GET", NAMESPACES))
        .with("watch", "true")
        .with("resourceVersion", &format!("{{{{begin {NAMESPACES}}}}}"))
        .with("timeoutSeconds", "1");
    watch.reads = Reads::EventsUntil("none");
    steps.push(watch);
    steps
}

fn namespace(rng: &mut Rng) -> Value {
    let mut namespace =
        json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}});
    if once_in(rng, 4) {
        namespace["metadata"]["finalizers"] = json!(["example.com/wait"]);
    }
    if once_in(rng, 4) {
        namespace["metadata"]["labels"] = json!({"a": "b"});
    }
    if once_in(rng, 4) {
        namespace["spec"] = json!({"finalizers": pick(rng, &FINALIZERS)});
    }
    if once_in(rng, 8) {
        namespace["status"] = json!({"phase": "Terminating"});
    }
    namespace
}

fn request(rng: &mut Rng) -> Step {
    match rng.u32(..32) {
        0..4 => {
            let object = namespace(rng);
            options(rng, Step::new("POST", NAMESPACES).body(object))
        }
        4..10 => delete_options(rng, Step::new("DELETE", PATH), PATH),
        10..16 => finalize(rng),
        16..22 => patch(rng),
        22 => {
            let mut object = namespace(rng);
            let part = pick(rng, &["", "/status"]);
            object["metadata"]["resourceVersion"] = version(rng).into();
            options(rng, Step::new("PUT", format!("{PATH}{part}")).body(object))
        }
        23 | 24 => {
            let mut step = Step::new("PATCH", format!("{PATH}{}", pick(rng, &["", "", "/status"])))
                .with("fieldManager", pick(rng, &MANAGERS))
                .body(namespace(rng));
            step.content_type = "application/apply-patch+yaml";
            if rng.bool() { step.with("force", "true") } else { step }
        }
        25 => {
            let mut step = Step::new("GET", PATH);
            step.path.push_str(pick(rng, &["", "/status", "/finalize"]));
            step.accept = pick(rng, &["application/json", PARTIAL, TABLE]);
            step
        }
        26 => {
            let phase = pick(rng, &["Active", "Terminating"]);
            let mut step = Step::new("GET", NAMESPACES).with(
                "fieldSelector",
                &format!("metadata.name={{{{namespace}}}},status.phase={phase}"),
            );
            step.accept = pick(rng, &["application/json", TABLE]);
            step
        }
        // Whether objects may be written depends on the namespace as the server has cached it.
        _ => Step { waits: true, ..within(rng) },
    }
}

/// Generates a request about the objects in the namespace.
fn within(rng: &mut Rng) -> Step {
    let path = format!("{PATH}/configmaps");
    let named = format!("{path}/a");
    let mut object = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}});
    if once_in(rng, 4) {
        object["metadata"]["finalizers"] = json!(["example.com/wait"]);
    }
    match rng.u32(..8) {
        0..3 => Step::new("POST", path).body(object),
        3 => {
            let mut step = Step::new("PATCH", named).with("fieldManager", "one").body(object);
            step.content_type = "application/apply-patch+yaml";
            step
        }
        4 => {
            let body = json!({"data": {"k": "v"}, "metadata": {"finalizers": null}});
            let mut step = Step::new("PATCH", named).body(body);
            step.content_type = "application/merge-patch+json";
            step
        }
        5 => delete_options(rng, Step::new("DELETE", &named), &named),
        6 => Step::new("DELETE", path),
        _ => Step::new("GET", path),
    }
}

/// Generates a request that replaces the finalizers of the spec.
fn finalize(rng: &mut Rng) -> Step {
    let path = format!("{PATH}/finalize");
    let mut object = namespace(rng);
    object["spec"] = json!({"finalizers": pick(rng, &FINALIZERS)});
    match rng.u32(..12) {
        0 => object["spec"] = Value::Null,
        1 => object["spec"]["finalizers"] = json!(["bad"]),
        2 => object["metadata"]["name"] = "other".into(),
        3 => object["metadata"]["uid"] = format!("{{{{uid {PATH}}}}}").into(),
        4 => {
            let mut step = Step::new("PATCH", path).body(json!({"spec": {"finalizers": null}}));
            step.content_type = "application/merge-patch+json";
            return step;
        }
        5 => return Step::new(pick(rng, &["POST", "DELETE"]), path).body(object),
        _ => {}
    }
    if rng.bool() {
        object["metadata"]["resourceVersion"] = version(rng).into();
    }
    options(rng, Step::new("PUT", path).body(object))
}

fn version(rng: &mut Rng) -> String {
    let which = pick(rng, &["rv", "rv", "rv", "old"]);
    format!("{{{{{which} {PATH}}}}}")
}

fn patch(rng: &mut Rng) -> Step {
    let mut step = Step::new("PATCH", PATH);
    let body = match rng.u32(..8) {
        0 | 1 => {
            json!({"metadata": {"finalizers": pick(rng, &[None, Some(["example.com/wait"])])}})
        }
        2 => json!({"metadata": {"finalizers": [pick(rng, &["orphan", "foregroundDeletion"])]}}),
        3 => {
            json!({"metadata": {"labels": {"kubernetes.io/metadata.name": pick(rng, &[None, Some("x")])}}})
        }
        4 => json!({"spec": {"finalizers": pick(rng, &FINALIZERS)}}),
        5 => {
            step.path.push_str("/status");
            json!({"status": {"phase": pick(rng, &["Active", "Terminating"])}})
        }
        6 => {
            step.path.push_str("/status");
            json!({
                "status": {"conditions": [{"type": "Own", "status": "True", "reason": "R", "message": "m"}]},
                "metadata": {"annotations": {"example.com/note": "z"}},
            })
        }
        _ => json!({"metadata": {"labels": {"a": pick(rng, &[None, Some("c")])}}}),
    };
    step.content_type =
        pick(rng, &["application/merge-patch+json", "application/strategic-merge-patch+json"]);
    options(rng, step.body(body))
}

fn options(rng: &mut Rng, mut step: Step) -> Step {
    if rng.bool() {
        step = step.with("fieldManager", pick(rng, &MANAGERS));
    }
    if once_in(rng, 12) {
        step = step.with("dryRun", "All");
    }
    step
}
