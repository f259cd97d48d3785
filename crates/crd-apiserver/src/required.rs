//! The fields that objects of built-in kinds must have, as tables, and the containers of pods.
//!
//! Source: the validation of each group, such as `pkg/apis/apps/validation` of kubernetes/kubernetes.

use std::collections::BTreeSet;

use serde_json::Value;

use super::fields::{is_zero, list, text};
use super::immutable::value_at;
use super::metadata;
use crate::field::{Error, Path, Shown, Sink};
use crate::names;

/// The fields that must be set: group, kind, path and the end of the message.
const REQUIRED: [(&str, &str, &str, &str); 9] = [
    ("", "ReplicationController", "spec.selector", ""),
    ("apps", "Deployment", "spec.selector", ""),
    ("apps", "ReplicaSet", "spec.selector", ""),
    ("apps", "StatefulSet", "spec.selector", ""),
    ("autoscaling", HPA, "spec.scaleTargetRef.kind", ""),
    ("autoscaling", HPA, "spec.scaleTargetRef.name", ""),
    ("discovery.k8s.io", "EndpointSlice", "addressType", ""),
    ("node.k8s.io", "RuntimeClass", "handler", ""),
    ("", CLAIM, "spec.accessModes", "at least 1 access mode is required"),
];

/// The fields whose absence the server finds by tags of the Go types, after all other errors: group, kind and path.
const DECLARED: [(&str, &str, &str); 5] = [
    ("autoscaling", HPA, "spec.maxReplicas"),
    ("batch", "CronJob", "spec.schedule"),
    (RBAC, "ClusterRoleBinding", "roleRef.name"),
    (RBAC, "RoleBinding", "roleRef.name"),
    ("storage.k8s.io", "StorageClass", "provisioner"),
];

const HPA: &str = "HorizontalPodAutoscaler";
const CLAIM: &str = "PersistentVolumeClaim";
const RBAC: &str = "rbac.authorization.k8s.io";

/// The data that secrets of a type must have.
const OF_SECRETS: [(&str, &[&str]); 4] = [
    ("kubernetes.io/dockercfg", &[".dockercfg"]),
    ("kubernetes.io/dockerconfigjson", &[".dockerconfigjson"]),
    ("kubernetes.io/ssh-auth", &["ssh-privatekey"]),
    ("kubernetes.io/tls", &["tls.crt", "tls.key"]),
];
/// The annotation that secrets with the token of a service account must have.
const SERVICE_ACCOUNT: &str = "kubernetes.io/service-account.name";

/// The kinds with pods: group, kind, the path of the spec of a pod, and the restart policies that it may have.
const PODS: [(&str, &str, &str, Restarts); 9] = [
    ("", "Pod", "spec", Restarts::Any),
    ("", "PodTemplate", "template.spec", Restarts::Any),
    ("", "ReplicationController", "spec.template.spec", Restarts::Always),
    ("apps", "DaemonSet", "spec.template.spec", Restarts::Always),
    ("apps", "Deployment", "spec.template.spec", Restarts::Always),
    ("apps", "ReplicaSet", "spec.template.spec", Restarts::Always),
    ("apps", "StatefulSet", "spec.template.spec", Restarts::Always),
    ("batch", "CronJob", "spec.jobTemplate.spec.template.spec", Restarts::NotAlways),
    ("batch", "Job", "spec.template.spec", Restarts::NotAlways),
];

/// The restart policies of the pods of a kind.
#[derive(Debug, Clone, Copy)]
enum Restarts {
    Any,
    Always,
    NotAlways,
}

