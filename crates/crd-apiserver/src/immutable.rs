//! The fields of built-in kinds that an update cannot change, and the selectors that have to match the labels of their
//! template, as tables.
//!
//! Upstream adds a comparison of the specs to the messages about pods and claims.
//!
//! Source: `Validate*Update` of `pkg/apis/*/validation` of kubernetes/kubernetes.

use serde_json::{Map, Value};

use super::fields;
use super::labels::LabelSelector;
use super::metadata;
use crate::field::{Path, Sink};
use crate::json;

/// The fields that are immutable: group, kind and path of each.
const IMMUTABLE: [(&str, &str, &str); 26] = [
    ("", "Secret", "type"),
    ("apps", "ControllerRevision", "data"),
    ("apps", "DaemonSet", "spec.selector"),
    ("apps", "Deployment", "spec.selector"),
    ("apps", "ReplicaSet", "spec.selector"),
    ("apps", "StatefulSet", "spec.selector"),
    ("apps", "StatefulSet", "spec.volumeClaimTemplates"),
    ("apps", "StatefulSet", "spec.serviceName"),
    ("apps", "StatefulSet", "spec.podManagementPolicy"),
    ("batch", "Job", "spec.selector"),
    ("batch", "Job", "spec.completionMode"),
    ("batch", "Job", "spec.podFailurePolicy"),
    ("batch", "Job", "spec.backoffLimitPerIndex"),
    ("batch", "Job", "spec.managedBy"),
    ("batch", "Job", "spec.successPolicy"),
    ("discovery.k8s.io", "EndpointSlice", "addressType"),
    ("networking.k8s.io", "IngressClass", "spec.controller"),
    ("node.k8s.io", "RuntimeClass", "handler"),
    ("rbac.authorization.k8s.io", "ClusterRoleBinding", "roleRef"),
    ("rbac.authorization.k8s.io", "RoleBinding", "roleRef"),
    ("scheduling.k8s.io", "PriorityClass", "preemptionPolicy"),
    ("storage.k8s.io", "CSIDriver", "spec.volumeLifecycleModes"),
    ("storage.k8s.io", "StorageClass", "parameters"),
    ("storage.k8s.io", "StorageClass", "provisioner"),
    ("storage.k8s.io", "StorageClass", "reclaimPolicy"),
    ("storage.k8s.io", "StorageClass", "volumeBindingMode"),
];

/// The kinds whose selector has to match the labels of their template.
const SELECTING: [(&str, &str); 4] = [
    ("apps", "DaemonSet"),
    ("apps", "Deployment"),
    ("apps", "ReplicaSet"),
    ("apps", "StatefulSet"),
];

/// The fields of a container that an update of its pod can change.
const OF_CONTAINERS: [&str; 1] = ["image"];
/// The fields of the spec of a pod that an update can change.
const OF_PODS: [&str; 3] = ["activeDeadlineSeconds", "schedulingGates", "tolerations"];

/// Checks that an update changes no immutable field.
pub(super) fn validate(kind: (&str, &str), object: &Value, old: &Value, errors: &mut Sink) {
    if kind == ("batch", "Job") {
        check_completions(object, old, errors);
    }
    for (_, _, at) in IMMUTABLE.iter().filter(|(group, name, _)| (*group, *name) == kind) {
        let (new, old) = (value_at(object, at), value_at(old, at));
        if !json::equal(new, old) {
            errors.invalid(&Path::new(at), new, "field is immutable");
        }
    }
    match kind {
        ("", "PersistentVolumeClaim") => check_claim(object, old, errors),
        ("", "Pod") => check_pod(object, old, errors),
        ("", "Secret") => check_data(object, old, errors),
        ("", "Service") => check_service(object, old, errors),
        ("scheduling.k8s.io", "PriorityClass") if object.get("value") != old.get("value") => {
            errors.forbidden(&Path::new("value"), "may not be changed in an update.");
        }
        _ => {}
    }
}

/// Checks that the selector of a workload matches the labels of its template.
pub(super) fn validate_selector(kind: (&str, &str), object: &Value, errors: &mut Sink) {
    if !SELECTING.contains(&kind) {
        return;
    }
    let selector = value_at(object, "spec.selector");
    let template = value_at(object, "spec.template");
    // Upstream: a missing selector matches nothing.
    let matches = selector.is_object()
        && LabelSelector::of_value(selector, errors.kubernetes())
            .is_ok_and(|selector| selector.matches(template));
    if !matches {
        let labels = value_at(template, "metadata.labels");
        let why = "`selector` does not match template `labels`";
        errors.invalid(&Path::new("spec.template.metadata.labels"), labels, why);
    }
}

