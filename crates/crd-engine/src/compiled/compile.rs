//! Compiles a structural schema into a [`CompiledSchema`].

use std::sync::OnceLock;

use serde_json::Value;

use super::{
    Additional, ArrayChecks, Checks, CompiledSchema, Enumeration, FormatCheck, Junctors, ListType,
    Node, NodeId, NumberChecks, ObjectChecks, Pattern, Properties, Property, Resource, SchemaType,
    Shortcuts, StringChecks, Types,
};
use crate::differences::Difference;
use crate::json;
use crate::schema::{
    AdditionalProperties, Extensions, Generic, NestedAdditionalProperties, NestedValueValidation,
    Structural, ValueValidation,
};
use crd_cel::domain::format::{self, Format};
use crd_cel::kubernetes::KubernetesVersion;

/// The two ways in which the server interprets a schema to validate values.
///
/// Source: `pkg/apiserver/validation/validation.go`, `ConvertJSONSchemaPropsWithPostProcess`, and
/// `pkg/apiserver/schema/kubeopenapi.go`, `ToKubeOpenAPI`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// For objects: `x-kubernetes-int-or-string` replaces the type, and a format that does not apply to the type is
    /// dropped.
    Objects,
    /// For defaults when a CRD is validated: types and formats are used as written, and `additionalProperties` under a
    /// junctor is ignored.
    Defaults,
}

impl Dialect {
    /// Converts a JSON value of the schema, such as a default. Objects are validated against a definition that was
    /// stored and read back, where `1.0` is the integer `1`; a new definition is validated as written, where `1.0` is
    /// a float.
    fn read(self, value: Value) -> Value {
        match self {
            Self::Objects => json::stored(value),
            Self::Defaults => value,
        }
    }
}

impl CompiledSchema {
    /// Compiles a structural schema.
    pub(crate) fn new(
        structural: Option<Structural>,
        resource: Resource,
        dialect: Dialect,
        kubernetes: KubernetesVersion,
    ) -> Self {
        let mut arena = Arena { nodes: Vec::new(), dialect, kubernetes };
        let root = match &structural {
            Some(structural) => arena.structural(structural),
            None => arena.push(Node::default()),
        };
        let is_plain = !resource.group.contains('/') && !resource.version.contains('/');
        let api_version = is_plain.then(|| resource.api_version().into());
        let nodes = arena.nodes;
        let has_null_in_defaults =
            nodes.iter().filter_map(|node| node.default.as_ref()).any(has_null);
        let rules = OnceLock::new();
        Self {
            nodes,
            root,
            structural,
            resource,
            kubernetes,
            api_version,
            has_null_in_defaults,
            rules,
        }
    }
}

/// Returns whether a value is or contains `null`. Recursion follows a default, whose depth the decoder of
/// definitions limits.
fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(has_null),
        Value::Object(map) => map.values().any(has_null),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// The nodes that are compiled so far. Recursion follows the schema, whose depth [`crate::schema::MAX_SCHEMA_DEPTH`]
/// limits.
struct Arena {
    nodes: Vec<Node>,
    dialect: Dialect,
    kubernetes: KubernetesVersion,
}

impl Arena {
    fn push(&mut self, node: Node) -> NodeId {
        let id = u32::try_from(self.nodes.len()).expect("a schema has fewer than 2^32 nodes");
        self.nodes.push(node);
        NodeId(id)
    }

