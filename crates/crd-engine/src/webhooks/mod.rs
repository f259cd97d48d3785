//! Configurations of admission webhooks: manifests, and the server's checks on them and on admission policies.
//!
//! ```
//! use crd_runtime::webhooks::{Webhook, Webhooks};
//!
//! let webhooks = Webhooks::new("website-operator").service("websites", "website-operator").validating(
//!     Webhook::new("validate.websites.example.com")
//!         .path("/validate")
//!         .on(["CREATE", "UPDATE"], "websites.example.com", ["v1"])
//!         .match_condition("is-not-deleted", "!has(object.metadata.deletionTimestamp)"),
//! );
//! assert!(webhooks.errors().is_empty());
//! assert_eq!(
//!     webhooks.to_yaml(),
//!     "---
//! apiVersion: admissionregistration.k8s.io/v1
//! kind: ValidatingWebhookConfiguration
//! metadata:
//!   name: website-operator
//! webhooks:
//! - admissionReviewVersions:
//!   - v1
//!   clientConfig:
//!     service:
//!       name: website-operator
//!       namespace: websites
//!       path: /validate
//!   failurePolicy: Fail
//!   matchConditions:
//!   - expression: '!has(object.metadata.deletionTimestamp)'
//!     name: is-not-deleted
//!   name: validate.websites.example.com
//!   rules:
//!   - apiGroups:
//!     - example.com
//!     apiVersions:
//!     - v1
//!     operations:
//!     - CREATE
//!     - UPDATE
//!     resources:
//!     - websites
//!   sideEffects: None
//! "
//! );
//! ```

mod fields;
mod policies;
mod rules;
mod validate;

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Map, Value, json};

use crate::field::{Error, Sink};
use crate::model::ServiceReference;
use crate::{names, yaml};

use policies::PolicyKind;

pub use policies::PATCHES;
pub use validate::{GROUP, warnings};

/// The port of a Service that is called if none is given. Source: `SetDefaults_ServiceReference`.
const PORT: i32 = 443;

/// Validates an object of the group whose defaults are set: a configuration of webhooks, an admission policy or its
/// binding. `old` is the stored one, for an update.
pub fn validate(
    object: &Value,
    old: Option<&Value>,
    kubernetes: KubernetesVersion,
    errors: &mut Sink,
) {
    match crate::fields::text(object, "kind") {
        "ValidatingAdmissionPolicy" => {
            policies::validate_policy(PolicyKind::Validating, object, old, errors);
        }
        "MutatingAdmissionPolicy" => {
            policies::validate_policy(PolicyKind::Mutating, object, old, errors);
        }
        "ValidatingAdmissionPolicyBinding" => {
            policies::validate_binding(PolicyKind::Validating, object, errors);
        }
        "MutatingAdmissionPolicyBinding" => {
            policies::validate_binding(PolicyKind::Mutating, object, errors);
        }
        _ => validate::validate_webhooks(object, old, kubernetes, errors),
    }
    if old.is_none() {
        validate::validate_name(object, kubernetes, errors);
    }
}

/// The admission webhooks of a program: a `MutatingWebhookConfiguration` and a `ValidatingWebhookConfiguration`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Webhooks {
    name: String,
    service: Option<ServiceReference>,
    mutating: Vec<Webhook>,
    validating: Vec<Webhook>,
}

/// An admission webhook. The API server calls it for the writes that it is [`on`](Self::on).
#[derive(Debug, Clone, PartialEq)]
pub struct Webhook {
    /// The fields of the webhook, except for the Service that is called.
    fields: Map<String, Value>,
    path: Option<String>,
    url: Option<String>,
    rules: Vec<Value>,
    conditions: Vec<Value>,
}

impl Webhooks {
    /// Begins configurations with this name.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// Sets the Service of the webhooks that have no URL of their own.
    #[must_use]
    pub fn service(mut self, namespace: &str, name: &str) -> Self {
        let service = self.service.get_or_insert_default();
        (service.namespace, service.name) = (namespace.to_owned(), name.to_owned());
        self
    }

    /// Sets the port of the Service. Default: 443.
    #[must_use]
    pub fn port(mut self, port: i32) -> Self {
        self.service.get_or_insert_default().port = Some(port);
        self
    }

    /// Adds a webhook that changes objects.
    #[must_use]
    pub fn mutating(mut self, webhook: Webhook) -> Self {
        self.mutating.push(webhook);
        self
    }

    /// Adds a webhook that accepts or rejects objects.
    #[must_use]
    pub fn validating(mut self, webhook: Webhook) -> Self {
        self.validating.push(webhook);
        self
    }

    /// Returns the configurations, the mutating one first, with their webhooks sorted by name. A kind without webhooks is
    /// left out.
    #[must_use]
    pub fn objects(&self) -> Vec<Value> {
        let kinds = [
            ("MutatingWebhookConfiguration", &self.mutating),
            ("ValidatingWebhookConfiguration", &self.validating),
        ];
        let kinds = kinds.into_iter().filter(|(_, webhooks)| !webhooks.is_empty());
        let objects = kinds.map(|(kind, webhooks)| {
            let mut webhooks: Vec<&Webhook> = webhooks.iter().collect();
            webhooks.sort_by_key(|webhook| webhook.name());
            let webhooks: Vec<Value> =
                webhooks.into_iter().map(|webhook| webhook.value(self.service.as_ref())).collect();
            json!({
                "apiVersion": format!("{GROUP}/v1"), "kind": kind,
                "metadata": {"name": self.name}, "webhooks": webhooks,
            })
        });
        objects.collect()
    }

