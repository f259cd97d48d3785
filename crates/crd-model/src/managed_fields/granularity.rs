//! The granularity of ownership at a place in an object: as a whole or by parts. It follows from the types that the
//! server makes of a schema.
//!
//! Source: kube-openapi `pkg/schemaconv/openapi.go` and `smd.go`; apiextensions-apiserver
//! `pkg/controller/openapi/builder/builder.go` for the additions to a definition's schema.

use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::model::{JsonSchemaProps, SchemaOrArray, SchemaOrBool};

/// The type of a place in an object.
#[derive(Debug, Clone, Copy)]
pub(super) enum PlaceType<'a> {
    /// A place that the schema describes.
    Schema {
        schema: &'a JsonSchemaProps,
        /// Whether this schema or one above has `x-kubernetes-preserve-unknown-fields`.
        open: bool,
        /// Whether it is an object with metadata, `apiVersion` and `kind`.
        object: bool,
        /// The schema of the whole object, whose `definitions` a `$ref` names.
        root: &'a JsonSchemaProps,
    },
    /// Anything: objects field by field, lists as a whole. Upstream: `__untyped_deduced_`.
    Deduced,
    /// Anything, as a whole. Upstream: `__untyped_atomic_`.
    Untyped,
}

/// How a value at a place is owned.
#[derive(Debug, Clone, Copy)]
pub(super) enum Ownership<'a> {
    /// Owned as a whole.
    Whole,
    /// Owned field by field.
    Fields,
    /// A `set`, owned item by item.
    Set(PlaceType<'a>),
    /// A `map` list, owned item by item. Items are identified by these keys.
    Map(&'a [String], PlaceType<'a>),
}

/// How the values of a type are owned, before a value is known.
#[derive(Debug, Clone, Copy)]
pub(super) enum OwnershipForm {
    /// An object without declared fields.
    Anything,
    Object {
        atomic: bool,
    },
    List {
        atomic: bool,
    },
    Scalar,
}

/// A field's type, and whether the schema declares it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member<'a> {
    pub ty: PlaceType<'a>,
    pub declared: FieldDeclared,
}

/// Whether the schema declares a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldDeclared {
    /// It is in `properties`.
    ByName,
    /// It is covered by `additionalProperties`.
    ByPattern,
    /// The schema does not allow it.
    Not,
}

/// The schema of `ObjectMeta`, as the server publishes it.
static OBJECT_META: LazyLock<JsonSchemaProps> = LazyLock::new(|| {
    let text = json!({"type": "string"});
    let time = json!({"type": "string", "format": "date-time"});
    let texts = json!({"type": "object", "additionalProperties": text});
    let flag = json!({"type": "boolean"});
    let owner = json!({"type": "object", "x-kubernetes-map-type": "atomic", "properties": {
        "apiVersion": text, "kind": text, "name": text,
        // A required field has the default of its Go type, so that an owner reference without it still has a key.
        "uid": {"type": "string", "default": ""},
        "controller": flag, "blockOwnerDeletion": flag,
    }});
    serde_json::from_value(json!({
        "type": "object",
        "properties": {
            "annotations": texts,
            "creationTimestamp": time,
            "deletionGracePeriodSeconds": {"type": "integer"},
            "deletionTimestamp": time,
            "finalizers": {"type": "array", "items": text, "x-kubernetes-list-type": "set"},
            "generateName": text,
            "generation": {"type": "integer"},
            "labels": texts,
            "managedFields": {"type": "array", "items": {"type": "object"}, "x-kubernetes-list-type": "atomic"},
            "name": text,
            "namespace": text,
            "ownerReferences": {
                "type": "array",
                "items": owner,
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["uid"],
            },
            "resourceVersion": text,
            "selfLink": text,
            "uid": text,
        },
    }))
    .unwrap_or_default()
});

/// The schema of `apiVersion` and of `kind`.
static TEXT: LazyLock<JsonSchemaProps> =
    LazyLock::new(|| JsonSchemaProps { type_: "string".to_owned(), ..JsonSchemaProps::default() });

impl<'a> PlaceType<'a> {
    /// Returns the type of a whole object.
    pub(super) fn root(schema: &'a JsonSchemaProps) -> Self {
        Self::of(schema, false, true, schema)
    }

    fn of(
        schema: &'a JsonSchemaProps,
        open: bool,
        object: bool,
        root: &'a JsonSchemaProps,
    ) -> Self {
        // Only the type of definitions, which contain themselves, has a `$ref`.
        let name = schema.ref_.as_ref().and_then(|name| name.strip_prefix("#/definitions/"));
        let named = name.and_then(|name| root.definitions.as_ref()?.get(name));
        let schema = named.unwrap_or(schema);
        let open = open || schema.x_preserve_unknown_fields == Some(true);
        Self::Schema { schema, open, object: object || schema.x_embedded_resource, root }
    }

