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
    pub(super) fields: &'static [(&'static str, GoType)],
}

/// The Go type of a value. The strings in the variants are the names that errors print.
#[derive(Debug)]
pub(super) enum GoType {
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
    List(&'static GoType, &'static str),
    Map(&'static GoType, &'static str),
    SchemaOrArray,
    SchemaOrBool,
    SchemaOrStrings,
}

impl Struct {
    /// The field with a name.
    pub(super) fn field(&self, name: &str) -> Option<&'static (&'static str, GoType)> {
        self.fields.iter().find(|(field, _)| *field == name)
    }
}

impl GoType {
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

pub(super) static STRING_TYPE: GoType = GoType::Text("string");
const STRINGS: GoType = GoType::List(&STRING_TYPE, "[]string");
const STRING_MAP: GoType = GoType::Map(&STRING_TYPE, "map[string]string");
const STRING: GoType = GoType::Text("string");

pub(super) static DEFINITION: Struct = Struct {
    name: "CustomResourceDefinition",
    type_: "v1.CustomResourceDefinition",
    fields: &[
        ("apiVersion", STRING),
        ("kind", STRING),
        ("metadata", GoType::Struct(&METADATA)),
        ("spec", GoType::Struct(&SPEC)),
        ("status", GoType::Struct(&STATUS)),
    ],
};

static METADATA: Struct = Struct {
    name: "ObjectMeta",
    type_: "v1.ObjectMeta",
    fields: &[
        ("annotations", STRING_MAP),
        ("creationTimestamp", GoType::Time),
        ("deletionGracePeriodSeconds", GoType::Int64),
        ("deletionTimestamp", GoType::Time),
        ("finalizers", STRINGS),
        ("generateName", STRING),
        ("generation", GoType::Int64),
        ("labels", STRING_MAP),
        ("managedFields", GoType::List(&MANAGED_FIELDS_TYPE, "[]v1.ManagedFieldsEntry")),
        ("name", STRING),
        ("namespace", STRING),
        ("ownerReferences", GoType::List(&OWNER_REFERENCE_TYPE, "[]v1.OwnerReference")),
        ("resourceVersion", STRING),
        ("selfLink", STRING),
        ("uid", GoType::Text("types.UID")),
    ],
};

static OWNER_REFERENCE_TYPE: GoType = GoType::Struct(&OWNER_REFERENCE);
static OWNER_REFERENCE: Struct = Struct {
    name: "OwnerReference",
    type_: "v1.OwnerReference",
    fields: &[
        ("apiVersion", STRING),
        ("blockOwnerDeletion", GoType::Bool),
        ("controller", GoType::Bool),
        ("kind", STRING),
        ("name", STRING),
        ("uid", GoType::Text("types.UID")),
    ],
};

static MANAGED_FIELDS_TYPE: GoType = GoType::Struct(&MANAGED_FIELDS);
static MANAGED_FIELDS: Struct = Struct {
    name: "ManagedFieldsEntry",
    type_: "v1.ManagedFieldsEntry",
    fields: &[
        ("apiVersion", STRING),
        ("fieldsType", STRING),
        ("fieldsV1", GoType::Any),
        ("manager", STRING),
        ("operation", GoType::Text("v1.ManagedFieldsOperationType")),
        ("subresource", STRING),
        ("time", GoType::Time),
    ],
};

static SPEC: Struct = Struct {
    name: "CustomResourceDefinitionSpec",
    type_: "v1.CustomResourceDefinitionSpec",
    fields: &[
        ("conversion", GoType::Struct(&CONVERSION)),
        ("group", STRING),
        ("names", GoType::Struct(&NAMES)),
        ("preserveUnknownFields", GoType::Bool),
        ("scope", GoType::Text("v1.ResourceScope")),
        ("versions", GoType::List(&VERSION_TYPE, "[]v1.CustomResourceDefinitionVersion")),
    ],
};

static NAMES: Struct = Struct {
    name: "CustomResourceDefinitionNames",
    type_: "v1.CustomResourceDefinitionNames",
    fields: &[
        ("categories", STRINGS),
        ("kind", STRING),
        ("listKind", STRING),
        ("plural", STRING),
        ("shortNames", STRINGS),
        ("singular", STRING),
    ],
};

static CONVERSION: Struct = Struct {
    name: "CustomResourceConversion",
    type_: "v1.CustomResourceConversion",
    fields: &[
        ("strategy", GoType::Text("v1.ConversionStrategyType")),
        ("webhook", GoType::Struct(&WEBHOOK)),
    ],
};

static WEBHOOK: Struct = Struct {
    name: "WebhookConversion",
    type_: "v1.WebhookConversion",
    fields: &[
        ("clientConfig", GoType::Struct(&CLIENT_CONFIG)),
        ("conversionReviewVersions", STRINGS),
    ],
};

static CLIENT_CONFIG: Struct = Struct {
    name: "WebhookClientConfig",
    type_: "v1.WebhookClientConfig",
    fields: &[("caBundle", GoType::Bytes), ("service", GoType::Struct(&SERVICE)), ("url", STRING)],
};

static SERVICE: Struct = Struct {
    name: "ServiceReference",
    type_: "v1.ServiceReference",
    fields: &[("name", STRING), ("namespace", STRING), ("path", STRING), ("port", GoType::Int32)],
};

static VERSION_TYPE: GoType = GoType::Struct(&VERSION);
static VERSION: Struct = Struct {
    name: "CustomResourceDefinitionVersion",
    type_: "v1.CustomResourceDefinitionVersion",
    fields: &[
        (
            "additionalPrinterColumns",
            GoType::List(&COLUMN_TYPE, "[]v1.CustomResourceColumnDefinition"),
        ),
        ("deprecated", GoType::Bool),
        ("deprecationWarning", STRING),
        ("name", STRING),
        ("schema", GoType::Struct(&VALIDATION)),
        ("selectableFields", GoType::List(&SELECTABLE_TYPE, "[]v1.SelectableField")),
        ("served", GoType::Bool),
        ("storage", GoType::Bool),
        ("subresources", GoType::Struct(&SUBRESOURCES)),
    ],
};

static COLUMN_TYPE: GoType = GoType::Struct(&COLUMN);
static COLUMN: Struct = Struct {
    name: "CustomResourceColumnDefinition",
    type_: "v1.CustomResourceColumnDefinition",
    fields: &[
        ("description", STRING),
        ("format", STRING),
        ("jsonPath", STRING),
        ("name", STRING),
        ("priority", GoType::Int32),
        ("type", STRING),
    ],
};

static SELECTABLE_TYPE: GoType = GoType::Struct(&SELECTABLE);
static SELECTABLE: Struct = Struct {
    name: "SelectableField",
    type_: "v1.SelectableField",
    fields: &[("jsonPath", STRING)],
};

static SUBRESOURCES: Struct = Struct {
    name: "CustomResourceSubresources",
    type_: "v1.CustomResourceSubresources",
    fields: &[("scale", GoType::Struct(&SCALE)), ("status", GoType::Struct(&STATUS_SUBRESOURCE))],
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
    fields: &[("openAPIV3Schema", GoType::Struct(&SCHEMA))],
};

pub(super) static SCHEMA_TYPE: GoType = GoType::Struct(&SCHEMA);
static ANY: GoType = GoType::Any;
static SCHEMA_OR_STRINGS: GoType = GoType::SchemaOrStrings;

/// The Go type of a kind of keyword. It is not a constant, because a constant cannot refer to the static that it is
/// part of.
macro_rules! go_type {
    (text) => {
        STRING
    };
    (url) => {
        GoType::Text("v1.JSONSchemaURL")
    };
    (flag) => {
        GoType::Bool
    };
    (number) => {
        GoType::Float
    };
    (count) => {
        GoType::Int64
    };
    (value) => {
        GoType::Any
    };
    (values) => {
        GoType::List(&ANY, "[]v1.JSON")
    };
    (texts) => {
        STRINGS
    };
    (schema) => {
        GoType::Struct(&SCHEMA)
    };
    (schemas) => {
        GoType::List(&SCHEMA_TYPE, "[]v1.JSONSchemaProps")
    };
    (properties) => {
        GoType::Map(&SCHEMA_TYPE, "map[string]v1.JSONSchemaProps")
    };
    (definitions) => {
        GoType::Map(&SCHEMA_TYPE, "v1.JSONSchemaDefinitions")
    };
    (dependencies) => {
        GoType::Map(&SCHEMA_OR_STRINGS, "v1.JSONSchemaDependencies")
    };
    (items) => {
        GoType::SchemaOrArray
    };
    (schema_or_bool) => {
        GoType::SchemaOrBool
    };
    (docs) => {
        GoType::Struct(&EXTERNAL_DOCS)
    };
    (rules) => {
        GoType::List(&RULE_TYPE, "v1.ValidationRules")
    };
}

macro_rules! schema_fields {
    ($($(#[$meta:meta])* $field:ident: $type:ty = $json:literal, $go:literal, $k8s:ident, $kind:ident;)*) => {
        &[$(($json, go_type!($kind))),*]
    };
}

pub(super) static SCHEMA: Struct = Struct {
    name: "JSONSchemaProps",
    type_: "v1.JSONSchemaProps",
    fields: crd_model::schema_keywords!(schema_fields),
};

static EXTERNAL_DOCS: Struct = Struct {
    name: "ExternalDocumentation",
    type_: "v1.ExternalDocumentation",
    fields: &[("description", STRING), ("url", STRING)],
};

pub(super) static RULE_TYPE: GoType = GoType::Struct(&RULE);
static RULE: Struct = Struct {
    name: "ValidationRule",
    type_: "v1.ValidationRule",
    fields: &[
        ("fieldPath", STRING),
        ("message", STRING),
        ("messageExpression", STRING),
        ("optionalOldSelf", GoType::Bool),
        ("reason", GoType::Text("v1.FieldValueErrorReason")),
        ("rule", STRING),
    ],
};

static STATUS: Struct = Struct {
    name: "CustomResourceDefinitionStatus",
    type_: "v1.CustomResourceDefinitionStatus",
    fields: &[
        ("acceptedNames", GoType::Struct(&NAMES)),
        ("conditions", GoType::List(&CONDITION_TYPE, "[]v1.CustomResourceDefinitionCondition")),
        ("observedGeneration", GoType::Int64),
        ("storedVersions", STRINGS),
    ],
};

pub(super) static CONDITION_TYPE: GoType = GoType::Struct(&CONDITION);
static CONDITION: Struct = Struct {
    name: "CustomResourceDefinitionCondition",
    type_: "v1.CustomResourceDefinitionCondition",
    fields: &[
        ("lastTransitionTime", GoType::Time),
        ("message", STRING),
        ("observedGeneration", GoType::Int64),
        ("reason", STRING),
        ("status", GoType::Text("v1.ConditionStatus")),
        ("type", GoType::Text("v1.CustomResourceDefinitionConditionType")),
    ],
};
