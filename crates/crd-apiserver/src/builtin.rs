//! Built-in kinds of Kubernetes as data: names, scope, subresources, and the schemas that determine field ownership.
//!
//! Their objects are decoded by their Go types ([`super::go_types`]) and get the server's defaults
//! ([`super::defaults`]). [`super::builtin_strategy`] validates only some of their fields.
//!
//! Source: `pkg/registry` and `pkg/apis` of kubernetes/kubernetes; the schemas are those of `k8s-openapi`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use crd_cel::kubernetes::KubernetesVersion;
use k8s_openapi::api::admissionregistration::v1::{
    MutatingWebhookConfiguration, ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding,
    ValidatingWebhookConfiguration,
};
use k8s_openapi::api::apps::v1::{
    ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet,
};
use k8s_openapi::api::autoscaling::v1::HorizontalPodAutoscaler as OldAutoscaler;
use k8s_openapi::api::autoscaling::v2::HorizontalPodAutoscaler;
use k8s_openapi::api::batch::v1::{CronJob, Job};
use k8s_openapi::api::certificates::v1::CertificateSigningRequest;
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::{
    ComponentStatus, ConfigMap, Endpoints, Event, LimitRange, Namespace, Node, PersistentVolume,
    PersistentVolumeClaim, Pod, PodTemplate, ReplicationController, ResourceQuota, Secret, Service,
    ServiceAccount,
};
use k8s_openapi::api::discovery::v1::EndpointSlice;
use k8s_openapi::api::events::v1::Event as NewEvent;
use k8s_openapi::api::flowcontrol::v1::{FlowSchema, PriorityLevelConfiguration};
use k8s_openapi::api::networking::v1::{
    IPAddress, Ingress, IngressClass, NetworkPolicy, ServiceCIDR,
};
use k8s_openapi::api::node::v1::RuntimeClass;
use k8s_openapi::api::policy::v1::PodDisruptionBudget;
use k8s_openapi::api::rbac::v1::{ClusterRole, ClusterRoleBinding, Role, RoleBinding};
use k8s_openapi::api::scheduling::v1::PriorityClass;
use k8s_openapi::api::storage::v1::{
    CSIDriver, CSINode, CSIStorageCapacity, StorageClass, VolumeAttachment,
};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use k8s_openapi::kube_aggregator::pkg::apis::apiregistration::v1::APIService;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::go_types::{self, GoType, NamedType, Special};
use super::{autoscalers, defaults, events, metadata, preparation};
use crate::crd_schema::bridge;
use crate::model::{JsonSchemaProps, SchemaOrArray, SchemaOrBool};

// The types that older versions of k8s-openapi lack.
k8s_openapi::k8s_if_ge_1_34! {
    use k8s_openapi::api::resource::v1::{
        DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice,
    };
    use k8s_openapi::api::storage::v1::VolumeAttributesClass;
}
k8s_openapi::k8s_if_le_1_33! {
    use self::Lacking as DeviceClass;
    use self::Lacking as ResourceClaim;
    use self::Lacking as ResourceClaimTemplate;
    use self::Lacking as ResourceSlice;
    use self::Lacking as VolumeAttributesClass;
}
k8s_openapi::k8s_if_ge_1_36! {
    use k8s_openapi::api::admissionregistration::v1::{
        MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding,
    };
}
k8s_openapi::k8s_if_le_1_35! {
    use self::Lacking as MutatingAdmissionPolicy;
    use self::Lacking as MutatingAdmissionPolicyBinding;
}
k8s_openapi::k8s_if_ge_1_37! {
    use k8s_openapi::api::resource::v1::DeviceTaintRule;
    use k8s_openapi::api::storagemigration::v1::StorageVersionMigration;
}
k8s_openapi::k8s_if_le_1_36! {
    use self::Lacking as DeviceTaintRule;
    use self::Lacking as StorageVersionMigration;
}

