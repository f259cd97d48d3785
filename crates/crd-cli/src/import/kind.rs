//! Reads a definition: the kind's attributes, and the types of each version.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::code::Key;
use super::keys::rule;
use super::keywords::{Schema, required};
use super::model::{Body, Field, Item};
use super::names;
use super::paths::{leads_to, shows};
use super::schema::{Reader, place_keys, struct_keys};
use crate::schemas::OF_RESOURCES;

/// A version of a kind, in Rust.
#[derive(Debug)]
pub(super) struct Version {
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) group: String,
    pub(super) names: Names,
    pub(super) is_stored: bool,
    /// The keys of `#[crd(..)]` on the kind, in groups that stand together.
    pub(super) keys: Vec<Key>,
    pub(super) root: Root,
    /// The types, in the order in which they were found.
    pub(super) items: Vec<Item>,
    /// Descriptions of the root, `spec` and `status`.
    pub(super) description: Option<String>,
}

/// The names of a kind that its clients need.
#[derive(Debug)]
pub(super) struct Names {
    pub(super) plural: String,
    pub(super) is_namespaced: bool,
}

/// The struct that has the derive.
#[derive(Debug)]
pub(super) enum Root {
    /// The spec; the derive generates the root. `status` is an item.
    Spec { item: usize, description: Option<String>, status: Option<(usize, Option<String>)> },
    /// The root itself, with its fields other than `apiVersion`, `kind` and `metadata`.
    Itself { fields: Vec<Field>, open: bool, keys: Vec<Key>, status: Option<usize> },
}

impl Root {
    /// Returns whether `status` has a generated type, which turns on the subresource.
    fn has_status_type(&self) -> bool {
        match self {
            Self::Spec { status, .. } => status.is_some(),
            Self::Itself { status, .. } => status.is_some(),
        }
    }
}

/// A definition that cannot be read.
#[derive(Debug)]
pub(super) struct Unreadable(pub(super) String);

fn object<'a>(value: &'a Value, name: &str) -> Option<&'a Map<String, Value>> {
    value.get(name)?.as_object()
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Reads each version of a definition, whose model has been written as JSON.
pub(super) fn versions(definition: &Value) -> Result<Vec<Version>, Unreadable> {
    let spec = definition.get("spec").ok_or_else(|| Unreadable("it has no `spec`".to_owned()))?;
    let names = spec.get("names").unwrap_or(&Value::Null);
    let kind = text(names, "kind");
    if kind.is_empty() {
        return Err(Unreadable("it has no `spec.names.kind`".to_owned()));
    }
    list(spec, "versions").iter().map(|version| one(definition, spec, kind, version)).collect()
}

fn one(
    definition: &Value,
    spec: &Value,
    kind: &str,
    version: &Value,
) -> Result<Version, Unreadable> {
    let name = text(version, "name").to_owned();
    let schema = version.get("schema").and_then(|schema| object(schema, "openAPIV3Schema"));
    let schema = schema.ok_or_else(|| Unreadable(format!("version `{name}` has no schema")))?;
    let mut reader = Reader::default();
    let mut keys = kind_keys(definition, spec, kind, version, schema);
    let has_status = version.pointer("/subresources/status").is_some_and(|value| !value.is_null());
    let root = root(&mut reader, kind, schema, has_status);
    if has_status && !root.has_status_type() {
        keys.push(Key::flag("status"));
    }
    if let Root::Spec { .. } = root {
        keys.extend(root_rules(schema));
    }
    let description = schema.get("description").and_then(Value::as_str).map(str::to_owned);
    let is_stored = version.get("storage") == Some(&Value::Bool(true));
    let names = Names {
        plural: text(spec.get("names").unwrap_or(&Value::Null), "plural").to_owned(),
        is_namespaced: text(spec, "scope") == "Namespaced",
    };
    Ok(Version {
        name,
        kind: kind.to_owned(),
        group: text(spec, "group").to_owned(),
        names,
        is_stored,
        keys,
        root,
        items: reader.items,
        description,
    })
}