/// Checks the fields that an object must have, before its selector is compared with its template.
pub(super) fn validate(kind: (&str, &str), object: &Value, errors: &mut Sink) {
    if kind == ("autoscaling", HPA) {
        let number = |at: &str| value_at(object, at).as_i64().unwrap_or_default();
        let (at, most) = ("spec.maxReplicas", number("spec.maxReplicas"));
        if most < number("spec.minReplicas") {
            let why = "must be greater than or equal to `minReplicas`";
            errors.invalid(&Path::new(at), &Value::from(most), why);
        }
    }
    for (_, _, at, why) in REQUIRED.iter().filter(|(group, name, ..)| (*group, *name) == kind) {
        if is_zero(value_at(object, at)) {
            errors.required(&Path::new(at), why);
        }
    }
    match kind {
        ("", CLAIM) if is_zero(value_at(object, "spec.resources.requests.storage")) => {
            errors.required(&Path::new("spec.resources[storage]"), "");
        }
        ("", "Secret") => check_secret(object, errors),
        ("", "Service") => check_service(object, errors),
        ("coordination.k8s.io", "Lease") => {
            let at = "spec.leaseDurationSeconds";
            let seconds = value_at(object, at);
            if seconds.as_i64().is_some_and(|seconds| seconds <= 0) {
                errors.invalid(&Path::new(at), seconds, "must be greater than 0");
            }
        }
        ("networking.k8s.io", "Ingress") => {
            let is_empty = |at| is_zero(value_at(object, at));
            if is_empty("spec.rules") && is_empty("spec.defaultBackend") {
                let why = "either `defaultBackend` or `rules` must be specified";
                errors.invalid(&Path::new("spec"), &Value::Null, why);
            }
        }
        (RBAC, "RoleBinding") => check_role(object, &["Role", "ClusterRole"], errors),
        (RBAC, "ClusterRoleBinding") => check_role(object, &["ClusterRole"], errors),
        _ => {}
    }
}

/// Checks the fields that tags of the Go types require.
pub(super) fn validate_declared(kind: (&str, &str), object: &Value, errors: &mut Sink) {
    for (_, _, at) in DECLARED.iter().filter(|(group, name, _)| (*group, *name) == kind) {
        if is_zero(value_at(object, at)) {
            errors.required(&Path::new(at), "");
        }
    }
}

/// Checks the pods of an object.
pub(super) fn validate_pods(kind: (&str, &str), object: &Value, errors: &mut Sink) {
    let found = PODS.iter().find(|(group, name, ..)| (*group, *name) == kind);
    let Some((_, _, at, restarts)) = found else { return };
    let (spec, path) = (value_at(object, at), Path::new(at));
    if kind == ("", "ReplicationController") && value_at(object, "spec.template").is_null() {
        return errors.required(&Path::new("spec.template"), "");
    }
    let volumes = check_volumes(spec, &path, errors);
    let containers = path.field("containers");
    if list(spec, "containers").next().is_none() {
        errors.required(&containers, "");
    }
    let mut names = BTreeSet::new();
    for key in ["containers", "initContainers"] {
        let path = path.field(key);
        for (index, container) in list(spec, key).enumerate() {
            let path = path.index(index);
            check_container(container, &volumes, &path, errors);
            let name = text(container, "name");
            if !names.insert(name) {
                errors.duplicate(&path.field("name"), name);
            }
        }
    }
    let (policy, path) = (text(spec, "restartPolicy"), path.field("restartPolicy"));
    match restarts {
        Restarts::Always if policy != "Always" => {
            errors.not_supported(&path, Shown::TypedText(policy), ["Always"]);
        }
        Restarts::NotAlways if matches!(policy, "" | "Always") => {
            errors.required(&path, "valid values: \"OnFailure\", \"Never\"");
        }
        _ => {}
    }
}

