//! Validates decoded metadata.
//!
//! Source: `k8s.io/apimachinery/pkg/api/validation/objectmeta.go` and
//! `k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go`.

use std::collections::BTreeSet;

use crd_cel::gofmt;
use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Map, Value};

use super::fields::{as_struct, entries, generation, parse_group_version, strings, text, time};
use crate::differences::Difference;
use crate::field::{ADDRESS, BadValue, Path, Shown, Sink};
use crate::go_types::time::Time;
use crate::json;
use crate::model::to_lower;
use crate::names;

/// The most bytes of all annotations, keys and values together. Source: `TotalAnnotationSizeLimitB`.
pub const ANNOTATIONS_MAX_BYTES: usize = 256 * 1024;
/// The longest field manager, in bytes. Source: `FieldManagerMaxLength`.
const FIELD_MANAGER_MAX_BYTES: usize = 128;
/// The longest subresource of managed fields, in bytes. Source: `MaxSubresourceNameLength`.
const SUBRESOURCE_MAX_BYTES: usize = 256;

const FINALIZER_ORPHAN: &str = "orphan";
const FINALIZER_FOREGROUND: &str = "foregroundDeletion";

/// Whether objects have a namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// They must have one.
    Namespaced,
    /// They must not have one.
    Cluster,
}

/// Returns the errors of a name. If the flag is true, the name is a `generateName`, to which the server appends a
/// suffix.
pub type NameRule = fn(&str, bool) -> Vec<String>;

/// Checks the metadata of a new object, whose name is a DNS subdomain.
pub fn validate_create(
    metadata: &Map<String, Value>,
    scope: Scope,
    path: &Path<'_>,
    errors: &mut Sink,
) {
    validate_named(metadata, scope, names::subdomain_name, path, errors);
}

/// Checks the metadata of an object by itself.
///
/// Source: `ValidateObjectMetaAccessor`.
pub fn validate_named(
    metadata: &Map<String, Value>,
    scope: Scope,
    rule: NameRule,
    path: &Path<'_>,
    errors: &mut Sink,
) {
    let identity = Identity::of(metadata);
    validate_name(&identity, rule, true, path, errors);
    validate_common(&identity, metadata, scope, path, errors);
}

/// Checks the metadata of an object against that of the stored one.
///
/// Source: `ValidateObjectMetaAccessorUpdate`.
pub fn validate_update(
    new: &Map<String, Value>,
    old: &Map<String, Value>,
    path: &Path<'_>,
    errors: &mut Sink,
) {
    if time(old, "deletionTimestamp").is_some() {
        let had: BTreeSet<&str> = strings(old, "finalizers").collect();
        let added: BTreeSet<&str> =
            strings(new, "finalizers").filter(|finalizer| !had.contains(finalizer)).collect();
        if !added.is_empty() {
            let added: Vec<String> = added.into_iter().map(gofmt::quote).collect();
            let detail = format!(
                "no new finalizers can be added if the object is being deleted, found new \
                 finalizers []string{{{}}}",
                added.join(", ")
            );
            errors.forbidden(&path.field("finalizers"), detail);
        }
    }
    if text(new, "resourceVersion").is_empty() {
        let path = path.field("resourceVersion");
        errors.invalid(&path, "", "must be specified for an update");
    }
    if generation(new) < 0 && errors.server_has(Difference::NegativeGenerations) {
        let path = path.field("generation");
        errors.invalid(&path, generation(new), "must be greater than or equal to 0");
    }
    if generation(new) < generation(old) {
        let path = path.field("generation");
        errors.invalid(&path, generation(new), "must not be decremented");
    }
    for key in ["name", "namespace", "uid"] {
        if text(new, key) != text(old, key) {
            let value = text(new, key);
            // Upstream: a UID is a Go type of its own, and prints as JSON.
            let value = if key == "uid" { Shown::TypedText(value) } else { value.into() };
            immutable(&path.field(key), value, errors);
        }
    }
    for key in ["creationTimestamp", "deletionTimestamp"] {
        if time(new, key) != time(old, key) {
            let written = time(new, key).map(Time::to_rfc3339);
            let shown = |kubernetes| shown_time(written.as_deref(), key, kubernetes);
            immutable(&path.field(key), Shown::Make(&shown), errors);
        }
    }
    let grace = |of: &Map<String, Value>| of.get("deletionGracePeriodSeconds")?.as_i64();
    if grace(new) != grace(old) {
        let value = grace(new).map_or(Value::Null, Value::from);
        immutable(&path.field("deletionGracePeriodSeconds"), &value, errors);
    }
    validate_labels(new, path, errors);
    validate_annotations(new, path, errors);
    validate_owner_references(new, path, errors);
    validate_managed_fields(new, path, errors);
}

