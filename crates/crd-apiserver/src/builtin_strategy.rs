//! Prepares objects of built-in kinds, and validates their metadata, their immutable and required fields, the data of
//! config maps, events, webhook configurations, policies, the selectors of workloads, the containers of pods, the
//! strategies of Deployments, and the statuses of Deployments and replica sets.
//!
//! Source: `pkg/registry/core` and `pkg/apis/core/validation/validation.go` of kubernetes/kubernetes.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crd_cel::kubernetes::KubernetesVersion;
use k8s_openapi::ByteString;
use serde_json::{Map, Value};

use super::builtin::BuiltIn;
use super::event_validation::RequestedEvent;
use super::failure::{Answer, Failure};
use super::kind::ServedKind;
use super::target::Part;
use super::{
    api_services, builtin_status, defaults, go_types, immutable, metadata, portions, preparation,
    required,
};
use crate::field::{Path, Sink};
use crate::object_meta::{self, NameRule, Scope};
use crate::{json, names};
use crd_engine::webhooks;

/// The maximum size of all values of a config map together, in bytes. Source: `MaxSecretSize`.
const MAX_DATA_BYTES: i64 = 1024 * 1024;

impl ServedKind {
    pub(super) fn create_built_in(
        &self,
        built_in: &BuiltIn,
        mut object: Value,
        kubernetes: KubernetesVersion,
        warnings: &mut Vec<String>,
    ) -> Answer<Value> {
        let kind = (built_in.group, built_in.kind);
        if let Value::Object(map) = &mut object {
            // Upstream: of the kinds with a status, only nodes can be created with one.
            if self.has_status && kind != ("", "Node") {
                map.remove("status");
            }
            if kind == ("", "Namespace") {
                super::namespaces::prepare(map);
            }
        }
        // Upstream: that of a driver begins with its first change.
        if built_in.has_generation(kubernetes.minor()) && built_in.kind != "CSIDriver" {
            set_generation(&mut object, 1);
        }
        preparation::create(kind, &mut object, kubernetes);
        encode(built_in, &mut object, kubernetes, true);
        let mut errors = Sink::of(kubernetes);
        self.validate_built_in(built_in, &object, &mut errors);
        self.reject_built_in(&object, errors)?;
        if kind.0 == webhooks::GROUP {
            warnings.extend(webhooks::warnings(&object, false, kubernetes));
        }
        Ok(json::stored(object))
    }

    pub(super) fn update_built_in(
        &self,
        built_in: &BuiltIn,
        mut object: Value,
        old: &Value,
        part: Part,
        kubernetes: KubernetesVersion,
        warnings: &mut Vec<String>,
    ) -> Answer<Value> {
        let kind = (built_in.group, built_in.kind);
        if part == Part::Status {
            object = with_status(kind, object, old);
        } else if part.is_portion() {
            object = portions::updated(part, object, old);
        } else {
            if let (Value::Object(map), true) = (&mut object, self.has_status) {
                metadata::set(map, "status", old.get("status").cloned());
            }
            preparation::update(kind, &mut object, old, part);
        }
        // Upstream: an update that removes the object returns it without writing it.
        let is_stored = !metadata::may_remove(&object, old);
        encode(built_in, &mut object, kubernetes, is_stored);
        let kept = object_meta::generation(metadata::of(old).unwrap_or(&Map::new()));
        let is_changed = !json::equal(&built_in.counted(&object), &built_in.counted(old));
        let is_increased = built_in.has_generation(kubernetes.minor())
            && part != Part::Status
            && (is_changed || preparation::increases_generation(kind, &object, old));
        set_generation(&mut object, if is_increased { kept.saturating_add(1) } else { kept });
        let mut errors = Sink::of(kubernetes);
        self.validate_built_in_update(built_in, &object, old, &mut errors);
        if part == Part::Object {
            validate_fields(kind, &object, &mut errors);
            immutable::validate(kind, &object, old, &mut errors);
        }
        if part == Part::Finalize {
            check_spec_finalizers(&object, true, &mut errors);
        }
        if part == Part::Status {
            builtin_status::validate(kind, &object, old, &mut errors);
        }
        portions::validate(part, &object, old, &mut errors);
        self.reject_built_in(&object, errors)?;
        if kind.0 == webhooks::GROUP {
            warnings.extend(webhooks::warnings(&object, true, kubernetes));
        }
        Ok(json::stored(object))
    }

    fn scope(&self) -> Scope {
        if self.namespaced { Scope::Namespaced } else { Scope::Cluster }
    }

