//! Generated definitions and objects, and the two rules that are also measured with other evaluators.

use std::sync::Arc;

use crd_cel::decl::{Decl, DeclKind, FieldDecl, ListType, ObjectDecl};
use serde_json::{Value, json};

/// A definition `things.bench.example.com` of one version `v1` with this schema.
pub fn definition(schema: &Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.bench.example.com"},
        "spec": {
            "group": "bench.example.com", "scope": "Namespaced",
            "names": {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"},
            "versions": [{
                "name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema},
            }],
        },
    })
}

/// An object of [`definition`] with these fields besides `apiVersion`, `kind` and metadata.
pub fn object(fields: &Value) -> Value {
    let mut object = json!({
        "apiVersion": "bench.example.com/v1", "kind": "Thing",
        "metadata": {"name": "thing", "namespace": "default"},
    });
    if let (Value::Object(object), Value::Object(fields)) = (&mut object, fields) {
        object.extend(fields.clone());
    }
    object
}

/// A size that none of [`records`] exceeds, in bytes.
pub const RECORD: usize = 190;

/// A list of records under `records`: names, numbers, flags, a small map and a small list each.
pub fn records(count: usize) -> Value {
    let record = |n: usize| {
        json!({
            "name": format!("record-number-{n}"), "weight": n, "enabled": n % 2 == 0,
            "description": "a line of text that says something",
            "labels": {"app": "web", "tier": "front"}, "ports": [80, 443, 8080],
        })
    };
    json!({"records": (0..count).map(record).collect::<Vec<_>>()})
}

/// The schema of an object with [`records`], with the keywords of `list` added to that of the list.
pub fn record_schema(list: &Value) -> Value {
    let text = json!({"type": "string", "maxLength": 64});
    let mut records = json!({"type": "array", "items": {
        "type": "object", "required": ["name"],
        "properties": {
            "name": {"type": "string", "pattern": "^[a-z0-9-]+$", "maxLength": 63},
            "weight": {"type": "integer", "minimum": 0}, "enabled": {"type": "boolean"},
            "description": text,
            "labels": {"type": "object", "additionalProperties": text},
            "ports": {"type": "array", "items": {"type": "integer", "format": "int32"}},
        },
    }});
    merge(&mut records, list);
    json!({"type": "object", "properties": {"records": records}})
}

/// Adds the fields of an object to those of another.
pub fn merge(into: &mut Value, more: &Value) {
    if let (Value::Object(into), Value::Object(more)) = (into, more) {
        into.extend(more.clone());
    }
}

/// A rule, a definition with it, and an object that satisfies it.
#[derive(Debug)]
pub struct Rule {
    /// The name in reports.
    pub name: &'static str,
    /// The text of the rule, which is at the root of the schema.
    pub rule: &'static str,
    /// The definition that has it.
    pub definition: Value,
    /// The object.
    pub object: Value,
    decl: Arc<Decl>,
}

impl Rule {
    /// Returns the declaration of `self`, for evaluation without a schema.
    pub fn decl(&self) -> Arc<Decl> {
        Arc::clone(&self.decl)
    }
}

/// Returns a rule that compares three numbers, and one about all items of a list of 1,000 objects.
pub fn rules() -> [Rule; 2] {
    let int = json!({"type": "integer"});
    let compare = "self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas";
    let all = "self.items.all(i, i.value > 0 && i.name.startsWith('a'))";
    let items: Vec<Value> =
        (0..1_000).map(|i| json!({"name": format!("a{i}"), "value": i + 1})).collect();
    [
        Rule {
            name: "three numbers compared",
            rule: compare,
            definition: definition(&json!({
                "type": "object",
                "properties": {"minReplicas": int, "replicas": int, "maxReplicas": int},
                "x-kubernetes-validations": [{"rule": compare}],
            })),
            object: object(&json!({"minReplicas": 1, "replicas": 3, "maxReplicas": 5})),
            decl: numbers_decl(),
        },
        Rule {
            name: "all of 1,000 items",
            rule: all,
            definition: definition(&json!({
                "type": "object",
                "properties": {"items": {"type": "array", "maxItems": 1000, "items": {
                    "type": "object",
                    "properties": {"name": {"type": "string", "maxLength": 64}, "value": int},
                }}},
                "x-kubernetes-validations": [{"rule": all}],
            })),
            object: object(&json!({"items": items})),
            decl: items_decl(),
        },
    ]
}

fn decl(kind: DeclKind) -> Arc<Decl> {
    Arc::new(Decl { kind, nullable: false, max_elements: 1_000, min_serialized_size: 1 })
}

fn object_decl(fields: &[(&str, Arc<Decl>)]) -> Arc<Decl> {
    let mut fields: Vec<FieldDecl> = fields
        .iter()
        .map(|(name, decl)| FieldDecl {
            ident: (*name).into(),
            key: (*name).into(),
            decl: Arc::clone(decl),
        })
        .collect();
    fields.sort_by(|a, b| a.ident.cmp(&b.ident));
    decl(DeclKind::Object(Arc::new(ObjectDecl { fields, hidden: Vec::new() })))
}

fn numbers_decl() -> Arc<Decl> {
    let int = decl(DeclKind::Int);
    let field = |name| (name, Arc::clone(&int));
    object_decl(&[field("minReplicas"), field("replicas"), field("maxReplicas")])
}

fn items_decl() -> Arc<Decl> {
    let item = object_decl(&[("name", decl(DeclKind::String)), ("value", decl(DeclKind::Int))]);
    let items = decl(DeclKind::List { element: item, list_type: ListType::Atomic });
    object_decl(&[("items", items)])
}
