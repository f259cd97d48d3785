//! Admission of writes by webhooks.
//!
//! Source: `k8s.io/apiserver/pkg/admission/plugin/webhook`.

mod bindings;
mod conditions;
mod evaluation;
mod managed_fields;
mod matching;
mod mutating;
mod mutations;
mod params;
mod policies;
mod response;
mod review;
mod validating;

use std::sync::Arc;

use serde_json::{Value, json};

use super::call::Call;
use super::core::Core;
use super::failure::{Answer, Failure, GroupResource};
use super::kind::ServedKind;
use super::store::Store;
use super::target::Part;
use super::user::User;
use super::webhooks::{Address, AdmissionWebhook, WebhookCalls};
use super::{go_types, ownership};

pub use response::AdmissionResponse;
pub(super) use validating::check_deletion;

/// The API group of the configurations and policies.
const GROUP: &str = crd_engine::webhooks::GROUP;
/// The resource under which the configurations of mutating webhooks are stored.
pub(super) const MUTATING: &str = "admissionregistration.k8s.io/mutatingwebhookconfigurations";
/// The resource under which the configurations of validating webhooks are stored.
pub(super) const VALIDATING: &str = "admissionregistration.k8s.io/validatingwebhookconfigurations";

/// The operation that a write performs on an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AdmissionOperation {
    Create,
    Update,
    Delete,
}

impl AdmissionOperation {
    fn text(self) -> &'static str {
        match self {
            Self::Create => "CREATE",
            Self::Update => "UPDATE",
            Self::Delete => "DELETE",
        }
    }
}

/// The attributes of a write that admission checks.
#[derive(Debug, Clone)]
pub(super) struct Attributes {
    pub(super) kind: Arc<ServedKind>,
    pub(super) part: Part,
    pub(super) subresource: String,
    pub(super) operation: AdmissionOperation,
    /// Empty for cluster-scoped objects other than namespaces; for a namespace, its own name.
    pub(super) namespace: String,
    /// Empty if it has yet to be generated, and for the objects of a collection that is deleted.
    pub(super) name: String,
    pub(super) object: Option<Value>,
    pub(super) old: Option<Value>,
    pub(super) options: Value,
    pub(super) dry_run: bool,
    pub(super) user: Arc<User>,
}

impl Attributes {
    /// Returns the attributes of the write that a request asks for.
    pub(super) fn of(
        call: &Call<'_>,
        operation: AdmissionOperation,
        object: Option<Value>,
        old: Option<Value>,
    ) -> Self {
        let text = |key| object.as_ref().map(|object| super::metadata::text(object, key));
        let names = [&call.path.name, &call.requested_name];
        let mut name = names.into_iter().find(|name| !name.is_empty()).cloned().unwrap_or_default();
        if name.is_empty() {
            text("name").unwrap_or_default().clone_into(&mut name);
        }
        let mut namespace = call.path.namespace.clone();
        if namespace.is_empty() && &*call.kind.storage == super::namespaces::RESOURCE {
            namespace.clone_from(&name);
        }
        let options = match operation {
            AdmissionOperation::Create => "CreateOptions",
            AdmissionOperation::Update => "UpdateOptions",
            AdmissionOperation::Delete => "DeleteOptions",
        };
        let mut options = json!({"kind": options, "apiVersion": "meta.k8s.io/v1"});
        if let Value::Object(map) = &mut options {
            for key in ["fieldManager", "fieldValidation"] {
                let value = call.query.text(key);
                if !value.is_empty() && operation != AdmissionOperation::Delete {
                    map.insert(key.to_owned(), value.into());
                }
            }
            if call.dry_run {
                map.insert("dryRun".to_owned(), json!(["All"]));
            }
        }
        Self {
            kind: Arc::clone(&call.kind),
            part: call.part,
            subresource: call.path.subresource.clone(),
            operation,
            namespace,
            name,
            object,
            old,
            options,
            dry_run: call.dry_run,
            user: call.user.clone(),
        }
    }

    /// Converts the objects of a write to the version that a webhook receives. A scale is not converted.
    ///
    /// # Errors
    /// If an object cannot be converted.
    fn as_sent(&self, sent_as: &ServedKind) -> Answer<Self> {
        let mut attributes = self.clone();
        if attributes.kind.id != sent_as.id && attributes.part.other_kind().is_none() {
            let to = sent_as.api_version();
            for object in [&mut attributes.object, &mut attributes.old].into_iter().flatten() {
                *object = attributes.kind.convert(object.take(), &to)?;
            }
        }
        Ok(attributes)
    }