/// Checks what the server checks before it calls the strategy of an update, and the strategy does not check:
/// `generateName`, as a segment of a URL path, and the names of finalizers.
///
/// Upstream: the rest of metadata is checked in both steps, so that an error is listed twice among the causes of the
/// status, but once in the message of the status. Here an error is listed once.
///
/// Source: `validateCommonFields` of `k8s.io/apiserver/pkg/registry/rest/update.go`.
pub fn validate_before_update(metadata: &Map<String, Value>, path: &Path<'_>, errors: &mut Sink) {
    let generate_name = text(metadata, "generateName");
    if !generate_name.is_empty() {
        let path = path.field("generateName");
        report_each(&path, generate_name, names::path_segment(generate_name, true), errors);
    }
    validate_finalizers(metadata, path, errors);
}

/// The fields of metadata that identify an object and its state; empty if absent.
///
/// PERF: one pass over all fields takes less than a search for each.
pub(super) struct Identity<'a> {
    name: &'a str,
    generate_name: &'a str,
    pub(super) namespace: &'a str,
    generation: i64,
    /// Whether the metadata has no other fields than these, `resourceVersion` and `uid`.
    is_all: bool,
}

impl<'a> Identity<'a> {
    pub(super) fn of(metadata: &'a Map<String, Value>) -> Self {
        let mut identity =
            Self { name: "", generate_name: "", namespace: "", generation: 0, is_all: true };
        for (key, value) in metadata {
            let text = || value.as_str().unwrap_or_default();
            match key.as_str() {
                "name" => identity.name = text(),
                "namespace" => identity.namespace = text(),
                "generateName" => identity.generate_name = text(),
                "generation" => identity.generation = value.as_i64().unwrap_or_default(),
                "resourceVersion" | "uid" => {}
                _ => identity.is_all = false,
            }
        }
        identity
    }
}

/// Checks `generateName` and `name`.
pub(super) fn validate_name(
    identity: &Identity<'_>,
    rule: NameRule,
    required: bool,
    path: &Path<'_>,
    errors: &mut Sink,
) {
    let Identity { name, generate_name, .. } = *identity;
    if !generate_name.is_empty() {
        let path = path.field("generateName");
        report_each(&path, generate_name, rule(generate_name, true), errors);
    }
    if !name.is_empty() {
        report_each(&path.field("name"), name, rule(name, false), errors);
    } else if required {
        errors.required(&path.field("name"), "name or generateName is required");
    }
}

/// Checks the metadata of a new object or of an embedded resource, except for the name.
pub(super) fn validate_common(
    identity: &Identity<'_>,
    metadata: &Map<String, Value>,
    scope: Scope,
    path: &Path<'_>,
    errors: &mut Sink,
) {
    let Identity { namespace, generation, .. } = *identity;
    match (scope, namespace.is_empty()) {
        (Scope::Namespaced, true) => errors.required(&path.field("namespace"), ""),
        (Scope::Namespaced, false) => {
            let path = path.field("namespace");
            report_each(&path, namespace, names::dns1123_label(namespace), errors);
        }
        (Scope::Cluster, true) => {}
        (Scope::Cluster, false) => {
            let path = path.field("namespace");
            errors.forbidden(&path, "not allowed on this type");
        }
    }
    if generation < 0 {
        let path = path.field("generation");
        errors.invalid(&path, generation, "must be greater than or equal to 0");
    }
    // PERF: most metadata has none of what follows.
    if identity.is_all {
        return;
    }
    validate_labels(metadata, path, errors);
    validate_annotations(metadata, path, errors);
    validate_owner_references(metadata, path, errors);
    validate_finalizers(metadata, path, errors);
    validate_managed_fields(metadata, path, errors);
}

/// Validates the keys and values of labels.
pub fn validate_labels(metadata: &Map<String, Value>, path: &Path<'_>, errors: &mut Sink) {
    let path = path.field("labels");
    for (key, value) in entries(metadata, "labels") {
        report_each(&path, key, names::label_key(key, errors.kubernetes()), errors);
        let value = value.as_str().unwrap_or_default();
        report_each(&path, value, names::label_value(value, errors.kubernetes()), errors);
    }
}