/// Stands for a type that this version of k8s-openapi lacks: an object whose fields are owned together.
#[allow(dead_code, reason = "the newest version of k8s-openapi lacks none")]
struct Lacking;

impl JsonSchema for Lacking {
    fn schema_name() -> Cow<'static, str> {
        "Object".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "object", "x-kubernetes-preserve-unknown-fields": true})
    }
}

const REFERENCE: u32 = KubernetesVersion::REFERENCE.minor();

/// A built-in kind of Kubernetes.
#[derive(Debug)]
pub(super) struct BuiltIn {
    pub(super) group: &'static str,
    pub(super) kind: &'static str,
    pub(super) plural: &'static str,
    pub(super) short_names: &'static [&'static str],
    pub(super) categories: &'static [&'static str],
    pub(super) traits: Traits,
    /// Its schema on servers of the reference version.
    pub(super) schema: LazyLock<Arc<JsonSchemaProps>>,
    /// Makes its schema on servers of a minor.
    make_schema: fn(u32) -> Arc<JsonSchemaProps>,
    /// Its schemas on servers of other minors, as far as they have been used.
    other_schemas: Mutex<BTreeMap<u32, Arc<JsonSchemaProps>>>,
    /// Adds the schema of the kind, and the schemas that it refers to, to an OpenAPI document; returns its name there.
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
    /// `g`: its generation counts changes of `spec` or, in a webhook configuration, of `webhooks`.
    pub(super) generation: bool,
    /// `u`: an update may omit the resource version.
    pub(super) unconditional: bool,
    /// `p`: a PUT of an object that does not exist creates it.
    pub(super) create_on_update: bool,
    /// `d`: the answer to a deletion is the deleted object, not a status. Source: `ReturnDeletedObject`.
    pub(super) returns_deleted: bool,
    /// `x`: a name may be any path segment, such as `system:admin`, instead of a DNS subdomain.
    pub(super) any_name: bool,
    /// `r`: it can only be read.
    pub(super) read_only: bool,
    /// `2`: it is served in `v2` instead of `v1`.
    version: &'static str,
    /// `3`, `4`, `6` or `7`: it is served since 1.33, and so on.
    pub(super) since: u32,
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
            returns_deleted: has('d'),
            any_name: has('x'),
            read_only: has('r'),
            version: if has('2') { "v2" } else { "v1" },
            since: [('3', 33), ('4', 34), ('6', 36), ('7', 37)]
                .into_iter()
                .find_map(|(letter, since)| has(letter).then_some(since))
                .unwrap_or_default(),
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
            schema: LazyLock::new(|| schema::<$type>($group, $traits, $kind, REFERENCE)),
            make_schema: |minor| schema::<$type>($group, $traits, $kind, minor),
            other_schemas: Mutex::new(BTreeMap::new()),
            publish: publish::<$type>,
        }),+]
    };
}