    /// Returns how a value at this place is owned.
    pub(super) fn ownership(self, value: &Value) -> Ownership<'a> {
        match value {
            Value::Object(_) => self.of_object(),
            Value::Array(_) => self.of_list(),
            _ => Ownership::Whole,
        }
    }

    fn of_object(self) -> Ownership<'a> {
        match self {
            Self::Untyped => Ownership::Whole,
            Self::Deduced => Ownership::Fields,
            Self::Schema { schema, .. } => match schema.x_map_type.as_deref() {
                Some("atomic") => Ownership::Whole,
                _ if matches!(schema.type_.as_str(), "object" | "") => Ownership::Fields,
                _ => Ownership::Whole,
            },
        }
    }

    fn of_list(self) -> Ownership<'a> {
        let Self::Schema { schema, .. } = self else { return Ownership::Whole };
        let items = self.items();
        match schema.x_list_type.as_deref() {
            Some("set") => Ownership::Set(items),
            Some("map") => {
                Ownership::Map(schema.x_list_map_keys.as_deref().unwrap_or_default(), items)
            }
            _ => Ownership::Whole,
        }
    }

    /// Returns the type of an object's field. The type of a field that the schema does not allow is deduced.
    pub(super) fn field(self, name: &str) -> Member<'a> {
        let undeclared = |ty| Member { ty, declared: FieldDeclared::Not };
        let (schema, open, object, root) = match self {
            Self::Schema { schema, open, object, root } => (schema, open, object, root),
            Self::Deduced => return undeclared(Self::Deduced),
            Self::Untyped => return undeclared(Self::Untyped),
        };
        let declared = |ty| Member { ty, declared: FieldDeclared::ByName };
        match name {
            "metadata" if object => {
                return declared(Self::of(&OBJECT_META, false, false, &OBJECT_META));
            }
            "apiVersion" | "kind" if object => {
                return declared(Self::of(&TEXT, false, false, &TEXT));
            }
            _ => {}
        }
        let property = schema.properties.as_ref().and_then(|properties| properties.get(name));
        match (property, &schema.additional_properties) {
            (Some(property), _) => declared(Self::of(property, open, false, root)),
            (None, Some(SchemaOrBool::Schema(values))) => Member {
                ty: Self::of(values, open, false, root),
                declared: FieldDeclared::ByPattern,
            },
            (None, _) => undeclared(Self::Deduced),
        }
    }

    /// Returns how the values are owned. A schema without `type` counts as one of an object.
    ///
    /// Source: structured-merge-diff `typed/helpers.go`, `handleAtom`, and `typed/reconcile_schema.go`,
    /// `isUntypedDeducedMap`.
    pub(super) fn form(self) -> OwnershipForm {
        let (schema, object) = match self {
            Self::Deduced => return OwnershipForm::Anything,
            Self::Untyped => return OwnershipForm::Object { atomic: true },
            Self::Schema { schema, object, .. } => (schema, object),
        };
        let has_fields = object || schema.properties.as_ref().is_some_and(|it| !it.is_empty());
        let takes_any =
            matches!(schema.additional_properties, None | Some(SchemaOrBool::Bool(true)));
        match schema.type_.as_str() {
            "object" | "" if !has_fields && takes_any => OwnershipForm::Anything,
            "object" | "" => {
                OwnershipForm::Object { atomic: schema.x_map_type.as_deref() == Some("atomic") }
            }
            "array" => OwnershipForm::List {
                atomic: !matches!(schema.x_list_type.as_deref(), Some("set" | "map")),
            },
            _ => OwnershipForm::Scalar,
        }
    }

    /// Returns the type of a list's items.
    pub(super) fn items(self) -> PlaceType<'a> {
        match self {
            Self::Schema { schema, open, root, .. } => match &schema.items {
                Some(SchemaOrArray::Schema(items)) => Self::of(items, open, false, root),
                _ => Self::Untyped,
            },
            Self::Deduced | Self::Untyped => Self::Untyped,
        }
    }

    /// Returns the default that items of this type have for a key of their list.
    pub(super) fn default_of(self, key: &str) -> Option<&'a Value> {
        let Self::Schema { schema, .. } = self else { return None };
        schema.properties.as_ref()?.get(key)?.default.as_ref()
    }
}
