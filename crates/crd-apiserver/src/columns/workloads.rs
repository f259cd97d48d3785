//! Columns of workloads, of autoscalers and of disruption budgets.
//!
//! Source: `printDeployment`, `printReplicaSet`, `printReplicationController`, `printStatefulSet`, `printDaemonSet`,
//! `printJob`, `printCronJob`, `printPodTemplate`, `printControllerRevision`, `printHorizontalPodAutoscaler`,
//! `printPodDisruptionBudget`.

use serde_json::Value;

use super::{
    AGE, Column, Description, Field, INTEGER, NAME, SELECTOR, STRING, Text, is_deleted, joined,
    labels_text, list, number, number_of, of, selector_text, since, str_at, text_of,
};
use crate::labels;
use crate::table;

const CONTAINERS: Column =
    of("Containers", STRING, Text("Names of each container in the template."), |it| {
        joined(containers(it), "name").into()
    })
    .wide();
const IMAGES: Column =
    of("Images", STRING, Text("Images referenced by each container in the template."), |it| {
        joined(containers(it), "image").into()
    })
    .wide();
const READY: Column = of("Ready", STRING, Text("Number of the pod with ready state"), |it| {
    let ready = number(it, "/status/readyReplicas");
    format!("{ready}/{}", number(it, "/spec/replicas")).into()
});

pub(super) const DEPLOYMENT: &[Column] = &[
    NAME,
    READY,
    number_of("Up-to-date", STRING, "/status/updatedReplicas"),
    number_of("Available", STRING, "/status/availableReplicas"),
    AGE,
    CONTAINERS,
    IMAGES,
    of("Selector", STRING, Field("/spec/selector"), |it| {
        labels::text_of(it.pointer("/spec/selector").unwrap_or(&Value::Null)).into()
    })
    .wide(),
];

pub(super) const REPLICA_SET: &[Column] = &[
    NAME,
    number_of("Desired", INTEGER, "/spec/replicas"),
    number_of("Current", INTEGER, "/status/replicas"),
    number_of("Ready", INTEGER, "/status/readyReplicas"),
    AGE,
    CONTAINERS,
    IMAGES,
    SELECTOR,
];

pub(super) const REPLICATION_CONTROLLER: &[Column] = &[
    NAME,
    number_of("Desired", INTEGER, "/spec/replicas"),
    number_of("Current", INTEGER, "/status/replicas"),
    number_of("Ready", INTEGER, "/status/readyReplicas"),
    AGE,
    CONTAINERS,
    IMAGES,
    of("Selector", STRING, Field("/spec/selector"), |it| labels_text(it.pointer("/spec/selector")))
        .wide(),
];

pub(super) const POD_TEMPLATE: &[Column] = &[
    NAME,
    of("Containers", STRING, Text("Names of each container in the template."), |it| {
        joined(list(it, "/template/spec/containers"), "name").into()
    }),
    of("Images", STRING, Text("Images referenced by each container in the template."), |it| {
        joined(list(it, "/template/spec/containers"), "image").into()
    }),
    of("Pod Labels", STRING, Text("The labels for the pod template."), |it| {
        labels_text(it.pointer("/template/metadata/labels"))
    }),
];

pub(super) const REVISION: &[Column] = &[
    NAME,
    of("Controller", STRING, Text("Controller of the object"), |it| controller(it).into()),
    number_of("Revision", STRING, "/revision"),
    AGE,
];

/// Returns the kind and the name of the controller of an object. Source: `formatResourceName`.
fn controller(object: &Value) -> String {
    let owners = list(object, "/metadata/ownerReferences");
    let Some(owner) = owners.iter().find(|owner| owner["controller"] == true) else {
        return "<none>".to_owned();
    };
    let group = str_at(owner, "/apiVersion").split_once('/').map(|(group, _)| format!(".{group}"));
    let kind = format!("{}{}", str_at(owner, "/kind"), group.unwrap_or_default());
    format!("{}/{}", kind.to_lowercase(), str_at(owner, "/name"))
}

pub(super) const STATEFUL_SET: &[Column] = &[NAME, READY, AGE, CONTAINERS, IMAGES];