    fn structural(&mut self, schema: &Structural) -> NodeId {
        let items = schema.items.as_ref().map(|items| self.structural(items));
        let properties: Vec<_> = schema
            .properties
            .iter()
            .map(|(name, schema)| Property::new(name, self.structural(schema)))
            .collect();
        let additional = match &schema.additional_properties {
            None => Additional::Absent,
            Some(AdditionalProperties::Bool(allows)) => Additional::Bool(*allows),
            Some(AdditionalProperties::Schema(schema)) => {
                Additional::Schema(self.structural(schema))
            }
        };
        let below = items
            .into_iter()
            .chain(properties.iter().map(|property| property.id))
            .chain(match additional {
                Additional::Schema(id) => Some(id),
                Additional::Absent | Additional::Bool(_) => None,
            })
            .map(|NodeId(id)| &self.nodes[id as usize]);
        let any = |has: fn(&Node) -> bool| below.clone().any(has);
        let has_defaults = schema.generic.default.is_some() || any(|node| node.has_defaults);
        let has_resources = schema.extensions.embedded_resource || any(|node| node.has_resources);
        let has_unique_lists =
            matches!(schema.extensions.list_type.as_deref(), Some("set" | "map"))
                || any(|node| node.has_unique_lists);
        let has_rules = schema.rules.as_ref().is_some_and(|rules| !rules.is_empty())
            || any(|node| node.has_rules);
        let properties_with = |has: fn(&Node) -> bool| {
            let indexed = (0_u32..).zip(&properties);
            indexed
                .filter(|(_, property)| has(&self.nodes[property.id.0 as usize]))
                .map(|(index, _)| index)
                .collect()
        };
        let defaulted = properties_with(|node| node.has_defaults);
        let unique = properties_with(|node| node.has_unique_lists);
        let mut checks = self.checks(&schema.validation, &schema.generic, &schema.extensions);
        let properties = (!properties.is_empty())
            .then(|| Properties::new(properties, required(checks.object.as_deref())));
        checks.shortcuts = Shortcuts::of(&checks, schema.generic.nullable);
        let node = Node {
            defaulted,
            unique,
            default: schema.generic.default.clone().map(|value| self.dialect.read(value)),
            properties,
            additional,
            items,
            has_defaults,
            has_resources,
            has_unique_lists,
            has_rules,
            checks,
            ..own_keywords(&schema.generic, &schema.extensions)
        };
        self.push(node)
    }

    fn nested(&mut self, schema: &NestedValueValidation) -> NodeId {
        let items = schema.items.as_ref().map(|items| self.nested(items));
        let properties = schema.properties.as_ref().map(|properties| -> Vec<_> {
            let entries = properties.iter();
            entries.map(|(name, schema)| Property::new(name, self.nested(schema))).collect()
        });
        let additional = match &schema.additional_properties {
            Some(NestedAdditionalProperties::Schema(schema))
                if self.dialect == Dialect::Objects =>
            {
                Additional::Schema(self.nested(schema))
            }
            Some(NestedAdditionalProperties::Forbidden) if self.dialect == Dialect::Objects => {
                Additional::Bool(false)
            }
            Some(_) | None => Additional::Absent,
        };
        let generic = &schema.forbidden_generic;
        let extensions = &schema.forbidden_extensions;
        let mut checks = self.checks(&schema.validation, generic, extensions);
        let properties = properties
            .map(|properties| Properties::new(properties, required(checks.object.as_deref())));
        checks.shortcuts = Shortcuts::of(&checks, generic.nullable);
        let node =
            Node { properties, additional, items, checks, ..own_keywords(generic, extensions) };
        self.push(node)
    }

    fn checks(
        &mut self,
        validation: &ValueValidation,
        generic: &Generic,
        extensions: &Extensions,
    ) -> Checks {
        let types = types(generic, extensions, self.dialect);
        let name = &validation.format;
        let format = match self.dialect {
            Dialect::Objects => is_format_of(name, &types, self.kubernetes),
            Dialect::Defaults => !name.is_empty(),
        };
        // Upstream: servers before 1.34 do not know `k8s-short-name` and `k8s-long-name`, and check no strings by them.
        // But even an unknown format makes a difference in the check of types, whose errors name it.
        let is_known = !is_format_of_k8s_names(name)
            || Difference::ShortNameFormatsOfDefaults.is_in(self.kubernetes);
        let check = || if is_known { FormatCheck::new(name) } else { FormatCheck::unknown(name) };
        Checks {
            format: format.then(check),
            types,
            number: number_checks(validation),
            string: string_checks(validation),
            array: array_checks(validation),
            object: object_checks(validation),
            enum_: Enumeration::of(
                validation.enum_.iter().map(|value| self.dialect.read(value.clone())).collect(),
            ),
            junctors: self.junctors(validation),
            shortcuts: Shortcuts::default(),
            rounds: Difference::RoundedIntegers.is_in(self.kubernetes),
            ranges: Difference::NumberFormats.is_in(self.kubernetes),
        }
    }