/// Chooses the form of the kind. The spec has the derive if the root has nothing but what the derive generates for it.
fn root(reader: &mut Reader, kind: &str, schema: &Schema, has_status: bool) -> Root {
    let empty = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let of = |name: &str| properties.get(name).and_then(Value::as_object);
    let is_struct = |schema: &Schema| {
        schema.get("type").and_then(Value::as_str) == Some("object")
            && !schema.contains_key("additionalProperties")
            && schema.get("properties").and_then(Value::as_object).is_some_and(|it| !it.is_empty())
            && ["nullable", "default", "title", "example", "externalDocs"]
                .iter()
                .all(|name| !schema.contains_key(*name))
    };
    let is_known = |name: &String| {
        ["apiVersion", "kind", "metadata", "spec", "status"].contains(&name.as_str())
    };
    let plain_root = ["description", "type", "properties", "required", "x-kubernetes-validations"];
    let required = required(schema);
    let is_spec_form = schema.keys().all(|name| plain_root.contains(&name.as_str()))
        && properties.keys().all(is_known)
        && required.contains(&"spec")
        && !required.contains(&"status")
        && of("spec").is_some_and(is_struct)
        && (has_status || of("status").is_none())
        && of("status").is_none_or(is_struct)
        && of("metadata").is_none_or(is_plain_metadata);
    let path = |name: &str| vec![format!("{}{name}", names::kind(kind))];
    if is_spec_form {
        let spec = of("spec").unwrap_or(&empty);
        let spec_path = path("Spec");
        let item = reader.root_item(spec, &spec_path);
        let description =
            |schema: &Schema| schema.get("description").and_then(Value::as_str).map(str::to_owned);
        let status = of("status")
            .map(|status| (reader.root_item(status, &path("Status")), description(status)));
        let description = description(spec);
        return Root::Spec { item, description, status };
    }
    let mut rest = schema.clone();
    if let Some(Value::Object(properties)) = rest.get_mut("properties") {
        let metadata = properties.get("metadata").and_then(Value::as_object);
        let is_plain = metadata.is_none_or(is_plain_metadata);
        properties.retain(|name, _| {
            !["apiVersion", "kind"].contains(&name.as_str()) && (name != "metadata" || !is_plain)
        });
    }
    let mut keys = Vec::new();
    if let Some(Value::Object(properties)) = rest.get_mut("properties")
        && let Some(metadata) = properties.remove("metadata")
    {
        let patch = serde_json::json!({"metadata": metadata});
        keys.push(Key::patch(Map::from_iter([("properties".to_owned(), patch)])));
    }
    if let Some(Value::Array(required)) = rest.get_mut("required") {
        required.retain(|name| !OF_RESOURCES.iter().any(|it| name == it));
    }
    keys.extend(place_keys(&rest, false));
    keys.extend(struct_keys(&rest));
    let Body::Struct { fields, open } = reader.fields(&rest, &[names::kind(kind)]) else {
        return Root::Itself { fields: Vec::new(), open: false, keys, status: None };
    };
    let status =
        fields.iter().find(|field| field.wire == "status").and_then(|field| match field.of.ty {
            super::model::Type::Item(item) => Some(item),
            _ => None,
        });
    let status = status.filter(|_| has_status);
    Root::Itself { fields, open, keys: Key::merge_patches(keys), status }
}

/// Returns whether the schema of `metadata` is the one that every object has.
fn is_plain_metadata(schema: &Schema) -> bool {
    schema.keys().all(|name| name == "type" || name == "description")
}

/// The rules of the whole object, for the form in which the spec has the derive.
fn root_rules(schema: &Schema) -> Vec<Key> {
    let rules = schema.get("x-kubernetes-validations").and_then(Value::as_array);
    rules.into_iter().flatten().filter_map(|value| rule("root_rule", value)).collect()
}