/// The built-in kinds, except for `CustomResourceDefinition`. Objects are stored as the first kind with the name of their
/// resource; the others are its other versions.
pub(super) static TABLE: LazyLock<Vec<BuiltIn>> = LazyLock::new(|| {
    table![
        ComponentStatus, "", "ComponentStatus", "componentstatuses", "r", ["cs"], [];
        ConfigMap, "", "ConfigMap", "configmaps", "nu", ["cm"], [];
        Endpoints, "", "Endpoints", "endpoints", "nup", ["ep"], [];
        Event, "", "Event", "events", "nup", ["ev"], [];
        LimitRange, "", "LimitRange", "limitranges", "nup", ["limits"], [];
        Namespace, "", "Namespace", "namespaces", "sud", ["ns"], [];
        Node, "", "Node", "nodes", "su", ["no"], [];
        PersistentVolume, "", "PersistentVolume", "persistentvolumes", "sud", ["pv"], [];
        PersistentVolumeClaim, "", "PersistentVolumeClaim", "persistentvolumeclaims", "nsud", ["pvc"], [];
        Pod, "", "Pod", "pods", "nsugd", ["po"], ["all"];
        PodTemplate, "", "PodTemplate", "podtemplates", "nugd", [], [];
        ReplicationController, "", "ReplicationController", "replicationcontrollers", "nscgu", ["rc"], ["all"];
        ResourceQuota, "", "ResourceQuota", "resourcequotas", "nsud", ["quota"], [];
        Secret, "", "Secret", "secrets", "nu", [], [];
        Service, "", "Service", "services", "nsupd", ["svc"], ["all"];
        ServiceAccount, "", "ServiceAccount", "serviceaccounts", "nud", ["sa"], [];
        MutatingAdmissionPolicy, "admissionregistration.k8s.io", "MutatingAdmissionPolicy",
            "mutatingadmissionpolicies", "g6", [], ["api-extensions"];
        MutatingAdmissionPolicyBinding, "admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding",
            "mutatingadmissionpolicybindings", "g6", [], ["api-extensions"];
        MutatingWebhookConfiguration, "admissionregistration.k8s.io", "MutatingWebhookConfiguration",
            "mutatingwebhookconfigurations", "g", [], ["api-extensions"];
        ValidatingAdmissionPolicy, "admissionregistration.k8s.io", "ValidatingAdmissionPolicy",
            "validatingadmissionpolicies", "sg", [], ["api-extensions"];
        ValidatingAdmissionPolicyBinding, "admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding",
            "validatingadmissionpolicybindings", "g", [], ["api-extensions"];
        ValidatingWebhookConfiguration, "admissionregistration.k8s.io", "ValidatingWebhookConfiguration",
            "validatingwebhookconfigurations", "g", [], ["api-extensions"];
        APIService, "apiregistration.k8s.io", "APIService", "apiservices", "sx", [], ["api-extensions"];
        ControllerRevision, "apps", "ControllerRevision", "controllerrevisions", "nu", [], [];
        DaemonSet, "apps", "DaemonSet", "daemonsets", "nsgu", ["ds"], ["all"];
        Deployment, "apps", "Deployment", "deployments", "nscgu", ["deploy"], ["all"];
        ReplicaSet, "apps", "ReplicaSet", "replicasets", "nscgu", ["rs"], ["all"];
        StatefulSet, "apps", "StatefulSet", "statefulsets", "nscgu", ["sts"], ["all"];
        HorizontalPodAutoscaler, "autoscaling", "HorizontalPodAutoscaler", "horizontalpodautoscalers", "nsgu2",
            ["hpa"], ["all"];
        OldAutoscaler, "autoscaling", "HorizontalPodAutoscaler", "horizontalpodautoscalers", "nsgu", ["hpa"], ["all"];
        CronJob, "batch", "CronJob", "cronjobs", "nsgu", ["cj"], ["all"];
        Job, "batch", "Job", "jobs", "nsgu", [], ["all"];
        CertificateSigningRequest, "certificates.k8s.io", "CertificateSigningRequest",
            "certificatesigningrequests", "su", ["csr"], [];
        Lease, "coordination.k8s.io", "Lease", "leases", "np", [], [];
        EndpointSlice, "discovery.k8s.io", "EndpointSlice", "endpointslices", "ngu", [], [];
        NewEvent, "events.k8s.io", "Event", "events", "nup", ["ev"], [];
        FlowSchema, "flowcontrol.apiserver.k8s.io", "FlowSchema", "flowschemas", "sgu", [], [];
        PriorityLevelConfiguration, "flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration",
            "prioritylevelconfigurations", "sgu", [], [];
        IPAddress, "networking.k8s.io", "IPAddress", "ipaddresses", "u3", ["ip"], [];
        Ingress, "networking.k8s.io", "Ingress", "ingresses", "nsgu", ["ing"], [];
        IngressClass, "networking.k8s.io", "IngressClass", "ingressclasses", "gu", [], [];
        NetworkPolicy, "networking.k8s.io", "NetworkPolicy", "networkpolicies", "ngu", ["netpol"], [];
        ServiceCIDR, "networking.k8s.io", "ServiceCIDR", "servicecidrs", "su3", [], [];
        RuntimeClass, "node.k8s.io", "RuntimeClass", "runtimeclasses", "p", [], [];
        PodDisruptionBudget, "policy", "PodDisruptionBudget", "poddisruptionbudgets", "nsg", ["pdb"], [];
        ClusterRole, "rbac.authorization.k8s.io", "ClusterRole", "clusterroles", "upx", [], [];
        ClusterRoleBinding, "rbac.authorization.k8s.io", "ClusterRoleBinding", "clusterrolebindings", "upx", [], [];
        Role, "rbac.authorization.k8s.io", "Role", "roles", "nupx", [], [];
        RoleBinding, "rbac.authorization.k8s.io", "RoleBinding", "rolebindings", "nupx", [], [];
        DeviceClass, "resource.k8s.io", "DeviceClass", "deviceclasses", "gud4", [], [];
        DeviceTaintRule, "resource.k8s.io", "DeviceTaintRule", "devicetaintrules", "sgu7", [], [];
        ResourceClaim, "resource.k8s.io", "ResourceClaim", "resourceclaims", "nsud4", [], [];
        ResourceClaimTemplate, "resource.k8s.io", "ResourceClaimTemplate", "resourceclaimtemplates", "nud4", [], [];
        ResourceSlice, "resource.k8s.io", "ResourceSlice", "resourceslices", "gud4", [], [];
        PriorityClass, "scheduling.k8s.io", "PriorityClass", "priorityclasses", "gu", ["pc"], [];
        CSIDriver, "storage.k8s.io", "CSIDriver", "csidrivers", "dg", [], [];
        CSINode, "storage.k8s.io", "CSINode", "csinodes", "d", [], [];
        CSIStorageCapacity, "storage.k8s.io", "CSIStorageCapacity", "csistoragecapacities", "n", [], [];
        StorageClass, "storage.k8s.io", "StorageClass", "storageclasses", "ud", ["sc"], [];
        VolumeAttachment, "storage.k8s.io", "VolumeAttachment", "volumeattachments", "sd", [], [];
        VolumeAttributesClass, "storage.k8s.io", "VolumeAttributesClass", "volumeattributesclasses", "ud4", ["vac"], [];
        StorageVersionMigration, "storagemigration.k8s.io", "StorageVersionMigration", "storageversionmigrations",
            "s7", [], [];
    ]
});

