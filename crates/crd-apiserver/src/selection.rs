//! The label and field selectors of a list or watch.

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::Value;

use super::failure::{Answer, Failure};
use super::kind::{ServedKind, Strategy};
use super::labels::LabelSelector;
use super::query::Query;
use crate::field_selector::{self, FieldSelector};
use crate::names;

/// The fields of built-in kinds that field selectors may name, besides the name and, except for kinds without a
/// namespace, the namespace. Source: `AddFieldLabelConversionsFor*` of `pkg/apis` in kubernetes/kubernetes.
const SELECTABLE_FIELDS: [(&str, &str, &[&str]); 9] = [
    (
        "",
        "Event",
        &[
            "involvedObject.kind",
            "involvedObject.namespace",
            "involvedObject.name",
            "involvedObject.uid",
            "involvedObject.apiVersion",
            "involvedObject.resourceVersion",
            "involvedObject.fieldPath",
            "reason",
            "reportingComponent",
            "source",
            "type",
        ],
    ),
    (
        "events.k8s.io",
        "Event",
        &[
            "regarding.kind",
            "regarding.namespace",
            "regarding.name",
            "regarding.uid",
            "regarding.apiVersion",
            "regarding.resourceVersion",
            "regarding.fieldPath",
            "reason",
            "reportingController",
            "type",
        ],
    ),
    ("", "Namespace", &["status.phase"]),
    ("", "Node", &["spec.unschedulable"]),
    (
        "",
        "Pod",
        &[
            "spec.nodeName",
            // Upstream: another name of `spec.nodeName`.
            "spec.host",
            "spec.restartPolicy",
            "spec.schedulerName",
            "spec.serviceAccountName",
            "spec.hostNetwork",
            "status.phase",
            "status.podIP",
            "status.podIPs",
            "status.nominatedNodeName",
        ],
    ),
    ("", "ReplicationController", &["status.replicas"]),
    ("", "Secret", &["type"]),
    ("", "Service", &["spec.clusterIP", "spec.type"]),
    ("batch", "Job", &["status.successful"]),
];

/// The conditions that selected objects satisfy.
#[derive(Debug, Clone)]
pub(super) struct Selection {
    labels: LabelSelector,
    fields: FieldSelector,
    has_fields: bool,
    /// The name of the only selected object, if the path names one.
    name: Option<String>,
}

impl Selection {
    /// Parses the selectors of a query. Before the caller calls [`Selection::check`], it has to validate the other
    /// options, as upstream does.
    ///
    /// Source: `listOpts` of `pkg/endpoints/handlers/get.go`.
    ///
    /// # Errors
    /// Status 400 for invalid selectors, and for invalid values of `timeoutSeconds` and `limit`.
    pub(super) fn read(query: &Query, kubernetes: KubernetesVersion) -> Answer<Self> {
        query.number("timeoutSeconds")?;
        query.number("limit")?;
        let labels = LabelSelector::parse(query.text("labelSelector"), kubernetes);
        let labels = labels.map_err(Failure::bad_request)?;
        let text = query.text("fieldSelector");
        let fields = FieldSelector::parse(text).map_err(|error| failure_of(&error))?;
        Ok(Self { labels, fields, has_fields: !text.is_empty(), name: None })
    }

    /// Checks the field selector for a kind, and restricts the selection to the object that the path names, if any.
    ///
    /// # Errors
    /// Status 400 for fields that selectors may not name.
    pub(super) fn check(&mut self, kind: &ServedKind, name: &str) -> Answer<()> {
        let fields = &self.fields;
        match kind.compiled() {
            Some(compiled) => fields.check(compiled).map_err(|error| failure_of(&error))?,
            None => {
                for (label, _, _) in fields.terms() {
                    if !is_selectable(kind, label) {
                        return Err(Failure::bad_request(unknown_field(kind, label)));
                    }
                }
            }
        }
        self.name = (!name.is_empty()).then(|| name.to_owned());
        // Source: `handleListWatchOptions` of `pkg/endpoints/handlers/get.go`.
        let names_it = |(field, equals, value)| field == "metadata.name" && equals && value == name;
        if !name.is_empty()
            && self.fields.terms().next().is_some()
            && !self.fields.terms().any(names_it)
        {
            let why = "fieldSelector metadata.name doesn't match requested name";
            return Err(Failure::bad_request(why));
        }
        Ok(())
    }

