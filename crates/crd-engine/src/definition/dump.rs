//! Prints values as the server's errors show them: its internal Go structs as JSON, with every field.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::internal::{Internal, Parts, Version};
use crate::field::BadValue;
use crate::json;
use crate::model::{
    ExternalDocs, JsonSchemaProps, PrinterColumn, Scale, SchemaOrArray, SchemaOrBool,
    SchemaOrStrings, SelectableField, StatusSubresource, Subresources, ValidationRule,
};

/// Prints a schema.
pub(super) fn schema(props: &JsonSchemaProps) -> BadValue {
    print(props)
}

/// Prints the value of `items`.
pub(super) fn items(items: &SchemaOrArray) -> BadValue {
    print(items)
}

/// A function that returns a schema as errors show it.
type ShowSchema<'s> = &'s dyn Fn(&JsonSchemaProps) -> Cow<'_, JsonSchemaProps>;

/// Prints the list of versions, with schemas as `show` returns them.
///
/// Divergence: an empty list prints as an absent one.
pub(super) fn versions(internal: &Internal<'_>, show: ShowSchema<'_>) -> BadValue {
    let versions: Vec<_> =
        internal.versions.iter().map(|version| ShownVersion { version, show }).collect();
    print(&Some(versions).filter(|versions| !versions.is_empty()))
}

fn print(value: &impl Dump) -> BadValue {
    let mut out = String::new();
    value.dump(&mut out);
    BadValue::Json(out)
}

/// A value of the server's internal types.
trait Dump {
    /// Writes the value as Go's `json.Marshal` does.
    fn dump(&self, out: &mut String);
}

macro_rules! scalars {
    ($($type:ty),*) => {$(
        impl Dump for $type {
            fn dump(&self, out: &mut String) {
                out.push_str(&json::to_go_string(&Value::from(*self)));
            }
        }
    )*};
}

scalars!(bool, f64, i32, i64);

impl Dump for Value {
    fn dump(&self, out: &mut String) {
        out.push_str(&json::to_go_string(self));
    }
}

impl Dump for String {
    fn dump(&self, out: &mut String) {
        json::write_string(out, self);
    }
}

impl<T: Dump> Dump for Option<T> {
    fn dump(&self, out: &mut String) {
        match self {
            Some(value) => value.dump(out),
            None => out.push_str("null"),
        }
    }
}

impl<T: Dump> Dump for [T] {
    fn dump(&self, out: &mut String) {
        out.push('[');
        for (index, item) in self.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            item.dump(out);
        }
        out.push(']');
    }
}

impl<T: Dump> Dump for BTreeMap<String, T> {
    fn dump(&self, out: &mut String) {
        out.push('{');
        for (index, (key, value)) in self.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            key.dump(out);
            out.push(':');
            value.dump(out);
        }
        out.push('}');
    }
}

/// Types that contain the value, and print as it does.
macro_rules! containers {
    ($($type:ty),*) => {$(
        impl<T: Dump + ?Sized> Dump for $type {
            fn dump(&self, out: &mut String) {
                (**self).dump(out);
            }
        }
    )*};
}

containers!(&T, Box<T>, Arc<T>);

impl<T: Dump> Dump for Vec<T> {
    fn dump(&self, out: &mut String) {
        self.as_slice().dump(out);
    }
}

/// Writes the fields of a struct.
fn fields(out: &mut String, fields: &[(&str, &dyn Dump)]) {
    out.push('{');
    for (index, (name, value)) in fields.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        json::write_string(out, name);
        out.push(':');
        value.dump(out);
    }
    out.push('}');
}

/// Structs whose fields are values of the Rust type.
macro_rules! structs {
    ($($type:ty { $($go:literal: $field:ident,)* })*) => {$(
        impl Dump for $type {
            fn dump(&self, out: &mut String) {
                fields(out, &[$(($go, &self.$field)),*]);
            }
        }
    )*};
}

macro_rules! schema {
    ($($(#[$meta:meta])* $field:ident: $type:ty = $json:literal, $go:literal, $k8s:ident, $kind:ident, $settings:literal;)*) => {
        structs! { JsonSchemaProps { $($go: $field,)* } }
    };
}

crd_model::schema_keywords!(schema);

// In the order of the Go structs. Source: `pkg/apis/apiextensions/types.go` and `types_jsonschema.go`.
structs! {
    ExternalDocs { "Description": description, "URL": url, }
    ValidationRule {
        "Rule": rule,
        "Message": message,
        "MessageExpression": message_expression,
        "Reason": reason,
        "FieldPath": field_path,
        "OptionalOldSelf": optional_old_self,
    }
    Subresources { "Status": status, "Scale": scale, }
    StatusSubresource {}
    Scale {
        "SpecReplicasPath": spec_replicas_path,
        "StatusReplicasPath": status_replicas_path,
        "LabelSelectorPath": label_selector_path,
    }
    PrinterColumn {
        "Name": name,
        "Type": type_,
        "Format": format,
        "Description": description,
        "Priority": priority,
        "JSONPath": json_path,
    }
    SelectableField { "JSONPath": json_path, }
}

impl Dump for SchemaOrArray {
    fn dump(&self, out: &mut String) {
        let (schema, schemas) = match self {
            Self::Schema(schema) => (Some(schema), None),
            Self::Array(schemas) => (None, Some(schemas)),
            Self::Neither(_) => (None, None),
        };
        fields(out, &[("Schema", &schema), ("JSONSchemas", &schemas)]);
    }
}

impl Dump for SchemaOrBool {
    fn dump(&self, out: &mut String) {
        let (allows, schema) = match self {
            Self::Bool(allows) => (*allows, None),
            Self::Schema(schema) => (true, Some(schema)),
        };
        fields(out, &[("Allows", &allows), ("Schema", &schema)]);
    }
}

impl Dump for SchemaOrStrings {
    fn dump(&self, out: &mut String) {
        let (schema, names) = match self {
            Self::Schema(schema) => (Some(schema), None),
            Self::Strings(names) => (None, Some(names)),
        };
        fields(out, &[("Schema", &schema), ("Property", &names)]);
    }
}

struct ShownVersion<'v> {
    version: &'v Version<'v>,
    show: ShowSchema<'v>,
}

impl Dump for ShownVersion<'_> {
    fn dump(&self, out: &mut String) {
        let Version { of, parts } = self.version;
        let Parts { schema, subresources, columns, selectable } = *parts;
        let schema = schema
            .map(|holder| Validation { schema: holder.open_api_v3_schema.as_ref().map(self.show) });
        fields(
            out,
            &[
                ("Name", &of.name),
                ("Served", &of.served),
                ("Storage", &of.storage),
                ("Deprecated", &of.deprecated),
                ("DeprecationWarning", &of.deprecation_warning),
                ("Schema", &schema),
                ("Subresources", &subresources),
                ("AdditionalPrinterColumns", &columns),
                ("SelectableFields", &selectable),
            ],
        );
    }
}

struct Validation<'v> {
    schema: Option<Cow<'v, JsonSchemaProps>>,
}

impl Dump for Validation<'_> {
    fn dump(&self, out: &mut String) {
        fields(out, &[("OpenAPIV3Schema", &self.schema.as_deref())]);
    }
}