impl BuiltIn {
    /// Converts an object from the other version of its kind. Only events and autoscalers are served in two versions.
    pub(super) fn convert(&self, object: Value, to: &str) -> Value {
        let mut object = match self.plural {
            "events" => events::convert(object, to),
            "horizontalpodautoscalers" => autoscalers::convert(object, to),
            _ => return object,
        };
        let wanted = TABLE.iter().find(|it| it.plural == self.plural && it.api_version() == to);
        if let Some(type_) = wanted.and_then(Self::go_type) {
            // What is always written does not differ between minors.
            go_types::complete(type_, &mut object, REFERENCE);
        }
        object
    }

    /// Returns the version in which the kind is served.
    pub(super) fn version(&self) -> &'static str {
        self.traits.version
    }

    /// Returns the version with the group.
    pub(super) fn api_version(&self) -> String {
        api_version(self.group, self.version())
    }

    /// Returns the version of the kind in which objects are stored.
    pub(super) fn stored(&self) -> Option<&'static Self> {
        TABLE.iter().find(|it| it.plural == self.plural)
    }

    /// Returns the version of the kind in which objects are prepared and validated, if it is another one. Upstream: that is
    /// the internal version. The events of the two groups are validated differently.
    pub(super) fn internal(&self) -> Option<&'static Self> {
        let stored = self.stored()?;
        (stored.group == self.group && stored.version() != self.version()).then_some(stored)
    }

    /// Returns the part of an object whose changes the generation counts.
    pub(super) fn counted(&self, object: &Value) -> Value {
        let mut object = object.clone();
        let Value::Object(map) = &mut object else { return object };
        let key = match self.kind {
            "EndpointSlice" => {
                map.remove("metadata");
                return object;
            }
            "PodTemplate" => "template",
            "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration" => "webhooks",
            _ => "spec",
        };
        map.remove(key).unwrap_or_default()
    }

    /// Returns the warning that the answers of servers of a minor to requests for a deprecated kind have.
    /// Source: `APILifecycleDeprecated` of `k8s.io/api/core/v1/lifecycle.go`.
    pub(super) fn deprecation(&self, minor: u32) -> Option<&'static str> {
        match (self.group, self.kind) {
            ("", "Endpoints") if minor >= 33 => {
                Some("v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice")
            }
            ("", "ComponentStatus") => Some("v1 ComponentStatus is deprecated in v1.19+"),
            _ => None,
        }
    }

    /// Returns the Go type of the kind.
    pub(super) fn go_type(&self) -> Option<&'static NamedType> {
        go_types::of_kind(self.group, self.version(), self.kind)
    }

    /// Returns whether servers of a minor count changes in the generation of objects. Pods have a generation since
    /// 1.33, and autoscalers since 1.37.
    pub(super) fn has_generation(&self, minor: u32) -> bool {
        let since = match self.kind {
            "Pod" => 33,
            "HorizontalPodAutoscaler" => 37,
            _ => 0,
        };
        self.traits.generation && minor >= since
    }

    /// Returns the schema by which servers of a minor track the ownership of fields.
    pub(super) fn schema_on(&self, minor: u32) -> Arc<JsonSchemaProps> {
        if minor == REFERENCE {
            return Arc::clone(&self.schema);
        }
        let mut schemas = self.other_schemas.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(schemas.entry(minor).or_insert_with(|| (self.make_schema)(minor)))
    }

    /// Returns an object without content as servers of a minor encode it, with the fields that they always write, such
    /// as `"status": {}`. A manager that creates an object does not own these fields.
    pub(super) fn blank(&self, minor: u32) -> Value {
        let mut blank = Value::Object(Map::new());
        if let Some(type_) = self.go_type() {
            go_types::complete(type_, &mut blank, minor);
        }
        blank
    }
}

