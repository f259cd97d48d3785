//! Declares the CEL types of a schema, and the largest sizes of their values.
//!
//! Source: `k8s.io/apiserver/pkg/cel/common/schemas.go`, `SchemaDeclType`;
//! `k8s.io/apiserver/pkg/cel/types.go`, `MaybeAssignTypeName`.

use std::collections::HashSet;
use std::sync::Arc;

use crd_cel::decl::{self, Decl, DeclKind, FieldDecl, ObjectDecl};
use crd_cel::escape::escape;
use crd_cel::kubernetes::{Change, KubernetesVersion};

use super::implicit::{self, items};
use crate::schema::Structural;

/// The largest request that the server accepts, in bytes. An unbounded value is assumed to fill it.
///
/// Source: `k8s.io/apiserver/pkg/apis/cel/config.go`, `MaxRequestSizeBytes`.
pub(super) const MAX_REQUEST_BYTES: u64 = 3 * 1024 * 1024;

/// The name of the type of `self`. The server appends a number that differs from run to run, so that no rule can use
/// the name; here the number is always 0.
pub(super) const TYPE_NAME: &str = "selfType0";

/// The longest string that fits into a request: its size minus two quotes.
const MAX_STRING: u64 = MAX_REQUEST_BYTES - 2;
/// The largest number of bytes of a code point.
const CODE_POINT_BYTES: u64 = 4;
/// The least size of a map's entry without its value: a key of two bytes, two quotes, a colon and a comma.
const ENTRY_BYTES: u64 = 6;
/// The size of an object's property without its name and value: two quotes, a colon and a comma.
const PROPERTY_BYTES: u64 = 4;

/// A declaration, and whether rules can see it.
#[derive(Debug, Clone)]
pub(super) struct RuleDecl {
    pub(super) decl: Arc<Decl>,
    /// Whether CEL has a type for it. A property that is not exposed still takes part in equality.
    pub(super) exposed: bool,
}

impl RuleDecl {
    fn exposed(kind: DeclKind, min_serialized_size: u64, max_elements: u64) -> Self {
        Self::of(true, kind, min_serialized_size, max_elements)
    }

    fn of(exposed: bool, kind: DeclKind, min_serialized_size: u64, max_elements: u64) -> Self {
        let decl = Decl { kind, nullable: false, max_elements, min_serialized_size };
        Self { decl: Arc::new(decl), exposed }
    }

    fn hidden() -> Self {
        Self::of(false, DeclKind::Opaque, 0, 0)
    }
}

/// A schema to declare.
#[derive(Debug, Clone, Copy)]
pub(super) struct TypedSchema<'s> {
    pub(super) schema: &'s Structural,
    /// Whether it is the root of a resource.
    pub(super) resource: bool,
    /// The Kubernetes version whose declarations are made.
    pub(super) kubernetes: KubernetesVersion,
}

impl<'s> TypedSchema<'s> {
    /// A schema below the root.
    pub(super) fn of(schema: &'s Structural, kubernetes: KubernetesVersion) -> Self {
        Self { schema, resource: is_resource(schema), kubernetes }
    }

    /// A schema below this one.
    fn below(self, schema: &'s Structural) -> Self {
        Self::of(schema, self.kubernetes)
    }

    /// The declaration.
    pub(super) fn declare(self) -> RuleDecl {
        declare(self.schema, self.resource, self.kubernetes)
    }

    /// Whether CEL has a type for its values.
    pub(super) fn is_exposed(self) -> bool {
        is_exposed(self.schema, self.resource)
    }

    /// The schema of a list's elements or a map's values.
    ///
    /// Source: `DeclType.ElemType`.
    pub(super) fn element(self) -> Option<Self> {
        match self.schema.generic.type_.as_str() {
            _ if self.schema.extensions.int_or_string => None,
            "array" => items(self.schema, self.resource).map(|items| self.below(items)),
            "object" => self.schema.additional_schema().map(|values| self.below(values)),
            _ => None,
        }
    }

