//! Validating webhooks.
//!
//! Source: `pkg/admission/plugin/webhook/validating/dispatcher.go` of k8s.io/apiserver.

use super::super::core::Core;
use super::super::failure::{Answer, Failure};
use super::super::kind::ServedKind;
use super::super::webhooks::WebhookCalls;
use super::matching::Criteria;
use super::{
    AdmissionWebhook, Attributes, CallError, VALIDATING, call_webhook, calls_webhooks_for,
    check_write, conditions, matching, mutating, webhooks,
};

/// Calls the validating webhooks for a write, all at the same time: the loop only makes those without a
/// response pending, and these calls are sent together before the request is tried again.
///
/// # Errors
/// The failure of the first webhook that denies the write, or that cannot be called and whose failure policy is not
/// `Ignore`.
pub(in super::super) fn call_validating_webhooks(
    core: &Core,
    attributes: &Attributes,
    warnings: &mut Vec<String>,
) -> Answer<()> {
    if !calls_webhooks_for(&core.webhook_calls, attributes) {
        return Ok(());
    }
    let hooks = webhooks(core, VALIDATING);
    let mut called_hooks = Vec::new();
    for hook in &hooks {
        let matched = matching::matched_kind(core, Criteria::of_webhook(hook), attributes)?;
        let Some(sent_as) = matched else { continue };
        let sent = attributes.as_sent_to_webhook(&core.webhook_calls, &sent_as, false)?;
        if conditions::meets_conditions(core, hook, &sent, &sent_as)? {
            called_hooks.push((hook, sent_as, sent));
        }
    }
    let mut first = Ok(());
    for (hook, sent_as, sent) in called_hooks {
        let failure =
            match call_validating_webhook(&core.webhook_calls, hook, &sent, &sent_as, warnings) {
                Err(_) if core.webhook_calls.is_waiting() => continue,
                Ok(()) => continue,
                Err(CallError::CallFailed(_)) if hook.fails_open() => continue,
                Err(CallError::CallFailed(why)) => Failure::internal(&why),
                Err(CallError::Final(failure)) => failure,
            };
        // Upstream returns the failure of the webhook that answers first. Here it is that of the first webhook.
        if first.is_ok() {
            first = Err(failure);
        }
    }
    core.webhook_calls.check()?;
    first
}

fn call_validating_webhook(
    webhook_calls: &WebhookCalls,
    hook: &AdmissionWebhook,
    attributes: &Attributes,
    sent_as: &ServedKind,
    warnings: &mut Vec<String>,
) -> Result<(), CallError> {
    let verdict = call_webhook(webhook_calls, hook, attributes, sent_as, false)?;
    warnings.extend(verdict.warnings.iter().cloned());
    Ok(verdict.check_allowed(hook.name())?)
}

/// Checks a deletion by the mutating webhooks, and by validating policies and webhooks.
/// Source: `AdmissionToValidateObjectDeleteFunc`.
///
/// # Errors
/// As [`mutating::change`] and [`check_write`].
pub(in super::super) fn check_deletion(
    core: &Core,
    attributes: &Attributes,
    warnings: &mut Vec<String>,
) -> Answer<()> {
    mutating::change(core, attributes.clone(), warnings)?;
    check_write(core, attributes, warnings)
}
