//! Validating webhooks.
//!
//! Source: `pkg/admission/plugin/webhook/validating/dispatcher.go` of k8s.io/apiserver.

use std::sync::Arc;

use super::super::core::Core;
use super::super::failure::{Answer, Failure};
use super::super::kind::ServedKind;
use super::{AdmissionWebhook, Attributes, CallError, VALIDATING};

impl Core {
    /// Calls the validating webhooks for a write, all at the same time.
    ///
    /// # Errors
    /// The failure of the first webhook that denies the write, or that cannot be called and whose failure policy is not
    /// `Ignore`.
    pub(in super::super) fn validated(
        &self,
        attributes: &Attributes,
        warnings: &mut Vec<String>,
    ) -> Answer<()> {
        if !self.is_admitted_by_webhooks(attributes) {
            return Ok(());
        }
        let hooks = self.webhooks(VALIDATING);
        let mut invoked_hooks: Vec<(&AdmissionWebhook, Arc<ServedKind>)> = Vec::new();
        for hook in &hooks {
            if let Some(invoked) = self.invoked(hook, attributes)? {
                invoked_hooks.push((hook, invoked));
            }
        }
        let mut first = Ok(());
        for (hook, invoked) in invoked_hooks {
            let failure = match self.judged(hook, attributes, &invoked, warnings) {
                Err(_) if self.webhook_calls.is_waiting() => continue,
                Ok(()) => continue,
                Err(CallError::NotAsked(_)) if hook.fails_open() => continue,
                Err(CallError::NotAsked(why)) => Failure::internal(&why),
                Err(CallError::Final(failure)) => failure,
            };
            // Upstream: the failure of the webhook that answers first; here the order is that of the webhooks.
            if first.is_ok() {
                first = Err(failure);
            }
        }
        self.webhook_calls.check()?;
        first
    }

    fn judged(
        &self,
        hook: &AdmissionWebhook,
        attributes: &Attributes,
        invoked: &ServedKind,
        warnings: &mut Vec<String>,
    ) -> Result<(), CallError> {
        let versioned = Self::as_invoked(attributes, invoked)?;
        let verdict = self.consult(hook, &versioned, invoked, false)?;
        warnings.extend(verdict.warnings.iter().cloned());
        Ok(verdict.allowed(hook.name())?)
    }

    /// Calls the mutating and the validating webhooks for a deletion. Source: `AdmissionToValidateObjectDeleteFunc`.
    ///
    /// # Errors
    /// As [`Core::mutated`] and [`Core::validated`].
    pub(in super::super) fn admit_deletion(
        &self,
        attributes: &Attributes,
        warnings: &mut Vec<String>,
    ) -> Answer<()> {
        self.mutated(attributes.clone(), warnings)?;
        self.validated(attributes, warnings)
    }
}