/// Source: `ValidateSecret`.
fn check_secret(object: &Value, errors: &mut Sink) {
    let (whole, data) = (Path::new("data"), value_at(object, "data"));
    let keys = data.as_object().into_iter().flat_map(|data| data.keys());
    for key in keys {
        for why in names::config_map_key(key) {
            errors.invalid(&whole.key(key), key.as_str(), why);
        }
    }
    let has = |key: &str| data.get(key).is_some();
    let type_ = text(object, "type");
    for key in OF_SECRETS.iter().filter(|(of, _)| *of == type_).flat_map(|(_, keys)| *keys) {
        if !has(key) {
            errors.required(&whole.key(key), "");
        }
    }
    match type_ {
        "kubernetes.io/basic-auth" if !has("username") && !has("password") => {
            errors.required(&whole.key("username"), "");
            errors.required(&whole.key("password"), "");
        }
        "kubernetes.io/service-account-token" => {
            let annotations = metadata::of(object).and_then(|it| it.get("annotations"));
            if annotations.is_none_or(|it| text(it, SERVICE_ACCOUNT).is_empty()) {
                errors.required(&Path::new("metadata.annotations").key(SERVICE_ACCOUNT), "");
            }
        }
        _ => {}
    }
}

/// Source: `ValidateService` and `validateServicePort`.
fn check_service(object: &Value, errors: &mut Sink) {
    let (spec, path) = (value_at(object, "spec"), Path::new("spec"));
    let is_external = text(spec, "type") == "ExternalName";
    let is_headless = text(spec, "clusterIP") == "None";
    let (ports, count) = (path.field("ports"), list(spec, "ports").count());
    if count == 0 && !is_headless && !is_external {
        errors.required(&ports, "");
    }
    if is_external && text(spec, "externalName").is_empty() {
        errors.required(&path.field("externalName"), "");
    }
    let mut names = BTreeSet::new();
    for (index, port) in list(spec, "ports").enumerate() {
        let path = ports.index(index);
        let (name, at) = (text(port, "name"), path.field("name"));
        if name.is_empty() && count > 1 {
            errors.required(&at, "");
        } else if !name.is_empty() {
            check_label(name, &at, errors);
            if !names.insert(name) {
                errors.duplicate(&at, name);
            }
        }
        check_port(port.get("port").unwrap_or(&Value::Null), &path.field("port"), errors);
        if let Some(target) = port.get("targetPort").filter(|target| target.is_number()) {
            check_port(target, &path.field("targetPort"), errors);
        }
    }
}

/// Source: `ValidateRoleBinding`, `ValidateClusterRoleBinding` and `ValidateRoleBindingSubject`.
fn check_role(object: &Value, kinds: &[&str], errors: &mut Sink) {
    let (role, path) = (value_at(object, "roleRef"), Path::new("roleRef"));
    let (group, kind) = (text(role, "apiGroup"), text(role, "kind"));
    if group != RBAC {
        errors.not_supported(&path.field("apiGroup"), group, [RBAC]);
    }
    if !kinds.contains(&kind) {
        errors.not_supported(&path.field("kind"), kind, kinds.iter().copied());
    }
    let path = Path::new("subjects");
    for (index, subject) in list(object, "subjects").enumerate() {
        let path = path.index(index);
        if text(subject, "name").is_empty() {
            errors.required(&path.field("name"), "");
        }
        let (kind, group) = (text(subject, "kind"), text(subject, "apiGroup"));
        let is_in_all_namespaces = kinds.len() == 1;
        match kind {
            "ServiceAccount" => {
                if !group.is_empty() {
                    errors.not_supported(&path.field("apiGroup"), group, [""]);
                }
                if is_in_all_namespaces && text(subject, "namespace").is_empty() {
                    errors.required(&path.field("namespace"), "");
                }
            }
            "User" | "Group" if group != RBAC => {
                errors.not_supported(&path.field("apiGroup"), group, [RBAC]);
            }
            "User" | "Group" => {}
            _ => {
                let kinds = ["ServiceAccount", "User", "Group"];
                errors.not_supported(&path.field("kind"), kind, kinds);
            }
        }
    }
}

/// Checks the names of volumes, and returns those that containers can mount. Source: `ValidateVolumes`.
fn check_volumes<'v>(spec: &'v Value, path: &Path<'_>, errors: &mut Sink) -> BTreeSet<&'v str> {
    let mut volumes = BTreeSet::new();
    let path = path.field("volumes");
    for (index, volume) in list(spec, "volumes").enumerate() {
        let path = path.index(index);
        let (name, at) = (text(volume, "name"), path.field("name"));
        if name.is_empty() {
            errors.required(&at, "");
        } else {
            check_label(name, &at, errors);
        }
        if !volumes.insert(name) {
            errors.duplicate(&at, name);
        }
    }
    volumes
}

