//! The fields that strategies and admission plugins of the server set in objects of built-in kinds before they are
//! stored. No field manager owns these fields.
//!
//! Source: `PrepareForCreate` and `PrepareForUpdate` in `pkg/registry` of kubernetes/kubernetes, and
//! `plugin/pkg/admission`.

mod pods;
mod services;
#[cfg(test)]
mod tests;

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Map, Value, json};

use super::target::Part;
use super::{api_services, metadata};

pub(super) use pods::qos_class;

/// The finalizer that protects a volume while it is bound.
pub(super) const VOLUME_FINALIZER: &str = "kubernetes.io/pv-protection";
/// The finalizer that protects a claim while a pod uses it.
pub(super) const CLAIM_FINALIZER: &str = "kubernetes.io/pvc-protection";
/// The finalizer that protects a class of attributes while a claim or a volume refers to it.
pub(super) const CLASS_FINALIZER: &str = "kubernetes.io/vac-protection";
/// The annotation that counts the changes of a daemon set's template. Source: `DeprecatedTemplateGeneration`.
pub(super) const TEMPLATE_GENERATION: &str = "deprecated.daemonset.template.generation";
/// The label of a job's pods with the uid of the job.
const CONTROLLER_UID: &str = "batch.kubernetes.io/controller-uid";

/// Completes a new object, as a server does. `kind` is the group and the kind.
pub(super) fn create(kind: (&str, &str), object: &mut Value, kubernetes: KubernetesVersion) {
    for spec in ["/spec", "/spec/template/spec", "/spec/jobTemplate/spec/template/spec"] {
        if let Some(spec) = object.pointer_mut(spec).filter(|spec| spec.get("containers").is_some())
        {
            pods::drop_image_volumes(spec, kubernetes);
        }
    }
    match kind {
        ("", "PersistentVolume") => {
            let now = metadata::text(object, "creationTimestamp").to_owned();
            put(object, "status", json!({"phase": "Pending", "lastPhaseTransitionTime": now}));
            add_finalizer(object, VOLUME_FINALIZER);
        }
        ("", "PersistentVolumeClaim") => {
            put(object, "status", json!({"phase": "Pending"}));
            add_finalizer(object, CLAIM_FINALIZER);
        }
        ("storage.k8s.io", "VolumeAttributesClass") => add_finalizer(object, CLASS_FINALIZER),
        ("", "Pod") => pods::create(object, kubernetes),
        ("", "Service") => services::create(object),
        (api_services::GROUP, "APIService") => {
            let now = metadata::text(object, "creationTimestamp").to_owned();
            api_services::prepare(object, &now);
        }
        ("apps", "DaemonSet") => set_template_generation(object, 1),
        ("batch", "Job") => select_own_pods(object),
        _ => {}
    }
    complete_always(kind, object);
}

/// Completes an object that replaces another.
pub(super) fn update(kind: (&str, &str), object: &mut Value, old: &Value, part: Part) {
    match kind {
        // Source: `PrepareForUpdate` of `namespaceStrategy`, which `namespaceFinalizeStrategy` overrides.
        ("", "Namespace") if part != Part::Finalize => {
            let finalizers = old.pointer("/spec/finalizers").cloned();
            if let Value::Object(spec) = part_mut(object, "spec") {
                metadata::set(spec, "finalizers", finalizers);
            }
        }
        ("", "Pod") => pods::update(object, old),
        ("", "Service") => services::update(object, old),
        ("apps", "DaemonSet") => {
            let count = metadata::of(old)
                .and_then(|metadata| {
                    metadata.get("annotations")?.get(TEMPLATE_GENERATION)?.as_str()
                })
                .and_then(|text| text.parse::<i64>().ok())
                .unwrap_or_default();
            let template = |object: &Value| object.pointer("/spec/template").cloned();
            let is_changed = template(object) != template(old);
            set_template_generation(object, count.saturating_add(is_changed.into()));
        }
        _ => {}
    }
    complete_always(kind, object);
}

/// Completes an object, whether it is new or replaces another.
fn complete_always(kind: (&str, &str), object: &mut Value) {
    match kind {
        ("", "PersistentVolumeClaim") => copy_data_source(object),
        // Source: `cleanSecretReferences`.
        ("", "ServiceAccount") => {
            let secrets = object.get_mut("secrets").and_then(Value::as_array_mut);
            for secret in secrets.into_iter().flatten().filter_map(Value::as_object_mut) {
                secret.retain(|key, _| key == "name");
            }
        }
        _ => {}
    }
}

