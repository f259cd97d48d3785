//! The warnings for pods and their templates.
//!
//! Source: `warningsForPodSpecAndMeta` of `pkg/api/pod/warnings.go` in kubernetes/kubernetes.

use std::collections::{BTreeMap, BTreeSet};

use crd_cel::domain::quantity::Quantity;
use serde_json::Value;

use super::since;

/// Labels of nodes that are deprecated. Source: `deprecatedNodeLabels` of `pkg/api/node`.
const NODE_LABELS: [(&str, u32, &str); 8] = [
    ("app.kubernetes.io/created-by", 31, "deprecated since v1.9"),
    ("beta.kubernetes.io/arch", 0, "deprecated since v1.14; use \"kubernetes.io/arch\" instead"),
    (
        "beta.kubernetes.io/instance-type",
        0,
        "deprecated since v1.17; use \"node.kubernetes.io/instance-type\" instead",
    ),
    ("beta.kubernetes.io/os", 0, "deprecated since v1.14; use \"kubernetes.io/os\" instead"),
    (
        "failure-domain.beta.kubernetes.io/region",
        0,
        "deprecated since v1.17; use \"topology.kubernetes.io/region\" instead",
    ),
    (
        "failure-domain.beta.kubernetes.io/zone",
        0,
        "deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead",
    ),
    ("node-role.kubernetes.io/master", 31, "use \"node-role.kubernetes.io/control-plane\" instead"),
    (
        "scheduler.alpha.kubernetes.io/preferAvoidPods",
        31,
        "deprecated since v1.22; use Taints and Tolerations instead",
    ),
];

/// Annotations without effect.
const ANNOTATIONS: [(&str, &str); 3] = [
    (
        "scheduler.alpha.kubernetes.io/critical-pod",
        "non-functional in v1.16+; use the \"priorityClassName\" field instead",
    ),
    (
        "security.alpha.kubernetes.io/sysctls",
        "non-functional in v1.11+; use the \"sysctls\" field instead",
    ),
    (
        "security.alpha.kubernetes.io/unsafe-sysctls",
        "non-functional in v1.11+; use the \"sysctls\" field instead",
    ),
];

/// Sources of volumes that are deprecated.
const VOLUMES: [(&str, &str); 9] = [
    ("photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"),
    ("gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"),
    ("scaleIO", "deprecated in v1.16, non-functional in v1.22+"),
    ("flocker", "deprecated in v1.22, non-functional in v1.25+"),
    ("storageos", "deprecated in v1.22, non-functional in v1.25+"),
    ("quobyte", "deprecated in v1.22, non-functional in v1.25+"),
    ("glusterfs", "deprecated in v1.25, non-functional in v1.26+"),
    ("cephfs", "deprecated in v1.28, non-functional in v1.31+"),
    ("rbd", "deprecated in v1.28, non-functional in v1.31+"),
];

/// What servers say of `gitRepo` before they disable it by default.
const GIT: &str = "deprecated in v1.11";

const NO_SELECTOR: &str = "a null labelSelector results in matching no pod";

