//! `pods/eviction`, which deletes a pod if its disruption budget allows that.
//!
//! Source: `pkg/registry/core/pod/storage/eviction.go` of kubernetes/kubernetes.

use http::StatusCode;
use serde_json::{Value, json};

use super::super::admission::{self, AdmissionOperation};
use super::super::call::Call;
use super::super::core::{Core, commit};
use super::super::delete::{self, check_preconditions};
use super::super::failure::{Answer, Failure, GroupResource};
use super::super::kind::ServedKind;
use super::super::labels::LabelSelector;
use super::super::query::{DeleteOptions, Query};
use super::super::reply::Reply;
use super::super::target::Part;
use super::super::user::User;
use super::super::{fields, metadata, update};
use super::{posted, stored_object};

/// The resource under which disruption budgets are stored.
const BUDGETS: &str = "policy/poddisruptionbudgets";
/// The maximum number of pods whose evictions are not confirmed. Source: `MaxDisruptedPodSize`.
const MAX_DISRUPTED: usize = 2_000;
/// The field manager of writes of the server itself.
const MANAGER: &str = "kube-apiserver";

/// Evicts a pod.
///
/// # Errors
/// Status 404 if there is no such pod, 429 if its disruption budget does not allow the eviction.
pub(super) fn evict(core: &mut Core, call: &mut Call<'_>) -> Answer<Reply> {
    let (eviction, accepted) = posted(core, call)?;
    let (kind, name) = (call.kind.clone(), call.path.name.clone());
    if metadata::text(&eviction, "name") != name {
        let why = "name in URL does not match name in Eviction object";
        return Err(Failure::bad_request(why));
    }
    let given = fields::object(&eviction, "deleteOptions");
    let mut deletion = match given {
        Some(given) => DeleteOptions::parse(&Query::default(), Some(given))?,
        None => DeleteOptions::default(),
    };
    call.dry_run |= deletion.dry_run;
    deletion.dry_run = call.dry_run;
    admission::validate(core, call, AdmissionOperation::Create, &eviction, None)?;
    let namespace = call.namespace().to_owned();
    let pod = stored_object(&core.store, &kind, &namespace, &name)?;
    let phase = pod.pointer("/status/phase").and_then(Value::as_str).unwrap_or_default();
    let is_over = matches!(phase, "Failed" | "Pending" | "Succeeded");
    if !is_over && !metadata::is_deleting(&pod) {
        let budgets = budgets_of(core, &namespace, &pod);
        if budgets.len() > 1 {
            let text = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
            let status = json!({
                "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
                "message": text, "code": 500,
            });
            // Upstream: the status line says that the request has succeeded.
            return Ok(Reply::value(StatusCode::CREATED, &accepted, status));
        }
        if let Some(budget) = budgets.first().filter(|budget| is_guarded(&pod, budget)) {
            take_disruption(core, budget, &name, deletion.dry_run)?;
        }
    }
    delete_evicted(core, &kind, &pod, &deletion)?;
    Ok(super::success(&accepted))
}

/// Returns the disruption budgets that select a pod.
fn budgets_of(core: &Core, namespace: &str, pod: &Value) -> Vec<Value> {
    let prefix = format!("{namespace}/");
    let stored = core.store.list(BUDGETS, &prefix);
    let selects = |budget: &Value| {
        let selector = budget.get("spec").and_then(|spec| fields::object(spec, "selector"));
        let selector = selector.map(|it| LabelSelector::of_value(it, core.catalog.kubernetes));
        selector.is_some_and(|selector| selector.is_ok_and(|selector| selector.matches(pod)))
    };
    stored.map(|(_, stored)| stored.object()).filter(selects).collect()
}

/// Counts a disruption in the status of a budget. Source: `checkAndDecrement`.
fn take_disruption(core: &mut Core, budget: &Value, pod: &str, dry_run: bool) -> Answer<()> {
    let name = metadata::text(budget, "name").to_owned();
    let number = |at: &str| budget.pointer(at).and_then(Value::as_i64).unwrap_or_default();
    if number("/status/observedGeneration") < number("/metadata/generation") {
        let why = format!("The disruption budget {name} is still being processed by the server.");
        return Err(too_many(10, &why));
    }
    let allowed = number("/status/disruptionsAllowed");
    if allowed < 0 {
        let why = "pdb disruptions allowed is negative";
        return Err(refused(&name, why, why));
    }
    let disrupted = budget.pointer("/status/disruptedPods").and_then(Value::as_object);
    if disrupted.is_some_and(|pods| pods.len() > MAX_DISRUPTED) {
        return Err(refused(
            &name,
            "DisruptedPods map too big - too many evictions not confirmed by PDB controller",
            "too many pending evictions not confirmed by PDB controller",
        ));
    }
    if allowed == 0 {
        return Err(too_many(0, &why_none_is_allowed(budget, &name)));
    }
    if dry_run {
        return Ok(());
    }
    let now = core.clock.text();
    let key = (BUDGETS.into(), format!("{}/{name}", metadata::text(budget, "namespace")).into());
    let user = User::new("system:apiserver").group(super::super::user::MASTERS);
    update::change_by(core, user, MANAGER, &key, Part::Status, &|budget| {
        let observed = budget.pointer("/status/observedGeneration").cloned();
        let Some(Value::Object(status)) = budget.get_mut("status") else { return };
        status.insert("disruptionsAllowed".to_owned(), (allowed - 1).into());
        let pods = status.entry("disruptedPods").or_insert_with(|| json!({}));
        pods[pod] = now.as_str().into();
        if allowed == 1 {
            let condition = json!({
                "type": "DisruptionAllowed", "status": "False", "reason": "InsufficientPods",
                "message": "", "observedGeneration": observed.unwrap_or_default(),
            });
            super::set_condition(budget, condition, &now);
        }
    })
}