/// Returns whether an update increases the generation although it does not change the spec: new annotations of a Deployment
/// do, and new labels of an `EndpointSlice`.
pub(super) fn increases_generation(kind: (&str, &str), object: &Value, old: &Value) -> bool {
    let key = match kind {
        ("apps", "Deployment") => "annotations",
        ("discovery.k8s.io", "EndpointSlice") => "labels",
        _ => return false,
    };
    let of = |object| metadata::of(object).and_then(|metadata| metadata.get(key));
    of(object) != of(old)
}

/// Adds a finalizer. Source: the admission plugin `StorageObjectInUseProtection`.
fn add_finalizer(object: &mut Value, finalizer: &str) {
    let mut finalizers = metadata::finalizers(object);
    if !finalizers.iter().any(|known| known == finalizer) {
        finalizers.push(finalizer.to_owned());
        metadata::set_finalizers(object, finalizers);
    }
}

/// Copies `dataSource` of a claim to `dataSourceRef` or the reverse, if one of them is missing. A `dataSourceRef` with
/// a namespace is not copied.
/// Source: `NormalizeDataSources` of `pkg/api/persistentvolumeclaim/util.go`.
fn copy_data_source(claim: &mut Value) {
    let Value::Object(spec) = part_mut(claim, "spec") else { return };
    match (spec.get("dataSource").cloned(), spec.get("dataSourceRef").cloned()) {
        (Some(source), None) => {
            spec.insert("dataSourceRef".to_owned(), source);
        }
        (None, Some(source)) if source.get("namespace").is_none() => {
            spec.insert("dataSource".to_owned(), source);
        }
        _ => {}
    }
}

/// Adds the template generation `0` to a daemon set that has none. Source: `Convert_apps_DaemonSet_To_v1_DaemonSet`.
pub(super) fn add_template_generation(set: &mut Map<String, Value>) {
    let annotations = child(set, "metadata").and_then(|metadata| child(metadata, "annotations"));
    if let Some(annotations) = annotations {
        annotations.entry(TEMPLATE_GENERATION).or_insert_with(|| "0".into());
    }
}

fn set_template_generation(object: &mut Value, count: i64) {
    let annotations = metadata::of_mut(object).entry("annotations").or_insert_with(|| json!({}));
    if let Value::Object(annotations) = annotations {
        annotations.insert(TEMPLATE_GENERATION.to_owned(), count.to_string().into());
    }
}

/// Adds labels with the name and the uid of a job to its pods, and selects them by the uid, unless the job has
/// `manualSelector`. Source: `generateSelector` of `pkg/registry/batch/job/strategy.go`.
fn select_own_pods(job: &mut Value) {
    let (name, uid) =
        (metadata::text(job, "name").to_owned(), metadata::text(job, "uid").to_owned());
    let Value::Object(spec) = part_mut(job, "spec") else { return };
    if spec.get("manualSelector") == Some(&Value::Bool(true)) {
        return;
    }
    let labels = ["template", "metadata", "labels"];
    let labels = labels.into_iter().try_fold(&mut *spec, child);
    if let Some(labels) = labels {
        for (key, value) in [
            ("job-name", &name),
            ("batch.kubernetes.io/job-name", &name),
            ("controller-uid", &uid),
            (CONTROLLER_UID, &uid),
        ] {
            labels.entry(key).or_insert_with(|| value.clone().into());
        }
    }
    let selector = ["selector", "matchLabels"];
    if let Some(labels) = selector.into_iter().try_fold(spec, child) {
        labels.entry(CONTROLLER_UID).or_insert_with(|| uid.into());
    }
}

/// Returns the object in a field, and inserts an empty one if there is none.
fn child<'a>(map: &'a mut Map<String, Value>, key: &str) -> Option<&'a mut Map<String, Value>> {
    let value = map.entry(key).or_insert(Value::Null);
    if value.is_null() {
        *value = json!({});
    }
    value.as_object_mut()
}

/// Returns a field of an object, and inserts an empty object if there is none.
fn part_mut<'a>(object: &'a mut Value, key: &str) -> &'a mut Value {
    if !object.is_object() {
        *object = json!({});
    }
    let part = &mut object[key];
    if part.is_null() {
        *part = json!({});
    }
    part
}

fn put(object: &mut Value, key: &str, value: Value) {
    *part_mut(object, key) = value;
}
