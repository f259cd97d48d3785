//! Built-in kinds of Kubernetes as data: names, scope, subresources, and the schemas that determine field ownership.
//!
//! Their objects are stored as they are written: this module has neither the checks of field types nor the hand-written
//! validation of the real server, and only a few of its defaults.
//!
//! Source: `pkg/registry` and `pkg/apis` of kubernetes/kubernetes; the schemas are those of `k8s-openapi`.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use k8s_openapi::api::admissionregistration::v1::{
    MutatingWebhookConfiguration, ValidatingWebhookConfiguration,
};
use k8s_openapi::api::apps::v1::{DaemonSet, Deployment, ReplicaSet, StatefulSet};
use k8s_openapi::api::batch::v1::{CronJob, Job};
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::{
    ConfigMap, Event, Namespace, Node, PersistentVolume, PersistentVolumeClaim, Pod, Secret,
    Service, ServiceAccount,
};
use k8s_openapi::api::events::v1::Event as NewEvent;
use k8s_openapi::api::networking::v1::{Ingress, NetworkPolicy};
use k8s_openapi::api::policy::v1::PodDisruptionBudget;
use k8s_openapi::api::rbac::v1::{ClusterRole, ClusterRoleBinding, Role, RoleBinding};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::events;
use crate::crd_schema::bridge;
use crate::model::JsonSchemaProps;

/// A built-in kind of Kubernetes.
#[derive(Debug)]
pub(super) struct BuiltIn {
    pub(super) group: &'static str,
    pub(super) kind: &'static str,
    pub(super) plural: &'static str,
    pub(super) short_names: &'static [&'static str],
    pub(super) categories: &'static [&'static str],
    pub(super) traits: Traits,
    pub(super) schema: LazyLock<Arc<JsonSchemaProps>>,
    /// Adds the type of the kind, and the types that it refers to, to published definitions; returns its name there.
    pub(super) publish: fn(&mut SchemaGenerator) -> Cow<'static, str>,
}

/// The properties of a kind, each given by a letter.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Traits {
    /// `n`: its objects are in namespaces.
    pub(super) namespaced: bool,
    /// `s`: it has a status subresource.
    pub(super) status: bool,
    /// `c`: it has a scale subresource.
    pub(super) scale: bool,
    /// `g`: its generation counts changes of its spec or, in a configuration of webhooks, of the webhooks.
    pub(super) generation: bool,
    /// `u`: an update needs no resource version.
    pub(super) unconditional: bool,
    /// `p`: a PUT of an object that does not exist creates it.
    pub(super) create_on_update: bool,
    /// `x`: names are path segments, not DNS subdomains.
    pub(super) any_name: bool,
}

impl Traits {
    fn of(letters: &str) -> Self {
        let has = |letter| letters.contains(letter);
        Self {
            namespaced: has('n'),
            status: has('s'),
            scale: has('c'),
            generation: has('g'),
            unconditional: has('u'),
            create_on_update: has('p'),
            any_name: has('x'),
        }
    }
}

/// A row of the table: type, group, kind, resource, traits, short names, categories.
macro_rules! table {
    ($($type:ty, $group:literal, $kind:literal, $plural:literal, $traits:literal, $short:expr, $categories:expr;)+) => {
        vec![$(BuiltIn {
            group: $group,
            kind: $kind,
            plural: $plural,
            short_names: &$short,
            categories: &$categories,
            traits: Traits::of($traits),
            schema: LazyLock::new(schema::<$type>),
            publish: publish::<$type>,
        }),+]
    };
}

/// The built-in kinds, without the definitions of custom resources.
pub(super) static TABLE: LazyLock<Vec<BuiltIn>> = LazyLock::new(|| {
    table![
        ConfigMap, "", "ConfigMap", "configmaps", "nu", ["cm"], [];
        Event, "", "Event", "events", "nup", ["ev"], [];
        Namespace, "", "Namespace", "namespaces", "su", ["ns"], [];
        Node, "", "Node", "nodes", "su", ["no"], [];
        PersistentVolume, "", "PersistentVolume", "persistentvolumes", "su", ["pv"], [];
        PersistentVolumeClaim, "", "PersistentVolumeClaim", "persistentvolumeclaims", "nsu", ["pvc"], [];
        Pod, "", "Pod", "pods", "nsug", ["po"], ["all"];
        Secret, "", "Secret", "secrets", "nu", [], [];
        Service, "", "Service", "services", "nsup", ["svc"], ["all"];
        ServiceAccount, "", "ServiceAccount", "serviceaccounts", "nu", ["sa"], [];
        MutatingWebhookConfiguration, "admissionregistration.k8s.io", "MutatingWebhookConfiguration",
            "mutatingwebhookconfigurations", "g", [], ["api-extensions"];
        ValidatingWebhookConfiguration, "admissionregistration.k8s.io", "ValidatingWebhookConfiguration",
            "validatingwebhookconfigurations", "g", [], ["api-extensions"];
        DaemonSet, "apps", "DaemonSet", "daemonsets", "nsgu", ["ds"], ["all"];
        Deployment, "apps", "Deployment", "deployments", "nscgu", ["deploy"], ["all"];
        ReplicaSet, "apps", "ReplicaSet", "replicasets", "nscgu", ["rs"], ["all"];
        StatefulSet, "apps", "StatefulSet", "statefulsets", "nscgu", ["sts"], ["all"];
        CronJob, "batch", "CronJob", "cronjobs", "nsgu", ["cj"], ["all"];
        Job, "batch", "Job", "jobs", "nsgu", [], ["all"];
        Lease, "coordination.k8s.io", "Lease", "leases", "np", [], [];
        NewEvent, "events.k8s.io", "Event", "events", "nup", ["ev"], [];
        Ingress, "networking.k8s.io", "Ingress", "ingresses", "nsgu", ["ing"], [];
        NetworkPolicy, "networking.k8s.io", "NetworkPolicy", "networkpolicies", "ngu", ["netpol"], [];
        PodDisruptionBudget, "policy", "PodDisruptionBudget", "poddisruptionbudgets", "nsg", ["pdb"], [];
        ClusterRole, "rbac.authorization.k8s.io", "ClusterRole", "clusterroles", "upx", [], [];
        ClusterRoleBinding, "rbac.authorization.k8s.io", "ClusterRoleBinding", "clusterrolebindings", "upx", [], [];
        Role, "rbac.authorization.k8s.io", "Role", "roles", "nupx", [], [];
        RoleBinding, "rbac.authorization.k8s.io", "RoleBinding", "rolebindings", "nupx", [], [];
    ]
});

