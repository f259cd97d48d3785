//! Prints values as the server's errors show them: its internal Go structs as JSON, with every field.

use std::borrow::Cow;

use serde_json::Value;

use super::internal::{Internal, Parts, Version};
use crate::field::BadValue;
use crate::json;
use crate::model::{
    ExternalDocs, JsonSchemaProps, PrinterColumn, SchemaOrArray, SchemaOrBool, SchemaOrStrings,
    SelectableField, Subresources, ValidationRule, VersionSchema,
};

/// Prints a schema.
pub(super) fn schema(props: &JsonSchemaProps) -> BadValue {
    BadValue::Json(write(|out| write_schema(out, props)))
}

/// Prints the value of `items`.
pub(super) fn items(items: &SchemaOrArray) -> BadValue {
    BadValue::Json(write(|out| write_items(out, items)))
}

/// A function that returns a schema as errors show it.
type ShowSchema<'s> = &'s dyn Fn(&JsonSchemaProps) -> Cow<'_, JsonSchemaProps>;

/// Prints the list of versions, with schemas as `show` returns them.
///
/// Divergence: an empty list prints as an absent one.
pub(super) fn versions(internal: &Internal<'_>, show: ShowSchema<'_>) -> BadValue {
    let versions = Some(internal.versions.as_slice()).filter(|versions| !versions.is_empty());
    let write_version = |out: &mut String, version: &Version<'_>| {
        write_version(out, version, show);
    };
    BadValue::Json(write(|out| slice(out, versions, write_version)))
}

fn write(fill: impl FnOnce(&mut String)) -> String {
    let mut out = String::new();
    fill(&mut out);
    out
}

/// Writes the fields of one struct.
struct Fields<'o> {
    out: &'o mut String,
    is_first: bool,
}

impl<'o> Fields<'o> {
    fn new(out: &'o mut String) -> Self {
        out.push('{');
        Self { out, is_first: true }
    }

    fn with(mut self, name: &str, write: impl FnOnce(&mut String)) -> Self {
        if !std::mem::take(&mut self.is_first) {
            self.out.push(',');
        }
        json::write_string(self.out, name);
        self.out.push(':');
        write(self.out);
        self
    }

    fn value(self, name: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        self.with(name, |out| out.push_str(&json::to_go_string(&value)))
    }

    fn end(self) {
        self.out.push('}');
    }
}

fn optional<T>(out: &mut String, value: Option<T>, write: impl FnOnce(&mut String, T)) {
    match value {
        Some(value) => write(out, value),
        None => out.push_str("null"),
    }
}

fn list<T>(out: &mut String, items: Option<&Vec<T>>, write: impl Fn(&mut String, &T)) {
    slice(out, items.map(Vec::as_slice), write);
}

fn slice<T>(out: &mut String, items: Option<&[T]>, write: impl Fn(&mut String, &T)) {
    optional(out, items, |out, items| {
        out.push('[');
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            write(out, item);
        }
        out.push(']');
    });
}

fn map<T>(
    out: &mut String,
    map: Option<&std::collections::BTreeMap<String, T>>,
    write: impl Fn(&mut String, &T),
) {
    optional(out, map, |out, map| {
        out.push('{');
        for (index, (key, value)) in map.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            json::write_string(out, key);
            out.push(':');
            write(out, value);
        }
        out.push('}');
    });
}

fn optional_schema(out: &mut String, schema: Option<&JsonSchemaProps>) {
    optional(out, schema, write_schema);
}

fn value(out: &mut String, value: &Value) {
    out.push_str(&json::to_go_string(value));
}

#[expect(clippy::ptr_arg, reason = "it is passed to the writer of a list of strings")]
fn text(out: &mut String, text: &String) {
    json::write_string(out, text);
}

/// Writes the fields of a schema in the order of the Go struct.
///
/// Source: `pkg/apis/apiextensions/types_jsonschema.go`, `JSONSchemaProps`.
fn write_schema(out: &mut String, props: &JsonSchemaProps) {
    let or_null = |value: &Option<Value>| value.clone().unwrap_or(Value::Null);
    Fields::new(out)
        .value("ID", props.id.as_str())
        .value("Schema", props.schema.as_str())
        .value("Ref", props.ref_.clone())
        .value("Description", props.description.as_str())
        .value("Type", props.type_.as_str())
        .value("Nullable", props.nullable)
        .value("Format", props.format.as_str())
        .value("Title", props.title.as_str())
        .value("Default", or_null(&props.default))
        .value("Maximum", props.maximum)
        .value("ExclusiveMaximum", props.exclusive_maximum)
        .value("Minimum", props.minimum)
        .value("ExclusiveMinimum", props.exclusive_minimum)
        .value("MaxLength", props.max_length)
        .value("MinLength", props.min_length)
        .value("Pattern", props.pattern.as_str())
        .value("MaxItems", props.max_items)
        .value("MinItems", props.min_items)
        .value("UniqueItems", props.unique_items)
        .value("MultipleOf", props.multiple_of)
        .with("Enum", |out| list(out, props.enum_.as_ref(), value))
        .value("MaxProperties", props.max_properties)
        .value("MinProperties", props.min_properties)
        .with("Required", |out| list(out, props.required.as_ref(), text))
        .with("Items", |out| optional(out, props.items.as_ref(), write_items))
        .with("AllOf", |out| list(out, props.all_of.as_ref(), write_schema))
        .with("OneOf", |out| list(out, props.one_of.as_ref(), write_schema))
        .with("AnyOf", |out| list(out, props.any_of.as_ref(), write_schema))
        .with("Not", |out| optional_schema(out, props.not.as_deref()))
        .with("Properties", |out| {
            map(out, props.properties.as_ref(), |out, schema| write_schema(out, schema));
        })
        .with("AdditionalProperties", |out| {
            optional(out, props.additional_properties.as_ref(), write_schema_or_bool);
        })
        .with("PatternProperties", |out| {
            map(out, props.pattern_properties.as_ref(), write_schema);
        })
        .with("Dependencies", |out| map(out, props.dependencies.as_ref(), write_dependency))
        .with("AdditionalItems", |out| {
            optional(out, props.additional_items.as_ref(), write_schema_or_bool);
        })
        .with("Definitions", |out| map(out, props.definitions.as_ref(), write_schema))
        .with("ExternalDocs", |out| optional(out, props.external_docs.as_ref(), write_docs))
        .value("Example", or_null(&props.example))
        .value("XPreserveUnknownFields", props.x_preserve_unknown_fields)
        .value("XEmbeddedResource", props.x_embedded_resource)
        .value("XIntOrString", props.x_int_or_string)
        .with("XListMapKeys", |out| list(out, props.x_list_map_keys.as_ref(), text))
        .value("XListType", props.x_list_type.clone())
        .value("XMapType", props.x_map_type.clone())
        .with("XValidations", |out| list(out, props.x_validations.as_ref(), write_rule))
        .end();
}

