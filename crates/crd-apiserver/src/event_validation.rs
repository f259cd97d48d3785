//! Validates events. Requests for `v1` are validated less strictly than those for `events.k8s.io/v1`, as old clients
//! send them.
//!
//! Source: `pkg/apis/core/validation/events.go` of kubernetes/kubernetes.

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::Value;

use super::events;
use super::fields::text;
use super::immutable::value_at;
use super::metadata;
use crate::field::{BadValue, Path, Sink};
use crate::{json, names};

/// The maximum length of `reportingInstance`, `action` and `reason`, in bytes.
const MAX_NAME_BYTES: usize = 128;
/// The maximum length of the message, in bytes.
const MAX_NOTE_BYTES: usize = 1024;
/// The fields of `ObjectReference`: their names in Go, and in JSON.
const REFERENCE: [(&str, &str); 7] = [
    ("Kind", "kind"),
    ("Namespace", "namespace"),
    ("Name", "name"),
    ("UID", "uid"),
    ("APIVersion", "apiVersion"),
    ("ResourceVersion", "resourceVersion"),
    ("FieldPath", "fieldPath"),
];
/// The same of `EventSource`.
const SOURCE: [(&str, &str); 2] = [("Component", "component"), ("Host", "host")];

/// What Go's type of a field is.
#[derive(Debug, Clone, Copy)]
enum Type {
    Text,
    Number,
    Time,
    Struct(&'static [(&'static str, &'static str)]),
    Pointer(&'static [(&'static str, &'static str)]),
}

/// The fields that an update in `events.k8s.io/v1` cannot change: their paths in errors, and their names in `v1`.
const IMMUTABLE: [(&str, &str, Type); 13] = [
    ("involvedObject", "involvedObject", Type::Struct(&REFERENCE)),
    ("reason", "reason", Type::Text),
    ("message", "message", Type::Text),
    ("source", "source", Type::Struct(&SOURCE)),
    ("firstTimestamp", "firstTimestamp", Type::Time),
    ("lastTimestamp", "lastTimestamp", Type::Time),
    ("count", "count", Type::Number),
    ("type", "type", Type::Text),
    ("eventTime", "eventTime", Type::Time),
    ("action", "action", Type::Text),
    ("related", "related", Type::Pointer(&REFERENCE)),
    ("reportingController", "reportingComponent", Type::Text),
    ("reportingInstance", "reportingInstance", Type::Text),
];

/// An event of a request, in `v1`, whose fields have the names of the server's internal type.
#[derive(Debug)]
pub(super) struct RequestedEvent {
    event: Value,
    is_strict: bool,
}

impl RequestedEvent {
    /// Reads the object of a request for one of the two groups.
    pub(super) fn new(group: &str, object: &Value) -> Self {
        Self { event: events::convert(object.clone(), "v1"), is_strict: !group.is_empty() }
    }

    /// Returns whether the event was sent to `events.k8s.io`, whose events are validated in full.
    pub(super) fn is_strict(&self) -> bool {
        self.is_strict
    }

    /// Checks the fields that requests of both groups have to set. Source: `legacyValidateEvent`.
    pub(super) fn validate(&self, errors: &mut Sink) {
        let event = &self.event;
        let namespace = metadata::text(event, "namespace");
        let involved = text(value_at(event, "involvedObject"), "namespace");
        let has_time = has(event, "eventTime");
        let is_of_namespace = match (has_time, involved) {
            (true, "") => matches!(namespace, "default" | "kube-system"),
            (true, _) => true,
            (false, "") => matches!(namespace, "" | "default"),
            (false, _) => involved == namespace,
        };
        if !is_of_namespace {
            let path = Path::new("involvedObject.namespace");
            errors.invalid(&path, involved, "does not match event.namespace");
        }
        if !has_time {
            return;
        }
        let controller = text(event, "reportingComponent");
        let path =
            Path::new(if self.is_strict { "reportingController" } else { "reportingComponent" });
        if controller.is_empty() {
            errors.required(&path, "");
        }
        for why in names::label_key(controller, errors.kubernetes()) {
            errors.invalid(&path, controller, why);
        }
        for key in ["reportingInstance", "action", "reason"] {
            if text(event, key).is_empty() {
                errors.required(&Path::new(key), "");
            }
            check_length(event, key, MAX_NAME_BYTES, errors);
        }
        check_length(event, "message", MAX_NOTE_BYTES, errors);
    }

    /// Checks what only `events.k8s.io` requires of a new event. Source: `ValidateEventCreate`.
    pub(super) fn validate_create(&self, errors: &mut Sink) {
        let event = &self.event;
        self.validate_series(errors);
        if !has(event, "eventTime") {
            errors.required(&Path::new("eventTime"), "");
        }
        let type_ = text(event, "type");
        if !matches!(type_, "Normal" | "Warning") {
            errors.invalid(&Path::new("type"), "", format!("has invalid value: {type_}"));
        }
        let source = value_at(event, "source");
        let is_set = [
            ("firstTimestamp", has(event, "firstTimestamp")),
            ("lastTimestamp", has(event, "lastTimestamp")),
            ("count", value_at(event, "count").as_i64().unwrap_or_default() != 0),
            ("source", SOURCE.iter().any(|(_, key)| !text(source, key).is_empty())),
        ];
        for (key, _) in is_set.into_iter().filter(|(_, is_set)| *is_set) {
            errors.invalid(&Path::new(key), "", "needs to be unset");
        }
    }

    /// Checks what only `events.k8s.io` requires of an update. Source: `ValidateEventUpdate`.
    pub(super) fn validate_update(&self, old: &Self, errors: &mut Sink) {
        if !json::equal(value_at(&self.event, "series"), value_at(&old.event, "series")) {
            self.validate_series(errors);
        }
        for (path, key, type_) in IMMUTABLE {
            let shown = |event: &Value, kubernetes| show(value_at(event, key), type_, kubernetes);
            let new = shown(&self.event, errors.kubernetes());
            if new != shown(&old.event, errors.kubernetes()) {
                errors.invalid(&Path::new(path), new, "field is immutable");
            }
        }
    }

    /// Source: `validateV1EventSeries`.
    fn validate_series(&self, errors: &mut Sink) {
        let series = value_at(&self.event, "series");
        if series.is_null() {
            return;
        }
        if series.get("count").and_then(Value::as_i64).unwrap_or_default() < 2 {
            errors.invalid(&Path::new("series.count"), "", "should be at least 2");
        }
        if !has(series, "lastObservedTime") {
            errors.required(&Path::new("series.lastObservedTime"), "");
        }
    }
}

fn has(value: &Value, key: &str) -> bool {
    !value_at(value, key).is_null()
}

fn check_length(event: &Value, key: &str, max: usize, errors: &mut Sink) {
    if text(event, key).len() > max {
        let why = format!("can have at most {max} characters");
        errors.invalid(&Path::new(key), "", why);
    }
}

/// Returns a value as errors show it. Two values are equal for the server if this is the same.
fn show(value: &Value, type_: Type, kubernetes: KubernetesVersion) -> BadValue {
    match type_ {
        Type::Text => value.as_str().unwrap_or_default().into(),
        Type::Number => value.as_i64().unwrap_or_default().into(),
        Type::Pointer(_) if value.is_null() => BadValue::of(value, kubernetes),
        Type::Time => BadValue::of(value, kubernetes),
        // Upstream: the internal types have no names for JSON, so Go writes those of the fields.
        Type::Struct(fields) | Type::Pointer(fields) => {
            let field = |(name, key): &(&str, &str)| {
                format!("\"{name}\":{}", json::to_go_string(&text(value, key).into()))
            };
            let fields: Vec<String> = fields.iter().map(field).collect();
            BadValue::Json(format!("{{{}}}", fields.join(",")))
        }
    }
}