    /// Returns whether the field selector restricts a list to one object, such as `metadata.name=web` in one namespace.
    /// Upstream then reads only that object.
    ///
    /// Source: `Store.ListPredicate` of `pkg/registry/generic/registry/store.go`, and `NamespaceKeyFunc`.
    pub(super) fn is_single(&self, kind: &ServedKind, namespace: &str) -> bool {
        let exact = |field: &str| {
            let mut terms = self.fields.terms();
            terms.find(|(label, equals, _)| *label == field && *equals).map(|(_, _, value)| value)
        };
        let is_in_one_namespace = || {
            let selected = exact("metadata.namespace").unwrap_or_default();
            !kind.namespaced || !namespace.is_empty() || names::dns1123_label(selected).is_empty()
        };
        let is_name = |name: &str| !name.is_empty() && names::path_segment(name, false).is_empty();
        exact("metadata.name").is_some_and(is_name) && is_in_one_namespace()
    }

    /// Returns whether all objects are selected.
    pub(super) fn is_all(&self) -> bool {
        self.labels.is_empty() && !self.has_fields && self.name.is_none()
    }

    /// Returns whether an object is selected.
    ///
    /// # Errors
    /// Status 500 if a field cannot be evaluated.
    pub(super) fn matches(&self, kind: &ServedKind, object: &Value) -> Answer<bool> {
        let named = super::metadata::text(object, "name");
        if self.name.as_deref().is_some_and(|name| name != named) || !self.labels.matches(object) {
            return Ok(false);
        }
        if !self.has_fields {
            return Ok(true);
        }
        match kind.compiled() {
            Some(compiled) => self
                .fields
                .matches(compiled, object)
                .map_err(|error| Failure::bare(error.to_string())),
            None => Ok(self.fields.terms().all(|(label, equals, value)| {
                (field_value(kind, object, label) == value) == equals
            })),
        }
    }
}

fn failure_of(error: &field_selector::Error) -> Failure {
    Failure::bad_request(error.to_string())
}

fn selectable_fields(kind: &ServedKind) -> &'static [&'static str] {
    let found = SELECTABLE_FIELDS
        .iter()
        .find(|(group, name, _)| *group == kind.group && *name == kind.names.kind);
    found.map_or(&[], |(_, _, fields)| fields)
}

fn is_selectable(kind: &ServedKind, label: &str) -> bool {
    let fields = selectable_fields(kind);
    match label {
        "metadata.name" => true,
        // Upstream: kinds that have no selectable fields of their own accept it also if they have no namespace.
        "metadata.namespace" => kind.namespaced || fields.is_empty(),
        _ => fields.contains(&label),
    }
}

/// Returns the error for a field that selectors of a kind may not name.
/// Source: `DefaultMetaV1FieldSelectorConversion`, and the conversions of kinds that have their own.
fn unknown_field(kind: &ServedKind, label: &str) -> String {
    if kind.names.kind == "Job" && kind.group == "batch" {
        return format!("field label {label:?} not supported for Job");
    }
    if matches!(kind.strategy, Strategy::BuiltIn(_)) && !selectable_fields(kind).is_empty() {
        return format!("field label not supported: {label}");
    }
    format!(
        "{label:?} is not a known field selector: only \"metadata.name\", \"metadata.namespace\""
    )
}

/// Returns the value of a field of a built-in kind as the text that field selectors compare.
/// Source: `ToSelectableFields`, and functions with similar names, of `pkg/registry`.
fn field_value(kind: &ServedKind, object: &Value, label: &str) -> String {
    let or = |text: String, otherwise: &str| {
        if text.is_empty() { otherwise.to_owned() } else { text }
    };
    match (kind.names.kind.as_str(), label) {
        ("Pod", "spec.hostNetwork") | ("Node", "spec.unschedulable") => {
            or(text_at(object, label), "false")
        }
        ("Pod", "spec.host") => text_at(object, "spec.nodeName"),
        ("Pod", "status.podIP") => text_at(object, "status.podIPs.0.ip"),
        // Upstream: selectors may name it, but it has no value.
        ("Pod", "status.podIPs") => String::new(),
        ("Job", "status.successful") => or(text_at(object, "status.succeeded"), "0"),
        ("Event", "source") => {
            or(text_at(object, "source.component"), &text_at(object, "reportingComponent"))
        }
        _ => text_at(object, label),
    }
}

/// Returns the text, number or boolean at a path; empty if there is none.
fn text_at(object: &Value, path: &str) -> String {
    let pointer = format!("/{}", path.replace('.', "/"));
    match object.pointer(&pointer) {
        Some(Value::String(text)) => text.clone(),
        Some(value @ (Value::Number(_) | Value::Bool(_))) => value.to_string(),
        _ => String::new(),
    }
}