    /// The schema of a property; `None` if rules cannot name it or do not see it.
    ///
    /// Source: `DeclType.Fields`.
    pub(super) fn field(self, name: &str) -> Option<Self> {
        let schema = self.schema;
        let is_object = schema.generic.type_ == "object" && schema.additional_schema().is_none();
        if !is_object || schema.extensions.int_or_string || escape(name).is_none() {
            return None;
        }
        let property = implicit::property(schema, self.resource, name)?;
        Some(self.below(property)).filter(|field| field.is_exposed())
    }
}

/// Whether a schema is that of an embedded resource, whose implicit properties rules can see.
fn is_resource(schema: &Structural) -> bool {
    schema.extensions.embedded_resource
}

/// A schema that rules see, and its declaration once [`LazyDecl::sharing`] has made it for this schema or one above it.
#[derive(Debug, Clone)]
pub(super) struct LazyDecl<'s> {
    pub(super) typed: TypedSchema<'s>,
    decl: Option<Arc<Decl>>,
}

impl<'s> LazyDecl<'s> {
    /// A schema by itself; `None` if CEL has no type for it.
    pub(super) fn of(typed: TypedSchema<'s>) -> Option<Self> {
        typed.is_exposed().then_some(Self { typed, decl: None })
    }

    /// The declaration; made at each call if it is not shared.
    pub(super) fn declared(&self) -> Arc<Decl> {
        self.decl.clone().unwrap_or_else(|| self.typed.declare().decl)
    }

    /// Declares the schema, together with all schemas below it, which share this declaration.
    pub(super) fn sharing(self) -> Self {
        Self { decl: Some(self.declared()), ..self }
    }

    /// The elements of a list or the values of a map.
    pub(super) fn element(&self) -> Option<Self> {
        let decl = self.decl.as_ref().and_then(|decl| match &decl.kind {
            DeclKind::List { element: inner, .. } | DeclKind::Map { value: inner, .. } => {
                Some(inner)
            }
            _ => None,
        });
        Some(Self { typed: self.typed.element()?, decl: decl.cloned() })
    }

    /// A property; `None` if rules cannot name it or do not see it.
    pub(super) fn field(&self, name: &str) -> Option<Self> {
        let typed = self.typed.field(name)?;
        let field = self.object().and_then(|object| object.field_by_key(name));
        Some(Self { typed, decl: field.map(|field| Arc::clone(&field.decl)) })
    }

    /// A property that rules cannot name, as `self` of its own rules; `None` if CEL has no type for it.
    pub(super) fn unnamed(&self, name: &str, property: &'s Structural) -> Option<Self> {
        let seen = Self::of(self.typed.below(property))?;
        let hidden = self.object().and_then(|object| object.hidden_by_key(name));
        Some(Self { decl: hidden.map(|field| Arc::clone(&field.decl)), ..seen })
    }

    fn object(&self) -> Option<&ObjectDecl> {
        match &self.decl.as_ref()?.kind {
            DeclKind::Object(object) => Some(object),
            _ => None,
        }
    }
}

/// Declares a schema.
///
/// Recursion follows the schema, whose depth is bounded.
pub(super) fn declare(
    schema: &Structural,
    resource: bool,
    kubernetes: KubernetesVersion,
) -> RuleDecl {
    let mut declared = declare_non_null(schema, resource, kubernetes);
    if schema.generic.nullable {
        Arc::make_mut(&mut declared.decl).nullable = true;
    }
    declared
}

/// Whether CEL has a type for a schema, as in [`declare`], without declaring the schemas below it.
fn is_exposed(schema: &Structural, resource: bool) -> bool {
    let below = |schema| is_exposed(schema, is_resource(schema));
    if schema.extensions.int_or_string {
        return true;
    }
    match schema.generic.type_.as_str() {
        "array" => items(schema, resource).is_some_and(below),
        "object" => schema.additional_schema().is_none_or(below),
        "string" | "boolean" | "number" | "integer" => true,
        _ => false,
    }
}

