//! The warnings for pods and their templates.
//!
//! Source: `warningsForPodSpecAndMeta` of `pkg/api/pod/warnings.go` in kubernetes/kubernetes.

use std::collections::{BTreeMap, BTreeSet};

use crd_cel::domain::quantity::Quantity;
use crd_cel::gofmt::quote;
use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Value, json};

use super::addresses::warn_of_ips;
use super::volumes::warn_of_overlaps;
use super::{items, since, text};
use crate::names;

/// The deprecated labels of nodes: each label, the first minor that warns of it, and the text of the warning.
/// Source: `deprecatedNodeLabels` of `pkg/api/node`.
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

/// Annotations without effect, and what to use instead.
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

/// Deprecated sources of volumes.
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

/// The warning about `gitRepo` on servers that still enable it by default.
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
        let at = format!("{at}.volumes[{index}]");
        for (source, _) in VOLUMES {
            warn_of_source(&at, volume, source, minor, warnings);
        }
        let claim = volume.pointer("/ephemeral/volumeClaimTemplate/spec");
        super::warn_of_claim(&format!("{at}.ephemeral.volumeClaimTemplate.spec"), claim, warnings);
    }
    if minor >= since::OVERLAPS {
        warn_of_overlaps(spec, warnings);
    }
    warn_of_duplicates(&at, spec, ("hostAliases", "ip"), warnings);
    warn_of_duplicates(&at, spec, ("imagePullSecrets", "name"), warnings);
    for (index, secret) in items(spec, "imagePullSecrets").enumerate() {
        if text(secret, "name").is_empty() {
            warnings.push(format!("{at}.imagePullSecrets[{index}].name: invalid empty name \"\""));
        }
    }
    warn_of_fractions(&format!("{at}.overhead"), spec.get("overhead"), &BYTES, warnings);
    let annotations = Annotations { path: &format!("{path}{dot}metadata.annotations"), pod };
    annotations.warn_of_pod(spec, warnings);
    let containers = containers(&at, spec);
    // Annotations for AppArmor are checked only in templates. Upstream warns of those of a pod itself when it copies
    // them to fields (`applyAppArmorVersionSkew`), which is not done here.
    let is_template = !path.is_empty();
    for (path, container) in &containers {
        annotations.warn_of_container(spec, container, is_template, warnings);
        for list in ["limits", "requests"] {
            let amounts = container.get("resources").and_then(|resources| resources.get(list));
            warn_of_fractions(&format!("{path}.resources.{list}"), amounts, &BYTES, warnings);
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
    let servers = spec.pointer("/dnsConfig/nameservers");
    warn_of_ips(&format!("{at}.dnsConfig.nameservers"), servers, None, minor, warnings);
    warn_of_ips(&format!("{at}.hostAliases"), spec.get("hostAliases"), Some("ip"), minor, warnings);
}

/// Warns of a deprecated source of a volume.
pub(super) fn warn_of_source(
    path: &str,
    volume: &Value,
    source: &str,
    minor: u32,
    warnings: &mut Vec<String>,
) {
    let known = VOLUMES.iter().find(|(known, _)| *known == source);
    if let (Some((_, why)), true) = (known, volume.get(source).is_some()) {
        // Upstream: the warning names the field of Go's struct.
        let name = if source == "storageos" { "storageOS" } else { source };
        let is_old_git = source == "gitRepo" && minor < since::GIT_DISABLED;
        let why = if is_old_git { GIT } else { why };
        warnings.push(format!("{path}.{name}: {why}"));
    }
}

/// The annotations of a pod that name seccomp and `AppArmor` profiles. They have been replaced by fields.
struct Annotations<'a> {
    path: &'a str,
    pod: &'a Value,
}

impl Annotations<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.pod.pointer("/metadata/annotations")?.get(key)?.as_str()
    }

    fn warn_of_pod(&self, spec: &Value, warnings: &mut Vec<String>) {
        let profile = spec.pointer("/securityContext/seccompProfile");
        self.warn_of_seccomp("seccomp.security.alpha.kubernetes.io/pod", profile, warnings);
    }

    fn warn_of_container(
        &self,
        spec: &Value,
        container: &Value,
        is_template: bool,
        warnings: &mut Vec<String>,
    ) {
        let name = text(container, "name");
        let profile = container.pointer("/securityContext/seccompProfile");
        let key = format!("container.seccomp.security.alpha.kubernetes.io/{name}");
        self.warn_of_seccomp(&key, profile, warnings);
        let key = format!("container.apparmor.security.beta.kubernetes.io/{name}");
        let of_pod = spec.pointer("/securityContext/appArmorProfile");
        let has_field = container.pointer("/securityContext/appArmorProfile").is_some();
        let Some(annotation) = self.get(&key).filter(|_| is_template && !has_field) else { return };
        if of_pod.is_none() || of_pod != profile_of(annotation).as_ref() {
            let path = self.path;
            warnings.push(format!(
                "{path}[{key}]: deprecated since v1.30; use the \"appArmorProfile\" field instead"
            ));
        }
    }

    fn warn_of_seccomp(&self, key: &str, profile: Option<&Value>, warnings: &mut Vec<String>) {
        if profile.is_none() && self.get(key).is_some() {
            let path = self.path;
            warnings.push(format!(
                "{path}[{key}]: non-functional in v1.27+; use the \"seccompProfile\" field instead"
            ));
        }
    }
}

