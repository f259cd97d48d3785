//! Columns of workloads and of disruption budgets.
//!
//! Source: `printDeployment`, `printReplicaSet`, `printStatefulSet`, `printDaemonSet`, `printJob`, `printCronJob`,
//! `printPodDisruptionBudget`.

use std::time::SystemTime;

use serde_json::Value;

use super::DescriptionSource::{Field, Text};
use super::{
    AGE, CONTAINERS, IMAGES, NAME, Printer, SELECTOR, age, is_deleted, joined, labels_text, list,
    name, number, selector_text, str_at, text,
};
use crate::labels;
use crate::table;

const CONTAINERS_PATH: &str = "/spec/template/spec/containers";

pub(super) const DEPLOYMENT: Printer = (
    &[
        NAME,
        ("Ready", "string", 0, Text("Number of the pod with ready state")),
        ("Up-to-date", "string", 0, Field(&["status", "updatedReplicas"])),
        ("Available", "string", 0, Field(&["status", "availableReplicas"])),
        AGE,
        CONTAINERS,
        IMAGES,
        SELECTOR,
    ],
    |object, now| {
        let [names, images] = containers(object, CONTAINERS_PATH);
        vec![
            name(object),
            ready(object),
            number(object, "/status/updatedReplicas").into(),
            number(object, "/status/availableReplicas").into(),
            age(object, now),
            names,
            images,
            labels::text_of(object.pointer("/spec/selector").unwrap_or(&Value::Null)).into(),
        ]
    },
);

pub(super) const REPLICA_SET: Printer = (
    &[
        NAME,
        ("Desired", "integer", 0, Field(&["spec", "replicas"])),
        ("Current", "integer", 0, Field(&["status", "replicas"])),
        ("Ready", "integer", 0, Field(&["status", "readyReplicas"])),
        AGE,
        CONTAINERS,
        IMAGES,
        SELECTOR,
    ],
    |object, now| {
        let [names, images] = containers(object, CONTAINERS_PATH);
        vec![
            name(object),
            number(object, "/spec/replicas").into(),
            number(object, "/status/replicas").into(),
            number(object, "/status/readyReplicas").into(),
            age(object, now),
            names,
            images,
            selector_text(object.pointer("/spec/selector")),
        ]
    },
);

pub(super) const STATEFUL_SET: Printer = (
    &[
        NAME,
        ("Ready", "string", 0, Text("Number of the pod with ready state")),
        AGE,
        CONTAINERS,
        IMAGES,
    ],
    |object, now| {
        let [names, images] = containers(object, CONTAINERS_PATH);
        vec![name(object), ready(object), age(object, now), names, images]
    },
);

pub(super) const DAEMON_SET: Printer = (
    &[
        NAME,
        ("Desired", "integer", 0, Field(&["status", "desiredNumberScheduled"])),
        ("Current", "integer", 0, Field(&["status", "currentNumberScheduled"])),
        ("Ready", "integer", 0, Field(&["status", "numberReady"])),
        ("Up-to-date", "integer", 0, Field(&["status", "updatedNumberScheduled"])),
        ("Available", "integer", 0, Field(&["status", "numberAvailable"])),
        ("Node Selector", "string", 0, Field(&["spec", "template", "spec", "nodeSelector"])),
        AGE,
        CONTAINERS,
        IMAGES,
        SELECTOR,
    ],
    |object, now| {
        let [names, images] = containers(object, CONTAINERS_PATH);
        vec![
            name(object),
            number(object, "/status/desiredNumberScheduled").into(),
            number(object, "/status/currentNumberScheduled").into(),
            number(object, "/status/numberReady").into(),
            number(object, "/status/updatedNumberScheduled").into(),
            number(object, "/status/numberAvailable").into(),
            labels_text(object.pointer("/spec/template/spec/nodeSelector")),
            age(object, now),
            names,
            images,
            selector_text(object.pointer("/spec/selector")),
        ]
    },
);

