//! The statuses of validating admission policies.
//!
//! Upstream also reports expressions that do not fit the types of the constraints.
//!
//! Source: `pkg/controller/validatingadmissionpolicystatus` of kubernetes/kubernetes.

use std::sync::Arc;

use serde_json::{Value, json};

use super::super::core::Core;
use super::super::failure::Answer;
use super::super::policy::VALIDATING_POLICIES;
use super::super::target::Part;
use super::super::update;

const CONTROLLER: &str = "validatingadmissionpolicy-status-controller";

/// Reports the generation of a policy as observed.
///
/// # Errors
/// Returns the failure of the update, or an error if webhooks have yet to be called.
pub(super) fn observe_policy(core: &mut Core, name: &Arc<str>) -> Answer<()> {
    let Some(stored) = core.store.get(VALIDATING_POLICIES, name) else { return Ok(()) };
    let policy = stored.object();
    let number = |at: &str| policy.pointer(at).and_then(Value::as_i64).unwrap_or_default();
    let generation = number("/metadata/generation");
    if generation <= number("/status/observedGeneration") {
        return Ok(());
    }
    let key = (VALIDATING_POLICIES.into(), Arc::clone(name));
    update::change_as(core, CONTROLLER, &key, Part::Status, &|policy| {
        policy["status"] = json!({"observedGeneration": generation, "typeChecking": {}});
    })
}