/// Source: `validateContainerCommon`.
fn check_container(
    container: &Value,
    volumes: &BTreeSet<&str>,
    path: &Path<'_>,
    errors: &mut Sink,
) {
    let (name, at) = (text(container, "name"), path.field("name"));
    if name.is_empty() {
        errors.required(&at, "");
    } else {
        check_label(name, &at, errors);
    }
    if text(container, "image").is_empty() {
        errors.required(&path.field("image"), "");
    }
    let ports = path.field("ports");
    for (index, port) in list(container, "ports").enumerate() {
        let path = ports.index(index);
        let (number, at) = (port.get("containerPort"), path.field("containerPort"));
        match number.filter(|number| !is_zero(number)) {
            None => errors.required(&at, ""),
            Some(number) => check_port(number, &at, errors),
        }
    }
    let variables = path.field("env");
    for (index, variable) in list(container, "env").enumerate() {
        if text(variable, "name").is_empty() {
            errors.required(&variables.index(index).field("name"), "");
        }
    }
    check_mounts(container, volumes, &path.field("volumeMounts"), errors);
}

/// Source: `ValidateVolumeMounts`.
fn check_mounts(container: &Value, volumes: &BTreeSet<&str>, path: &Path<'_>, errors: &mut Sink) {
    let mut places = BTreeSet::new();
    for (index, mount) in list(container, "volumeMounts").enumerate() {
        let path = path.index(index);
        let (name, at) = (text(mount, "name"), path.field("name"));
        if name.is_empty() {
            errors.required(&at, "");
        }
        if !volumes.contains(name) {
            errors.push(Error::not_found(&at, name));
        }
        let (place, at) = (text(mount, "mountPath"), path.field("mountPath"));
        if place.is_empty() {
            errors.required(&at, "");
        }
        if !places.insert(place) {
            errors.invalid(&at, place, "must be unique");
        }
    }
}

fn check_label(name: &str, path: &Path<'_>, errors: &mut Sink) {
    for why in names::label_name(name, false) {
        errors.invalid(path, name, why);
    }
}