/// Returns the value at a path; null if there is none.
pub(super) fn value_at<'v>(object: &'v Value, path: &str) -> &'v Value {
    static NULL: Value = Value::Null;
    path.split('.').try_fold(object, |value, key| value.get(key)).unwrap_or(&NULL)
}

/// Checks that an update changes the completions of a job only if it is indexed, and then with its parallelism.
///
/// Source: `validateCompletions` of `pkg/apis/batch/validation`.
fn check_completions(job: &Value, old: &Value, errors: &mut Sink) {
    let path = Path::new("spec.completions");
    let new = value_at(job, "spec.completions");
    if json::equal(new, value_at(old, "spec.completions")) {
        return;
    }
    if value_at(job, "spec.completionMode") != "Indexed" {
        errors.invalid(&path, new, "field is immutable");
    } else if !new.is_null() && !json::equal(new, value_at(job, "spec.parallelism")) {
        errors.invalid(&path, new, "can only be modified in tandem with spec.parallelism");
    }
}

/// Checks an update of a config map or secret with the field `immutable`.
///
/// Source: `ValidateConfigMapUpdate` and `ValidateSecretUpdate`.
pub(super) fn check_data(object: &Value, old: &Value, errors: &mut Sink) {
    let is_immutable = |object: &Value| object.get("immutable") == Some(&Value::Bool(true));
    if !is_immutable(old) {
        return;
    }
    let why = "field is immutable when `immutable` is set";
    if !is_immutable(object) {
        errors.forbidden(&Path::new("immutable"), why);
    }
    for key in ["data", "binaryData"] {
        if object.get(key) != old.get(key) {
            errors.forbidden(&Path::new(key), why);
        }
    }
}

/// Source: `ValidatePodUpdate`.
fn check_pod(object: &Value, old: &Value, errors: &mut Sink) {
    let (spec, old) = (value_at(object, "spec"), value_at(old, "spec"));
    let path = Path::new("spec");
    for key in ["containers", "initContainers"] {
        if fields::list(spec, key).count() != fields::list(old, key).count() {
            let why = "pod updates may not add or remove containers";
            return errors.forbidden(&path.field(key), why);
        }
    }
    let mut munged = spec.clone();
    let Value::Object(map) = &mut munged else { return };
    for key in ["containers", "initContainers"] {
        let new = map.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten();
        for (new, old) in new.zip(fields::list(old, key)) {
            if let Value::Object(new) = new {
                for field in OF_CONTAINERS {
                    keep(new, old, field);
                }
            }
        }
    }
    for field in OF_PODS {
        keep(map, old, field);
    }
    let seconds = |spec: &Value| spec.get("terminationGracePeriodSeconds").and_then(Value::as_i64);
    if seconds(old).is_some_and(|seconds| seconds < 0) && seconds(spec) == Some(1) {
        keep(map, old, "terminationGracePeriodSeconds");
    }
    if fields::list(old, "schedulingGates").next().is_some() {
        // Of a gated pod, what restricts its nodes may still change.
        for field in ["nodeSelector", "affinity"] {
            keep(map, old, field);
        }
    }
    if !json::equal(&munged, old) {
        let why = "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,\
                   `spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),\
                   `spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n";
        errors.forbidden(&path, why);
    }
}

/// Source: `ValidatePersistentVolumeClaimUpdate`.
fn check_claim(object: &Value, old: &Value, errors: &mut Sink) {
    let mut munged = value_at(object, "spec").clone();
    let old_spec = value_at(old, "spec");
    let is_bound = value_at(object, "status.phase") == "Bound";
    if let Value::Object(map) = &mut munged {
        if old_spec.get("volumeName").is_none_or(|name| name == "") {
            keep(map, old_spec, "volumeName");
        }
        if old_spec.get("storageClassName").is_none_or(Value::is_null) {
            keep(map, old_spec, "storageClassName");
        }
        if is_bound {
            keep(map, old_spec, "volumeAttributesClassName");
            let old = value_at(old_spec, "resources.requests");
            let requests = map.get_mut("resources").and_then(|it| it.get_mut("requests"));
            if let Some(Value::Object(requests)) = requests {
                keep(requests, old, "storage");
            }
        }
    }
    if !json::equal(&munged, old_spec) {
        let why = "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound \
                   claims\n";
        errors.forbidden(&Path::new("spec"), why);
    }
}

