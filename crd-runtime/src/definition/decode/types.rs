//! The JSON forms of the Go types of a definition.
//!
//! Source: `pkg/apis/apiextensions/v1/types.go` and `types_jsonschema.go`, and
//! `k8s.io/apimachinery/pkg/apis/meta/v1/types.go`.

use serde_json::{Map, Value};

/// A struct.
#[derive(Debug)]
pub(super) struct Struct {
    /// Its name in an error of one of its fields.
    pub(super) name: &'static str,
    /// Its type in an error.
    pub(super) type_: &'static str,
    pub(super) fields: &'static [(&'static str, Type)],
}

/// The Go type of a value. The strings in the variants are the names that errors print.
#[derive(Debug)]
pub(super) enum Type {
    /// Any JSON.
    Any,
    /// A string of this Go type.
    Text(&'static str),
    Bool,
    Int32,
    Int64,
    Float,
    /// Base64.
    Bytes,
    Time,
    Struct(&'static Struct),
    List(&'static Type, &'static str),
    Map(&'static Type, &'static str),
    SchemaOrArray,
    SchemaOrBool,
    SchemaOrStrings,
}

impl Struct {
    /// The field with a name. Fields are sorted by name.
    pub(super) fn field(&self, name: &str) -> Option<&'static (&'static str, Type)> {
        let found = self.fields.binary_search_by(|(field, _)| (*field).cmp(name));
        found.ok().and_then(|index| self.fields.get(index))
    }
}

impl Type {
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Any => "interface {}",
            Self::Text(name) | Self::List(_, name) | Self::Map(_, name) => name,
            Self::Bool => "bool",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::Float => "float64",
            Self::Bytes => "[]uint8",
            Self::Time => "v1.Time",
            Self::Struct(of) => of.type_,
            Self::SchemaOrArray => "v1.JSONSchemaPropsOrArray",
            Self::SchemaOrBool => "v1.JSONSchemaPropsOrBool",
            Self::SchemaOrStrings => "v1.JSONSchemaPropsOrStringArray",
        }
    }

    /// The value of an element that is null in JSON.
    pub(super) fn zero(&self) -> Value {
        match self {
            Self::Any => Value::Null,
            Self::Text(_) | Self::Bytes | Self::Time => "".into(),
            Self::Bool => false.into(),
            Self::Int32 | Self::Int64 | Self::Float => 0.into(),
            Self::Struct(_) | Self::Map(..) => Value::Object(Map::new()),
            Self::List(..) | Self::SchemaOrArray | Self::SchemaOrBool | Self::SchemaOrStrings => {
                Value::Array(Vec::new())
            }
        }
    }
}

pub(super) static TEXT: Type = Type::Text("string");
const TEXTS: Type = Type::List(&TEXT, "[]string");
const TEXT_MAP: Type = Type::Map(&TEXT, "map[string]string");
const STRING: Type = Type::Text("string");

pub(super) static DEFINITION: Struct = Struct {
    name: "CustomResourceDefinition",
    type_: "v1.CustomResourceDefinition",
    fields: &[
        ("apiVersion", STRING),
        ("kind", STRING),
        ("metadata", Type::Struct(&METADATA)),
        ("spec", Type::Struct(&SPEC)),
        ("status", Type::Struct(&STATUS)),
    ],
};

static METADATA: Struct = Struct {
    name: "ObjectMeta",
    type_: "v1.ObjectMeta",
    fields: &[
        ("annotations", TEXT_MAP),
        ("creationTimestamp", Type::Time),
        ("deletionGracePeriodSeconds", Type::Int64),
        ("deletionTimestamp", Type::Time),
        ("finalizers", TEXTS),
        ("generateName", STRING),
        ("generation", Type::Int64),
        ("labels", TEXT_MAP),
        ("managedFields", Type::List(&MANAGED_FIELDS_TYPE, "[]v1.ManagedFieldsEntry")),
        ("name", STRING),
        ("namespace", STRING),
        ("ownerReferences", Type::List(&OWNER_REFERENCE_TYPE, "[]v1.OwnerReference")),
        ("resourceVersion", STRING),
        ("selfLink", STRING),
        ("uid", Type::Text("types.UID")),
    ],
};

static OWNER_REFERENCE_TYPE: Type = Type::Struct(&OWNER_REFERENCE);
static OWNER_REFERENCE: Struct = Struct {
    name: "OwnerReference",
    type_: "v1.OwnerReference",
    fields: &[
        ("apiVersion", STRING),
        ("blockOwnerDeletion", Type::Bool),
        ("controller", Type::Bool),
        ("kind", STRING),
        ("name", STRING),
        ("uid", Type::Text("types.UID")),
    ],
};

static MANAGED_FIELDS_TYPE: Type = Type::Struct(&MANAGED_FIELDS);
static MANAGED_FIELDS: Struct = Struct {
    name: "ManagedFieldsEntry",
    type_: "v1.ManagedFieldsEntry",
    fields: &[
        ("apiVersion", STRING),
        ("fieldsType", STRING),
        ("fieldsV1", Type::Any),
        ("manager", STRING),
        ("operation", Type::Text("v1.ManagedFieldsOperationType")),
        ("subresource", STRING),
        ("time", Type::Time),
    ],
};

