//! Sequences in which several clients write at once.
//!
//! The requests of a round are sent together, so each of them is answered in any order. What they do together does not
//! depend on it: the codes of the answers are compared as a set, and then the state in which they leave the objects.

use fastrand::Rng;
use serde_json::{Value, json};

use super::kinds::{self, Target};
use super::objects::{NAMES, once_in};
use super::step::{Reads, Step};
use super::watches;

/// The number of rounds.
const ROUNDS: std::ops::Range<u32> = 3..7;
/// The clients of a round that write the same object. A real server tries a patch six times if other clients write.
const CLIENTS: [&str; 4] = ["c0", "c1", "c2", "c3"];
/// The kinds whose objects are written.
const TARGETS: [Target; 4] =
    [Target::Widgets, Target::OldWidgets, Target::Gadgets, Target::ConfigMaps];
/// The kinds whose state is read, once for each stored kind.
const READ: [Target; 3] = [Target::Widgets, Target::Gadgets, Target::ConfigMaps];

/// Generates a sequence. If `webhook` is set, the fields of old widgets have their own names.
pub(super) fn sequence(rng: &mut Rng, webhook: bool) -> Vec<Step> {
    let mut steps = watches::begin(&READ);
    for number in 1..=rng.u32(ROUNDS) {
        let mut round = round(rng, number);
        rng.shuffle(&mut round);
        for step in &mut round {
            step.together = number;
            if webhook {
                kinds::rename_in(step);
            }
        }
        steps.extend(round);
        steps.extend(state());
    }
    for target in READ {
        steps.extend(watches::folded(target));
    }
    steps
}

/// Generates the requests of a round: each object is written in one way.
fn round(rng: &mut Rng, number: u32) -> Vec<Step> {
    let mut steps = Vec::new();
    let old = rng.bool();
    for target in TARGETS {
        // The two versions of a widget would be written in two ways.
        if target == Target::Widgets && old || target == Target::OldWidgets && !old {
            continue;
        }
        for name in NAMES {
            if !once_in(rng, 3) {
                steps.extend(writes(rng, target, name, number));
            }
        }
        if once_in(rng, 3) {
            steps.extend(CLIENTS.map(|_| {
                let mut object = whole(target, "", &json!({"k": 1}));
                object["metadata"] = json!({"generateName": format!("g{number}-")});
                Step::new("POST", target.path()).body(object)
            }));
        }
        steps.push(Step::new("GET", target.path()));
    }
    steps
}

/// Generates requests that write an object at once.
fn writes(rng: &mut Rng, target: Target, name: &str, number: u32) -> Vec<Step> {
    let path = format!("{}/{name}", target.path());
    let merged = |at: &str, body: Value| {
        let mut step = Step::new("PATCH", format!("{path}{at}")).body(body);
        step.content_type = "application/merge-patch+json";
        step
    };
    match rng.u32(..8) {
        0 | 1 => {
            let mut object = whole(target, name, &json!({"k": number}));
            if once_in(rng, 3) {
                object["metadata"]["finalizers"] = json!(["example.com/wait"]);
            }
            vec![Step::new("POST", target.path()).body(object); 3]
        }
        2 => {
            let mut object = whole(target, name, &json!({"k": 100 + number}));
            // Upstream: if several updates remove the last finalizer of a deleted object at once, as many of them succeed as
            // have read the object before it is gone (`deleteWithoutFinalizers`).
            object["metadata"]["finalizers"] = json!(["example.com/wait"]);
            object["metadata"]["resourceVersion"] = format!("{{{{rv {path}}}}}").into();
            vec![Step::new("PUT", &path).body(object); CLIENTS.len()]
        }
        3 => {
            let each = |(at, client): (usize, &str)| {
                let body = match (at, target) {
                    (0, _) => json!({"metadata": {"labels": {"round": number.to_string()}}}),
                    (1, _) => json!({"metadata": {"annotations": {"example.com/note": "x"}}}),
                    _ => content(target, &json!({(client): number})),
                };
                merged("", body).with("fieldManager", client)
            };
            CLIENTS.into_iter().enumerate().map(each).collect()
        }
        4 | 5 => {
            let each = |client: &str| {
                let object = whole(target, name, &json!({(client): number}));
                let mut step = Step::new("PATCH", &path).body(object).with("fieldManager", client);
                step.content_type = "application/apply-patch+yaml";
                step
            };
            CLIENTS.map(each).into()
        }
        6 => vec![Step::new("DELETE", &path); 3],
        _ if target.is_widget() && rng.bool() => vec![
            merged("/status", json!({"status": {"selector": "app=x"}})),
            merged("/scale", json!({"spec": {"replicas": number % 5}})),
            merged("", json!({"metadata": {"labels": {"more": number.to_string()}}})),
        ],
        _ => vec![merged("", json!({"metadata": {"finalizers": null}}))],
    }
}

/// Returns an object with these fields.
fn whole(target: Target, name: &str, fields: &Value) -> Value {
    let mut object = content(target, fields);
    object["apiVersion"] = target.api_version().into();
    object["kind"] = target.kind().into();
    object["metadata"] = json!({"name": name});
    object
}

/// Returns these fields where objects of a kind may have fields of any name.
fn content(target: Target, fields: &Value) -> Value {
    match target {
        Target::Widgets | Target::OldWidgets => json!({"spec": {"limits": fields}}),
        Target::Gadgets => json!({"spec": fields}),
        Target::ConfigMaps => {
            let fields = fields.as_object().into_iter().flatten();
            let texts = fields.map(|(key, value)| (key.clone(), value.to_string().into()));
            json!({"data": texts.collect::<serde_json::Map<String, Value>>()})
        }
    }
}

/// Returns the requests for the state after a round.
fn state() -> Vec<Step> {
    let mut steps = Vec::new();
    for target in TARGETS {
        steps.extend(NAMES.map(|name| Step::new("GET", format!("{}/{name}", target.path()))));
        steps.push(Step::new("GET", target.path()));
    }
    for step in &mut steps {
        step.reads = Reads::State;
    }
    steps
}