    /// As [`as_sent`](Self::as_sent), for a webhook.
    ///
    /// # Errors
    /// Status 500 if an object cannot be converted. Upstream: both what converts the objects for mutating webhooks and
    /// its caller say that the error is an internal one.
    fn as_sent_to_webhook(
        &self,
        webhook_calls: &WebhookCalls,
        sent_as: &ServedKind,
        is_mutating: bool,
    ) -> Answer<Self> {
        let internal = |failure| internal(webhook_calls, failure);
        let sent = self.as_sent(sent_as).map_err(internal);
        if is_mutating { sent.map_err(internal) } else { sent }
    }

    /// Returns the resource as errors name it.
    fn resource(&self) -> GroupResource<'_> {
        self.kind.resource()
    }

    /// Returns the name of the object as errors of policies show it. Source: `extractResourceName`.
    fn shown_name(&self) -> String {
        let text = |key| self.object.as_ref().map(|object| super::metadata::text(object, key));
        let names = [Some(self.name.as_str()), text("name"), text("generateName")];
        let found = names.into_iter().flatten().find(|name| !name.is_empty());
        found.unwrap_or("Unknown").to_owned()
    }
}

/// Returns the failure of a conversion as an internal error; as it is if a conversion webhook has yet to answer.
fn internal(webhook_calls: &WebhookCalls, failure: Failure) -> Failure {
    if webhook_calls.is_waiting() { failure } else { Failure::internal(&failure.message) }
}

/// The reason why a webhook does not admit a write.
#[derive(Debug)]
enum CallError {
    /// The webhook could not be called, or its response is malformed. With the failure policy `Ignore`, the write goes
    /// on.
    CallFailed(String),
    /// The webhook denies the write, or another failure occurs to which the failure policy does not apply.
    Final(Failure),
}

impl From<Failure> for CallError {
    fn from(failure: Failure) -> Self {
        Self::Final(failure)
    }
}

/// Changes an object that a request writes by the mutating policies and webhooks, and returns it.
///
/// # Errors
/// As [`mutating::change`].
pub(super) fn mutate(
    core: &Core,
    call: &mut Call<'_>,
    operation: AdmissionOperation,
    object: Value,
    old: Option<&Value>,
) -> Answer<Value> {
    if !mutates(&core.store) {
        return Ok(object);
    }
    // What has been computed without the answer of a conversion webhook is not sent to another webhook.
    core.webhook_calls.check()?;
    if operation == AdmissionOperation::Create {
        super::metadata::text(&object, "name").clone_into(&mut call.requested_name);
    }
    let entries = super::metadata::of(&object).and_then(|it| it.get("managedFields")).cloned();
    let attributes = Attributes::of(call, operation, Some(object), old.cloned());
    let before = attributes.object.clone();
    let object = mutating::change(core, attributes, call.warnings)?;
    call.is_mutated |= object != before;
    let mut object = object.unwrap_or_default();
    call.warnings.extend(managed_fields::restore(&mut object, entries));
    call.warnings.extend(super::metadata::dedup_owners(&mut object));
    Ok(object)
}

/// Returns an object as it is stored. Upstream: the unknown fields that webhooks and policies have added to a custom
/// resource are removed only after it has been validated.
///
/// # Errors
/// Status 500 if the object cannot be decoded.
pub(super) fn pruned(core: &Core, call: &Call<'_>, object: Value) -> Answer<Value> {
    if !call.is_mutated || call.kind.compiled().is_none() {
        return Ok(object);
    }
    mutating::coerced(&call.kind, object, core.catalog.kubernetes)
}

/// Like [`mutate`], for the scale of the stored object `live`. Its managed fields are set for the manager, if any.
///
/// # Errors
/// As [`mutating::change`].
pub(super) fn mutate_scale(
    core: &Core,
    call: &mut Call<'_>,
    mut scale: Value,
    live: &Value,
    manager: Option<&str>,
) -> Answer<Value> {
    if !mutates(&core.store) {
        return Ok(scale);
    }
    let old = ownership::scale_with_entries(&core.catalog, &call.kind, live)?;
    if let Some(type_) = go_types::named("autoscaling.v1.Scale") {
        go_types::complete(type_, &mut scale, core.catalog.kubernetes.minor());
    }
    if let Some(manager) = manager {
        ownership::track_replicas(core, &old, &mut scale, manager);
    }
    mutate(core, call, AdmissionOperation::Update, scale, Some(&old))
}