impl BuiltIn {
    /// Converts an object to another version of its kind, which only events have.
    pub(super) fn convert(&self, object: Value, to: &str) -> Value {
        if self.plural == "events" { events::convert(object, to) } else { object }
    }
}

fn schema<T: JsonSchema>() -> Arc<JsonSchemaProps> {
    Arc::new(bridge::schema::<T>().unwrap_or_default())
}

fn publish<T: JsonSchema>(generator: &mut SchemaGenerator) -> Cow<'static, str> {
    generator.subschema_for::<T>();
    T::schema_name()
}

/// Does what [`BuiltIn::publish`] does, for definitions.
pub(super) fn publish_definitions(generator: &mut SchemaGenerator) -> Cow<'static, str> {
    publish::<CustomResourceDefinition>(generator)
}

/// Normalizes fields that are written in one form and stored in another.
/// Source: `strategy.PrepareForCreate` of each kind, and `SetDefaults_*` of `pkg/apis/core/v1/defaults.go` for defaults
/// that a kind requires.
pub(super) fn normalize(built_in: &BuiltIn, object: &mut Value) {
    let Value::Object(map) = object else { return };
    if (built_in.group, built_in.kind) == ("", "Namespace") {
        label_namespace(map);
    }
    if matches!((built_in.group, built_in.kind), ("", "ConfigMap" | "Secret")) {
        // `omitempty`
        map.retain(|key, value| {
            !matches!(key.as_str(), "data" | "binaryData" | "stringData")
                || value.as_object().is_none_or(|map| !map.is_empty())
        });
    }
    if (built_in.group, built_in.kind) == ("", "Secret") {
        if let Some(Value::Object(texts)) = map.remove("stringData") {
            let data = map.entry("data").or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(data) = data {
                for (key, text) in texts {
                    let bytes = text.as_str().unwrap_or_default().as_bytes().to_vec();
                    let encoded = serde_json::to_value(k8s_openapi::ByteString(bytes));
                    data.insert(key, encoded.unwrap_or_default());
                }
            }
        }
        map.entry("type").or_insert_with(|| "Opaque".into());
    }
    if built_in.group == "admissionregistration.k8s.io" {
        let webhooks = map.get_mut("webhooks").and_then(Value::as_array_mut).into_iter().flatten();
        for webhook in webhooks.filter_map(Value::as_object_mut) {
            default_webhook(built_in.kind, webhook);
        }
    }
}

/// Sets the label with the name of the namespace. The manager that writes the namespace owns the label.
/// Source: `SetDefaults_Namespace`.
pub(super) fn label_namespace(namespace: &mut Map<String, Value>) {
    let name = namespace.get("metadata").and_then(|metadata| metadata.get("name")).cloned();
    if let (Some(Value::Object(metadata)), Some(Value::String(name))) =
        (namespace.get_mut("metadata"), name)
        && !name.is_empty()
    {
        let labels = metadata.entry("labels").or_insert_with(|| json!({}));
        if let Value::Object(labels) = labels {
            labels.insert("kubernetes.io/metadata.name".to_owned(), name.into());
        }
    }
}

/// Source: `SetDefaults_ValidatingWebhook` and similar functions of `pkg/apis/admissionregistration/v1/defaults.go`.
fn default_webhook(kind: &str, webhook: &mut Map<String, Value>) {
    let mut put = |key: &str, value: Value| {
        let entry = webhook.entry(key).or_insert(Value::Null);
        if entry.is_null() {
            *entry = value;
        }
    };
    put("failurePolicy", "Fail".into());
    put("matchPolicy", "Equivalent".into());
    put("namespaceSelector", Value::Object(Map::new()));
    put("objectSelector", Value::Object(Map::new()));
    put("timeoutSeconds", 10.into());
    if kind == "MutatingWebhookConfiguration" {
        put("reinvocationPolicy", "Never".into());
    }
    let rules = webhook.get_mut("rules").and_then(Value::as_array_mut).into_iter().flatten();
    for rule in rules.filter_map(Value::as_object_mut) {
        rule.entry("scope").or_insert_with(|| "*".into());
    }
    let service = webhook.get_mut("clientConfig").and_then(|config| config.get_mut("service"));
    if let Some(service) = service.and_then(Value::as_object_mut) {
        service.entry("port").or_insert_with(|| 443.into());
    }
}
