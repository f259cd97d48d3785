//! Converts autoscalers between `autoscaling/v1` and `autoscaling/v2`, in which they are stored. What `v1` has no fields for
//! is in annotations.
//!
//! Source: `pkg/apis/autoscaling/v1/conversion.go` of kubernetes/kubernetes.

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Map, Value, json};

use super::go_types::{self, NamedType};
use super::{metadata, ordered_json};

const V1: &str = "autoscaling/v1";
/// The annotations with metrics other than the utilization of the processor, and with what `v1` lacks.
const METRICS: &str = "autoscaling.alpha.kubernetes.io/metrics";
const STATUSES: &str = "autoscaling.alpha.kubernetes.io/current-metrics";
const CONDITIONS: &str = "autoscaling.alpha.kubernetes.io/conditions";
const BEHAVIOR: &str = "autoscaling.alpha.kubernetes.io/behavior";
/// The annotations that are not part of an object in `v2`, including those that versions before it had.
pub(super) const ANNOTATIONS: [&str; 6] = [
    METRICS,
    STATUSES,
    CONDITIONS,
    BEHAVIOR,
    "autoscaling.alpha.kubernetes.io/scale-down-tolerance",
    "autoscaling.alpha.kubernetes.io/scale-up-tolerance",
];
/// The utilization of the processor, in percent, by which an autoscaler without metrics scales.
const DEFAULT_UTILIZATION: i64 = 80;
/// The minor whose types are used. No type lacks a field that another minor has.
const MINOR: u32 = KubernetesVersion::REFERENCE.minor();

type Fields = [(&'static str, &'static str)];

const NAME: (&str, &str) = ("/metricName", "/metric/name");
const SELECTOR: (&str, &str) = ("/selector", "/metric/selector");
const VALUE: (&str, &str) = ("/*Value", "/*/value");
const AVERAGE: (&str, &str) = ("/*AverageValue", "/*/averageValue");
const UTILIZATION: (&str, &str) = ("/*AverageUtilization", "/*/averageUtilization");

/// The sources of metrics, each with its fields in `v1` and in `v2`. `*` is `target` in a spec, and `current` in a status.
const SOURCES: [(&str, &Fields); 5] = [
    (
        "object",
        &[
            ("/target", "/describedObject"),
            NAME,
            SELECTOR,
            VALUE,
            ("/averageValue", "/*/averageValue"),
        ],
    ),
    ("pods", &[NAME, SELECTOR, AVERAGE]),
    ("resource", &[("/name", "/name"), UTILIZATION, AVERAGE]),
    (
        "containerResource",
        &[("/name", "/name"), ("/container", "/container"), UTILIZATION, AVERAGE],
    ),
    ("external", &[NAME, ("/metricSelector", "/metric/selector"), VALUE, AVERAGE]),
];

fn annotations_of(object: &mut Map<String, Value>) -> Option<&mut Map<String, Value>> {
    object.get_mut("metadata")?.get_mut("annotations")?.as_object_mut()
}

fn retain_others(annotations: &mut Map<String, Value>) {
    annotations.retain(|key, _| !ANNOTATIONS.contains(&key.as_str()));
}

/// Converts an autoscaler to `autoscaling/v1` or `autoscaling/v2`, from the other of the two.
pub(super) fn convert(mut object: Value, to: &str) -> Value {
    let Value::Object(map) = &mut object else { return object };
    let mut parts = ["spec", "status"].map(|part| match map.remove(part) {
        Some(Value::Object(part)) => part,
        _ => Map::new(),
    });
    let mut annotations = annotations_of(map).map(std::mem::take).unwrap_or_default();
    let [spec, status] = &mut parts;
    if to == V1 {
        into_v1(spec, status, &mut annotations);
    } else {
        into_v2(spec, status, &mut annotations);
    }
    for (key, part) in ["spec", "status"].into_iter().zip(parts) {
        map.insert(key.to_owned(), part.into());
    }
    map.insert("apiVersion".to_owned(), to.into());
    let annotations = (!annotations.is_empty()).then(|| annotations.into());
    metadata::set(metadata::of_mut(&mut object), "annotations", annotations);
    object
}