/// Returns the `apiVersion`: `example.com/v1`, or `v1` for the core group.
pub(super) fn api_version(group: &str, version: &str) -> String {
    if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") }
}

/// Returns the schema of a kind, with the types of lists and maps that servers of a minor publish.
fn schema<T: JsonSchema>(
    group: &str,
    traits: &str,
    kind: &str,
    minor: u32,
) -> Arc<JsonSchemaProps> {
    let mut schema = bridge::schema::<T>().unwrap_or_default();
    if let Some(type_) = go_types::of_kind(group, Traits::of(traits).version, kind) {
        add_list_types(type_, minor, &mut schema);
    }
    Arc::new(schema)
}

/// Adds the types and keys of lists and the types of maps to the schema of a Go type. The recursion ends because no
/// type of the table contains itself.
fn add_list_types(type_: &'static NamedType, minor: u32, schema: &mut JsonSchemaProps) {
    let Some(properties) = &mut schema.properties else { return };
    for field in type_.fields(minor) {
        let Some(property) = properties.get_mut(field.name).map(Arc::make_mut) else { continue };
        // An item of a list without one of its keys has the default of that key, such as the empty name.
        property.default.clone_from(&field.default);
        if let Some(type_) = field.setting("l") {
            property.x_list_type = Some(type_.to_owned());
            let keys = field.setting("k").map(|keys| keys.split(',').map(str::to_owned).collect());
            property.x_list_map_keys = keys;
        }
        add_list_types_of_value(field.type_.plain(), minor, property);
        if let Some(type_) = field.setting("m") {
            property.x_map_type = Some(type_.to_owned());
        }
    }
}

