//! Columns of pods. Source: `printPod` and the functions that it calls.

use serde_json::{Value, json};

use super::{
    AGE, Column, Description, Field, NAME, STRING, Text, is_deleted, list, number, of, since,
    str_at, text_or,
};
use crate::table;

const READY: Description = Text("The aggregate readiness state of this pod for accepting traffic.");
const STATUS: Description = Text("The aggregate status of the containers in this pod.");
const RESTARTS: Description = Text(
    "The number of times the containers in this pod have been restarted and when the last container in this pod has \
     restarted.",
);
const NONE: &str = "<none>";

pub(super) const POD: &[Column] = &[
    NAME,
    of("Ready", STRING, READY, |it| {
        let sidecars = list(it, "/spec/initContainers").iter().filter(|it| is_restartable(it));
        let total = list(it, "/spec/containers").len() + sidecars.count();
        format!("{}/{total}", summary(it).ready).into()
    }),
    of("Status", STRING, STATUS, status),
    since("Restarts", RESTARTS, |it, now| match summary(it).restarts {
        Restarts { count, last } if count != 0 && !last.is_empty() => {
            format!("{count} ({} ago)", table::age(&last, now)).into()
        }
        Restarts { count, .. } => count.to_string().into(),
    }),
    AGE,
    of("IP", STRING, Field("/status/podIP"), |it| text_or(it, "/status/podIPs/0/ip", NONE)).wide(),
    of("Node", STRING, Field("/spec/nodeName"), |it| text_or(it, "/spec/nodeName", NONE)).wide(),
    of("Nominated Node", STRING, Field("/status/nominatedNodeName"), |it| {
        text_or(it, "/status/nominatedNodeName", NONE)
    })
    .wide(),
    of("Readiness Gates", STRING, Field("/spec/readinessGates"), |it| readiness_gates(it).into())
        .wide(),
];

/// Returns the condition `Completed` for the row of a pod that has ended.
pub(super) fn conditions(pod: &Value) -> Option<Value> {
    let (reason, message) = match str_at(pod, "/status/phase") {
        "Succeeded" => ("Succeeded", "The pod has completed successfully."),
        "Failed" => ("Failed", "The pod failed."),
        _ => return None,
    };
    Some(json!([{"type": "Completed", "status": "True", "reason": reason, "message": message}]))
}

/// The state of the containers of a pod, as a row shows it.
struct Summary {
    reason: String,
    ready: usize,
    restarts: Restarts,
}

#[derive(Default, Clone)]
struct Restarts {
    count: i64,
    /// The time of the last one, or empty. Times are stored in UTC without fractions, so that texts sort as times do.
    last: String,
}

impl Restarts {
    fn add(&mut self, container: &Value) {
        self.count += number(container, "/restartCount");
        let finished = str_at(container, "/lastState/terminated/finishedAt");
        if *finished > *self.last {
            finished.clone_into(&mut self.last);
        }
    }
}

fn status(pod: &Value) -> Value {
    if is_deleted(pod) {
        if str_at(pod, "/status/reason") == "NodeLost" {
            return "Unknown".into();
        }
        if !matches!(str_at(pod, "/status/phase"), "Succeeded" | "Failed") {
            return "Terminating".into();
        }
    }
    summary(pod).reason.into()
}

fn is_restartable(container: &Value) -> bool {
    str_at(container, "/restartPolicy") == "Always"
}

fn has_condition(object: &Value, type_: &str) -> bool {
    let mut conditions = list(object, "/status/conditions").iter();
    conditions.any(|it| str_at(it, "/type") == type_ && str_at(it, "/status") == "True")
}