fn into_v1(
    spec: &mut Map<String, Value>,
    status: &mut Map<String, Value>,
    annotations: &mut Map<String, Value>,
) {
    retain_others(annotations);
    let mut annotate = |key: &str, text: Option<String>| {
        annotations.extend(text.map(|text| (key.to_owned(), text.into())));
    };
    let metrics = items(spec.remove("metrics"));
    let of_cpu = metrics.iter().find(|metric| is_of_cpu(metric));
    if let Some(percent) = of_cpu.and_then(|metric| utilization(metric, "target")) {
        spec.insert("targetCPUUtilizationPercentage".to_owned(), percent.clone());
    }
    let is_other = |metric: &&Value| !is_of_cpu(metric) || utilization(metric, "target").is_none();
    let others = metrics.iter().filter(is_other).map(|metric| to_old_metric(metric, "target"));
    annotate(METRICS, text_of(others.collect(), "MetricSpec"));

    let metrics = items(status.remove("currentMetrics"));
    let of_cpu = metrics.iter().filter(|metric| is_of_cpu(metric));
    if let Some(percent) = of_cpu.filter_map(|metric| utilization(metric, "current")).next_back() {
        status.insert("currentCPUUtilizationPercentage".to_owned(), percent.clone());
    }
    let statuses = metrics.iter().map(|metric| to_old_metric(metric, "current"));
    annotate(STATUSES, text_of(statuses.collect(), "MetricStatus"));
    let conditions = items(status.remove("conditions"));
    annotate(CONDITIONS, text_of(conditions, "HorizontalPodAutoscalerCondition"));
    annotate(BEHAVIOR, spec.remove("behavior").as_ref().and_then(behavior_text));
}

fn into_v2(
    spec: &mut Map<String, Value>,
    status: &mut Map<String, Value>,
    annotations: &mut Map<String, Value>,
) {
    let mut taken = |key: &str| match annotations.remove(key)? {
        Value::String(text) => serde_json::from_str::<Value>(&text).ok(),
        _ => None,
    };
    let of_cpu = |part: &str, percent: Value| {
        let mut metric = json!({"type": "Resource", "resource": {"name": "cpu"}});
        metric["resource"][part] = json!({"averageUtilization": percent});
        if part == "target" {
            metric["resource"][part]["type"] = "Utilization".into();
        }
        metric
    };
    let others = taken(METRICS).and_then(|list| decoded(list, "MetricSpec"));
    let mut metrics: Vec<Value> =
        others.iter().flatten().map(|metric| to_new_metric(metric, "target")).collect();
    let percent = spec.remove("targetCPUUtilizationPercentage").filter(|it| !it.is_null());
    let percent = percent.or_else(|| metrics.is_empty().then(|| DEFAULT_UTILIZATION.into()));
    metrics.extend(percent.map(|percent| of_cpu("target", percent)));
    spec.insert("metrics".to_owned(), metrics.into());
    let behavior = taken(BEHAVIOR).map(|behavior| with_lower_keys(&behavior));
    if let Some(mut behavior @ Value::Object(_)) = behavior
        && let Some(type_) = go_types::named("autoscaling.v2.HorizontalPodAutoscalerBehavior")
        && go_types::decode(type_, &mut behavior, MINOR).is_ok()
        && behavior != json!({})
    {
        spec.insert("behavior".to_owned(), behavior);
    }

    let percent = status.remove("currentCPUUtilizationPercentage").filter(|it| !it.is_null());
    let mut metrics: Vec<Value> =
        percent.into_iter().map(|percent| of_cpu("current", percent)).collect();
    // They have more information than the field.
    if let Some(list) = taken(STATUSES).and_then(|list| decoded(list, "MetricStatus")) {
        metrics = list.iter().map(|metric| to_new_metric(metric, "current")).collect();
    }
    status.insert("currentMetrics".to_owned(), metrics.into());
    let conditions = taken(CONDITIONS);
    let conditions = conditions.and_then(|list| decoded(list, "HorizontalPodAutoscalerCondition"));
    if let Some(conditions) = conditions {
        status.insert("conditions".to_owned(), conditions.into());
    }
    retain_others(annotations);
}

fn items(list: Option<Value>) -> Vec<Value> {
    match list {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    }
}

fn is_of_cpu(metric: &Value) -> bool {
    metric["type"] == "Resource" && metric["resource"]["name"] == "cpu"
}

/// Returns the utilization of a resource in a metric of a spec (`target`) or a status (`current`).
fn utilization<'a>(metric: &'a Value, part: &str) -> Option<&'a Value> {
    metric["resource"][part].get("averageUtilization").filter(|percent| !percent.is_null())
}

/// Returns a type of `v1`.
fn old_type(name: &str) -> Option<&'static NamedType> {
    go_types::named(&format!("autoscaling.v1.{name}"))
}