/// Source: `validateUpgradeDowngradeClusterIPs` and `validateUpgradeDowngradeIPFamilies`.
fn check_service(object: &Value, old: &Value, errors: &mut Sink) {
    let (spec, old) = (value_at(object, "spec"), value_at(old, "spec"));
    let is_external = |spec| value_at(spec, "type") == "ExternalName";
    let is_headless = |spec| fields::list(spec, "clusterIPs").eq(["None"]);
    if is_external(spec) || is_external(old) || is_headless(spec) && is_headless(old) {
        return;
    }
    check_assigned(spec, old, "clusterIPs", "clusterIP", errors);
    if is_headless(spec) == is_headless(old) {
        check_assigned(spec, old, "ipFamilies", "ipFamily", errors);
    }
}

/// Checks that the entries of a list keep their values. The second one can be added and removed.
fn check_assigned(spec: &Value, old: &Value, key: &str, noun: &str, errors: &mut Sink) {
    let (path, shown, addresses) =
        (Path::new("spec"), value_at(spec, key), value_at(spec, "clusterIPs"));
    let (new, old): (Vec<_>, Vec<_>) =
        (fields::list(spec, key).collect(), fields::list(old, key).collect());
    let why = "may not change once set";
    if new.len() == old.len() {
        let pairs = new.iter().zip(&old).enumerate();
        for (index, _) in pairs.filter(|(_, (new, old))| new != old) {
            // Upstream: the error about a family is always at the first.
            let index = if key == "clusterIPs" { index } else { 0 };
            errors.invalid(&path.field(key).index(index), shown, why);
        }
        return;
    }
    let is_shorter = new.len() < old.len();
    if is_shorter && fields::list(spec, "clusterIPs").next().is_none() {
        let why = format!("primary {noun} can not be unset");
        errors.invalid(&path.field(key).index(0), shown, &why);
    }
    if new.first().zip(old.first()).is_some_and(|(new, old)| new != old) {
        errors.invalid(&path.field(key).index(0), addresses, why);
    }
    let policy = value_at(spec, "ipFamilyPolicy");
    if is_shorter && new.len() == 1 && policy != "SingleStack" {
        let why = format!("must be set to 'SingleStack' when releasing the secondary {noun}");
        errors.invalid(&path.field("ipFamilyPolicy"), policy, &why);
    }
}