fn add_list_types_of_value(type_: &'static GoType, minor: u32, schema: &mut JsonSchemaProps) {
    match (type_, &mut schema.items, &mut schema.additional_properties) {
        (GoType::Named(named), ..) => {
            schema.x_map_type = named.map_type(minor).map(str::to_owned);
            add_list_types(named, minor, schema);
        }
        (GoType::List(items), Some(SchemaOrArray::Schema(schema)), _) => {
            add_list_types_of_value(items.plain(), minor, schema);
        }
        (GoType::Special(Special::Raw), ..) => schema.x_map_type = Some("atomic".to_owned()),
        (GoType::Map(_, values), _, Some(SchemaOrBool::Schema(schema))) => {
            add_list_types_of_value(values.plain(), minor, schema);
        }
        _ => {}
    }
}

fn publish<T: JsonSchema>(generator: &mut SchemaGenerator) -> Cow<'static, str> {
    generator.subschema_for::<T>();
    T::schema_name()
}

/// Adds the schema of `CustomResourceDefinition` to an OpenAPI document; returns its name there.
pub(super) fn publish_definitions(generator: &mut SchemaGenerator) -> Cow<'static, str> {
    publish::<CustomResourceDefinition>(generator)
}

/// Completes a decoded object: sets its defaults, and writes fields in the form in which they are stored.
pub(super) fn complete(built_in: &BuiltIn, object: &mut Value, minor: u32) {
    if let Some(type_) = built_in.go_type() {
        defaults::set(type_, object, minor);
    }
    let Value::Object(map) = object else { return };
    match (built_in.group, built_in.kind) {
        ("", "Secret") => encode_string_data(map),
        ("apps", "DaemonSet") => preparation::add_template_generation(map),
        ("autoscaling", _) if built_in.internal().is_none() => {
            if let Some(Value::Object(metadata)) = map.get_mut("metadata") {
                metadata::drop_annotations(metadata, &autoscalers::ANNOTATIONS);
            }
        }
        ("apps", "StatefulSet") => {
            let claims = map.get_mut("spec").and_then(|spec| spec.get_mut("volumeClaimTemplates"));
            let claims = claims.and_then(Value::as_array_mut).into_iter().flatten();
            // Source: `Convert_apps_StatefulSetSpec_To_v1_StatefulSetSpec`.
            for claim in claims.filter_map(Value::as_object_mut) {
                claim.insert("apiVersion".to_owned(), "v1".into());
                claim.insert("kind".to_owned(), "PersistentVolumeClaim".into());
            }
        }
        _ => {}
    }
    if let Some(internal) = built_in.internal() {
        // The conversion sets defaults, and drops what it cannot read of annotations.
        let there = built_in.convert(object.take(), &internal.api_version());
        *object = built_in.convert(there, &built_in.api_version());
    }
}

/// Sets the label `kubernetes.io/metadata.name` to the name of the namespace, if it has one.
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

/// Moves the entries of `stringData` to `data`, encoded in base64. Source: `Convert_v1_Secret_To_core_Secret`.
fn encode_string_data(secret: &mut Map<String, Value>) {
    let Some(Value::Object(texts)) = secret.remove("stringData") else { return };
    let data = secret.entry("data").or_insert_with(|| Value::Object(Map::new()));
    let Value::Object(data) = data else { return };
    for (key, text) in texts {
        let bytes = text.as_str().unwrap_or_default().as_bytes().to_vec();
        let encoded = serde_json::to_value(k8s_openapi::ByteString(bytes));
        data.insert(key, encoded.unwrap_or_default());
    }
}