/// Validates the keys and the size of annotations.
pub fn validate_annotations(metadata: &Map<String, Value>, path: &Path<'_>, errors: &mut Sink) {
    let path = path.field("annotations");
    let mut size = 0;
    for (key, value) in entries(metadata, "annotations") {
        size += key.len() + value.as_str().map_or(0, str::len);
        // Upstream: the key is checked in lower case. PERF: only a key that is not in lower case is copied.
        let messages = if key.bytes().any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii()) {
            names::label_key(&to_lower(key), errors.kubernetes())
        } else {
            names::label_key(key, errors.kubernetes())
        };
        report_each(&path, key, messages, errors);
    }
    if size > ANNOTATIONS_MAX_BYTES {
        too_long(&path, ANNOTATIONS_MAX_BYTES, errors);
    }
}

/// Upstream: before [`Difference::PlacesOfOwners`] errors name the list, not the reference.
fn validate_owner_references(metadata: &Map<String, Value>, path: &Path<'_>, errors: &mut Sink) {
    let path = path.field("ownerReferences");
    let Some(Value::Array(references)) = metadata.get("ownerReferences") else { return };
    let mut controller: Option<String> = None;
    let at_index = errors.server_has(Difference::PlacesOfOwners);
    for (index, reference) in references.iter().enumerate() {
        let Some(reference) = as_struct(reference) else { continue };
        let kind = text(reference, "kind");
        let own = path.index(index);
        let at = if at_index { &own } else { &path };
        validate_owner(reference, at, errors);
        let parsed = parse_group_version(text(reference, "apiVersion")).unwrap_or_default();
        if (parsed.0, parsed.1, kind) == ("", "v1", "Event") {
            errors.invalid(
                at,
                Shown::Make(&|kubernetes| owner_reference(reference, kubernetes)),
                "/v1, Kind=Event is disallowed from being an owner",
            );
        }
        if reference.get("controller") == Some(&Value::Bool(true)) {
            let name = format!("{kind}/{}", text(reference, "name"));
            match &controller {
                None => controller = Some(name),
                Some(first) => {
                    let all = |_| {
                        let all: Vec<String> = references
                            .iter()
                            .filter_map(as_struct)
                            .map(owner_reference_json)
                            .collect();
                        BadValue::Json(format!("[{}]", all.join(",")))
                    };
                    errors.invalid(
                        &path,
                        Shown::Make(&all),
                        format_args!(
                            "Only one reference can have Controller set to true. Found \"true\" in \
                             references for {first} and {name}"
                        ),
                    );
                }
            }
        }
    }
}

/// Checks what an owner reference must have.
fn validate_owner(reference: &Map<String, Value>, path: &Path<'_>, errors: &mut Sink) {
    let api_version = text(reference, "apiVersion");
    let (_, version) = parse_group_version(api_version).unwrap_or_default();
    if !errors.server_has(Difference::PlacesOfOwners) {
        if version.is_empty() {
            errors.invalid(&path.field("apiVersion"), api_version, "version must not be empty");
        }
        let is_short = errors.server_has(Difference::ShortDetails);
        for key in ["kind", "name", "uid"] {
            if text(reference, key).is_empty() {
                let of = if is_short { String::new() } else { format!("{key} ") };
                errors.invalid(&path.field(key), "", format_args!("{of}must not be empty"));
            }
        }
        return;
    }
    for key in ["apiVersion", "kind", "name", "uid"] {
        if text(reference, key).is_empty() {
            errors.required(&path.field(key), "must not be empty");
        }
    }
    if !api_version.is_empty() && version.is_empty() {
        let detail = "must be <group>/<version> or <version>";
        errors.invalid(&path.field("apiVersion"), api_version, detail);
    }
}

/// An owner reference as a server shows it.
///
/// Divergence: servers before 1.34 print the addresses of `Controller` and `BlockOwnerDeletion`; here both are
/// [`ADDRESS`].
fn owner_reference(reference: &Map<String, Value>, kubernetes: KubernetesVersion) -> BadValue {
    if Difference::ValuesAsJson.is_in(kubernetes) {
        return BadValue::Json(owner_reference_json(reference));
    }
    let quoted = |key| gofmt::quote(text(reference, key));
    let pointer =
        |key| if reference.get(key).is_some_and(Value::is_boolean) { ADDRESS } else { "nil" };
    BadValue::Json(format!(
        "v1.OwnerReference{{APIVersion:{}, Kind:{}, Name:{}, UID:{}, Controller:(*bool)({}), \
         BlockOwnerDeletion:(*bool)({})}}",
        quoted("apiVersion"),
        quoted("kind"),
        quoted("name"),
        quoted("uid"),
        pointer("controller"),
        pointer("blockOwnerDeletion"),
    ))
}