/// Adds the warnings of a minor for a pod, or for a template at a path.
pub(super) fn warn(path: &str, pod: &Value, minor: u32, warnings: &mut Vec<String>) {
    let dot = if path.is_empty() { "" } else { "." };
    let Some(spec) = pod.get("spec") else { return };
    let at = format!("{path}{dot}spec");
    warn_of_labels(&at, spec, minor, warnings);
    for (key, why) in ANNOTATIONS {
        if pod.pointer("/metadata/annotations").is_some_and(|all| all.get(key).is_some()) {
            warnings.push(format!("{path}{dot}metadata.annotations[{key}]: {why}"));
        }
    }
    for (index, volume) in items(spec, "volumes").enumerate() {
        for (source, why) in VOLUMES.iter().filter(|(source, _)| volume.get(source).is_some()) {
            // Upstream: the warning names the field of Go's struct.
            let name = if *source == "storageos" { "storageOS" } else { source };
            let is_old_git = *source == "gitRepo" && minor < since::GIT_DISABLED;
            let why = if is_old_git { GIT } else { why };
            warnings.push(format!("{at}.volumes[{index}].{name}: {why}"));
        }
    }
    warn_of_duplicates(&at, spec, ("hostAliases", "ip"), warnings);
    warn_of_duplicates(&at, spec, ("imagePullSecrets", "name"), warnings);
    for (index, secret) in items(spec, "imagePullSecrets").enumerate() {
        if text(secret, "name").is_empty() {
            warnings.push(format!("{at}.imagePullSecrets[{index}].name: invalid empty name \"\""));
        }
    }
    warn_of_fractions(&format!("{at}.overhead"), spec.get("overhead"), warnings);
    let containers = containers(&at, spec);
    for (path, container) in &containers {
        for list in ["limits", "requests"] {
            let amounts = container.get("resources").and_then(|resources| resources.get(list));
            warn_of_fractions(&format!("{path}.resources.{list}"), amounts, warnings);
        }
        warn_of_env(path, container, warnings);
    }
    warn_of_ports(&containers, warnings);
    if minor >= since::DUPLICATE_PORT_NAMES {
        warn_of_port_names(&containers, warnings);
    }
    let grace = spec.get("terminationGracePeriodSeconds").and_then(Value::as_i64);
    if grace.is_some_and(|grace| grace < 0) {
        warnings.push(format!(
            "{at}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1"
        ));
    }
    warn_of_affinity(&at, spec, warnings);
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn items<'v>(of: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    of.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// Returns all containers with their paths.
fn containers<'v>(at: &str, spec: &'v Value) -> Vec<(String, &'v Value)> {
    let lists = ["initContainers", "containers", "ephemeralContainers"].into_iter();
    let all = lists.flat_map(|list| {
        items(spec, list)
            .enumerate()
            .map(move |(index, container)| (format!("{at}.{list}[{index}]"), container))
    });
    all.collect()
}

fn warn_of_labels(at: &str, spec: &Value, minor: u32, warnings: &mut Vec<String>) {
    let why = |label: &str| {
        let row = NODE_LABELS.iter().find(|row| row.0 == label && minor >= row.1);
        row.map(|(_, _, why)| why)
    };
    for key in spec.get("nodeSelector").and_then(Value::as_object).into_iter().flatten() {
        if let Some(why) = why(key.0) {
            warnings.push(format!("{at}.nodeSelector[{}]: {why}", key.0));
        }
    }
    for (index, constraint) in items(spec, "topologySpreadConstraints").enumerate() {
        let at = format!("{at}.topologySpreadConstraints[{index}]");
        let key = text(constraint, "topologyKey");
        if let Some(why) = why(key) {
            warnings.push(format!("{at}.topologyKey: {key} is {why}"));
        }
        if constraint.get("labelSelector").is_none_or(Value::is_null) {
            warnings.push(format!("{at}.labelSelector: {NO_SELECTOR}"));
        }
    }
}

/// Warns of a value that an earlier item of a list has too.
fn warn_of_duplicates(
    at: &str,
    spec: &Value,
    (list, key): (&str, &str),
    warnings: &mut Vec<String>,
) {
    let mut known = BTreeSet::new();
    for (index, item) in items(spec, list).enumerate() {
        let value = text(item, key);
        if !known.insert(value) {
            warnings.push(format!("{at}.{list}[{index}].{key}: duplicate {key} {value:?}"));
        }
    }
}

fn warn_of_fractions(path: &str, amounts: Option<&Value>, warnings: &mut Vec<String>) {
    for name in ["memory", "ephemeral-storage"] {
        let amount = amounts.and_then(|amounts| amounts.get(name)?.as_str());
        let quantity = amount.and_then(|amount| Quantity::parse(amount).ok());
        if let (Some(amount), Some(quantity)) = (amount, quantity)
            && quantity.as_integer().is_none()
            && amount.ends_with('m')
        {
            warnings.push(format!(
                "{path}[{name}]: fractional byte value {amount:?} is invalid, must be an integer"
            ));
        }
    }
}