pub(super) const DAEMON_SET: &[Column] = &[
    NAME,
    number_of("Desired", INTEGER, "/status/desiredNumberScheduled"),
    number_of("Current", INTEGER, "/status/currentNumberScheduled"),
    number_of("Ready", INTEGER, "/status/numberReady"),
    number_of("Up-to-date", INTEGER, "/status/updatedNumberScheduled"),
    number_of("Available", INTEGER, "/status/numberAvailable"),
    of("Node Selector", STRING, Field("/spec/template/spec/nodeSelector"), |it| {
        labels_text(it.pointer("/spec/template/spec/nodeSelector"))
    }),
    AGE,
    CONTAINERS,
    IMAGES,
    SELECTOR,
];

pub(super) const AUTOSCALER: &[Column] = &[
    NAME,
    of("Reference", STRING, Field("/spec/scaleTargetRef"), |it| {
        let part = |key: &str| str_at(&it["spec"]["scaleTargetRef"], key);
        format!("{}/{}", part("/kind"), part("/name")).into()
    }),
    of("Targets", STRING, Field("/spec/metrics"), |it| targets(it).into()),
    of("MinPods", STRING, Field("/spec/minReplicas"), |it| {
        let least = it.pointer("/spec/minReplicas").and_then(Value::as_i64);
        least.map_or_else(|| "<unset>".to_owned(), |least| least.to_string()).into()
    }),
    number_of("MaxPods", STRING, "/spec/maxReplicas"),
    number_of("Replicas", STRING, "/status/currentReplicas"),
    AGE,
];

/// How many metrics of an autoscaler are shown.
const SHOWN_METRICS: usize = 2;

/// Returns the current and the wanted value of each metric of an autoscaler. Source: `formatHPAMetrics`.
fn targets(object: &Value) -> String {
    let specs = list(object, "/spec/metrics");
    if specs.is_empty() {
        return "<none>".to_owned();
    }
    let statuses = list(object, "/status/currentMetrics");
    let shown = specs
        .iter()
        .enumerate()
        .take(SHOWN_METRICS)
        .map(|(at, spec)| target(spec, statuses.get(at).unwrap_or(&Value::Null)));
    let shown = shown.collect::<Vec<_>>().join(", ");
    match specs.len().saturating_sub(SHOWN_METRICS) {
        0 => shown,
        more => format!("{shown} + {more} more..."),
    }
}

/// Returns the current and the wanted value of a metric.
fn target(spec: &Value, status: &Value) -> String {
    let key = match str_at(spec, "/type") {
        "External" => "external",
        "Pods" => "pods",
        "Object" => "object",
        "Resource" => "resource",
        "ContainerResource" => "containerResource",
        _ => return "<unknown type>".to_owned(),
    };
    let (spec, status) = (&spec[key], &status[key]);
    let is_resource = matches!(key, "resource" | "containerResource");
    let average = spec["target"]["averageValue"].as_str();
    let (field, ending) = match average {
        Some(_) if matches!(key, "external" | "object") => ("averageValue", " (avg)"),
        Some(_) => ("averageValue", ""),
        None if is_resource => ("averageUtilization", ""),
        None if key == "pods" => ("averageValue", ""),
        None => ("value", ""),
    };
    let shown = |value: &Value| match value {
        Value::Number(percent) => Some(format!("{percent}%")),
        Value::String(quantity) => Some(quantity.clone()),
        _ => None,
    };
    let current = shown(&status["current"][field]);
    // Upstream: a quantity that is missing in a status is zero, unless it is an average of an external metric or object.
    let is_zero = status.is_object() && !is_resource && ending.is_empty();
    let unknown = if is_zero || status.is_object() && average.is_some() && is_resource {
        "0"
    } else {
        "<unknown>"
    };
    let current = current.unwrap_or_else(|| unknown.to_owned());
    let missing = if is_resource { "<auto>" } else { "0" };
    let wanted = shown(&spec["target"][field]).unwrap_or_else(|| missing.to_owned());
    let text = format!("{current}/{wanted}{ending}");
    if is_resource { format!("{}: {text}", str_at(spec, "/name")) } else { text }
}