fn kind_keys(
    definition: &Value,
    spec: &Value,
    kind: &str,
    version: &Value,
    schema: &Schema,
) -> Vec<Key> {
    let names = spec.get("names").unwrap_or(&Value::Null);
    let mut keys = vec![
        Key::text("group", text(spec, "group")),
        Key::text("version", text(version, "name")),
        Key::text("kind", kind),
        Key::text("plural", text(names, "plural")),
    ];
    let lower = kind.to_lowercase();
    let singular = text(names, "singular");
    if !singular.is_empty() && singular != lower {
        keys.push(Key::text("singular", singular));
    }
    let list_kind = text(names, "listKind");
    if !list_kind.is_empty() && list_kind != format!("{kind}List") {
        keys.push(Key::text("list_kind", list_kind));
    }
    keys.push(Key::flag(if text(spec, "scope") == "Cluster" { "cluster" } else { "namespaced" }));
    for (field, key) in [("shortNames", "short_name"), ("categories", "category")] {
        keys.extend(
            list(names, field).iter().filter_map(Value::as_str).map(|name| Key::text(key, name)),
        );
    }
    for name in ["served", "storage"] {
        if version.get(name) == Some(&Value::Bool(false)) {
            keys.push(Key::code(name, false));
        }
    }
    if version.get("deprecated") == Some(&Value::Bool(true)) {
        let warning = text(version, "deprecationWarning");
        keys.push(if warning.is_empty() {
            Key::flag("deprecated")
        } else {
            Key::text("deprecated", warning)
        });
    }
    if let Some(scale) = version.pointer("/subresources/scale") {
        let paths = [
            ("specReplicasPath", "spec"),
            ("statusReplicasPath", "status"),
            ("labelSelectorPath", "selector"),
        ];
        let args = paths.iter().filter(|(field, _)| !text(scale, field).is_empty());
        let mut args: Vec<_> =
            args.map(|(field, key)| Key::text(key, text(scale, field))).collect();
        let selector = text(scale, "labelSelectorPath");
        let is_checked = leads_to(schema, text(scale, "specReplicasPath"), "integer")
            && leads_to(schema, text(scale, "statusReplicasPath"), "integer")
            && (selector.is_empty() || leads_to(schema, selector, "string"));
        if !is_checked {
            args.push(Key::strings("unchecked", ["as imported"]));
        }
        keys.push(Key::call("scale", args));
    }
    let mut headings = BTreeSet::new();
    for column in list(version, "additionalPrinterColumns") {
        // The derive rejects a second heading, too.
        let is_new = headings.insert(text(column, "name").to_lowercase());
        keys.push(print_column(schema, column, is_new));
    }
    keys.extend(
        list(version, "selectableFields")
            .iter()
            .map(|field| Key::strings("selectable", [text(field, "jsonPath")])),
    );
    for (field, key) in [("annotations", "annotation"), ("labels", "label")] {
        let pairs = definition.get("metadata").and_then(|metadata| object(metadata, field));
        keys.extend(
            pairs.into_iter().flatten().filter_map(|(name, value)| {
                Some(Key::strings(key, [name.as_str(), value.as_str()?]))
            }),
        );
    }
    keys.extend(conversion(spec));
    keys
}

fn print_column(schema: &Schema, column: &Value, is_new: bool) -> Key {
    let mut args = vec![
        Key::text("name", text(column, "name")),
        Key::text("type", text(column, "type")),
        Key::text("path", text(column, "jsonPath")),
    ];
    for name in ["description", "format"] {
        if !text(column, name).is_empty() {
            args.push(Key::text(name, text(column, name)));
        }
    }
    if let Some(priority) = column.get("priority").and_then(Value::as_i64).filter(|it| *it != 0) {
        args.push(Key::code("priority", priority));
    }
    if !is_new || !shows(schema, text(column, "jsonPath"), text(column, "type")) {
        args.push(Key::strings("unchecked", ["as imported"]));
    }
    Key::call("print_column", args)
}

fn conversion(spec: &Value) -> Option<Key> {
    let webhook = spec.pointer("/conversion/webhook").filter(|it| !it.is_null())?;
    let client = webhook.get("clientConfig").unwrap_or(&Value::Null);
    let mut args = Vec::new();
    if let Some(service) = client.get("service").filter(|it| !it.is_null()) {
        let mut inner = vec![
            Key::text("namespace", text(service, "namespace")),
            Key::text("name", text(service, "name")),
        ];
        if !text(service, "path").is_empty() {
            inner.push(Key::text("path", text(service, "path")));
        }
        if let Some(port) = service.get("port").and_then(Value::as_u64).filter(|port| *port != 443)
        {
            inner.push(Key::code("port", port));
        }
        args.push(Key::call("service", inner));
    } else {
        args.push(Key::text("url", text(client, "url")));
    }
    if !text(client, "caBundle").is_empty() {
        args.push(Key::text("ca_bundle", text(client, "caBundle")));
    }
    let reviews: Vec<_> =
        list(webhook, "conversionReviewVersions").iter().filter_map(Value::as_str).collect();
    if reviews != ["v1"] {
        args.push(Key::strings("review_versions", reviews));
    }
    Some(Key::call("conversion", [Key::call("webhook", args)]))
}
