//! The status of a disruption budget, computed from the pods that it selects.
//!
//! Upstream takes the number of expected pods from their controllers. Here it is the number of pods, so a percentage is one
//! of the pods that exist.
//!
//! Source: `pkg/controller/disruption/disruption.go` of kubernetes/kubernetes.

use serde_json::{Map, Value, json};

use super::condition;
use super::owned::is_ready;
use crate::metadata;

/// Returns the status of a budget.
pub(super) fn budget(budget: &Value, pods: &[Value], now: &str) -> Value {
    let expected = i64::try_from(pods.len()).unwrap_or(i64::MAX);
    let none = Value::Null;
    let spec = budget.get("spec").unwrap_or(&none);
    let desired = match (spec.get("maxUnavailable"), spec.get("minAvailable")) {
        (Some(most), _) if !most.is_null() => (expected - scaled(most, expected)).max(0),
        (_, Some(least)) => scaled(least, expected),
        _ => 0,
    };
    let disrupted = budget.pointer("/status/disruptedPods").and_then(Value::as_object);
    let is_disrupted = |name: &str| disrupted.is_some_and(|disrupted| disrupted.contains_key(name));
    let healthy = pods.iter().filter(|pod| {
        !metadata::is_deleting(pod) && !is_disrupted(metadata::text(pod, "name")) && is_ready(pod)
    });
    let healthy = i64::try_from(healthy.count()).unwrap_or(i64::MAX);
    let allowed = if expected == 0 { 0 } else { (healthy - desired).max(0) };
    let generation = budget.pointer("/metadata/generation").cloned().unwrap_or_default();
    let mut reported = condition(budget, "DisruptionAllowed", allowed > 0, now);
    let reason = if allowed > 0 { "SufficientPods" } else { "InsufficientPods" };
    reported.insert("reason".to_owned(), reason.into());
    reported.insert("message".to_owned(), "".into());
    reported.insert("observedGeneration".to_owned(), generation.clone());
    // Pods that are gone or being deleted no longer count as disruptions that are not confirmed.
    let still: Map<String, Value> = disrupted
        .into_iter()
        .flatten()
        .filter(|(name, _)| {
            let mut all = pods.iter().filter(|pod| metadata::text(pod, "name") == name.as_str());
            all.any(|pod| !metadata::is_deleting(pod))
        })
        .map(|(name, time)| (name.clone(), time.clone()))
        .collect();
    let mut status = json!({
        "conditions": [reported], "currentHealthy": healthy, "desiredHealthy": desired,
        "disruptionsAllowed": allowed, "expectedPods": expected, "observedGeneration": generation,
    });
    if !still.is_empty() {
        status["disruptedPods"] = still.into();
    }
    status
}

/// Returns a number, or the percentage of `all`, rounded up. Source: `GetScaledValueFromIntOrPercent`.
fn scaled(value: &Value, all: i64) -> i64 {
    if let Some(number) = value.as_i64() {
        return number;
    }
    let percent = value.as_str().and_then(|text| text.strip_suffix('%')?.parse::<i64>().ok());
    percent.unwrap_or_default().saturating_mul(all).saturating_add(99) / 100
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_count_ready_pods() {
        let pod = |name: &str, ready: &str| {
            json!({
                "metadata": {"name": name}, "status": {"conditions": [{"type": "Ready", "status": ready}]},
            })
        };
        let pods = [pod("a", "True"), pod("b", "True"), pod("c", "False")];
        let check = |spec: Value, disrupted: Value, want: [i64; 3]| {
            let of = json!({
                "metadata": {"generation": 2}, "spec": spec, "status": {"disruptedPods": disrupted},
            });
            let status = budget(&of, &pods, "now");
            let number = |key: &str| status[key].as_i64().unwrap_or(-1);
            let found = ["currentHealthy", "desiredHealthy", "disruptionsAllowed"].map(number);
            assert_eq!(found, want, "{spec}");
            assert_eq!((number("expectedPods"), number("observedGeneration")), (3, 2));
        };
        check(json!({"minAvailable": 1}), json!({}), [2, 1, 1]);
        check(json!({"minAvailable": "50%"}), json!({}), [2, 2, 0]);
        check(json!({"maxUnavailable": 2}), json!({}), [2, 1, 1]);
        check(json!({"maxUnavailable": "34%"}), json!({}), [2, 1, 1]);
        check(json!({"minAvailable": 1}), json!({"a": "then"}), [1, 1, 0]);
    }
}