/// Returns items of a type of `v1` as JSON, in the order of its fields; `None` if there are none.
fn text_of(mut items: Vec<Value>, type_: &str) -> Option<String> {
    let type_ = old_type(type_)?;
    for item in &mut items {
        go_types::complete(type_, item, MINOR);
    }
    (!items.is_empty()).then(|| ordered_json::of_type(&items.into(), type_))
}

/// Decodes the items of an annotation; `None` if they are not of the type.
fn decoded(list: Value, type_: &str) -> Option<Vec<Value>> {
    let (type_, Value::Array(mut items)) = (old_type(type_)?, list) else { return None };
    for item in &mut items {
        if item.is_null() {
            *item = json!({});
        }
        go_types::decode(type_, item, MINOR).ok()?;
    }
    Some(items)
}

/// Converts a metric of a spec (`target`) or a status (`current`) to `v1`.
fn to_old_metric(metric: &Value, part: &str) -> Value {
    let mut out = json!({"type": metric["type"]});
    for (source, fields) in SOURCES {
        if let Some(found) = metric.get(source) {
            let pairs = fields.iter().map(|(old, new)| (*new, *old));
            out[source] = moved(found, part, pairs);
        }
    }
    out
}

/// Converts a metric of a spec (`target`) or a status (`current`) to `v2`.
fn to_new_metric(metric: &Value, part: &str) -> Value {
    let mut out = json!({"type": metric["type"]});
    for (source, fields) in SOURCES {
        let Some(found) = metric.get(source) else { continue };
        let mut value = moved(found, part, fields.iter().copied());
        if part == "target" {
            let has = |key: &str| value[part].get(key).is_some();
            let is_average = has("averageValue") && source == "object";
            value[part]["type"] = match () {
                () if has("averageUtilization") => "Utilization",
                () if has("value") && !is_average => "Value",
                () => "AverageValue",
            }
            .into();
        }
        out[source] = value;
    }
    out
}

/// Returns the values at the first pointer of each pair, at the second.
fn moved<'a>(value: &Value, part: &str, pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Value {
    let mut out = json!({});
    for (from, into) in pairs {
        let Some(found) = value.pointer(&from.replace('*', part)) else { continue };
        let into = into.replace('*', part);
        let place = into.split('/').skip(1).fold(&mut out, |at, key| &mut at[key]);
        *place = found.clone();
    }
    out
}

/// Returns a behavior as JSON. Upstream: it is that of the internal type, whose fields have the names of Go.
fn behavior_text(behavior: &Value) -> Option<String> {
    let policy = |policy: &Value| {
        let [type_, value, seconds] = ["type", "value", "periodSeconds"].map(|key| &policy[key]);
        format!("{{\"Type\":{type_},\"Value\":{value},\"PeriodSeconds\":{seconds}}}")
    };
    let rules = |key: &str| {
        let rules = behavior.get(key).filter(|rules| rules.is_object());
        let Some(rules) = rules else { return "null".to_owned() };
        let policies = rules["policies"].as_array().map_or_else(
            || "null".to_owned(),
            |all| format!("[{}]", all.iter().map(policy).collect::<Vec<_>>().join(",")),
        );
        let [window, select, tolerance] =
            ["stabilizationWindowSeconds", "selectPolicy", "tolerance"].map(|key| &rules[key]);
        format!(
            "{{\"StabilizationWindowSeconds\":{window},\"SelectPolicy\":{select},\"Policies\":{policies},\
             \"Tolerance\":{tolerance}}}"
        )
    };
    let (up, down) = (rules("scaleUp"), rules("scaleDown"));
    behavior.is_object().then(|| format!("{{\"ScaleUp\":{up},\"ScaleDown\":{down}}}"))
}