/// Checks an object that a request writes by validating policies and webhooks.
///
/// # Errors
/// As [`check_write`].
pub(super) fn validate(
    core: &Core,
    call: &mut Call<'_>,
    operation: AdmissionOperation,
    object: &Value,
    old: Option<&Value>,
) -> Answer<()> {
    if !has_admission(&core.store) {
        return Ok(());
    }
    core.webhook_calls.check()?;
    let shown = |object: &Value| match call.part {
        Part::Scale => super::scale::for_validation(&call.kind, object),
        _ => Ok(object.clone()),
    };
    let (object, old) = (shown(object)?, old.map(shown).transpose()?);
    let attributes = Attributes::of(call, operation, Some(object), old);
    check_write(core, &attributes, call.warnings)
}

/// Checks a write by validating policies, and then by validating webhooks.
///
/// # Errors
/// As [`policies::check_policies`] and [`validating::call_validating_webhooks`].
fn check_write(core: &Core, attributes: &Attributes, warnings: &mut Vec<String>) -> Answer<()> {
    policies::check_policies(core, attributes, warnings)?;
    validating::call_validating_webhooks(core, attributes, warnings)
}

/// Returns whether writes may be changed by webhooks or policies.
fn mutates(store: &Store) -> bool {
    has_webhook_configurations(store) || mutations::has_mutating_policies(store)
}

/// Returns whether writes are checked by webhooks or policies.
pub(super) fn has_admission(store: &Store) -> bool {
    has_webhook_configurations(store) || policies::has_policies(store)
}

/// Returns whether a configuration of webhooks is stored.
pub(super) fn has_webhook_configurations(store: &Store) -> bool {
    [MUTATING, VALIDATING].iter().any(|resource| store.list(resource, "").next().is_some())
}

/// Returns the webhooks of all configurations that are stored as `resource`, in the order in which they are called:
/// that of the names of the configurations.
fn webhooks(core: &Core, resource: &'static str) -> Vec<Arc<AdmissionWebhook>> {
    let webhooks = core.store.list(resource, "").map(|(key, stored)| {
        core.webhooks.get(resource, Arc::clone(key), stored, |configuration| {
            AdmissionWebhook::all_of(configuration, core.catalog.kubernetes)
        })
    });
    webhooks.flat_map(|webhooks| Vec::clone(&webhooks)).collect()
}

/// Returns whether webhooks are called for a write. They are not called for configurations of webhooks, nor if the
/// request cannot wait for answers.
/// Source: `IsExemptAdmissionConfigurationResource`.
fn calls_webhooks_for(webhook_calls: &WebhookCalls, attributes: &Attributes) -> bool {
    let kind = &attributes.kind;
    let is_exempt = kind.group == GROUP;
    webhook_calls.can_wait() && !is_exempt
}

/// Calls a webhook with objects of the kind `sent_as`, and returns its verified response.
///
/// # Errors
/// [`CallError::CallFailed`] if the webhook cannot be called or its response is malformed. [`CallError::Final`]
/// with status 400 for a dry run if the webhook has side effects, or with the errors of
/// [`WebhookCalls::ask`](super::webhooks::WebhookCalls::ask) if the webhook has not answered yet.
fn call_webhook(
    webhook_calls: &WebhookCalls,
    hook: &AdmissionWebhook,
    attributes: &Attributes,
    sent_as: &ServedKind,
    is_mutating: bool,
) -> Result<response::ReviewResponse, CallError> {
    let name = hook.name();
    let call_failed =
        |why: String| CallError::CallFailed(format!("failed calling webhook {name:?}: {why}"));
    if attributes.dry_run {
        match hook.text("sideEffects") {
            "None" | "NoneOnDryRun" => {}
            "" => return Err(call_failed("Webhook SideEffects is nil".to_owned())),
            _ => {
                let why = format!("admission webhook {name:?} does not support dry run");
                return Err(Failure::bad_request(why).into());
            }
        }
    }
    let versions = hook.value.get("admissionReviewVersions").and_then(Value::as_array);
    let known = ["v1", "v1beta1"];
    let version = versions
        .into_iter()
        .flatten()
        .find_map(|version| known.into_iter().find(|known| version == known))
        .ok_or_else(|| {
            call_failed(
                "could not create admission objects: webhook does not accept known AdmissionReview versions (v1, \
                 v1beta1)"
                    .to_owned(),
            )
        })?;
    let address = Address::of(hook.value.get("clientConfig").unwrap_or(&Value::Null))
        .map_err(|why| call_failed(format!("could not get REST client: {why}")))?;
    let review = review::of(attributes, sent_as, version);
    let (uid, reply) = webhook_calls.ask(name, &address, &review, hook.timeout())?;
    let reply = reply.map_err(|why| call_failed(format!("failed to call webhook: {why}")))?;
    response::verify(&reply, version, &uid, is_mutating)
        .map_err(|why| call_failed(format!("received invalid webhook response: {why}")))
}
