//! The table of schema keywords. The model, its conversion to k8s-openapi's types, the decoder of definitions and the
//! printer of error values follow from it, so that a new keyword is a new row.

/// Calls a macro with all keywords of a schema, in the order of the server's internal type.
///
/// A row has the field of [`JsonSchemaProps`](super::JsonSchemaProps) and its type, the name in JSON, the field of the
/// internal Go type, that of k8s-openapi, the kind of its value, and its number in Protocol Buffers, as in the table of Go
/// types: `o` marks a field whose zero value is the absence of the keyword.
///
/// Source: `pkg/apis/apiextensions/types_jsonschema.go`.
#[doc(hidden)]
#[macro_export]
macro_rules! schema_keywords {
    ($macro:ident) => {
        $macro! {
            id: String = "id", "ID", id, text, "n=1 o";
            schema: String = "$schema", "Schema", schema, url, "n=2 o";
            ref_: Option<String> = "$ref", "Ref", ref_path, text, "n=3";
            description: String = "description", "Description", description, text, "n=4 o";
            type_: String = "type", "Type", type_, text, "n=5 o";
            nullable: bool = "nullable", "Nullable", nullable, flag, "n=37 o";
            format: String = "format", "Format", format, text, "n=6 o";
            title: String = "title", "Title", title, text, "n=7 o";
            /// A literal `null` counts as absent, as on the server.
            default: Option<Value> = "default", "Default", default, value, "n=8";
            #[serde(serialize_with = "number")]
            maximum: Option<f64> = "maximum", "Maximum", maximum, number, "n=9";
            exclusive_maximum: bool = "exclusiveMaximum", "ExclusiveMaximum", exclusive_maximum, flag, "n=10 o";
            #[serde(serialize_with = "number")]
            minimum: Option<f64> = "minimum", "Minimum", minimum, number, "n=11";
            exclusive_minimum: bool = "exclusiveMinimum", "ExclusiveMinimum", exclusive_minimum, flag, "n=12 o";
            max_length: Option<i64> = "maxLength", "MaxLength", max_length, count, "n=13";
            min_length: Option<i64> = "minLength", "MinLength", min_length, count, "n=14";
            pattern: String = "pattern", "Pattern", pattern, text, "n=15 o";
            max_items: Option<i64> = "maxItems", "MaxItems", max_items, count, "n=16";
            min_items: Option<i64> = "minItems", "MinItems", min_items, count, "n=17";
            unique_items: bool = "uniqueItems", "UniqueItems", unique_items, flag, "n=18 o";
            #[serde(serialize_with = "number")]
            multiple_of: Option<f64> = "multipleOf", "MultipleOf", multiple_of, number, "n=19";
            enum_: Option<Vec<Value>> = "enum", "Enum", enum_, values, "n=20";
            max_properties: Option<i64> = "maxProperties", "MaxProperties", max_properties, count, "n=21";
            min_properties: Option<i64> = "minProperties", "MinProperties", min_properties, count, "n=22";
            required: Option<Vec<String>> = "required", "Required", required, texts, "n=23";
            items: Option<SchemaOrArray> = "items", "Items", items, items, "n=24";
            all_of: Option<Vec<JsonSchemaProps>> = "allOf", "AllOf", all_of, schemas, "n=25";
            one_of: Option<Vec<JsonSchemaProps>> = "oneOf", "OneOf", one_of, schemas, "n=26";
            any_of: Option<Vec<JsonSchemaProps>> = "anyOf", "AnyOf", any_of, schemas, "n=27";
            not: Option<Box<JsonSchemaProps>> = "not", "Not", not, schema, "n=28";
            /// Shared, because many kinds may contain the schema of a foreign type. Without `Arc`, a map would also
            /// reserve room for eleven schemas in each of its nodes.
            properties: Option<BTreeMap<String, Arc<JsonSchemaProps>>>
                = "properties", "Properties", properties, properties, "n=29";
            additional_properties: Option<SchemaOrBool>
                = "additionalProperties", "AdditionalProperties", additional_properties, schema_or_bool, "n=30";
            pattern_properties: Option<BTreeMap<String, JsonSchemaProps>>
                = "patternProperties", "PatternProperties", pattern_properties, properties, "n=31";
            dependencies: Option<BTreeMap<String, SchemaOrStrings>>
                = "dependencies", "Dependencies", dependencies, dependencies, "n=32";
            additional_items: Option<SchemaOrBool>
                = "additionalItems", "AdditionalItems", additional_items, schema_or_bool, "n=33";
            definitions: Option<BTreeMap<String, JsonSchemaProps>>
                = "definitions", "Definitions", definitions, definitions, "n=34";
            external_docs: Option<ExternalDocs> = "externalDocs", "ExternalDocs", external_docs, docs, "n=35";
            example: Option<Value> = "example", "Example", example, value, "n=36";
            x_preserve_unknown_fields: Option<bool> = "x-kubernetes-preserve-unknown-fields",
                "XPreserveUnknownFields", x_kubernetes_preserve_unknown_fields, flag, "n=38";
            x_embedded_resource: bool
                = "x-kubernetes-embedded-resource", "XEmbeddedResource", x_kubernetes_embedded_resource, flag, "n=39 o";
            x_int_or_string: bool
                = "x-kubernetes-int-or-string", "XIntOrString", x_kubernetes_int_or_string, flag, "n=40 o";
            x_list_map_keys: Option<Vec<String>>
                = "x-kubernetes-list-map-keys", "XListMapKeys", x_kubernetes_list_map_keys, texts, "n=41";
            x_list_type: Option<String>
                = "x-kubernetes-list-type", "XListType", x_kubernetes_list_type, text, "n=42";
            x_map_type: Option<String>
                = "x-kubernetes-map-type", "XMapType", x_kubernetes_map_type, text, "n=43";
            x_validations: Option<Vec<ValidationRule>> = "x-kubernetes-validations",
                "XValidations", x_kubernetes_validations, rules, "n=44";
        }
    };
}