/// Source: `IsValidPortNum`.
fn check_port(port: &Value, path: &Path<'_>, errors: &mut Sink) {
    if !port.as_i64().is_some_and(|port| (1..=65_535).contains(&port)) {
        let zero = Value::from(0);
        let port = if port.is_null() { &zero } else { port };
        errors.invalid(path, port, "must be between 1 and 65535, inclusive");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crd_cel::kubernetes::KubernetesVersion;
    use serde_json::json;

    #[track_caller]
    fn check(kind: (&str, &str), object: &Value, want: &[&str]) {
        let mut errors = Sink::of(KubernetesVersion::REFERENCE);
        validate(kind, object, &mut errors);
        validate_pods(kind, object, &mut errors);
        validate_declared(kind, object, &mut errors);
        let found: Vec<String> = errors.into_errors().iter().map(ToString::to_string).collect();
        assert_eq!(found, want);
    }

    #[test]
    fn pods_have_containers_with_names_and_images() {
        check(("", "Pod"), &json!({"spec": {}}), &["spec.containers: Required value"]);
        let spec = json!({
            "volumes": [{"name": "v"}],
            "containers": [
                {"name": "a", "image": "i", "volumeMounts": [{"name": "v", "mountPath": "/v"}, {"name": "w"}]},
                {"name": "a", "image": "i", "ports": [{}, {"containerPort": 70000}], "env": [{"value": "v"}]},
                {"name": "B"},
            ],
        });
        check(
            ("", "Pod"),
            &json!({"spec": spec}),
            &[
                "spec.containers[0].volumeMounts[1].name: Not found: \"w\"",
                "spec.containers[0].volumeMounts[1].mountPath: Required value",
                "spec.containers[1].ports[0].containerPort: Required value",
                "spec.containers[1].ports[1].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive",
                "spec.containers[1].env[0].name: Required value",
                "spec.containers[1].name: Duplicate value: \"a\"",
                "spec.containers[2].name: Invalid value: \"B\": a lowercase RFC 1123 label must consist of lower case \
                 alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. \
                 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
                "spec.containers[2].image: Required value",
            ],
        );
    }

    #[test]
    fn workloads_have_selectors_and_restart_as_their_kind_does() {
        let template = |policy: &str| {
            let containers = json!([{"name": "a", "image": "i"}]);
            json!({"spec": {"template": {"spec": {"containers": containers, "restartPolicy": policy}}}})
        };
        check(
            ("apps", "Deployment"),
            &template("Never"),
            &[
                "spec.selector: Required value",
                "spec.template.spec.restartPolicy: Unsupported value: \"Never\": supported values: \"Always\"",
            ],
        );
        check(
            ("batch", "Job"),
            &template("Always"),
            &[
                "spec.template.spec.restartPolicy: Required value: valid values: \"OnFailure\", \"Never\"",
            ],
        );
        check(("batch", "Job"), &template("Never"), &[]);
    }

    #[test]
    fn secrets_have_the_data_of_their_type() {
        check(
            ("", "Secret"),
            &json!({"type": "kubernetes.io/tls", "data": {"tls.crt": "YQ=="}}),
            &["data[tls.key]: Required value"],
        );
        check(
            ("", "Secret"),
            &json!({"type": "kubernetes.io/service-account-token"}),
            &["metadata.annotations[kubernetes.io/service-account.name]: Required value"],
        );
        check(("", "Secret"), &json!({"type": "Opaque", "data": {"a": "YQ=="}}), &[]);
    }

    #[test]
    fn services_have_ports_with_names() {
        check(("", "Service"), &json!({"spec": {}}), &["spec.ports: Required value"]);
        check(("", "Service"), &json!({"spec": {"clusterIP": "None"}}), &[]);
        check(
            ("", "Service"),
            &json!({"spec": {"ports": [{"port": 80}, {"name": "b", "targetPort": 0}]}}),
            &[
                "spec.ports[0].name: Required value",
                "spec.ports[1].port: Invalid value: 0: must be between 1 and 65535, inclusive",
                "spec.ports[1].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive",
            ],
        );
    }

    #[test]
    fn bindings_name_a_role_and_subjects() {
        check(
            (RBAC, "ClusterRoleBinding"),
            &json!({"roleRef": {"apiGroup": RBAC, "kind": "Role"}, "subjects": [{"kind": "ServiceAccount", "name": "a"}]}),
            &[
                "roleRef.kind: Unsupported value: \"Role\": supported values: \"ClusterRole\"",
                "subjects[0].namespace: Required value",
                "roleRef.name: Required value",
            ],
        );
    }

    #[test]
    fn other_kinds_have_what_their_table_says() {
        check(("storage.k8s.io", "StorageClass"), &json!({}), &["provisioner: Required value"]);
        check(
            ("autoscaling", HPA),
            &json!({"spec": {"minReplicas": 1, "scaleTargetRef": {"kind": "Deployment"}}}),
            &[
                "spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`",
                "spec.scaleTargetRef.name: Required value",
                "spec.maxReplicas: Required value",
            ],
        );
        check(
            ("coordination.k8s.io", "Lease"),
            &json!({"spec": {"leaseDurationSeconds": 0}}),
            &["spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0"],
        );
        check(
            ("", CLAIM),
            &json!({"spec": {}}),
            &[
                "spec.accessModes: Required value: at least 1 access mode is required",
                "spec.resources[storage]: Required value",
            ],
        );
        check(
            ("networking.k8s.io", "Ingress"),
            &json!({"spec": {}}),
            &["spec: Invalid value: null: either `defaultBackend` or `rules` must be specified"],
        );
    }
}