    /// Returns the manifest: a document for each configuration, each preceded by `---`.
    #[must_use]
    pub fn to_yaml(&self) -> String {
        yaml::to_documents(&self.objects())
    }

    /// Returns the errors with which the API server would reject the configurations. Match conditions are compiled.
    #[must_use]
    pub fn errors(&self) -> Vec<Error> {
        self.objects()
            .iter()
            .flat_map(|object| errors(object, KubernetesVersion::REFERENCE))
            .collect()
    }
}

/// Returns the errors with which a server would reject a configuration that is created.
#[must_use]
pub fn errors(configuration: &Value, kubernetes: KubernetesVersion) -> Vec<Error> {
    let mut object = configuration.clone();
    let webhooks = object.get_mut("webhooks").and_then(Value::as_array_mut);
    for webhook in webhooks.into_iter().flatten() {
        if let Some(Value::Object(service)) = webhook.pointer_mut("/clientConfig/service") {
            service.entry("port").or_insert_with(|| PORT.into());
        }
    }
    let mut errors = Sink::of(kubernetes);
    validate(&object, None, kubernetes, &mut errors);
    errors.into_errors().into_iter().collect()
}

impl Webhook {
    /// Begins a webhook with this name, a domain with at least three segments. Without other settings it fails closed,
    /// has no side effects, and reads version `v1` of `AdmissionReview`.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let fields = [
            ("name", json!(name)),
            ("admissionReviewVersions", json!(["v1"])),
            ("failurePolicy", json!("Fail")),
            ("sideEffects", json!("None")),
        ];
        let fields = fields.map(|(key, value)| (key.to_owned(), value)).into_iter().collect();
        Self { fields, path: None, url: None, rules: Vec::new(), conditions: Vec::new() }
    }

    /// Sets the path that is called on the Service.
    #[must_use]
    pub fn path(mut self, path: &str) -> Self {
        self.path = Some(path.to_owned());
        self
    }

    /// Sets the URL that is called instead of the Service.
    #[must_use]
    pub fn url(mut self, url: &str) -> Self {
        self.url = Some(url.to_owned());
        self
    }

    /// Adds a rule: the operations on versions of a resource such as `websites.example.com/status` for which the webhook
    /// is called. Operations can be written in lower case.
    #[must_use]
    pub fn on<'t>(
        mut self,
        operations: impl IntoIterator<Item = &'t str>,
        resource: &str,
        versions: impl IntoIterator<Item = &'t str>,
    ) -> Self {
        let operations: Vec<String> = operations.into_iter().map(str::to_ascii_uppercase).collect();
        let versions: Vec<&str> = versions.into_iter().collect();
        let (group, resource) = names::resource(resource);
        self.rules.push(json!({
            "operations": operations, "apiGroups": [group], "apiVersions": versions, "resources": [resource],
        }));
        self
    }

    /// Adds a condition in CEL without which the webhook is not called.
    #[must_use]
    pub fn match_condition(mut self, name: &str, expression: &str) -> Self {
        self.conditions.push(json!({"name": name, "expression": expression}));
        self
    }

    /// Sets what the server does if the webhook fails: `Fail`, the default, or `Ignore`.
    #[must_use]
    pub fn failure_policy(self, policy: &str) -> Self {
        self.set("failurePolicy", policy)
    }

    /// Sets whether writes of equivalent resources are sent, converted to the one of the rules: `Equivalent`, the
    /// server's default, or `Exact`.
    #[must_use]
    pub fn match_policy(self, policy: &str) -> Self {
        self.set("matchPolicy", policy)
    }

    /// Sets whether the webhook does more than to answer: `None`, the default, or `NoneOnDryRun`.
    #[must_use]
    pub fn side_effects(self, side_effects: &str) -> Self {
        self.set("sideEffects", side_effects)
    }

    /// Sets the time that the server waits, 1 to 30 seconds. The server's default is 10.
    #[must_use]
    pub fn timeout_seconds(self, seconds: i32) -> Self {
        self.set("timeoutSeconds", seconds)
    }

    /// Sets whether a mutating webhook is called again after others have changed the object: `Never`, the server's
    /// default, or `IfNeeded`.
    #[must_use]
    pub fn reinvocation_policy(self, policy: &str) -> Self {
        self.set("reinvocationPolicy", policy)
    }

    /// Sets the label selector of the namespaces in which the webhook is called, as JSON.
    #[must_use]
    pub fn namespace_selector(self, selector: Value) -> Self {
        self.set("namespaceSelector", selector)
    }

    /// Sets the label selector of the objects for which the webhook is called, as JSON.
    #[must_use]
    pub fn object_selector(self, selector: Value) -> Self {
        self.set("objectSelector", selector)
    }

    fn set(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(key.to_owned(), value.into());
        self
    }

    fn name(&self) -> &str {
        self.fields.get("name").and_then(Value::as_str).unwrap_or_default()
    }

    fn value(&self, service: Option<&ServiceReference>) -> Value {
        let mut client = Map::new();
        if let Some(url) = &self.url {
            client.insert("url".to_owned(), url.as_str().into());
        } else if let Some(service) = service {
            let service = ServiceReference { path: self.path.clone(), ..service.clone() };
            client.insert("service".to_owned(), json!(service));
        }
        let mut fields = self.fields.clone();
        fields.insert("clientConfig".to_owned(), client.into());
        fields.insert("rules".to_owned(), self.rules.clone().into());
        if !self.conditions.is_empty() {
            fields.insert("matchConditions".to_owned(), self.conditions.clone().into());
        }
        fields.into()
    }
}

#[cfg(test)]
mod tests;