/// Marks a pod as the target of a disruption, and deletes it. Source: `addConditionAndDeletePod`.
fn delete_evicted(
    core: &mut Core,
    kind: &ServedKind,
    pod: &Value,
    options: &DeleteOptions,
) -> Answer<()> {
    let key = kind.key(metadata::text(pod, "namespace"), metadata::text(pod, "name"));
    let mut options = options.clone();
    if !options.dry_run {
        let name = metadata::text(pod, "name");
        check_preconditions(kind, name, pod, &options, core.catalog.kubernetes)?;
        let mut marked = pod.clone();
        let condition = json!({
            "type": "DisruptionTarget", "status": "True", "reason": "EvictionByEvictionAPI",
            "message": "Eviction API: evicting", "lastProbeTime": null,
        });
        super::set_condition(&mut marked, condition, &core.clock.text());
        let stored = kind.to_stored(marked)?;
        commit(core, kind, &key, stored)?;
        options.resource_version = None;
    }
    // Upstream: no admission follows the one of the eviction.
    delete::delete_stored(core, &(kind.storage.clone(), key.into()), &options, None)
}

/// Returns whether the eviction of a pod counts as a disruption. Source: `Create` of `EvictionREST`.
fn is_guarded(pod: &Value, budget: &Value) -> bool {
    let conditions = pod.pointer("/status/conditions").and_then(Value::as_array);
    let is_ready = |it: &Value| it["type"] == "Ready" && it["status"] == "True";
    if conditions.is_some_and(|conditions| conditions.iter().any(is_ready)) {
        return true;
    }
    let number = |at: &str| budget.pointer(at).and_then(Value::as_i64).unwrap_or_default();
    let desired = number("/status/desiredHealthy");
    let is_healthy = number("/status/currentHealthy") >= desired && desired > 0;
    let policy = budget.pointer("/spec/unhealthyPodEvictionPolicy");
    policy.is_none_or(|policy| policy != "AlwaysAllow") && !is_healthy
}

fn too_many(retry_after: u32, why: &str) -> Failure {
    let text = "Cannot evict pod as it would violate the pod's disruption budget.";
    Failure::too_many_requests(text, retry_after).with_cause("DisruptionBudget", why)
}

fn refused(name: &str, why: &str, cause: &str) -> Failure {
    let of = GroupResource { group: "policy", kind: "poddisruptionbudget" };
    let cause =
        format!("The disruption budget {name} does not allow evicting pods currently: {cause}");
    Failure::forbidden(of, name, why).with_cause("DisruptionBudget", &cause)
}

fn why_none_is_allowed(budget: &Value, name: &str) -> String {
    let number = |at: &str| budget.pointer(at).and_then(Value::as_i64).unwrap_or_default();
    let (current, desired) = (number("/status/currentHealthy"), number("/status/desiredHealthy"));
    let conditions = budget.get("status").into_iter().flat_map(|it| fields::list(it, "conditions"));
    let mut conditions = conditions.filter(|it| it["type"] == "DisruptionAllowed");
    let condition = conditions.next().filter(|it| it["status"] == "False");
    let text = |key| condition.map_or("", |condition| fields::text(condition, key));
    let (reason, message) = (text("reason"), text("message"));
    let begin = format!("The disruption budget {name}");
    if !message.is_empty() && reason == "SyncFailed" {
        format!("{begin} does not allow evicting pods currently because it failed sync: {message}")
    } else if current <= desired {
        format!("{begin} needs {desired} healthy pods and has {current} currently")
    } else if !message.is_empty() {
        format!("{begin} does not allow evicting pods currently ({reason}): {message}")
    } else {
        format!("{begin} does not allow evicting pods currently")
    }
}
