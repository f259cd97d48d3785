//! Cluster roles that aggregate the rules of other cluster roles.
//!
//! Source: `pkg/controller/clusterroleaggregation` of kubernetes/kubernetes.

use std::sync::Arc;

use serde_json::{Value, json};

use super::super::authorization::GROUP;
use super::super::core::Core;
use super::super::labels::LabelSelector;
use super::super::ownership;
use super::super::target::Part;
use crate::json;

/// The resource of cluster roles in the store.
pub(super) const RESOURCE: &str = "rbac.authorization.k8s.io/clusterroles";
/// The field manager of the aggregated rules.
const MANAGER: &str = "clusterrole-aggregation-controller";

/// Writes the rules of aggregated cluster roles.
pub(super) fn aggregate_roles(core: &mut Core) {
    let resource = RESOURCE;
    let aggregated: Vec<(Arc<str>, Value)> = core
        .store
        .list(resource, "")
        .map(|(key, stored)| (Arc::clone(key), stored.object()))
        .filter(|(_, role)| role.get("aggregationRule").is_some())
        .collect();
    for (key, role) in aggregated {
        let rules = aggregated_rules(core, resource, &key, &role);
        let old_rules = role.get("rules").and_then(Value::as_array).cloned().unwrap_or_default();
        if json::equal(&rules.clone().into(), &old_rules.into()) {
            continue;
        }
        let Some(kind) = core.catalog.stored_as(resource).cloned() else { continue };
        let config = json!({
            "apiVersion": format!("{GROUP}/v1"), "kind": "ClusterRole", "metadata": {"name": &*key},
            "rules": rules,
        });
        if let Some(applied) =
            ownership::apply_as(core, &kind, Part::Object, &role, &config, MANAGER)
        {
            core.store.put(resource, &key, applied, kind.id);
        }
    }
}

/// Returns the rules of the other cluster roles that the selectors of a cluster role match.
fn aggregated_rules(core: &Core, resource: &str, key: &str, role: &Value) -> Vec<Value> {
    let selectors = role.pointer("/aggregationRule/clusterRoleSelectors");
    let selectors = selectors.and_then(Value::as_array).into_iter().flatten();
    let mut rules: Vec<Value> = Vec::new();
    for selector in selectors
        .filter_map(|selector| LabelSelector::of_value(selector, core.catalog.kubernetes).ok())
    {
        let others = core.store.list(resource, "").filter(|(other, _)| ***other != *key);
        let chosen =
            others.map(|(_, stored)| stored.object()).filter(|role| selector.matches(role));
        for role in chosen {
            let own = role.get("rules").and_then(Value::as_array).into_iter().flatten();
            for rule in own {
                if !rules.iter().any(|known| json::equal(known, rule)) {
                    rules.push(rule.clone());
                }
            }
        }
    }
    rules
}