    fn junctors(&mut self, validation: &ValueValidation) -> Option<Box<Junctors>> {
        let ValueValidation { all_of, any_of, one_of, not, .. } = validation;
        if all_of.is_empty() && any_of.is_empty() && one_of.is_empty() && not.is_none() {
            return None;
        }
        let mut all = |schemas: &[NestedValueValidation]| {
            schemas.iter().map(|schema| self.nested(schema)).collect()
        };
        let (any_of, one_of, all_of) = (all(any_of), all(one_of), all(all_of));
        let not = not.as_ref().map(|not| self.nested(not));
        Some(Box::new(Junctors { any_of, one_of, all_of, not }))
    }
}

/// Returns a node with the keywords that do not depend on other nodes.
fn own_keywords(generic: &Generic, extensions: &Extensions) -> Node {
    Node {
        type_: SchemaType::parse(&generic.type_),
        nullable: generic.nullable,
        preserve_unknown_fields: extensions.preserve_unknown_fields,
        embedded_resource: extensions.embedded_resource,
        list_type: match extensions.list_type.as_deref() {
            Some("atomic") => ListType::Atomic,
            Some("set") => ListType::Set,
            Some("map") => ListType::Map(
                extensions.list_map_keys.iter().flatten().map(|key| key.as_str().into()).collect(),
            ),
            Some(_) | None => ListType::Unset,
        },
        ..Node::default()
    }
}

fn types(generic: &Generic, extensions: &Extensions, dialect: Dialect) -> Types {
    if extensions.int_or_string && dialect == Dialect::Objects {
        return Types::IntegerOrString;
    }
    match SchemaType::parse(&generic.type_) {
        SchemaType::Untyped if generic.type_.is_empty() => Types::Any,
        SchemaType::Untyped => Types::Unknown(generic.type_.as_str().into()),
        type_ => Types::One(type_),
    }
}

/// Returns whether a format is `k8s-short-name` or `k8s-long-name`, which Kubernetes 1.34 introduced.
fn is_format_of_k8s_names(name: &str) -> bool {
    // Not compared as text, because dashes in the names of formats do not matter.
    matches!(format::find(name), Some(Format::K8sShortName | Format::K8sLongName))
}

/// Returns whether objects are validated against a format. Other formats are dropped.
///
/// Source: `pkg/apiserver/validation/formats.go`, `StripUnsupportedFormatsPostProcessorForVersion`.
fn is_format_of(format: &str, types: &Types, kubernetes: KubernetesVersion) -> bool {
    if is_format_of_k8s_names(format) && !Difference::ShortNameFormats.is_in(kubernetes) {
        return false;
    }
    let numbers = Difference::NumberFormats.is_in(kubernetes);
    match types {
        Types::Any | Types::IntegerOrString | Types::One(SchemaType::String) => {
            format::find(format).is_some()
        }
        Types::One(SchemaType::Integer) => numbers && matches!(format, "int32" | "int64"),
        Types::One(SchemaType::Number) => numbers && matches!(format, "float" | "double"),
        Types::One(_) | Types::Unknown(_) => false,
    }
}

/// Returns whether a format applies to a type, which is given by its name in a schema.
pub fn is_format_of_type(format: &str, type_: &str, kubernetes: KubernetesVersion) -> bool {
    let generic = Generic { type_: type_.to_owned(), ..Generic::default() };
    is_format_of(format, &types(&generic, &Extensions::default(), Dialect::Defaults), kubernetes)
}

fn number_checks(validation: &ValueValidation) -> Option<Box<NumberChecks>> {
    let ValueValidation { minimum, maximum, multiple_of, .. } = *validation;
    (minimum.is_some() || maximum.is_some() || multiple_of.is_some()).then(|| {
        Box::new(NumberChecks {
            minimum,
            exclusive_minimum: validation.exclusive_minimum,
            maximum,
            exclusive_maximum: validation.exclusive_maximum,
            multiple_of,
        })
    })
}

