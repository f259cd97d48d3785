//! Subresources by which a client changes only some fields of an object: the ephemeral containers and the resources of a
//! pod, and the approval of a certificate signing request.
//!
//! Source: `pkg/registry/core/pod/strategy.go` and `pkg/registry/certificates/certificates/strategy.go` of
//! kubernetes/kubernetes.

use serde_json::{Map, Value};

use super::immutable::value_at;
use super::kind::ServedKind;
use super::target::Part;
use super::user::User;
use super::{fields, metadata};
use crate::field::{Path, Sink};

/// The resource under which requests to sign certificates are stored.
const SIGNING_REQUESTS: &str = "certificates.k8s.io/certificatesigningrequests";
/// The fields of their spec with the user who has created them.
const USER: [&str; 4] = ["username", "uid", "groups", "extra"];

/// Returns the stored object with the changes that a write of the part may make.
pub(super) fn updated(part: Part, object: Value, old: &Value) -> Value {
    let mut changed = object;
    let given = changed.clone();
    keep_metadata(&mut changed, old);
    let Value::Object(map) = &mut changed else { return changed };
    for key in ["spec", "status"] {
        metadata::set(map, key, old.get(key).cloned());
    }
    match part {
        Part::EphemeralContainers => {
            let containers = given.pointer("/spec/ephemeralContainers").cloned();
            if let Some(Value::Object(spec)) = map.get_mut("spec") {
                metadata::set(spec, "ephemeralContainers", containers);
            }
        }
        Part::Resize => {
            for key in ["containers", "initContainers"] {
                let new = given.get("spec").and_then(|spec| spec.get(key));
                if let (Some(Value::Object(spec)), Some(Value::Array(new))) =
                    (map.get_mut("spec"), new)
                {
                    spec.insert(key.to_owned(), resized(spec.get(key), new));
                }
            }
        }
        _ => {
            let conditions = given.pointer("/status/conditions").cloned();
            let status = map.entry("status").or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(status) = status {
                metadata::set(status, "conditions", conditions);
            }
        }
    }
    changed
}

/// Writes the user who asks for a certificate into the new request to sign it.
pub(super) fn set_requestor(kind: &ServedKind, object: &mut Value, user: &User) {
    if &*kind.storage != SIGNING_REQUESTS {
        return;
    }
    if let Some(Value::Object(spec)) = object.get_mut("spec") {
        for key in USER {
            spec.remove(key);
        }
        if let Value::Object(user) = user.to_value() {
            spec.extend(user);
        }
    }
}

/// Restores the metadata that only a write of the object itself changes. Source: `ResetObjectMetaForStatus`.
fn keep_metadata(object: &mut Value, old: &Value) {
    for key in [
        "annotations",
        "deletionTimestamp",
        "finalizers",
        "generation",
        "labels",
        "ownerReferences",
    ] {
        let value = metadata::of(old).and_then(|metadata| metadata.get(key)).cloned();
        metadata::set(metadata::of_mut(object), key, value);
    }
}

/// Returns the old containers with the resources of the new ones. New containers that are not the old ones are kept, so
/// that their validation fails.
fn resized(old: Option<&Value>, new: &[Value]) -> Value {
    let old = old.and_then(Value::as_array).cloned().unwrap_or_default();
    let name = |container: &Value| fields::text(container, "name").to_owned();
    let are_same = old.len() == new.len() && old.iter().zip(new).all(|(a, b)| name(a) == name(b));
    if !are_same {
        return new.to_vec().into();
    }
    let merged = old.into_iter().zip(new).map(|(mut old, new)| {
        if let Value::Object(old) = &mut old {
            for key in ["resources", "resizePolicy"] {
                metadata::set(old, key, new.get(key).cloned());
            }
        }
        old
    });
    merged.collect()
}

/// Validates a write of the part. Upstream adds a comparison of the values to the messages.
pub(super) fn validate(part: Part, object: &Value, old: &Value, errors: &mut Sink) {
    let (new, old_spec) = (value_at(object, "spec"), value_at(old, "spec"));
    match part {
        Part::EphemeralContainers => {
            let path = Path::new("spec.ephemeralContainers");
            for old in fields::list(old_spec, "ephemeralContainers") {
                let name = fields::text(old, "name");
                let mut all = fields::list(new, "ephemeralContainers");
                let what = match all.find(|new| fields::text(new, "name") == name) {
                    None => "removed",
                    Some(new) if new != old => "changed",
                    Some(_) => continue,
                };
                let why = format!("existing ephemeral containers {name:?} may not be {what}\n");
                errors.forbidden(&path, why);
            }
        }
        Part::Resize => {
            let names = |spec: &Value, key: &str| -> Vec<String> {
                fields::list(spec, key).map(|it| fields::text(it, "name").to_owned()).collect()
            };
            let differ = |key: &&str| names(new, key) != names(old_spec, key);
            if ["containers", "initContainers"].iter().any(differ) {
                let why = "only cpu and memory resources are mutable";
                errors.forbidden(&Path::new("spec"), why);
            }
        }
        Part::Approval => validate_approval(object, old, errors),
        _ => {}
    }
}

/// Source: `validateCertificateSigningRequestUpdate` and `validateConditions` of `pkg/apis/certificates/validation`.
fn validate_approval(object: &Value, old: &Value, errors: &mut Sink) {
    let count = |object: &Value, type_: &str| {
        let status = object.get("status").into_iter();
        let conditions = status.flat_map(|status| fields::list(status, "conditions"));
        conditions.filter(|condition| condition["type"] == type_).count()
    };
    let path = Path::new("status.conditions");
    for type_ in ["Approved", "Denied", "Failed"] {
        if count(object, type_) < count(old, type_) {
            errors
                .forbidden(&path, format!("updates may not remove a condition of type {type_:?}"));
        }
    }
    let has_both = |object: &Value| count(object, "Approved") > 0 && count(object, "Denied") > 0;
    if has_both(object) && !has_both(old) {
        let conditions = fields::list(&object["status"], "conditions").enumerate();
        let types = conditions.map(|(index, condition)| (index, fields::text(condition, "type")));
        if let Some((index, type_)) =
            types.filter(|(_, type_)| matches!(*type_, "Approved" | "Denied")).nth(1)
        {
            let why = "Approved and Denied conditions are mutually exclusive";
            errors.invalid(&path.index(index).field("type"), type_, why);
        }
    }
}

/// Sets the times of the conditions of a certificate signing request. Source: `populateConditionTimestamps`.
pub(super) fn set_times(object: &mut Value, old: &Value, now: &str) {
    let known: Vec<Value> = old
        .get("status")
        .map(|status| fields::list(status, "conditions").cloned().collect())
        .unwrap_or_default();
    let conditions = object.get_mut("status").and_then(|status| status.get_mut("conditions"));
    for condition in conditions.and_then(Value::as_array_mut).into_iter().flatten() {
        let same = known.iter().find(|known| {
            known["type"] == condition["type"] && known["status"] == condition["status"]
        });
        let since = same.and_then(|same| same["lastTransitionTime"].as_str()).unwrap_or(now);
        let since = since.to_owned();
        let Value::Object(condition) = condition else { continue };
        for (key, value) in [("lastUpdateTime", now), ("lastTransitionTime", since.as_str())] {
            if metadata::is_unset(condition.get(key)) {
                condition.insert(key.to_owned(), value.into());
            }
        }
    }
}