/// Declares a schema without regard to `nullable`.
fn declare_non_null(
    schema: &Structural,
    resource: bool,
    kubernetes: KubernetesVersion,
) -> RuleDecl {
    let bounds = &schema.validation;
    if schema.extensions.int_or_string {
        let max = if kubernetes.has(Change::SizesOfIntOrString) {
            string_elements(schema)
        } else {
            MAX_STRING
        };
        return RuleDecl::exposed(DeclKind::IntOrString, 1, max);
    }
    match schema.generic.type_.as_str() {
        "array" => {
            let Some(items) = items(schema, resource) else { return RuleDecl::hidden() };
            let items = declare(items, is_resource(items), kubernetes);
            let fitting = MAX_STRING / (items.decl.min_serialized_size + 1);
            let kind = DeclKind::List { element: items.decl, list_type: list_type(schema) };
            RuleDecl::of(items.exposed, kind, 2, bounds.max_items.map_or(fitting, not_negative))
        }
        "object" => match schema.additional_schema() {
            Some(values) => {
                let values = declare(values, is_resource(values), kubernetes);
                let fitting = MAX_STRING / (values.decl.min_serialized_size + ENTRY_BYTES);
                let max = bounds.max_properties.map_or(fitting, not_negative);
                let fields = read_as_object(schema, resource, kubernetes);
                let kind = DeclKind::Map { value: values.decl, fields };
                RuleDecl::of(values.exposed, kind, 2, max)
            }
            None => object(schema, resource, kubernetes),
        },
        "string" => {
            let (kind, min, max) = match bounds.format.as_str() {
                "byte" => {
                    let max = bounds.max_length.map_or(MAX_STRING, not_negative);
                    (DeclKind::Bytes, 2, max)
                }
                "duration" => (DeclKind::Duration, 3, 32),
                "date" => (DeclKind::Date, 12, 12),
                "date-time" => (DeclKind::DateTime, 21, 32),
                _ => (DeclKind::String, 2, string_elements(schema)),
            };
            RuleDecl::exposed(kind, min, max)
        }
        "boolean" => RuleDecl::exposed(DeclKind::Bool, 4, 0),
        "number" => RuleDecl::exposed(DeclKind::Double, 1, 0),
        "integer" => RuleDecl::exposed(DeclKind::Int, 1, 0),
        _ => RuleDecl::hidden(),
    }
}

/// The fields by which values of a map are read, if its schema has `properties` too or is a resource.
///
/// Upstream: such a schema is rejected, but only after its rules have been evaluated over its default. `SchemaDeclType`
/// takes the type of the values from `additionalProperties`; `UnstructuredToVal` reads them according to `properties`.
fn read_as_object(
    schema: &Structural,
    resource: bool,
    kubernetes: KubernetesVersion,
) -> Option<Arc<ObjectDecl>> {
    if schema.properties.is_empty() && !resource {
        return None;
    }
    match &object(schema, resource, kubernetes).decl.kind {
        DeclKind::Object(object) => Some(Arc::clone(object)),
        _ => None,
    }
}

fn object(schema: &Structural, resource: bool, kubernetes: KubernetesVersion) -> RuleDecl {
    let required = schema.validation.required.as_deref().unwrap_or_default();
    let required: HashSet<&str> = required.iter().map(String::as_str).collect();
    let mut min_serialized_size = 2;
    let (mut fields, mut hidden) = (Vec::new(), Vec::new());
    for (key, property) in implicit::properties(schema, resource) {
        let ident = escape(key);
        let declared = if implicit::is_metadata(property) {
            declare(&implicit::metadata_of(schema, kubernetes), false, kubernetes)
        } else {
            declare(property, is_resource(property), kubernetes)
        };
        if declared.exposed && property.generic.default.is_none() && required.contains(key) {
            let length = u64::try_from(key.len()).unwrap_or(u64::MAX);
            min_serialized_size += length + declared.decl.min_serialized_size + PROPERTY_BYTES;
        }
        let exposed = declared.exposed && ident.is_some();
        let ident = Arc::from(ident.as_deref().unwrap_or(key));
        let field = FieldDecl { ident, key: key.into(), decl: declared.decl };
        (if exposed { &mut fields } else { &mut hidden }).push(field);
    }
    fields.sort_by(|a, b| a.ident.cmp(&b.ident));
    let object = ObjectDecl { fields, hidden };
    RuleDecl::exposed(DeclKind::Object(Arc::new(object)), min_serialized_size, 0)
}