fn string_checks(validation: &ValueValidation) -> Option<Box<StringChecks>> {
    let ValueValidation { min_length, max_length, pattern, .. } = validation;
    let pattern = (!pattern.is_empty()).then(|| Pattern::new(pattern));
    (min_length.is_some() || max_length.is_some() || pattern.is_some()).then(|| {
        Box::new(StringChecks { min_length: *min_length, max_length: *max_length, pattern })
    })
}

fn array_checks(validation: &ValueValidation) -> Option<Box<ArrayChecks>> {
    let ValueValidation { min_items, max_items, unique_items, .. } = *validation;
    (min_items.is_some() || max_items.is_some() || unique_items)
        .then(|| Box::new(ArrayChecks { min_items, max_items, unique_items }))
}

fn object_checks(validation: &ValueValidation) -> Option<Box<ObjectChecks>> {
    let ValueValidation { min_properties, max_properties, required, .. } = validation;
    let required: Box<[Box<str>]> =
        required.iter().flatten().map(|name| name.as_str().into()).collect();
    (min_properties.is_some() || max_properties.is_some() || !required.is_empty()).then(|| {
        Box::new(ObjectChecks {
            min_properties: *min_properties,
            max_properties: *max_properties,
            required,
        })
    })
}

fn required(checks: Option<&ObjectChecks>) -> &[Box<str>] {
    checks.map_or(&[], |checks| &checks.required)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::model::CustomResourceDefinition;

    fn compile(schema: &Value) -> CompiledSchema {
        let crd: CustomResourceDefinition = crd_fixtures::crd("example.com", "Thing")
            .version("v1", schema)
            .set("/spec/versions/0/subresources", json!({"status": {}}))
            .set("/spec/versions/-", json!({"name": "v2"}))
            .read();
        assert!(CompiledSchema::for_version(&crd, "v2").unwrap().structural().is_none());
        assert_eq!(
            CompiledSchema::for_version(&crd, "v3").unwrap_err().to_string(),
            r#"spec.versions: Not found: "v3""#
        );
        CompiledSchema::for_version(&crd, "v1").unwrap()
    }

    #[test]
    fn nodes_have_the_keywords_of_their_schemas() {
        let schema = compile(&json!({
            "type": "object",
            "properties": {
                "b": {"x-kubernetes-int-or-string": true, "format": "int32"},
                "a": {"type": "array", "x-kubernetes-list-type": "map",
                      "x-kubernetes-list-map-keys": ["k"],
                      "items": {"type": "object", "properties": {"k": {"type": "string", "default": "x"}}}},
                "c": {"type": "integer", "format": "int32"},
            },
        }));
        let root = schema.root();
        assert!(root.has_defaults);
        let a = &schema[root.property("a").unwrap()];
        assert!(a.has_defaults);
        assert_eq!(a.list_type, ListType::Map(vec!["k".into()]));
        let b = &schema[root.property("b").unwrap()];
        assert!(!b.has_defaults);
        assert_eq!(b.checks.types.to_string(), "integer,string");
        assert!(b.checks.format.is_none());
        let c = &schema[root.property("c").unwrap()];
        assert_eq!(&*c.checks.format.as_ref().unwrap().name, "int32");
        assert!(schema.resource().has_status);
        assert_eq!(schema.resource().names.singular, "thing");
        assert_eq!(schema.resource().api_version(), "example.com/v1");
    }

    #[test]
    fn a_schema_that_cannot_be_structural_is_an_error_at_its_version() {
        let crd: CustomResourceDefinition = serde_json::from_value(json!({
            "spec": {"versions": [{"name": "v1", "schema": {"openAPIV3Schema": {"id": "x"}}}]},
        }))
        .unwrap();
        assert_eq!(
            CompiledSchema::for_version(&crd, "v1").unwrap_err().to_string(),
            "spec.versions[0].schema.openAPIV3Schema: Invalid value: \"\": \
             OpenAPIV3Schema 'id' is not supported"
        );
    }
}