fn write_items(out: &mut String, items: &SchemaOrArray) {
    let (schema, schemas) = match items {
        SchemaOrArray::Schema(schema) => (Some(&**schema), None),
        SchemaOrArray::Array(schemas) => (None, Some(schemas)),
        SchemaOrArray::Neither(_) => (None, None),
    };
    Fields::new(out)
        .with("Schema", |out| optional_schema(out, schema))
        .with("JSONSchemas", |out| list(out, schemas, write_schema))
        .end();
}

fn write_schema_or_bool(out: &mut String, schema: &SchemaOrBool) {
    let (allows, schema) = match schema {
        SchemaOrBool::Bool(allows) => (*allows, None),
        SchemaOrBool::Schema(schema) => (true, Some(&**schema)),
    };
    Fields::new(out)
        .value("Allows", allows)
        .with("Schema", |out| optional_schema(out, schema))
        .end();
}

fn write_dependency(out: &mut String, dependency: &SchemaOrStrings) {
    let (schema, names) = match dependency {
        SchemaOrStrings::Schema(schema) => (Some(&**schema), None),
        SchemaOrStrings::Strings(names) => (None, Some(names)),
    };
    Fields::new(out)
        .with("Schema", |out| optional_schema(out, schema))
        .with("Property", |out| list(out, names, text))
        .end();
}

fn write_docs(out: &mut String, docs: &ExternalDocs) {
    Fields::new(out)
        .value("Description", docs.description.as_str())
        .value("URL", docs.url.as_str())
        .end();
}

fn write_rule(out: &mut String, rule: &ValidationRule) {
    Fields::new(out)
        .value("Rule", rule.rule.as_str())
        .value("Message", rule.message.as_str())
        .value("MessageExpression", rule.message_expression.as_str())
        .value("Reason", rule.reason.clone())
        .value("FieldPath", rule.field_path.as_str())
        .value("OptionalOldSelf", rule.optional_old_self)
        .end();
}

/// Writes the fields of a version in the order of the Go struct.
///
/// Source: `pkg/apis/apiextensions/types.go`, `CustomResourceDefinitionVersion`.
fn write_version(out: &mut String, version: &Version<'_>, show: ShowSchema<'_>) {
    let Version { of, parts } = version;
    let Parts { schema, subresources, columns, selectable } = *parts;
    Fields::new(out)
        .value("Name", of.name.as_str())
        .value("Served", of.served)
        .value("Storage", of.storage)
        .value("Deprecated", of.deprecated)
        .value("DeprecationWarning", of.deprecation_warning.clone())
        .with("Schema", |out| {
            optional(out, schema, |out, schema| write_version_schema(out, schema, show));
        })
        .with("Subresources", |out| optional(out, subresources, write_subresources))
        .with("AdditionalPrinterColumns", |out| slice(out, columns, write_column))
        .with("SelectableFields", |out| slice(out, selectable, write_selectable))
        .end();
}

fn write_version_schema(out: &mut String, holder: &VersionSchema, show: ShowSchema<'_>) {
    let shown = holder.open_api_v3_schema.as_ref().map(show);
    Fields::new(out).with("OpenAPIV3Schema", |out| optional_schema(out, shown.as_deref())).end();
}

fn write_subresources(out: &mut String, subresources: &Subresources) {
    Fields::new(out)
        .with("Status", |out| {
            optional(out, subresources.status.as_ref(), |out, _| out.push_str("{}"));
        })
        .with("Scale", |out| {
            optional(out, subresources.scale.as_ref(), |out, scale| {
                Fields::new(out)
                    .value("SpecReplicasPath", scale.spec_replicas_path.as_str())
                    .value("StatusReplicasPath", scale.status_replicas_path.as_str())
                    .value("LabelSelectorPath", scale.label_selector_path.clone())
                    .end();
            });
        })
        .end();
}

fn write_column(out: &mut String, column: &PrinterColumn) {
    Fields::new(out)
        .value("Name", column.name.as_str())
        .value("Type", column.type_.as_str())
        .value("Format", column.format.as_str())
        .value("Description", column.description.as_str())
        .value("Priority", column.priority)
        .value("JSONPath", column.json_path.as_str())
        .end();
}

fn write_selectable(out: &mut String, field: &SelectableField) {
    Fields::new(out).value("JSONPath", field.json_path.as_str()).end();
}