/// The largest size of a string, in bytes.
fn string_elements(schema: &Structural) -> u64 {
    let bounds = &schema.validation;
    if let Some(max) = bounds.max_length {
        return not_negative(max).saturating_mul(CODE_POINT_BYTES);
    }
    if schema.extensions.int_or_string || bounds.enum_.is_empty() {
        return MAX_STRING;
    }
    let lengths = bounds.enum_.iter().map(|value| value.as_str().map_or(0, str::len));
    u64::try_from(lengths.max().unwrap_or(0)).unwrap_or(u64::MAX)
}

fn list_type(schema: &Structural) -> decl::ListType {
    match schema.extensions.list_type.as_deref() {
        Some("set") => decl::ListType::Set,
        Some("map") => {
            let keys = schema.extensions.list_map_keys.as_deref().unwrap_or_default();
            decl::ListType::Map(keys.iter().map(|key| key.as_str().into()).collect())
        }
        None | Some("" | "atomic") => decl::ListType::Atomic,
        Some(name) => decl::ListType::Invalid(name.into()),
    }
}

/// Returns a bound; a negative one counts as 0.
pub(super) fn not_negative(bound: i64) -> u64 {
    u64::try_from(bound).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::model::JsonSchemaProps;

    fn structural(schema: Value) -> Structural {
        let props: JsonSchemaProps = serde_json::from_value(schema).unwrap();
        Structural::try_from(&props).unwrap()
    }

    /// The type, the least size and the most elements; `-` where rules cannot see it.
    #[track_caller]
    fn check(schema: Value, want: &str) {
        let text = schema.to_string();
        let schema = structural(schema);
        let RuleDecl { decl, exposed } = declare(&schema, false, KubernetesVersion::REFERENCE);
        assert_eq!(is_exposed(&schema, false), exposed, "{text}");
        let got = if exposed {
            format!(
                "{} {} {}",
                decl.type_named("self"),
                decl.min_serialized_size,
                decl.max_elements
            )
        } else {
            "-".to_owned()
        };
        assert_eq!(got, want, "{text}");
    }

    #[test]
    fn scalars() {
        check(json!({"type": "boolean"}), "bool 4 0");
        check(json!({"type": "integer", "format": "int32"}), "int 1 0");
        check(json!({"type": "number"}), "double 1 0");
        check(json!({"type": "string"}), "string 2 3145726");
        check(json!({"type": "string", "maxLength": 10}), "string 2 40");
        check(json!({"type": "string", "maxLength": -1}), "string 2 0");
        check(json!({"type": "string", "enum": ["a", "éé"]}), "string 2 4");
        check(json!({"type": "string", "enum": ["abc"], "maxLength": 1}), "string 2 4");
        check(json!({"type": "string", "format": "byte", "maxLength": 10}), "bytes 2 10");
        check(json!({"type": "string", "format": "date"}), "timestamp 12 12");
        check(json!({"type": "string", "format": "date-time"}), "timestamp 21 32");
        check(json!({"type": "string", "format": "duration", "maxLength": 1}), "duration 3 32");
        check(json!({"type": "string", "format": "datetime"}), "string 2 3145726");
        check(json!({"x-kubernetes-int-or-string": true}), "dyn 1 3145726");
        check(json!({"x-kubernetes-int-or-string": true, "maxLength": 5}), "dyn 1 20");
        check(json!({"x-kubernetes-preserve-unknown-fields": true}), "-");
    }

    #[test]
    fn lists_and_maps() {
        check(json!({"type": "array", "items": {"type": "integer"}}), "list(int) 2 1572863");
        check(
            json!({"type": "array", "items": {"type": "string"}, "maxItems": 3}),
            "list(string) 2 3",
        );
        check(json!({"type": "array"}), "-");
        check(
            json!({"type": "array", "items": {"x-kubernetes-preserve-unknown-fields": true}}),
            "-",
        );
        check(
            json!({"type": "object", "additionalProperties": {"type": "integer"}}),
            "map(string, int) 2 449389",
        );
        check(
            json!({"type": "object", "maxProperties": 7,
                   "additionalProperties": {"type": "array", "items": {"type": "boolean"}}}),
            "map(string, list(bool)) 2 7",
        );
        check(
            json!({"type": "object",
                   "additionalProperties": {"x-kubernetes-preserve-unknown-fields": true}}),
            "-",
        );
    }

    #[test]
    fn objects() {
        check(json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}), "self 2 0");
        // A required property counts if rules can see it and it has no default.
        check(
            json!({"type": "object", "required": ["a", "b", "c", "d"], "properties": {
                "a": {"type": "integer"},
                "b": {"type": "string", "default": ""},
                "c": {"x-kubernetes-preserve-unknown-fields": true},
            }}),
            "self 8 0",
        );
        check(
            json!({"type": "array", "items": {"type": "object"}, "maxItems": 1}),
            "list(self.@idx) 2 1",
        );
        check(
            json!({"type": "object", "maxProperties": 1,
                   "additionalProperties": {"type": "object"}}),
            "map(string, self.@elem) 2 1",
        );
    }

    fn fields(schema: Value, resource: bool) -> (Vec<String>, Vec<String>) {
        let declared = declare(&structural(schema), resource, KubernetesVersion::REFERENCE);
        let DeclKind::Object(object) = &declared.decl.kind else { panic!("an object") };
        let show = |field: &FieldDecl| {
            let FieldDecl { ident, decl, .. } = field;
            format!("{ident}: {}", decl.type_named(&format!("self.{ident}")))
        };
        let hidden = object.hidden.iter().map(|field| field.key.to_string());
        (object.fields.iter().map(show).collect(), hidden.collect())
    }

    #[test]
    fn fields_have_escaped_names() {
        let (visible, hidden) = fields(
            json!({"type": "object", "properties": {
                "a-b": {"type": "object"},
                "namespace": {"type": "string"},
                "1st": {"type": "string"},
                "raw": {"x-kubernetes-preserve-unknown-fields": true},
            }}),
            false,
        );
        assert_eq!(visible, ["__namespace__: string", "a__dash__b: self.a__dash__b"]);
        assert_eq!(hidden, ["1st", "raw"]);
    }

    #[test]
    fn resources_have_type_and_metadata() {
        let spec = json!({"spec": {"type": "integer"}, "metadata": {"type": "object", "properties": {
            "labels": {"type": "object", "additionalProperties": {"type": "string"}}}}});
        let (visible, _) = fields(json!({"type": "object", "properties": spec}), true);
        let want = ["apiVersion: string", "kind: string", "metadata: self.metadata", "spec: int"];
        assert_eq!(visible, want);
        let (visible, _) = fields(
            json!({"type": "object", "properties": {"r": {"type": "object",
                "x-kubernetes-embedded-resource": true}}}),
            false,
        );
        assert_eq!(visible, ["r: self.r"]);
        let schema = structural(json!({"type": "object", "properties": {
            "apiVersion": {"type": "string"}, "kind": {"type": "string"},
            "metadata": {"type": "object", "properties": {
                "name": {"type": "string"}, "generateName": {"type": "string"},
                "labels": {"type": "object", "additionalProperties": {"type": "string"}}}}}}));
        let declared = implicit::properties(&schema, true);
        let metadata = declared.iter().find(|(name, _)| *name == "metadata").unwrap().1;
        assert!(metadata.properties.contains_key("labels"), "declared in full: used as it is");
    }
}
