//! Changes of objects by mutating webhooks, and by policies before them.
//!
//! Source: `pkg/admission/plugin/webhook/mutating/dispatcher.go` of k8s.io/apiserver.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::Value;

use super::super::core::Core;
use super::super::failure::{Answer, Failure};
use super::super::json_patch::{DoesNotApply, JsonPatch};
use super::super::kind::ServedKind;
use super::super::webhooks::WebhookCalls;
use super::matching::Criteria;
use super::mutations::{self, PolicyReinvocation};
use super::response::ReviewResponse;
use super::{
    AdmissionWebhook, Attributes, CallError, MUTATING, call_webhook, calls_webhooks_for,
    conditions, internal, matching, webhooks,
};
use crate::admit::FieldValidation;
use crate::json;

/// The webhooks that may have to be called a second time, by their indices.
#[derive(Debug, Default)]
struct Reinvocation {
    /// Webhooks with the reinvocation policy `IfNeeded` that have been called. If the object changes later, they are
    /// called again.
    may: BTreeSet<usize>,
    /// Webhooks for which the object has changed since they were called.
    must: BTreeSet<usize>,
    /// Whether a webhook has changed the object.
    is_changed: bool,
}

/// Changes the object of a write by mutating policies and then by webhooks, and once more by those that have to see
/// what the others have changed. Source: `reinvoker.Admit` of `pkg/admission/reinvocation.go`.
///
/// # Errors
/// Returns the errors of [`mutations::mutate_by_policies`]; or an error if a webhook denies the write, or cannot be
/// called and its failure policy is not `Ignore`.
pub(in super::super) fn change(
    core: &Core,
    mut attributes: Attributes,
    warnings: &mut Vec<String>,
) -> Answer<Option<Value>> {
    let calls = calls_webhooks_for(&core.webhook_calls, &attributes);
    let hooks = if calls { webhooks(core, MUTATING) } else { Vec::new() };
    let mut policies = PolicyReinvocation::default();
    let mut again = Reinvocation::default();
    let is_changed = mutations::mutate_by_policies(core, &mut attributes, &mut policies, false)?;
    round(core, &hooks, &mut attributes, None, &mut again, warnings)?;
    if is_changed || again.is_changed {
        let before = attributes.object.clone();
        mutations::mutate_by_policies(core, &mut attributes, &mut policies, true)?;
        if before != attributes.object {
            again.must.append(&mut again.may);
        }
        if !again.must.is_empty() {
            let must = std::mem::take(&mut again.must);
            round(core, &hooks, &mut attributes, Some(must), &mut again, warnings)?;
        }
    }
    Ok(attributes.object)
}

/// Calls the webhooks one after the other. The first round, for which `only` is `None`, calls all of them. The
/// second round calls those in `only` and, once one of them has changed the object, the later ones with the
/// reinvocation policy `IfNeeded`.
fn round(
    core: &Core,
    hooks: &[Arc<AdmissionWebhook>],
    attributes: &mut Attributes,
    only: Option<BTreeSet<usize>>,
    again: &mut Reinvocation,
    warnings: &mut Vec<String>,
) -> Answer<()> {
    let is_reinvocation = only.is_some();
    let mut must = only.unwrap_or_default();
    let mut versioned = Versioned { own: attributes, sent: None, is_changed: false };
    for (index, hook) in hooks.iter().enumerate() {
        let matched =
            matching::matched_kind(core, Criteria::of_webhook(hook), &versioned.latest())?;
        let Some(sent_as) = matched else { continue };
        if !hook.conditions.is_empty() {
            let sent = versioned.sent_as(&core.webhook_calls, &sent_as)?;
            if !conditions::meets_conditions(core, hook, sent, &sent_as)? {
                continue;
            }
        }
        if is_reinvocation && !must.contains(&index) {
            continue;
        }
        let sent = versioned.sent_as(&core.webhook_calls, &sent_as)?;
        let changed = match call_mutating_webhook(core, hook, sent, &sent_as, warnings) {
            Ok(changed) => changed,
            Err(CallError::CallFailed(_)) if hook.fails_open() => None,
            Err(CallError::CallFailed(why)) => return Err(Failure::internal(&why)),
            Err(CallError::Final(failure)) => return Err(failure),
        };
        if let Some((object, is_changed)) = changed {
            sent.object = Some(object);
            versioned.is_changed = true;
            again.is_changed |= is_changed;
            if is_changed {
                let may = std::mem::take(&mut again.may);
                must.extend(may.iter().copied());
                again.must.extend(may);
            }
        }
        if hook.text("reinvocationPolicy") == "IfNeeded" {
            again.may.insert(index);
        }
    }
    versioned.take_over()
}

/// A write as the webhooks of a round see it. What a webhook has changed stays in the version that the webhook has received
/// until another version is needed. Source: `versionedAttributeAccessor`.
struct Versioned<'a> {
    /// The write in the version of the request.
    own: &'a mut Attributes,
    /// The write in the version that the last webhook has received.
    sent: Option<(Arc<ServedKind>, Attributes)>,
    /// Whether the object of `sent` has changed.
    is_changed: bool,
}