/// Returns an owner reference as JSON, with the fields in the order of Go's struct.
fn owner_reference_json(reference: &Map<String, Value>) -> String {
    let mut out = String::from("{");
    for key in ["apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"] {
        let value = match reference.get(key) {
            Some(value) => json::to_go_string(value),
            None if matches!(key, "controller" | "blockOwnerDeletion") => continue,
            None => "\"\"".to_owned(),
        };
        if out.len() > 1 {
            out.push(',');
        }
        json::write_string(&mut out, key);
        out.push(':');
        out.push_str(&value);
    }
    out.push('}');
    out
}

fn validate_finalizers(metadata: &Map<String, Value>, path: &Path<'_>, errors: &mut Sink) {
    let path = path.field("finalizers");
    for finalizer in strings(metadata, "finalizers") {
        report_each(&path, finalizer, names::label_key(finalizer, errors.kubernetes()), errors);
    }
    let has = |name| strings(metadata, "finalizers").any(|finalizer| finalizer == name);
    if has(FINALIZER_ORPHAN) && has(FINALIZER_FOREGROUND) {
        let all: Vec<String> = strings(metadata, "finalizers").map(str::to_owned).collect();
        errors.invalid(
            &path,
            Shown::Texts(&all),
            format!("finalizer {FINALIZER_ORPHAN} and {FINALIZER_FOREGROUND} cannot be both set"),
        );
    }
}

fn validate_managed_fields(metadata: &Map<String, Value>, path: &Path<'_>, errors: &mut Sink) {
    let path = path.field("managedFields");
    let Some(Value::Array(entries)) = metadata.get("managedFields") else { return };
    for (index, entry) in entries.iter().enumerate() {
        let Some(entry) = as_struct(entry) else { continue };
        let path = path.index(index);
        let operation = text(entry, "operation");
        if operation != "Apply" && operation != "Update" {
            let path = path.field("operation");
            if !errors.server_has(Difference::ManagedOperations) {
                errors.invalid(&path, Shown::TypedText(operation), "must be `Apply` or `Update`");
            } else if operation.is_empty() {
                errors.required(&path, "must not be empty");
            } else {
                errors.not_supported(&path, Shown::TypedText(operation), ["Apply", "Update"]);
            }
        }
        let fields_type = text(entry, "fieldsType");
        if !fields_type.is_empty() && fields_type != "FieldsV1" {
            let path = path.field("fieldsType");
            errors.invalid(&path, fields_type, "must be `FieldsV1`");
        }
        let manager = text(entry, "manager");
        let manager_path = path.field("manager");
        if manager.len() > FIELD_MANAGER_MAX_BYTES {
            too_long(&manager_path, FIELD_MANAGER_MAX_BYTES, errors);
        }
        for (at, c) in manager.char_indices().filter(|(_, c)| !gofmt::is_print(*c)) {
            let c = u32::from(c);
            errors.invalid(
                &manager_path,
                manager,
                format_args!("invalid character U+{c:04X} (at position {at})"),
            );
        }
        if text(entry, "subresource").len() > SUBRESOURCE_MAX_BYTES {
            too_long(&path.field("subresource"), SUBRESOURCE_MAX_BYTES, errors);
        }
    }
}

fn report_each(path: &Path<'_>, value: &str, messages: Vec<String>, errors: &mut Sink) {
    for message in messages {
        errors.invalid(path, value, message);
    }
}

/// A time as a server shows it. Servers that do not print JSON print times as Go does. An absent `creationTimestamp` is
/// then Go's zero time, because that field is not a pointer.
fn shown_time(written: Option<&str>, key: &str, kubernetes: KubernetesVersion) -> BadValue {
    let value = written.map_or(Value::Null, Value::from);
    if Difference::ValuesAsJson.is_in(kubernetes) {
        return BadValue::of(&value, kubernetes);
    }
    let written = written.or((key == "creationTimestamp").then_some("0001-01-01T00:00:00Z"));
    match written {
        Some(time) => BadValue::Json(time.replace('T', " ").replace('Z', " +0000 UTC")),
        None => BadValue::of(&value, kubernetes),
    }
}

fn immutable<'v>(path: &Path<'_>, value: impl Into<Shown<'v>>, errors: &mut Sink) {
    errors.invalid(path, value, "field is immutable");
}

fn too_long(path: &Path<'_>, limit: usize, errors: &mut Sink) {
    errors.too_long(path, i64::try_from(limit).unwrap_or(i64::MAX));
}