    fn validate_built_in(&self, built_in: &BuiltIn, object: &Value, errors: &mut Sink) {
        if built_in.kind == "Event" {
            return self.validate_event(built_in, object, errors);
        }
        self.validate_metadata(name_rule(built_in), object, errors);
        check_finalizers(object, errors);
        validate_fields((built_in.group, built_in.kind), object, errors);
        match (built_in.group, built_in.kind) {
            ("", "ConfigMap") => check_data(object, errors),
            ("", "Namespace") => check_spec_finalizers(object, false, errors),
            ("apps", "Deployment") => check_strategy(object, errors),
            (api_services::GROUP, _) => api_services::validate(object, errors),
            (webhooks::GROUP, _) => {
                webhooks::validate(object, None, errors.kubernetes(), errors);
            }
            _ => {}
        }
    }

    fn validate_metadata(&self, rule: NameRule, object: &Value, errors: &mut Sink) {
        let empty = Map::new();
        let metadata = metadata::of(object).unwrap_or(&empty);
        let path = Path::new("metadata");
        object_meta::validate_named(metadata, self.scope(), rule, &path, errors);
    }

    /// Source: `ValidateEventCreate`.
    fn validate_event(&self, built_in: &BuiltIn, object: &Value, errors: &mut Sink) {
        let event = RequestedEvent::new(built_in.group, object);
        event.validate(errors);
        if event.is_strict() {
            self.validate_metadata(names::subdomain_name, object, errors);
            check_finalizers(object, errors);
            event.validate_create(errors);
        } else if errors.is_empty() {
            self.validate_metadata(names::path_segment, object, errors);
        }
    }

    /// Source: `ValidateUpdate` of `k8s.io/apiserver/pkg/registry/rest/update.go`.
    fn validate_built_in_update(
        &self,
        built_in: &BuiltIn,
        object: &Value,
        old: &Value,
        errors: &mut Sink,
    ) {
        let empty = Map::new();
        let (new_metadata, old_metadata) =
            (metadata::of(object).unwrap_or(&empty), metadata::of(old).unwrap_or(&empty));
        metadata::validate_update(new_metadata, old_metadata, self.scope(), errors);
        if built_in.kind == "Event" {
            let event = RequestedEvent::new(built_in.group, object);
            event.validate(errors);
            if event.is_strict() {
                check_finalizers(object, errors);
                event.validate_update(&RequestedEvent::new(built_in.group, old), errors);
            }
            return;
        }
        check_finalizers(object, errors);
        match (built_in.group, built_in.kind) {
            ("", "ConfigMap") => {
                immutable::check_data(object, old, errors);
                check_data(object, errors);
            }
            ("apps", "Deployment") => check_strategy(object, errors),
            (api_services::GROUP, _) => api_services::validate(object, errors),
            (webhooks::GROUP, _) => {
                webhooks::validate(object, Some(old), errors.kubernetes(), errors);
            }
            _ => {}
        }
    }

    fn reject_built_in(&self, object: &Value, errors: Sink) -> Answer<()> {
        // Upstream: an error that both the common validation and the strategy find is reported once, because
        // `FilterCoveredHandwrittenErrors` also removes duplicates.
        let (mut seen, mut unique) = (BTreeSet::new(), Sink::new());
        for error in errors.into_errors().iter().filter(|error| seen.insert(error.to_string())) {
            unique.push(error.clone());
        }
        let errors = unique.into_errors();
        if errors.is_empty() {
            return Ok(());
        }
        let mut kind = self.kind();
        if kind.kind == "Event" {
            // Upstream: both kinds of events have one internal type, that of the core group.
            kind.group = "";
        }
        Err(Failure::invalid(kind, metadata::text(object, "name"), &errors))
    }
}

/// Checks the required fields of an object, its selector and its pods.
fn validate_fields(kind: (&str, &str), object: &Value, errors: &mut Sink) {
    required::validate(kind, object, errors);
    immutable::validate_selector(kind, object, errors);
    required::validate_pods(kind, object, errors);
    required::validate_declared(kind, object, errors);
}

/// Returns the rule for the names of objects of a kind. Source: `ValidateNamespaceName` and similar functions.
fn name_rule(built_in: &BuiltIn) -> NameRule {
    match built_in.kind {
        _ if built_in.traits.any_name => names::path_segment,
        "Namespace" => names::label_name,
        "Service" => names::service_name,
        _ => names::subdomain_name,
    }
}

/// Checks that each finalizer has a domain, such as `example.com/cleanup`, or is a standard one, such as `orphan`.
/// Source: `validateKubeFinalizerName`.
fn check_finalizers(object: &Value, errors: &mut Sink) {
    for (index, finalizer) in metadata::finalizers(object).into_iter().enumerate() {
        check_finalizer(&finalizer, &format!("metadata.finalizers[{index}]"), errors);
    }
}