/// Returns the profile that an annotation for AppArmor stands for. Source: `ApparmorFieldForAnnotation` of
/// `pkg/api/pod/util.go`.
fn profile_of(annotation: &str) -> Option<Value> {
    match annotation {
        "unconfined" => Some(json!({"type": "Unconfined"})),
        "runtime/default" => Some(json!({"type": "RuntimeDefault"})),
        _ => {
            let name = annotation.strip_prefix("localhost/").filter(|name| !name.is_empty())?;
            Some(json!({"type": "Localhost", "localhostProfile": name}))
        }
    }
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

/// Returns why a label of nodes is deprecated in a minor.
fn label_deprecation(label: &str, minor: u32) -> Option<&'static str> {
    let row = NODE_LABELS.iter().find(|row| row.0 == label && minor >= row.1);
    row.map(|(_, _, why)| *why)
}

/// Warns of deprecated labels in the terms of a node selector. Source: `GetWarningsForNodeSelectorTerm` of
/// `pkg/api/node`.
pub(super) fn warn_of_terms(path: &str, selector: &Value, minor: u32, warnings: &mut Vec<String>) {
    for (index, term) in items(selector, "nodeSelectorTerms").enumerate() {
        warn_of_term(&format!("{path}[{index}]"), term, false, minor, warnings);
    }
}

fn warn_of_term(
    path: &str,
    term: &Value,
    checks_values: bool,
    minor: u32,
    warnings: &mut Vec<String>,
) {
    for (index, expression) in items(term, "matchExpressions").enumerate() {
        let at = format!("{path}.matchExpressions[{index}]");
        let key = text(expression, "key");
        if let Some(why) = label_deprecation(key, minor) {
            warnings.push(format!("{at}.key: {key} is {why}"));
        }
        let checks_values = checks_values && minor >= since::LABEL_VALUES;
        let kubernetes = KubernetesVersion::of_minor(minor).unwrap_or(KubernetesVersion::REFERENCE);
        let values = items(expression, "values").filter_map(Value::as_str).enumerate();
        for (index, value) in values.filter(|_| checks_values) {
            for problem in names::label_value(value, kubernetes) {
                warnings.push(format!("{at}.values[{index}]: {value} is invalid, {problem}"));
            }
        }
    }
}

fn warn_of_labels(at: &str, spec: &Value, minor: u32, warnings: &mut Vec<String>) {
    for key in spec.get("nodeSelector").and_then(Value::as_object).into_iter().flatten() {
        if let Some(why) = label_deprecation(key.0, minor) {
            warnings.push(format!("{at}.nodeSelector[{}]: {why}", key.0));
        }
    }
    if let Some(affinity) = spec.pointer("/affinity/nodeAffinity") {
        let at = format!("{at}.affinity.nodeAffinity");
        let required = "requiredDuringSchedulingIgnoredDuringExecution";
        if let Some(selector) = affinity.get(required) {
            warn_of_terms(&format!("{at}.{required}.nodeSelectorTerms"), selector, minor, warnings);
        }
        let preferred = "preferredDuringSchedulingIgnoredDuringExecution";
        for (index, term) in items(affinity, preferred).enumerate() {
            let path = format!("{at}.{preferred}[{index}].preference");
            if let Some(term) = term.get("preference") {
                warn_of_term(&path, term, true, minor, warnings);
            }
        }
    }
    for (index, constraint) in items(spec, "topologySpreadConstraints").enumerate() {
        let at = format!("{at}.topologySpreadConstraints[{index}]");
        let key = text(constraint, "topologyKey");
        if let Some(why) = label_deprecation(key, minor) {
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
            warnings.push(format!("{at}.{list}[{index}].{key}: duplicate {key} {}", quote(value)));
        }
    }
}

/// The resources of containers that are counted in bytes.
const BYTES: [&str; 2] = ["memory", "ephemeral-storage"];

/// Warns of amounts of the resources `names` that are not whole numbers.
pub(super) fn warn_of_fractions(
    path: &str,
    amounts: Option<&Value>,
    names: &[&str],
    warnings: &mut Vec<String>,
) {
    for &name in names {
        let amount = amounts.and_then(|amounts| amounts.get(name)?.as_str());
        let quantity = amount.and_then(|amount| Quantity::parse(amount).ok());
        if let (Some(amount), Some(quantity)) = (amount, quantity)
            && quantity.as_integer().is_none()
            && amount.ends_with('m')
        {
            warnings.push(format!(
                "{path}[{name}]: fractional byte value {} is invalid, must be an integer",
                quote(amount)
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
                "{path}.env[{index}]: hides previous definition of {}, which may be dropped when using apply",
                quote(name)
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
            for (other, other_port) in others.iter() {
                let (other_host, other_ip) =
                    (number(other_port, "hostPort"), text(other_port, "hostIP"));
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
                    "{path}: duplicate port name {} with {other}, services and probes that select ports by name \
                     will use {other}",
                    quote(name)
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