pub(super) const JOB: Printer = (
    &[
        NAME,
        ("Status", "string", 0, Text("Status of the job.")),
        ("Completions", "string", 0, Field(&["status", "succeeded"])),
        ("Duration", "string", 0, Text("Time required to complete the job.")),
        AGE,
        CONTAINERS,
        IMAGES,
        SELECTOR,
    ],
    job,
);

pub(super) const CRON_JOB: Printer = (
    &[
        NAME,
        ("Schedule", "string", 0, Field(&["spec", "schedule"])),
        ("Timezone", "string", 0, Field(&["spec", "timeZone"])),
        ("Suspend", "boolean", 0, Field(&["spec", "suspend"])),
        ("Active", "integer", 0, Field(&["status", "active"])),
        ("Last Schedule", "string", 0, Field(&["status", "lastScheduleTime"])),
        AGE,
        CONTAINERS,
        IMAGES,
        ("Selector", "string", 1, Field(&["spec", "jobTemplate", "spec", "selector"])),
    ],
    cron_job,
);

pub(super) const DISRUPTION_BUDGET: Printer = (
    &[
        NAME,
        ("Min Available", "string", 0, Text("The minimum number of pods that must be available.")),
        (
            "Max Unavailable",
            "string",
            0,
            Text("The maximum number of pods that may be unavailable."),
        ),
        (
            "Allowed Disruptions",
            "integer",
            0,
            Text("Calculated number of pods that may be disrupted at this time."),
        ),
        AGE,
    ],
    |object, now| {
        let of = |pointer: &str| match object.pointer(pointer) {
            None | Some(Value::Null) => "N/A".into(),
            Some(Value::String(text)) => text.as_str().into(),
            Some(number) => Value::from(number.to_string()),
        };
        vec![
            name(object),
            of("/spec/minAvailable"),
            of("/spec/maxUnavailable"),
            number(object, "/status/disruptionsAllowed").into(),
            age(object, now),
        ]
    },
);

/// Returns the names and the images of containers.
fn containers(object: &Value, pointer: &str) -> [Value; 2] {
    let containers = list(object, pointer);
    ["name", "image"].map(|key| joined(containers, key).into())
}

fn ready(object: &Value) -> Value {
    let ready = number(object, "/status/readyReplicas");
    format!("{ready}/{}", number(object, "/spec/replicas")).into()
}

fn job(object: &Value, now: SystemTime) -> Vec<Value> {
    let succeeded = number(object, "/status/succeeded");
    let parallelism = number(object, "/spec/parallelism");
    let completions = match object.pointer("/spec/completions").and_then(Value::as_i64) {
        Some(completions) => format!("{succeeded}/{completions}"),
        None if parallelism > 1 => format!("{succeeded}/1 of {parallelism}"),
        None => format!("{succeeded}/1"),
    };
    let duration =
        match (str_at(object, "/status/startTime"), str_at(object, "/status/completionTime")) {
            ("", _) => String::new(),
            (start, "") => table::age(start, now),
            (start, end) => table::time_between(start, end),
        };
    let [names, images] = containers(object, CONTAINERS_PATH);
    vec![
        name(object),
        job_status(object).into(),
        completions.into(),
        duration.into(),
        age(object, now),
        names,
        images,
        selector_text(object.pointer("/spec/selector")),
    ]
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

fn cron_job(object: &Value, now: SystemTime) -> Vec<Value> {
    let last = match str_at(object, "/status/lastScheduleTime") {
        "" => "<none>".to_owned(),
        time => table::age(time, now),
    };
    let zone = object.pointer("/spec/timeZone").filter(|it| it.is_string()).cloned();
    let suspend = match object.pointer("/spec/suspend").and_then(Value::as_bool) {
        Some(true) => "True",
        Some(false) => "False",
        None => "<unset>",
    };
    let [names, images] = containers(object, "/spec/jobTemplate/spec/template/spec/containers");
    vec![
        name(object),
        text(object, "/spec/schedule"),
        zone.unwrap_or_else(|| "<none>".into()),
        suspend.into(),
        list(object, "/status/active").len().into(),
        last.into(),
        age(object, now),
        names,
        images,
        selector_text(object.pointer("/spec/jobTemplate/spec/selector")),
    ]
}
