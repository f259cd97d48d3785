//! The table of schema keywords. The model, its conversion to k8s-openapi's types, the decoder of definitions and the
//! printer of error values follow from it, so that a new keyword is a new row.

/// Calls a macro with all keywords of a schema, in the order of the server's internal type.
///
/// A row has the field of [`JsonSchemaProps`](super::JsonSchemaProps) and its type, the name in JSON, the field of the
/// internal Go type, that of k8s-openapi, and the kind of its value.
///
/// Source: `pkg/apis/apiextensions/types_jsonschema.go`.
#[doc(hidden)]
#[macro_export]
macro_rules! schema_keywords {
    ($macro:ident) => {
        $macro! {
            id: String = "id", "ID", id, text;
            schema: String = "$schema", "Schema", schema, url;
            ref_: Option<String> = "$ref", "Ref", ref_path, text;
            description: String = "description", "Description", description, text;
            type_: String = "type", "Type", type_, text;
            nullable: bool = "nullable", "Nullable", nullable, flag;
            format: String = "format", "Format", format, text;
            title: String = "title", "Title", title, text;
            /// A literal `null` counts as absent, as on the server.
            default: Option<Value> = "default", "Default", default, value;
            #[serde(serialize_with = "number")]
            maximum: Option<f64> = "maximum", "Maximum", maximum, number;
            exclusive_maximum: bool = "exclusiveMaximum", "ExclusiveMaximum", exclusive_maximum, flag;
            #[serde(serialize_with = "number")]
            minimum: Option<f64> = "minimum", "Minimum", minimum, number;
            exclusive_minimum: bool = "exclusiveMinimum", "ExclusiveMinimum", exclusive_minimum, flag;
            max_length: Option<i64> = "maxLength", "MaxLength", max_length, count;
            min_length: Option<i64> = "minLength", "MinLength", min_length, count;
            pattern: String = "pattern", "Pattern", pattern, text;
            max_items: Option<i64> = "maxItems", "MaxItems", max_items, count;
            min_items: Option<i64> = "minItems", "MinItems", min_items, count;
            unique_items: bool = "uniqueItems", "UniqueItems", unique_items, flag;
            #[serde(serialize_with = "number")]
            multiple_of: Option<f64> = "multipleOf", "MultipleOf", multiple_of, number;
            enum_: Option<Vec<Value>> = "enum", "Enum", enum_, values;
            max_properties: Option<i64> = "maxProperties", "MaxProperties", max_properties, count;
            min_properties: Option<i64> = "minProperties", "MinProperties", min_properties, count;
            required: Option<Vec<String>> = "required", "Required", required, texts;
            items: Option<SchemaOrArray> = "items", "Items", items, items;
            all_of: Option<Vec<JsonSchemaProps>> = "allOf", "AllOf", all_of, schemas;
            one_of: Option<Vec<JsonSchemaProps>> = "oneOf", "OneOf", one_of, schemas;
            any_of: Option<Vec<JsonSchemaProps>> = "anyOf", "AnyOf", any_of, schemas;
            not: Option<Box<JsonSchemaProps>> = "not", "Not", not, schema;
            /// Shared, because many kinds may contain the schema of a foreign type. Without `Arc`, a map would also
            /// reserve room for eleven schemas in each of its nodes.
            properties: Option<BTreeMap<String, Arc<JsonSchemaProps>>>
                = "properties", "Properties", properties, properties;
            additional_properties: Option<SchemaOrBool>
                = "additionalProperties", "AdditionalProperties", additional_properties, schema_or_bool;
            pattern_properties: Option<BTreeMap<String, JsonSchemaProps>>
                = "patternProperties", "PatternProperties", pattern_properties, properties;
            dependencies: Option<BTreeMap<String, SchemaOrStrings>>
                = "dependencies", "Dependencies", dependencies, dependencies;
            additional_items: Option<SchemaOrBool> = "additionalItems", "AdditionalItems", additional_items, schema_or_bool;
            definitions: Option<BTreeMap<String, JsonSchemaProps>>
                = "definitions", "Definitions", definitions, definitions;
            external_docs: Option<ExternalDocs> = "externalDocs", "ExternalDocs", external_docs, docs;
            example: Option<Value> = "example", "Example", example, value;
            x_preserve_unknown_fields: Option<bool> = "x-kubernetes-preserve-unknown-fields",
                "XPreserveUnknownFields", x_kubernetes_preserve_unknown_fields, flag;
            x_embedded_resource: bool
                = "x-kubernetes-embedded-resource", "XEmbeddedResource", x_kubernetes_embedded_resource, flag;
            x_int_or_string: bool
                = "x-kubernetes-int-or-string", "XIntOrString", x_kubernetes_int_or_string, flag;
            x_list_map_keys: Option<Vec<String>>
                = "x-kubernetes-list-map-keys", "XListMapKeys", x_kubernetes_list_map_keys, texts;
            x_list_type: Option<String>
                = "x-kubernetes-list-type", "XListType", x_kubernetes_list_type, text;
            x_map_type: Option<String>
                = "x-kubernetes-map-type", "XMapType", x_kubernetes_map_type, text;
            x_validations: Option<Vec<ValidationRule>> = "x-kubernetes-validations",
                "XValidations", x_kubernetes_validations, rules;
        }
    };
}
