//! Generates watches: of the changes of a sequence, and of existing objects.

use fastrand::Rng;
use serde_json::json;

use super::kinds::Target;
use super::objects::pick;
use super::step::{NAMESPACE, Reads, Step};

/// The object whose event is the last one that is read.
const LAST: &str = "zz-last";

/// Returns the requests that create the namespace, and that find the versions from which the watches begin.
pub(super) fn begin(watched: &[Target]) -> Vec<Step> {
    let namespace =
        json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}});
    let mut steps = vec![Step::new("POST", "/api/v1/namespaces").body(namespace)];
    for &target in watched {
        let mut step = Step::new("GET", target.path());
        step.reads = Reads::Uncompared;
        steps.push(step);
    }
    steps
}

/// Returns watches of all changes of the sequence.
pub(super) fn end(rng: &mut Rng, watched: &[Target]) -> Vec<Step> {
    let mut steps = Vec::new();
    for &target in watched {
        if target == Target::Gadgets || rng.bool() {
            steps.push(last(target));
            steps.push(from_begin(watch(rng, target), target));
        }
    }
    steps
}

/// Returns a watch of all changes of the sequence that keeps only the last event of each object.
pub(super) fn folded(target: Target) -> [Step; 2] {
    let mut step = Step::new("GET", target.path()).with("watch", "true");
    step.reads = Reads::LastEventsUntil(LAST);
    [last(target), from_begin(step, target)]
}

/// Returns the request that creates the object with whose event the reading of a watch ends.
fn last(target: Target) -> Step {
    let labels = json!({"app": "x", "tier": "1"});
    let mut last = json!({
        "apiVersion": target.api_version(), "kind": target.kind(),
        "metadata": {"name": LAST, "labels": labels},
    });
    if target.is_custom() {
        last["spec"] = json!({"color": "red"});
    }
    let mut last = Step::new("POST", target.path()).body(last).with("fieldValidation", "Ignore");
    last.reads = Reads::Uncompared;
    last
}

fn from_begin(watch: Step, target: Target) -> Step {
    let begin = format!("{{{{begin {}}}}}", target.path());
    // A namespace that is being deleted accepts no last object, so the watch needs a timeout.
    watch.with("resourceVersion", &begin).with("timeoutSeconds", "3")
}

/// Generates a watch that begins with the existing objects.
pub(super) fn initial(rng: &mut Rng, target: Target) -> Step {
    let step = watch(rng, target).with("timeoutSeconds", "1");
    match rng.u32(..4) {
        0 => step,
        1 => step.with("resourceVersion", "0"),
        2 => step
            .with("sendInitialEvents", "true")
            .with("resourceVersionMatch", "NotOlderThan")
            .with("allowWatchBookmarks", "true"),
        _ => step.with("sendInitialEvents", pick(rng, &["true", "false", "x"])),
    }
}

fn watch(rng: &mut Rng, target: Target) -> Step {
    let mut step = Step::new("GET", target.path()).with("watch", "true");
    step.reads = Reads::EventsUntil(LAST);
    step = match rng.u32(..6) {
        0 => step.with("labelSelector", "app=x"),
        1 => step.with("labelSelector", "tier!=2"),
        2 if target.is_widget() => step.with("fieldSelector", "spec.color=red"),
        3 => step.with("fieldSelector", "metadata.name!=b"),
        _ => step,
    };
    if target.is_custom() {
        step.accept = pick(
            rng,
            &[
                "application/json",
                "application/json",
                "application/json;as=Table;v=v1;g=meta.k8s.io",
                "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
            ],
        );
    }
    step
}