static SPEC: Struct = Struct {
    name: "CustomResourceDefinitionSpec",
    type_: "v1.CustomResourceDefinitionSpec",
    fields: &[
        ("conversion", Type::Struct(&CONVERSION)),
        ("group", STRING),
        ("names", Type::Struct(&NAMES)),
        ("preserveUnknownFields", Type::Bool),
        ("scope", Type::Text("v1.ResourceScope")),
        ("versions", Type::List(&VERSION_TYPE, "[]v1.CustomResourceDefinitionVersion")),
    ],
};

static NAMES: Struct = Struct {
    name: "CustomResourceDefinitionNames",
    type_: "v1.CustomResourceDefinitionNames",
    fields: &[
        ("categories", TEXTS),
        ("kind", STRING),
        ("listKind", STRING),
        ("plural", STRING),
        ("shortNames", TEXTS),
        ("singular", STRING),
    ],
};

static CONVERSION: Struct = Struct {
    name: "CustomResourceConversion",
    type_: "v1.CustomResourceConversion",
    fields: &[
        ("strategy", Type::Text("v1.ConversionStrategyType")),
        ("webhook", Type::Struct(&WEBHOOK)),
    ],
};

static WEBHOOK: Struct = Struct {
    name: "WebhookConversion",
    type_: "v1.WebhookConversion",
    fields: &[("clientConfig", Type::Struct(&CLIENT_CONFIG)), ("conversionReviewVersions", TEXTS)],
};

static CLIENT_CONFIG: Struct = Struct {
    name: "WebhookClientConfig",
    type_: "v1.WebhookClientConfig",
    fields: &[("caBundle", Type::Bytes), ("service", Type::Struct(&SERVICE)), ("url", STRING)],
};

static SERVICE: Struct = Struct {
    name: "ServiceReference",
    type_: "v1.ServiceReference",
    fields: &[("name", STRING), ("namespace", STRING), ("path", STRING), ("port", Type::Int32)],
};

static VERSION_TYPE: Type = Type::Struct(&VERSION);
static VERSION: Struct = Struct {
    name: "CustomResourceDefinitionVersion",
    type_: "v1.CustomResourceDefinitionVersion",
    fields: &[
        (
            "additionalPrinterColumns",
            Type::List(&COLUMN_TYPE, "[]v1.CustomResourceColumnDefinition"),
        ),
        ("deprecated", Type::Bool),
        ("deprecationWarning", STRING),
        ("name", STRING),
        ("schema", Type::Struct(&VALIDATION)),
        ("selectableFields", Type::List(&SELECTABLE_TYPE, "[]v1.SelectableField")),
        ("served", Type::Bool),
        ("storage", Type::Bool),
        ("subresources", Type::Struct(&SUBRESOURCES)),
    ],
};

static COLUMN_TYPE: Type = Type::Struct(&COLUMN);
static COLUMN: Struct = Struct {
    name: "CustomResourceColumnDefinition",
    type_: "v1.CustomResourceColumnDefinition",
    fields: &[
        ("description", STRING),
        ("format", STRING),
        ("jsonPath", STRING),
        ("name", STRING),
        ("priority", Type::Int32),
        ("type", STRING),
    ],
};

static SELECTABLE_TYPE: Type = Type::Struct(&SELECTABLE);
static SELECTABLE: Struct = Struct {
    name: "SelectableField",
    type_: "v1.SelectableField",
    fields: &[("jsonPath", STRING)],
};

static SUBRESOURCES: Struct = Struct {
    name: "CustomResourceSubresources",
    type_: "v1.CustomResourceSubresources",
    fields: &[("scale", Type::Struct(&SCALE)), ("status", Type::Struct(&STATUS_SUBRESOURCE))],
};

static STATUS_SUBRESOURCE: Struct = Struct {
    name: "CustomResourceSubresourceStatus",
    type_: "v1.CustomResourceSubresourceStatus",
    fields: &[],
};

static SCALE: Struct = Struct {
    name: "CustomResourceSubresourceScale",
    type_: "v1.CustomResourceSubresourceScale",
    fields: &[
        ("labelSelectorPath", STRING),
        ("specReplicasPath", STRING),
        ("statusReplicasPath", STRING),
    ],
};

static VALIDATION: Struct = Struct {
    name: "CustomResourceValidation",
    type_: "v1.CustomResourceValidation",
    fields: &[("openAPIV3Schema", Type::Struct(&SCHEMA))],
};