fn check_finalizer(finalizer: &str, path: &str, errors: &mut Sink) {
    let is_standard = matches!(finalizer, "kubernetes" | "orphan" | "foregroundDeletion");
    if !finalizer.contains('/') && !is_standard {
        let why = "name is neither a standard finalizer name nor is it fully qualified";
        errors.invalid(&Path::new(path), finalizer, why);
    }
}

/// Checks the finalizers in the spec of a namespace. The errors in a new one do not say which finalizer they are about.
/// Source: `ValidateNamespace` and `ValidateNamespaceFinalizeUpdate`.
fn check_spec_finalizers(namespace: &Value, names_index: bool, errors: &mut Sink) {
    let list = namespace.pointer("/spec/finalizers").and_then(Value::as_array);
    let finalizers = list.into_iter().flatten().filter_map(Value::as_str);
    for (index, finalizer) in finalizers.enumerate() {
        let mut path = "spec.finalizers".to_owned();
        if names_index {
            let _ = write!(path, "[{index}]");
        }
        for why in names::label_key(finalizer, errors.kubernetes()) {
            errors.invalid(&Path::new(&path), finalizer, why);
        }
        check_finalizer(finalizer, &path, errors);
    }
}

/// Source: `ValidateDeploymentStrategy` of `pkg/apis/apps/validation`.
fn check_strategy(object: &Value, errors: &mut Sink) {
    let strategy = object.pointer("/spec/strategy").and_then(Value::as_object);
    let Some(strategy) = strategy else { return };
    if strategy.get("type").is_some_and(|type_| type_ == "Recreate")
        && strategy.get("rollingUpdate").is_some_and(|it| !it.is_null())
    {
        let why = "may not be specified when strategy `type` is 'Recreate'";
        errors.forbidden(&Path::new("spec.strategy.rollingUpdate"), why);
    }
}

/// Source: `ValidateConfigMap`.
fn check_data(object: &Value, errors: &mut Sink) {
    let empty = Map::new();
    let map = |key: &str| object.get(key).and_then(Value::as_object).unwrap_or(&empty);
    let (data, binary) = (map("data"), map("binaryData"));
    let mut bytes = 0;
    for (key, value) in data {
        let whole = Path::new("data");
        let path = whole.key(key);
        for why in names::config_map_key(key) {
            errors.invalid(&path, key.as_str(), why);
        }
        if binary.contains_key(key) {
            errors.invalid(&path, key.as_str(), "duplicate of key present in binaryData");
        }
        bytes += value.as_str().map_or(0, str::len);
    }
    for (key, value) in binary {
        let whole = Path::new("binaryData");
        let path = whole.key(key);
        for why in names::config_map_key(key) {
            errors.invalid(&path, key.as_str(), why);
        }
        let decoded = serde_json::from_value::<ByteString>(value.clone());
        bytes += decoded.map_or(0, |decoded| decoded.0.len());
    }
    if i64::try_from(bytes).is_ok_and(|bytes| bytes > MAX_DATA_BYTES) {
        errors.too_long(&Path::new(""), MAX_DATA_BYTES);
    }
}

/// Returns the object of a write to the status: it keeps the spec, and the metadata that its kind protects.
///
/// Source: `PrepareForUpdate` of the status strategies.
fn with_status(kind: (&str, &str), mut object: Value, old: &Value) -> Value {
    if let Value::Object(map) = &mut object {
        metadata::set(map, "spec", old.get("spec").cloned());
    }
    let kept: &[&str] = match kind {
        ("apps", "Deployment") => &["labels"],
        ("", "Pod") => &["deletionTimestamp", "ownerReferences"],
        _ => &[],
    };
    for key in kept {
        let value = metadata::of(old).and_then(|metadata| metadata.get(*key)).cloned();
        metadata::set(metadata::of_mut(&mut object), key, value);
    }
    if kind == ("", "Pod")
        && let Some(class) = old.pointer("/status/qosClass")
        && let Some(Value::Object(status)) = object.get_mut("status")
    {
        status.entry("qosClass").or_insert_with(|| class.clone());
    }
    object
}

/// Adds the fields that the server always writes, and sets defaults once more, as the server does when it reads an
/// object from storage. If the object is not stored, its empty lists stay.
fn encode(built_in: &BuiltIn, object: &mut Value, kubernetes: KubernetesVersion, is_stored: bool) {
    if let Some(type_) = built_in.go_type() {
        if is_stored {
            go_types::complete(type_, object, kubernetes.minor());
        } else {
            // A decoded object has no unknown fields and no values of the wrong type.
            let _ = go_types::decode(type_, object, kubernetes.minor());
        }
        defaults::set(type_, object, kubernetes.minor());
    }
}

fn set_generation(object: &mut Value, generation: i64) {
    let metadata = metadata::of_mut(object);
    metadata::set(metadata, "generation", (generation != 0).then(|| generation.into()));
}