impl Versioned<'_> {
    /// Returns the write with the object as it has been changed, in any version.
    fn latest(&self) -> Cow<'_, Attributes> {
        match &self.sent {
            Some((_, sent)) if self.is_changed => {
                let mut latest = self.own.clone();
                latest.object.clone_from(&sent.object);
                Cow::Owned(latest)
            }
            _ => Cow::Borrowed(self.own),
        }
    }

    /// Returns the write in the version that a webhook receives.
    ///
    /// # Errors
    /// As [`Attributes::as_sent_to_webhook`].
    fn sent_as(
        &mut self,
        webhook_calls: &WebhookCalls,
        kind: &Arc<ServedKind>,
    ) -> Answer<&mut Attributes> {
        if self.sent.as_ref().is_none_or(|(sent_as, _)| sent_as.id != kind.id) {
            let internal = |failure| internal(webhook_calls, failure);
            self.take_over().map_err(internal).map_err(internal)?;
            let sent = self.own.as_sent_to_webhook(webhook_calls, kind, true)?;
            self.sent = Some((Arc::clone(kind), sent));
        }
        let sent = self.sent.as_mut().map(|(_, sent)| sent);
        Ok(sent.unwrap_or(self.own))
    }

    /// Converts a changed object to the version of the request.
    ///
    /// # Errors
    /// If the object cannot be converted.
    fn take_over(&mut self) -> Answer<()> {
        let Some((kind, sent)) = self.sent.as_ref().filter(|_| self.is_changed) else {
            return Ok(());
        };
        let object = sent.object.clone();
        let is_own = sent.part.other_kind().is_some() || kind.id == self.own.kind.id;
        let to = self.own.kind.api_version();
        let convert = |object| if is_own { Ok(object) } else { kind.convert(object, &to) };
        self.own.object = object.map(convert).transpose()?;
        self.is_changed = false;
        Ok(())
    }
}

/// Calls a webhook, and returns the patched object and whether it has changed; `None` if the response has no patch.
/// Source: `callAttrMutatingHook`.
fn call_mutating_webhook(
    core: &Core,
    hook: &AdmissionWebhook,
    attributes: &Attributes,
    sent_as: &ServedKind,
    warnings: &mut Vec<String>,
) -> Result<Option<(Value, bool)>, CallError> {
    let response = call_webhook(&core.webhook_calls, hook, attributes, sent_as, true)?;
    warnings.extend(response.warnings.iter().cloned());
    response.check_allowed(hook.name())?;
    apply_patch(hook.name(), &response, attributes, sent_as, core.catalog.kubernetes)
}

/// Applies the patch of a response, and returns the object and whether it has changed; `None` if there is no patch.
fn apply_patch(
    name: &str,
    response: &ReviewResponse,
    attributes: &Attributes,
    sent_as: &ServedKind,
    kubernetes: KubernetesVersion,
) -> Result<Option<(Value, bool)>, CallError> {
    if response.patch.is_empty() {
        return Ok(None);
    }
    let call_failed =
        |why: String| CallError::CallFailed(format!("failed calling webhook {name:?}: {why}"));
    let undecodable =
        |why: String| call_failed(format!("received undecodable patch in webhook response: {why}"));
    let decoded = json::decode(&response.patch).map_err(|error| undecodable(error.to_string()))?;
    let Value::Array(operations) = decoded.value else {
        return Err(undecodable(
            "json: cannot unmarshal object into Go value of type jsonpatch.Patch".to_owned(),
        ));
    };
    let patch = JsonPatch::read(&operations).map_err(undecodable)?.with_texts_of(&response.patch);
    if operations.is_empty() {
        return Ok(None);
    }
    let Some(object) = &attributes.object else {
        return Err(Failure::internal(&format!(
            "admission webhook {name:?} attempted to modify the object, which is not supported for this operation"
        ))
        .into());
    };
    if response.patch_type != "JSONPatch" {
        return Err(call_failed(format!("unsupported patch type {:?}", response.patch_type)));
    }
    let mut after = patch.apply(object).map_err(|DoesNotApply(why)| Failure::internal(&why))?;
    let is_changed = !json::equal(&after, object);
    if attributes.part.other_kind().is_some() {
        return Ok(Some((after, is_changed)));
    }
    if let Some(compiled) = sent_as.compiled() {
        // Upstream: the other webhooks see unknown fields, too.
        compiled.apply_defaults(&mut after);
        return Ok(Some((after, is_changed)));
    }
    Ok(Some((coerced(sent_as, after, kubernetes)?, is_changed)))
}

/// Decodes a patched object, without warnings.
pub(super) fn coerced(
    kind: &ServedKind,
    object: Value,
    kubernetes: KubernetesVersion,
) -> Answer<Value> {
    let validation = FieldValidation::Ignore;
    let coerced = kind.coerce_object(object, Vec::new(), validation, kubernetes, &mut Vec::new());
    coerced.map_err(|why| Failure::internal(&why))
}