/// Sets a field to the value that it has in the old object.
fn keep(map: &mut Map<String, Value>, old: &Value, key: &str) {
    metadata::set(map, key, old.get(key).cloned());
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(kind: (&str, &str), new: &Value, old: &Value, want: &[&str]) {
        let mut errors = Sink::new();
        validate(kind, new, old, &mut errors);
        let errors: Vec<String> =
            errors.into_errors().iter().map(|error| error.to_string().trim().to_owned()).collect();
        assert_eq!(errors, want);
    }

    #[test]
    fn immutable_fields_do_not_change() {
        let of = |type_: &str| json!({"type": type_, "data": {"a": "YQ=="}});
        check(("", "Secret"), &of("a"), &of("a"), &[]);
        let text = "type: Invalid value: \"b\": field is immutable";
        check(("", "Secret"), &of("b"), &of("a"), &[text]);
        let set = |selector: Value| json!({"spec": {"selector": selector}});
        check(
            ("apps", "Deployment"),
            &set(json!({"matchLabels": {"a": "c"}})),
            &set(json!({"matchLabels": {"a": "b"}})),
            &["spec.selector: Invalid value: {\"matchLabels\":{\"a\":\"c\"}}: field is immutable"],
        );
        check(
            ("scheduling.k8s.io", "PriorityClass"),
            &json!({"value": 2}),
            &json!({"value": 1}),
            &["value: Forbidden: may not be changed in an update."],
        );
        let sealed = |text: &str| json!({"immutable": true, "data": {"a": text}});
        let text = "data: Forbidden: field is immutable when `immutable` is set";
        check(("", "Secret"), &sealed("Yg=="), &sealed("YQ=="), &[text]);
    }

    #[test]
    fn pods_change_their_images_only() {
        let pod = |name: &str, image: &str, policy: &str| json!({"spec": {"restartPolicy": policy, "containers": [{"name": name, "image": image}]}});
        let old = pod("a", "i", "Always");
        check(("", "Pod"), &pod("a", "j", "Always"), &old, &[]);
        for other in [pod("b", "i", "Always"), pod("a", "i", "Never")] {
            let mut errors = Sink::new();
            validate(("", "Pod"), &other, &old, &mut errors);
            let text = errors.into_errors().to_string();
            assert!(text.starts_with("spec: Forbidden: pod updates may not change"), "{text}");
        }
        let none = json!({"spec": {"restartPolicy": "Always", "containers": []}});
        let text = "spec.containers: Forbidden: pod updates may not add or remove containers";
        check(("", "Pod"), &none, &old, &[text]);
    }

    #[test]
    fn claims_are_bound_once_and_grow() {
        let claim = |volume: &str, storage: &str, phase: &str| {
            let mut spec = json!({"resources": {"requests": {"storage": storage}}});
            if !volume.is_empty() {
                spec["volumeName"] = volume.into();
            }
            json!({"spec": spec, "status": {"phase": phase}})
        };
        let kind = ("", "PersistentVolumeClaim");
        check(kind, &claim("a", "1Gi", "Pending"), &claim("", "1Gi", "Pending"), &[]);
        check(kind, &claim("a", "2Gi", "Bound"), &claim("a", "1Gi", "Bound"), &[]);
        let text = "spec: Forbidden: spec is immutable after creation except resources.requests and \
                    volumeAttributesClassName for bound claims";
        check(kind, &claim("b", "1Gi", "Bound"), &claim("a", "1Gi", "Bound"), &[text]);
        check(kind, &claim("", "2Gi", "Pending"), &claim("", "1Gi", "Pending"), &[text]);
    }

    #[test]
    fn services_keep_their_addresses() {
        let service = |addresses: &[&str], families: &[&str], policy: &str| json!({"spec": {"type": "ClusterIP", "clusterIPs": addresses, "ipFamilies": families, "ipFamilyPolicy": policy}});
        let kind = ("", "Service");
        let one = service(&["10.0.0.1"], &["IPv4"], "SingleStack");
        let two = service(&["10.0.0.1", "fd00::1"], &["IPv4", "IPv6"], "PreferDualStack");
        check(kind, &two, &one, &[]);
        check(kind, &one, &two, &[]);
        let other = service(&["10.0.0.2"], &["IPv4"], "SingleStack");
        let text = "spec.clusterIPs[0]: Invalid value: [\"10.0.0.2\"]: may not change once set";
        check(kind, &other, &one, &[text]);
        let headless = service(&["None"], &["IPv4"], "SingleStack");
        let text = "spec.clusterIPs[0]: Invalid value: [\"None\"]: may not change once set";
        check(kind, &headless, &one, &[text]);
        check(kind, &service(&["None"], &["IPv6"], "SingleStack"), &headless, &[]);
        let external = json!({"spec": {"type": "ExternalName"}});
        check(kind, &external, &one, &[]);
        let half = service(&["fd00::1"], &["IPv6"], "PreferDualStack");
        let why = "Invalid value: [\"fd00::1\"]: may not change once set";
        let policy = "spec.ipFamilyPolicy: Invalid value: \"PreferDualStack\": must be set to 'SingleStack' when \
                      releasing the secondary";
        check(
            kind,
            &half,
            &two,
            &[
                &format!("spec.clusterIPs[0]: {why}"),
                &format!("{policy} clusterIP"),
                &format!("spec.ipFamilies[0]: {why}"),
                &format!("{policy} ipFamily"),
            ],
        );
    }

    #[test]
    fn selectors_match_the_labels_of_templates() {
        let check = |selector: Value, want: &str| {
            let labels = json!({"metadata": {"labels": {"a": "b"}}});
            let object = json!({"spec": {"selector": selector, "template": labels}});
            let mut errors = Sink::new();
            validate_selector(("apps", "Deployment"), &object, &mut errors);
            assert_eq!(errors.into_errors().to_string(), want);
        };
        check(json!({"matchLabels": {"a": "b"}}), "[]");
        check(
            json!({"matchLabels": {"a": "c"}}),
            "spec.template.metadata.labels: Invalid value: {\"a\":\"b\"}: `selector` does not match template `labels`",
        );
    }
}