pub(super) static SCHEMA_TYPE: Type = Type::Struct(&SCHEMA);
static ANY: Type = Type::Any;
static SCHEMA_OR_STRINGS: Type = Type::SchemaOrStrings;
pub(super) static SCHEMA: Struct = Struct {
    name: "JSONSchemaProps",
    type_: "v1.JSONSchemaProps",
    fields: &[
        ("$ref", STRING),
        ("$schema", Type::Text("v1.JSONSchemaURL")),
        ("additionalItems", Type::SchemaOrBool),
        ("additionalProperties", Type::SchemaOrBool),
        ("allOf", Type::List(&SCHEMA_TYPE, "[]v1.JSONSchemaProps")),
        ("anyOf", Type::List(&SCHEMA_TYPE, "[]v1.JSONSchemaProps")),
        ("default", Type::Any),
        ("definitions", Type::Map(&SCHEMA_TYPE, "v1.JSONSchemaDefinitions")),
        ("dependencies", Type::Map(&SCHEMA_OR_STRINGS, "v1.JSONSchemaDependencies")),
        ("description", STRING),
        ("enum", Type::List(&ANY, "[]v1.JSON")),
        ("example", Type::Any),
        ("exclusiveMaximum", Type::Bool),
        ("exclusiveMinimum", Type::Bool),
        ("externalDocs", Type::Struct(&EXTERNAL_DOCS)),
        ("format", STRING),
        ("id", STRING),
        ("items", Type::SchemaOrArray),
        ("maxItems", Type::Int64),
        ("maxLength", Type::Int64),
        ("maxProperties", Type::Int64),
        ("maximum", Type::Float),
        ("minItems", Type::Int64),
        ("minLength", Type::Int64),
        ("minProperties", Type::Int64),
        ("minimum", Type::Float),
        ("multipleOf", Type::Float),
        ("not", Type::Struct(&SCHEMA)),
        ("nullable", Type::Bool),
        ("oneOf", Type::List(&SCHEMA_TYPE, "[]v1.JSONSchemaProps")),
        ("pattern", STRING),
        ("patternProperties", Type::Map(&SCHEMA_TYPE, "map[string]v1.JSONSchemaProps")),
        ("properties", Type::Map(&SCHEMA_TYPE, "map[string]v1.JSONSchemaProps")),
        ("required", TEXTS),
        ("title", STRING),
        ("type", STRING),
        ("uniqueItems", Type::Bool),
        ("x-kubernetes-embedded-resource", Type::Bool),
        ("x-kubernetes-int-or-string", Type::Bool),
        ("x-kubernetes-list-map-keys", TEXTS),
        ("x-kubernetes-list-type", STRING),
        ("x-kubernetes-map-type", STRING),
        ("x-kubernetes-preserve-unknown-fields", Type::Bool),
        ("x-kubernetes-validations", Type::List(&RULE_TYPE, "v1.ValidationRules")),
    ],
};

static EXTERNAL_DOCS: Struct = Struct {
    name: "ExternalDocumentation",
    type_: "v1.ExternalDocumentation",
    fields: &[("description", STRING), ("url", STRING)],
};

static RULE_TYPE: Type = Type::Struct(&RULE);
static RULE: Struct = Struct {
    name: "ValidationRule",
    type_: "v1.ValidationRule",
    fields: &[
        ("fieldPath", STRING),
        ("message", STRING),
        ("messageExpression", STRING),
        ("optionalOldSelf", Type::Bool),
        ("reason", Type::Text("v1.FieldValueErrorReason")),
        ("rule", STRING),
    ],
};

static STATUS: Struct = Struct {
    name: "CustomResourceDefinitionStatus",
    type_: "v1.CustomResourceDefinitionStatus",
    fields: &[
        ("acceptedNames", Type::Struct(&NAMES)),
        ("conditions", Type::List(&CONDITION_TYPE, "[]v1.CustomResourceDefinitionCondition")),
        ("observedGeneration", Type::Int64),
        ("storedVersions", TEXTS),
    ],
};

static CONDITION_TYPE: Type = Type::Struct(&CONDITION);
static CONDITION: Struct = Struct {
    name: "CustomResourceDefinitionCondition",
    type_: "v1.CustomResourceDefinitionCondition",
    fields: &[
        ("lastTransitionTime", Type::Time),
        ("message", STRING),
        ("observedGeneration", Type::Int64),
        ("reason", STRING),
        ("status", Type::Text("v1.ConditionStatus")),
        ("type", Type::Text("v1.CustomResourceDefinitionConditionType")),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_sorted() {
        for of in [
            &DEFINITION,
            &METADATA,
            &OWNER_REFERENCE,
            &MANAGED_FIELDS,
            &SPEC,
            &NAMES,
            &CONVERSION,
            &WEBHOOK,
            &CLIENT_CONFIG,
            &SERVICE,
            &VERSION,
            &COLUMN,
            &SELECTABLE,
            &SUBRESOURCES,
            &STATUS_SUBRESOURCE,
            &SCALE,
            &VALIDATION,
            &SCHEMA,
            &EXTERNAL_DOCS,
            &RULE,
            &STATUS,
            &CONDITION,
        ] {
            assert!(of.fields.is_sorted_by_key(|(name, _)| name), "{}", of.name);
        }
    }
}