/// Warns of a variable that hides an earlier one of its name, unless its value extends that one, as `$(A)b` does.
fn warn_of_env(path: &str, container: &Value, warnings: &mut Vec<String>) {
    let mut known = BTreeSet::new();
    for (index, variable) in items(container, "env").enumerate() {
        let (name, value) = (text(variable, "name"), text(variable, "value"));
        let reference = format!("$({name})");
        let extends =
            variable.get("valueFrom").is_none() && value != reference && value.contains(&reference);
        if !known.insert(name) && !extends {
            warnings.push(format!(
                "{path}.env[{index}]: hides previous definition of {name:?}, which may be dropped when using apply"
            ));
        }
    }
}

fn warn_of_ports(containers: &[(String, &Value)], warnings: &mut Vec<String>) {
    let number =
        |port: &Value, key: &str| port.get(key).and_then(Value::as_i64).unwrap_or_default();
    let mut known: BTreeMap<(i64, &str), Vec<(String, &Value)>> = BTreeMap::new();
    for (path, container) in containers {
        for (index, port) in items(container, "ports").enumerate() {
            let path = format!("{path}.ports[{index}]");
            let (host, ip) = (number(port, "hostPort"), text(port, "hostIP"));
            let protocol = text(port, "protocol");
            if !ip.is_empty() && host == 0 {
                let (name, port) = (text(port, "name"), number(port, "containerPort"));
                warnings.push(format!(
                    "{path}: hostIP set without hostPort: {{Name:{name} HostPort:0 ContainerPort:{port} \
                     Protocol:{protocol} HostIP:{ip}}}"
                ));
            }
            let others = known.entry((number(port, "containerPort"), protocol)).or_default();
            for (other, with) in others.iter() {
                let (other_host, other_ip) = (number(with, "hostPort"), text(with, "hostIP"));
                let what = if ip == other_ip && host == other_host {
                    "duplicate"
                } else if host == 0 || other_host == 0 {
                    "overlapping"
                } else if host == other_host && (ip.is_empty() != other_ip.is_empty()) {
                    "dangerously ambiguous"
                } else {
                    continue;
                };
                warnings.push(format!("{path}: {what} port definition with {other}"));
            }
            others.push((path, port));
        }
    }
}

fn warn_of_port_names(containers: &[(String, &Value)], warnings: &mut Vec<String>) {
    let mut known: BTreeMap<&str, String> = BTreeMap::new();
    for (path, container) in containers {
        for (index, port) in items(container, "ports").enumerate() {
            let (name, path) = (text(port, "name"), format!("{path}.ports[{index}]"));
            if name.is_empty() {
                continue;
            }
            if let Some(other) = known.get(name) {
                warnings.push(format!(
                    "{path}: duplicate port name {name:?} with {other}, services and probes that select ports by name \
                     will use {other}"
                ));
            } else {
                known.insert(name, path);
            }
        }
    }
}

fn warn_of_affinity(at: &str, spec: &Value, warnings: &mut Vec<String>) {
    for kind in ["podAffinity", "podAntiAffinity"] {
        let Some(affinity) = spec.get("affinity").and_then(|affinity| affinity.get(kind)) else {
            continue;
        };
        for (list, term, below) in [
            ("requiredDuringSchedulingIgnoredDuringExecution", None, ""),
            (
                "preferredDuringSchedulingIgnoredDuringExecution",
                Some("podAffinityTerm"),
                "podAffinityTerm.",
            ),
        ] {
            for (index, item) in items(affinity, list).enumerate() {
                let term = term.map_or(Some(item), |term| item.get(term));
                let selector = term.and_then(|term| term.get("labelSelector"));
                if selector.is_none_or(Value::is_null) {
                    let path = format!("{at}.affinity.{kind}.{list}[{index}].{below}labelSelector");
                    warnings.push(format!("{path}: {NO_SELECTOR}"));
                }
            }
        }
    }
}