pub(super) const JOB: &[Column] = &[
    NAME,
    of("Status", STRING, Text("Status of the job."), |it| job_status(it).into()),
    of("Completions", STRING, Field("/status/succeeded"), completions),
    since("Duration", Text("Time required to complete the job."), |it, now| {
        match (str_at(it, "/status/startTime"), str_at(it, "/status/completionTime")) {
            ("", _) => "".into(),
            (start, "") => table::age(start, now).into(),
            (start, end) => table::time_between(start, end).into(),
        }
    }),
    AGE,
    CONTAINERS,
    IMAGES,
    SELECTOR,
];

pub(super) const CRON_JOB: &[Column] = &[
    NAME,
    text_of("Schedule", "/spec/schedule"),
    of("Timezone", STRING, Field("/spec/timeZone"), |it| {
        let zone = it.pointer("/spec/timeZone").filter(|it| it.is_string()).cloned();
        zone.unwrap_or_else(|| "<none>".into())
    }),
    of("Suspend", "boolean", Field("/spec/suspend"), |it| {
        match it.pointer("/spec/suspend").and_then(Value::as_bool) {
            Some(true) => "True".into(),
            Some(false) => "False".into(),
            None => "<unset>".into(),
        }
    }),
    of("Active", INTEGER, Field("/status/active"), |it| list(it, "/status/active").len().into()),
    since("Last Schedule", Field("/status/lastScheduleTime"), |it, now| {
        match str_at(it, "/status/lastScheduleTime") {
            "" => "<none>".into(),
            time => table::age(time, now).into(),
        }
    }),
    AGE,
    CONTAINERS,
    IMAGES,
    of("Selector", STRING, Field("/spec/jobTemplate/spec/selector"), |it| {
        selector_text(it.pointer("/spec/jobTemplate/spec/selector"))
    })
    .wide(),
];

const MIN_AVAILABLE: Description = Text("The minimum number of pods that must be available.");
const MAX_UNAVAILABLE: Description = Text("The maximum number of pods that may be unavailable.");
const DISRUPTIONS: Description =
    Text("Calculated number of pods that may be disrupted at this time.");

pub(super) const DISRUPTION_BUDGET: &[Column] = &[
    NAME,
    of("Min Available", STRING, MIN_AVAILABLE, |it| int_or_string(it, "/spec/minAvailable")),
    of("Max Unavailable", STRING, MAX_UNAVAILABLE, |it| int_or_string(it, "/spec/maxUnavailable")),
    of("Allowed Disruptions", INTEGER, DISRUPTIONS, |it| {
        number(it, "/status/disruptionsAllowed").into()
    }),
    AGE,
];

/// Returns the containers of the template, in a cron job those of the template of its jobs.
fn containers(object: &Value) -> &[Value] {
    match list(object, "/spec/template/spec/containers") {
        [] => list(object, "/spec/jobTemplate/spec/template/spec/containers"),
        found => found,
    }
}

fn int_or_string(object: &Value, pointer: &str) -> Value {
    match object.pointer(pointer) {
        None | Some(Value::Null) => "N/A".into(),
        Some(Value::String(text)) => text.as_str().into(),
        Some(number) => number.to_string().into(),
    }
}

fn completions(job: &Value) -> Value {
    let succeeded = number(job, "/status/succeeded");
    let parallelism = number(job, "/spec/parallelism");
    match job.pointer("/spec/completions").and_then(Value::as_i64) {
        Some(completions) => format!("{succeeded}/{completions}").into(),
        None if parallelism > 1 => format!("{succeeded}/1 of {parallelism}").into(),
        None => format!("{succeeded}/1").into(),
    }
}

fn job_status(object: &Value) -> &'static str {
    // Source: `hasJobCondition`: the first condition of a type is used.
    let has = |type_: &str| {
        let mut conditions = list(object, "/status/conditions").iter();
        let found = conditions.find(|condition| str_at(condition, "/type") == type_);
        found.is_some_and(|condition| str_at(condition, "/status") == "True")
    };
    if has("Complete") {
        "Complete"
    } else if has("Failed") {
        "Failed"
    } else if is_deleted(object) {
        "Terminating"
    } else if has("Suspended") {
        "Suspended"
    } else if has("FailureTarget") {
        "FailureTarget"
    } else if has("SuccessCriteriaMet") {
        "SuccessCriteriaMet"
    } else {
        "Running"
    }
}