fn summary(object: &Value) -> Summary {
    let mut reason = str_at(object, "/status/reason");
    if reason.is_empty() {
        reason = str_at(object, "/status/phase");
    }
    let is_gated = list(object, "/status/conditions").iter().any(|it| {
        str_at(it, "/type") == "PodScheduled" && str_at(it, "/reason") == "SchedulingGated"
    });
    if is_gated {
        reason = "SchedulingGated";
    }
    let mut summary =
        Summary { reason: reason.to_owned(), ready: 0, restarts: Restarts::default() };
    let mut sidecar_restarts = Restarts::default();
    let is_initializing = add_init_containers(object, &mut summary, &mut sidecar_restarts);
    if !is_initializing || has_condition(object, "Initialized") {
        summary.restarts = sidecar_restarts;
        add_containers(object, &mut summary);
    }
    summary
}

/// Adds the state of the init containers. Returns whether the pod is still initializing: an init container has not
/// ended successfully, or a sidecar has not started.
fn add_init_containers(
    object: &Value,
    summary: &mut Summary,
    sidecar_restarts: &mut Restarts,
) -> bool {
    let specs = list(object, "/spec/initContainers");
    for (index, container) in list(object, "/status/initContainerStatuses").iter().enumerate() {
        // If several containers have one name, upstream uses the last one.
        let spec = specs.iter().rev().find(|it| it["name"] == container["name"]);
        let is_sidecar = spec.is_some_and(is_restartable);
        summary.restarts.add(container);
        if is_sidecar {
            sidecar_restarts.add(container);
        }
        let terminated = container.pointer("/state/terminated").filter(|it| it.is_object());
        if terminated.is_some_and(|it| number(it, "/exitCode") == 0) {
            continue;
        }
        if is_sidecar && container["started"] == true {
            summary.ready += usize::from(container["ready"] == true);
            continue;
        }
        let waiting = str_at(container, "/state/waiting/reason");
        summary.reason = match terminated {
            Some(terminated) => format!("Init:{}", termination_reason(terminated)),
            None if !matches!(waiting, "" | "PodInitializing") => format!("Init:{waiting}"),
            None => format!("Init:{index}/{}", specs.len()),
        };
        return true;
    }
    false
}

/// Adds the state of the containers.
fn add_containers(object: &Value, summary: &mut Summary) {
    let mut has_running = false;
    let mut error = String::new();
    for container in list(object, "/status/containerStatuses").iter().rev() {
        summary.restarts.add(container);
        let waiting = str_at(container, "/state/waiting/reason");
        let terminated = container.pointer("/state/terminated").filter(|it| it.is_object());
        if !waiting.is_empty() {
            waiting.clone_into(&mut summary.reason);
        } else if let Some(terminated) = terminated {
            summary.reason = termination_reason(terminated);
            if number(terminated, "/exitCode") != 0 {
                error.clone_from(&summary.reason);
            }
        } else if container["ready"] == true
            && container.pointer("/state/running").is_some_and(Value::is_object)
        {
            has_running = true;
            summary.ready += 1;
        }
    }
    if summary.reason == "Completed" {
        if has_running && has_condition(object, "Ready") {
            "Running".clone_into(&mut summary.reason);
        } else if !error.is_empty() {
            summary.reason = error;
        } else if has_running {
            "NotReady".clone_into(&mut summary.reason);
        }
    }
}

/// Returns the reason for the end of a container.
fn termination_reason(terminated: &Value) -> String {
    match (str_at(terminated, "/reason"), number(terminated, "/signal")) {
        ("", 0) => format!("ExitCode:{}", number(terminated, "/exitCode")),
        ("", signal) => format!("Signal:{signal}"),
        (reason, _) => reason.to_owned(),
    }
}

fn readiness_gates(object: &Value) -> String {
    let gates = list(object, "/spec/readinessGates");
    if gates.is_empty() {
        return "<none>".to_owned();
    }
    let conditions = list(object, "/status/conditions");
    let is_true = |gate: &&Value| {
        let found = conditions.iter().find(|it| it["type"] == gate["conditionType"]);
        found.is_some_and(|it| str_at(it, "/status") == "True")
    };
    format!("{}/{}", gates.iter().filter(is_true).count(), gates.len())
}
