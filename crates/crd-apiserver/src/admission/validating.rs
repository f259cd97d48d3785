//! Validating webhooks.
//!
//! Source: `pkg/admission/plugin/webhook/validating/dispatcher.go` of k8s.io/apiserver.

use std::sync::Arc;

use super::super::core::Core;
use super::super::failure::{Answer, Failure};
use super::super::kind::ServedKind;
use super::{AdmissionWebhook, Attributes, CallError, VALIDATING};

impl Core {
    /// Calls the validating webhooks for a write, all at the same time: the loop only makes those without a
    /// response pending, and these calls are sent together before the request is tried again.
    ///
    /// # Errors
    /// The failure of the first webhook that denies the write, or that cannot be called and whose failure policy is not
    /// `Ignore`.
    pub(in super::super) fn call_validating_webhooks(
        &self,
        attributes: &Attributes,
        warnings: &mut Vec<String>,
    ) -> Answer<()> {
        if !self.calls_webhooks_for(attributes) {
            return Ok(());
        }
        let hooks = self.webhooks(VALIDATING);
        let mut called_hooks: Vec<(&AdmissionWebhook, Arc<ServedKind>)> = Vec::new();
        for hook in &hooks {
            if let Some(sent_as) = self.called_kind(hook, attributes)? {
                called_hooks.push((hook, sent_as));
            }
        }
        let mut first = Ok(());
        for (hook, sent_as) in called_hooks {
            let failure = match self.call_validating_webhook(hook, attributes, &sent_as, warnings) {
                Err(_) if self.webhook_calls.is_waiting() => continue,
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
        self.webhook_calls.check()?;
        first
    }

    fn call_validating_webhook(
        &self,
        hook: &AdmissionWebhook,
        attributes: &Attributes,
        sent_as: &ServedKind,
        warnings: &mut Vec<String>,
    ) -> Result<(), CallError> {
        let versioned = Self::as_sent(attributes, sent_as)?;
        let verdict = self.call_webhook(hook, &versioned, sent_as, false)?;
        warnings.extend(verdict.warnings.iter().cloned());
        Ok(verdict.check_allowed(hook.name())?)
    }

    /// Checks a deletion by the mutating webhooks, and by validating policies and webhooks.
    /// Source: `AdmissionToValidateObjectDeleteFunc`.
    ///
    /// # Errors
    /// As [`Core::change`] and [`Core::check_write`].
    pub(in super::super) fn check_deletion(
        &self,
        attributes: &Attributes,
        warnings: &mut Vec<String>,
    ) -> Answer<()> {
        self.change(attributes.clone(), warnings)?;
        self.check_write(attributes, warnings)
    }
}
