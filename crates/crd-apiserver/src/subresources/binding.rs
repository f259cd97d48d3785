//! `pods/binding`, by which a scheduler assigns a pod to a node.
//!
//! Source: `BindingREST` of `pkg/registry/core/pod/storage/storage.go` of kubernetes/kubernetes.

use serde_json::{Map, Value, json};

use super::super::admission::{self, AdmissionOperation};
use super::super::call::Call;
use super::super::core::{Core, commit};
use super::super::failure::{Answer, Failure, GroupResource};
use super::super::kind::storage_key;
use super::super::reply::Reply;
use super::super::update::failed_precondition;
use super::super::{fields, metadata};
use super::{posted, stored_object};
use crate::differences::Difference;
use crate::field::{Path, Sink};
use crate::names;
use crd_cel::kubernetes::KubernetesVersion;

/// Assigns a pod to the node that the request names.
///
/// # Errors
/// Status 404 if there is no such pod, and 409 if it is assigned, is being deleted or is gated.
pub(super) fn bind(core: &mut Core, call: &mut Call<'_>) -> Answer<Reply> {
    let (binding, accepted) = posted(core, call)?;
    let kind = call.kind.clone();
    let name = call.path.name.clone();
    if metadata::text(&binding, "name") != name {
        let why = "name in URL does not match name in Binding object";
        return Err(Failure::bad_request(why));
    }
    check_binding(core.catalog.kubernetes, &binding)?;
    admission::validate(core, call, AdmissionOperation::Create, &binding, None)?;
    let mut pod = stored_object(&core.store, &kind, call.namespace(), &name)?;
    let key = kind.key(call.namespace(), &name);
    for (field, what) in [("uid", "UID"), ("resourceVersion", "ResourceVersion")] {
        let (wanted, found) = (metadata::text(&binding, field), metadata::text(&pod, field));
        if !wanted.is_empty() && wanted != found {
            let key = storage_key(&kind, &key, call.dry_run);
            return Err(failed_precondition(&kind, &key, &name, what, wanted, found));
        }
    }
    if let Some(why) = problem(&pod, &name) {
        let of = GroupResource { group: "", kind: "pods/binding" };
        return Err(Failure::conflict(of, &name, &why));
    }
    let empty = Map::new();
    let given = |key: &str| {
        let metadata = metadata::of(&binding).unwrap_or(&empty);
        metadata.get(key).and_then(Value::as_object).cloned().unwrap_or_default()
    };
    let has_labels = Difference::LabelsOfBindings.is_in(core.catalog.kubernetes);
    let labels = if has_labels { given("labels") } else { Map::new() };
    for (key, entries) in [("annotations", given("annotations")), ("labels", labels)] {
        if entries.is_empty() {
            continue;
        }
        let own = metadata::of_mut(&mut pod).entry(key).or_insert_with(|| json!({}));
        if let Value::Object(own) = own {
            own.extend(entries);
        }
    }
    if let Some(Value::Object(spec)) = pod.get_mut("spec") {
        let target = binding.pointer("/target/name").cloned().unwrap_or_default();
        spec.insert("nodeName".to_owned(), target);
    }
    let scheduled = json!({"type": "PodScheduled", "status": "True", "lastProbeTime": null});
    super::set_condition(&mut pod, scheduled, &core.clock.text());
    if !call.dry_run {
        let stored = kind.to_stored(pod)?;
        commit(core, &kind, &key, stored)?;
    }
    Ok(super::success(&accepted))
}

/// Source: `ValidatePodBinding`.
fn check_binding(kubernetes: KubernetesVersion, binding: &Value) -> Answer<()> {
    let empty = Value::Null;
    let target = binding.get("target").unwrap_or(&empty);
    let (kind, name) = (fields::text(target, "kind"), fields::text(target, "name"));
    let (mut errors, path) = (Sink::of(kubernetes), Path::new("target"));
    let is_node = matches!(kind, "" | "Node");
    if !is_node {
        errors.not_supported(&path.field("kind"), kind, ["Node", "<empty>"]);
    }
    if name.is_empty() {
        errors.required(&path.field("name"), "");
    } else if is_node {
        for why in names::subdomain_name(name, false) {
            errors.invalid(&path.field("name"), name, why);
        }
    }
    let errors = errors.into_errors();
    if errors.is_empty() { Ok(()) } else { Err(Failure::bare(errors.to_string())) }
}

/// Returns why a pod cannot be assigned. Source: `setPodNodeAndMetadata`.
fn problem(pod: &Value, name: &str) -> Option<String> {
    let node = pod.pointer("/spec/nodeName").and_then(Value::as_str).unwrap_or_default();
    let gates = pod.pointer("/spec/schedulingGates").and_then(Value::as_array);
    if metadata::is_deleting(pod) {
        Some(format!("pod {name} is being deleted, cannot be assigned to a host"))
    } else if !node.is_empty() {
        Some(format!("pod {name} is already assigned to node {node:?}"))
    } else if gates.is_some_and(|gates| !gates.is_empty()) {
        Some(format!("pod {name} has non-empty .spec.schedulingGates"))
    } else {
        None
    }
}