/// Returns JSON of the internal type with the names of `v2`, without nulls. The depth of JSON that has been read is
/// limited.
fn with_lower_keys(value: &Value) -> Value {
    let lower = |key: &str| {
        let mut chars = key.chars();
        chars.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(chars).collect()
    };
    match value {
        Value::Object(map) => {
            let set = map.iter().filter(|(_, value)| !value.is_null());
            set.map(|(key, value)| (lower(key), with_lower_keys(value)))
                .collect::<Map<String, Value>>()
                .into()
        }
        Value::Array(items) => items.iter().map(with_lower_keys).collect(),
        _ => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn autoscaler(spec: &Value, status: &Value) -> Value {
        json!({
            "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
            "metadata": {"name": "a", "annotations": {"mine": "x"}}, "spec": spec, "status": status,
        })
    }

    #[test]
    fn what_v1_lacks_is_in_annotations() {
        let cpu =
            json!({"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}});
        let queue = json!({
            "metric": {"name": "depth", "selector": {"matchLabels": {"a": "b"}}},
            "target": {"type": "AverageValue", "averageValue": "30"},
        });
        let metrics = json!([
            {"type": "External", "external": queue}, {"type": "Resource", "resource": cpu},
        ]);
        let rules = json!({
            "stabilizationWindowSeconds": 0, "selectPolicy": "Max",
            "policies": [{"type": "Pods", "value": 4, "periodSeconds": 15}],
        });
        let spec = json!({"maxReplicas": 3, "metrics": metrics, "behavior": {"scaleUp": rules}});
        let current =
            json!({"name": "cpu", "current": {"averageValue": "100m", "averageUtilization": 7}});
        let condition = json!({
            "type": "AbleToScale", "status": "True", "lastTransitionTime": "2026-01-02T03:04:05Z",
        });
        let status = json!({
            "desiredReplicas": 1, "currentMetrics": [{"type": "Resource", "resource": current}],
            "conditions": [condition],
        });
        let new = autoscaler(&spec, &status);
        let old = convert(new.clone(), V1);
        assert_eq!(old["spec"], json!({"maxReplicas": 3, "targetCPUUtilizationPercentage": 50}));
        assert_eq!(
            old["status"],
            json!({"desiredReplicas": 1, "currentCPUUtilizationPercentage": 7})
        );
        let want = json!({
            "mine": "x",
            METRICS: "[{\"type\":\"External\",\"external\":{\"metricName\":\"depth\",\"metricSelector\":\
                      {\"matchLabels\":{\"a\":\"b\"}},\"targetAverageValue\":\"30\"}}]",
            STATUSES: "[{\"type\":\"Resource\",\"resource\":{\"name\":\"cpu\",\"currentAverageUtilization\":7,\
                       \"currentAverageValue\":\"100m\"}}]",
            CONDITIONS: "[{\"type\":\"AbleToScale\",\"status\":\"True\",\
                         \"lastTransitionTime\":\"2026-01-02T03:04:05Z\"}]",
            BEHAVIOR: "{\"ScaleUp\":{\"StabilizationWindowSeconds\":0,\"SelectPolicy\":\"Max\",\"Policies\":\
                       [{\"Type\":\"Pods\",\"Value\":4,\"PeriodSeconds\":15}],\"Tolerance\":null},\"ScaleDown\":null}",
        });
        assert_eq!(old["metadata"]["annotations"], want);
        assert_eq!(convert(old, "autoscaling/v2"), new);
    }

    #[test]
    fn an_autoscaler_without_metrics_scales_by_the_processor() {
        let mut old = autoscaler(&json!({"maxReplicas": 3}), &json!({}));
        old["metadata"]["annotations"] = json!({METRICS: "nothing", BEHAVIOR: "7"});
        let new = convert(old, "autoscaling/v2");
        let target = json!({"type": "Utilization", "averageUtilization": 80});
        let metric = json!({"type": "Resource", "resource": {"name": "cpu", "target": target}});
        assert_eq!(new["spec"], json!({"maxReplicas": 3, "metrics": [metric]}));
        assert_eq!(new["metadata"], json!({"name": "a"}));
    }

    #[test]
    fn every_source_is_converted() {
        let object = json!({"kind": "Service", "name": "s"});
        let metrics = json!([
            {"type": "Object", "object": {
                "describedObject": object, "metric": {"name": "m"}, "target": {"type": "Value", "value": "2"},
            }},
            {"type": "Pods", "pods": {
                "metric": {"name": "m"}, "target": {"type": "AverageValue", "averageValue": "1"},
            }},
            {"type": "ContainerResource", "containerResource": {
                "name": "cpu", "container": "c", "target": {"type": "Utilization", "averageUtilization": 9},
            }},
            {"type": "External", "external": {"metric": {"name": "m"}, "target": {"type": "Value", "value": "3"}}},
            {"type": "Resource", "resource": {
                "name": "memory", "target": {"type": "AverageValue", "averageValue": "1Gi"},
            }},
        ]);
        let new = autoscaler(&json!({"metrics": metrics}), &json!({"currentMetrics": []}));
        assert_eq!(convert(convert(new.clone(), V1), "autoscaling/v2"), new);
    }
}
