//! Converts JSON Schema, as schemars writes it, to a structural schema.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::complete::complete;
use super::{keywords, markers};
use crate::builder::{Object, Presence, any, any_of, one_of};
use crate::crd_schema::k8s_schema::{self, Additions};
use crate::model::{JsonSchemaProps, SchemaOrArray, SchemaOrBool};

/// An error is a path and what is wrong there. Each caller prepends its part of the path.
type Result<T> = std::result::Result<T, (String, String)>;

/// The deepest nesting of schemas that is converted, in levels. Source: none; no schema of an API nests nearly as deep.
const MAX_DEPTH: usize = 64;

struct SchemaConverter<'a> {
    additions: Additions,
    definitions: Option<&'a Map<String, Value>>,
    /// The definitions that are being converted. A reference to one of them is a recursive type.
    open: Vec<&'a str>,
    /// The definitions that have been converted, so that each is converted only once.
    converted: BTreeMap<&'a str, JsonSchemaProps>,
    depth: usize,
}

/// Converts the schema document of a type. `name` is the name of the type in schemars.
pub(super) fn root(name: &str, document: &Value, additions: Additions) -> Result<JsonSchemaProps> {
    if let Some(schema) = k8s_schema::by_name(name, additions) {
        return Ok(schema);
    }
    let definitions = document.pointer("/components/schemas").and_then(Value::as_object);
    let (open, converted) = (Vec::new(), BTreeMap::new());
    let mut converter = SchemaConverter { additions, definitions, open, converted, depth: 0 };
    let schema = converter.schema(document)?;
    converter.with_markers(name, schema)
}

fn error<T>(what: impl Into<String>) -> Result<T> {
    Err((String::new(), what.into()))
}

/// Prepends a part to the path of an error.
fn within<T>(part: &str, result: Result<T>) -> Result<T> {
    result.map_err(|(at, what)| (format!("{part}{at}"), what))
}

impl<'a> SchemaConverter<'a> {
    fn schema(&mut self, value: &'a Value) -> Result<JsonSchemaProps> {
        if self.depth == MAX_DEPTH {
            return error(format!("it nests more than {MAX_DEPTH} levels"));
        }
        self.depth += 1;
        let schema = match value {
            Value::Bool(true) => Ok(any()),
            Value::Object(object) => self.object(object),
            _ => error("it admits nothing"),
        };
        self.depth -= 1;
        schema
    }

    fn object(&mut self, object: &'a Map<String, Value>) -> Result<JsonSchemaProps> {
        let mut schema = match object.get("$ref").and_then(Value::as_str) {
            Some(reference) => self.reference(reference)?,
            None => JsonSchemaProps::default(),
        };
        self.own_keywords(&mut schema, object)?;
        let mut types = object.get("type").map(keywords::type_names).unwrap_or_default();
        if let Some(values) = &mut schema.enum_ {
            schema.nullable |= values.contains(&Value::Null);
            values.retain(|value| !value.is_null());
            if types.is_empty() && schema.type_.is_empty() {
                types = keywords::types_of(values);
            }
        }
        schema.nullable |= types.contains(&"null");
        types.retain(|type_| *type_ != "null");
        let mut schema = match types.as_slice() {
            [] => schema,
            [type_] => JsonSchemaProps { type_: (*type_).to_owned(), ..schema },
            types => {
                let alternatives = types
                    .iter()
                    .map(|type_| JsonSchemaProps { type_: (*type_).to_owned(), ..schema.clone() });
                any_of(alternatives.collect())
            }
        };
        self.all_of(&mut schema, object)?;
        schema = self.alternatives(schema, object, "anyOf", any_of)?;
        schema = self.alternatives(schema, object, "oneOf", one_of)?;
        Ok(complete(schema))
    }

    /// Adds the keywords of a schema, except for its type, its reference and its junctors.
    fn own_keywords(
        &mut self,
        schema: &mut JsonSchemaProps,
        object: &'a Map<String, Value>,
    ) -> Result<()> {
        for (key, value) in object {
            match key.as_str() {
                "type" | "anyOf" | "oneOf" | "allOf" | "$ref" => {}
                key if keywords::IGNORED.contains(&key) => {}
                key => self.keyword(schema, key, value)?,
            }
        }
        Ok(())
    }

    fn reference(&mut self, reference: &'a str) -> Result<JsonSchemaProps> {
        let name = reference.rsplit('/').next().unwrap_or(reference);
        if let Some(schema) = k8s_schema::by_name(name, self.additions) {
            return Ok(schema);
        }
        if let Some(schema) = self.converted.get(name) {
            return Ok(schema.clone());
        }
        if reference == "#" || self.open.contains(&name) {
            return error(
                "the type is recursive; cut it with `#[crd(preserve_unknown_fields)]` on a field of \
                 type `serde_json::Value`",
            );
        }
        let Some(definition) = self.definitions.and_then(|definitions| definitions.get(name))
        else {
            return error(format!("`{reference}` is not defined"));
        };
        self.open.push(name);
        let schema = self.schema(definition);
        self.open.pop();
        let schema = self.with_markers(name, schema?)?;
        self.converted.insert(name, schema.clone());
        Ok(schema)
    }

    /// Adds the keywords that the type `name` has as markers in Kubernetes' Go sources, but not in its OpenAPI schema.
    fn with_markers(&mut self, name: &str, mut schema: JsonSchemaProps) -> Result<JsonSchemaProps> {
        if self.additions == Additions::Bare {
            return Ok(schema);
        }
        for (field, keywords) in markers::of(name) {
            let marked = match (field.as_str(), &mut schema.properties) {
                ("", _) => &mut schema,
                // Skips a field that this version of Kubernetes does not have.
                (field, properties) => {
                    let Some(property) = properties.as_mut().and_then(|p| p.get_mut(field)) else {
                        continue;
                    };
                    Arc::make_mut(property)
                }
            };
            for (key, value) in keywords.as_object().into_iter().flatten() {
                self.keyword(marked, key, value)?;
            }
            markers::drop_unusable_keys(marked);
        }
        Ok(schema)
    }

    fn keyword(&mut self, schema: &mut JsonSchemaProps, key: &str, value: &'a Value) -> Result<()> {
        if keywords::copy(schema, key, value) {
            return Ok(());
        }
        match key {
            "properties" => {
                for (name, value) in value.as_object().into_iter().flatten() {
                    let property = within(&format!(".{name}"), self.schema(value))?;
                    schema.properties.get_or_insert_default().insert(name.clone(), property.into());
                }
            }
            "additionalProperties" | "unevaluatedProperties" => match value {
                // Unknown fields are pruned, so there is nothing to forbid.
                Value::Bool(false) => {}
                Value::Bool(true) => schema.x_preserve_unknown_fields = Some(true),
                value => self.map_values(schema, value)?,
            },
            "patternProperties" => {
                for value in value.as_object().into_iter().flat_map(Map::values) {
                    self.map_values(schema, value)?;
                }
            }
            "items" => {
                let items = within("[]", self.schema(value))?;
                schema.items = Some(SchemaOrArray::Schema(Box::new(items)));
            }
            "prefixItems" => {
                let parts = value.as_array().into_iter().flatten();
                let parts: Vec<_> = parts.map(|part| self.schema(part)).collect::<Result<_>>()?;
                match parts.split_first() {
                    Some((first, rest)) if rest.iter().all(|part| part == first) => {
                        schema.items = Some(SchemaOrArray::Schema(Box::new(first.clone())));
                    }
                    _ => return error("a list with a schema for each position"),
                }
            }
            key if key.starts_with("x-") => {}
            key => return error(format!("keyword `{key}`")),
        }
        Ok(())
    }

    /// Adds a schema for the values of keys that are not declared.
    fn map_values(&mut self, schema: &mut JsonSchemaProps, value: &'a Value) -> Result<()> {
        let values = within("[*]", self.schema(value))?;
        add_map_values(schema, values);
        Ok(())
    }

    /// Merges `allOf`, which schemars writes for flattened fields and for references with other keywords.
    fn all_of(
        &mut self,
        schema: &mut JsonSchemaProps,
        object: &'a Map<String, Value>,
    ) -> Result<()> {
        for part in object.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            let part = self.schema(part)?;
            if schema.type_.is_empty() && schema.properties.is_none() {
                // As beside a `$ref`, the schema's own keywords replace those of the part.
                let own = std::mem::replace(schema, part);
                let required = schema.required.take();
                self.own_keywords(schema, object)?;
                schema.required = union(required, schema.required.take());
                schema.enum_ = own.enum_.or(schema.enum_.take());
                schema.nullable |= own.nullable;
            } else if part.type_ == "object" && schema.type_ == "object" {
                if let Some(properties) = part.properties {
                    schema.properties.get_or_insert_default().extend(properties);
                }
                schema.required = union(schema.required.take(), part.required);
                if let Some(SchemaOrBool::Schema(values)) = part.additional_properties {
                    add_map_values(schema, *values);
                }
                schema.x_preserve_unknown_fields =
                    schema.x_preserve_unknown_fields.or(part.x_preserve_unknown_fields);
            } else {
                return error("`allOf` of different types");
            }
        }
        Ok(())
    }

    /// Adds `anyOf` or `oneOf`. A `null` alternative makes the schema nullable; `join` converts the others to one
    /// schema.
    fn alternatives(
        &mut self,
        mut schema: JsonSchemaProps,
        object: &'a Map<String, Value>,
        key: &str,
        join: fn(Vec<JsonSchemaProps>) -> JsonSchemaProps,
    ) -> Result<JsonSchemaProps> {
        let Some(parts) = object.get(key).and_then(Value::as_array) else { return Ok(schema) };
        let mut alternatives = Vec::new();
        for part in parts {
            let null = part.get("type") == Some(&Value::from("null"))
                || part.get("enum") == Some(&Value::from(vec![Value::Null]))
                || part.get("const") == Some(&Value::Null);
            if null {
                schema.nullable = true;
                continue;
            }
            let untyped = part.get("type").is_none()
                && part.get("$ref").is_none()
                && !schema.type_.is_empty();
            let mut alternative = self.schema(part)?;
            if untyped {
                alternative.type_.clone_from(&schema.type_);
                alternative.x_preserve_unknown_fields = None;
                alternative.nullable = false;
            }
            alternatives.push(alternative);
        }
        let joined = join(alternatives);
        if schema == JsonSchemaProps::default() {
            return Ok(joined);
        }
        let nullable = schema.nullable || joined.nullable;
        let description = if schema.description.is_empty() {
            joined.description.clone()
        } else {
            schema.description.clone()
        };
        let default = schema.default.take().or(joined.default.clone());
        let merged = if schema.type_ == "object" {
            let own = JsonSchemaProps { one_of: None, any_of: None, ..schema };
            Object::from(own).flatten(Presence::Required, joined).done()
        } else {
            let mut merged = joined;
            let has_enum = merged.enum_.is_some();
            for (key, value) in object.iter().filter(|(key, _)| !has_enum || *key != "enum") {
                keywords::copy(&mut merged, key, value);
            }
            merged
        };
        Ok(JsonSchemaProps { description, default, nullable, ..merged })
    }
}

/// Adds a schema for the values of keys that are not declared. If the values may be any JSON, or have another schema
/// already, no schema describes them, and pruning keeps all keys.
fn add_map_values(schema: &mut JsonSchemaProps, values: JsonSchemaProps) {
    if values == any() || schema.additional_properties.is_some() {
        schema.additional_properties = None;
        schema.x_preserve_unknown_fields = Some(true);
    } else {
        schema.additional_properties = Some(SchemaOrBool::Schema(Box::new(values)));
    }
}

/// Returns the names of two lists of required fields, each once.
fn union(names: Option<Vec<String>>, others: Option<Vec<String>>) -> Option<Vec<String>> {
    let Some(mut names) = names else { return others };
    for name in others.into_iter().flatten() {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(input: &Value, want: &Value) {
        let schema = root("T", input, Additions::Kubernetes).unwrap();
        assert_eq!(serde_json::to_value(schema).unwrap(), *want);
    }

    #[track_caller]
    fn rejected(input: &Value, at: &str, what: &str) {
        let (got_at, got_what) = root("T", input, Additions::Kubernetes).unwrap_err();
        assert_eq!((got_at.as_str(), got_what.as_str()), (at, what));
    }

    #[test]
    fn keywords_without_schemas_are_converted() {
        check(
            &json!({"type": "string", "maxLength": 3}),
            &json!({"type": "string", "maxLength": 3}),
        );
        check(&json!({"type": ["string", "null"]}), &json!({"type": "string", "nullable": true}));
        check(
            &json!({"type": "integer", "exclusiveMinimum": 3}),
            &json!({"type": "integer", "minimum": 3, "exclusiveMinimum": true}),
        );
        check(&json!({"const": "a"}), &json!({"type": "string", "enum": ["a"]}));
    }

    #[test]
    fn keywords_beside_junctors_are_kept() {
        check(
            &json!({"allOf": [{"type": "string", "pattern": "a"}], "maxLength": 3}),
            &json!({"type": "string", "pattern": "a", "maxLength": 3}),
        );
        check(
            &json!({
                "allOf": [{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}],
                "maxProperties": 3,
                "required": ["a", "b"],
            }),
            &json!({
                "type": "object",
                "properties": {"a": {"type": "string"}},
                "required": ["a", "b"],
                "maxProperties": 3,
            }),
        );
        check(
            &json!({"type": "string", "maxLength": 3, "anyOf": [{"const": "a"}, {"pattern": "b"}]}),
            &json!({
                "type": "string",
                "maxLength": 3,
                "anyOf": [{"enum": ["a"]}, {"pattern": "b"}],
            }),
        );
    }

    #[test]
    fn a_flattened_map_keeps_its_entries() {
        let map = |values: Value| {
            json!({
                "type": "object",
                "properties": {"a": {"type": "string"}},
                "allOf": [{"type": "object", "additionalProperties": values}],
            })
        };
        let properties = json!({"a": {"type": "string"}});
        check(
            &map(json!(true)),
            &json!({
                "type": "object",
                "properties": properties,
                "x-kubernetes-preserve-unknown-fields": true,
            }),
        );
        let map = |type_: &str| json!({"type": "object", "additionalProperties": {"type": type_}});
        let mut both = map("string");
        both["allOf"] = json!([map("integer")]);
        check(&both, &json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}));
    }

    #[test]
    fn an_empty_schema_keeps_everything() {
        check(
            &json!(true),
            &json!({"x-kubernetes-preserve-unknown-fields": true, "nullable": true}),
        );
        check(
            &json!({"type": "object"}),
            &json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}),
        );
    }

    #[test]
    fn null_among_alternatives_is_nullable() {
        check(
            &json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
            &json!({"type": "string", "nullable": true}),
        );
    }

    #[test]
    fn alternatives_are_widened() {
        check(
            &json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}),
            &json!({"x-kubernetes-int-or-string": true, "anyOf": [
                {"minimum": 1, "maximum": 0}, {"minLength": 1, "maxLength": 0},
            ]}),
        );
    }

    #[test]
    fn a_schema_that_is_not_structural_is_an_error() {
        rejected(&json!({"type": "object", "properties": {"a": {"if": {}}}}), ".a", "keyword `if`");
        rejected(&json!(false), "", "it admits nothing");
        rejected(
            &json!({"prefixItems": [{"type": "string"}, {"type": "integer"}]}),
            "",
            "a list with a schema for each position",
        );
    }

    #[test]
    fn a_definition_can_be_used_several_times() {
        let part = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
        check(
            &json!({
                "type": "object",
                "properties": {
                    "a": {"$ref": "#/components/schemas/Part"},
                    "b": {"allOf": [{"$ref": "#/components/schemas/Part"}], "description": "Another."},
                    "c": {"type": "array", "items": {"$ref": "#/components/schemas/Part"}},
                },
                "components": {"schemas": {"Part": part}},
            }),
            &json!({"type": "object", "properties": {
                "a": part,
                "b": {"description": "Another.", "type": "object", "properties": {"n": {"type": "integer"}}},
                "c": {"type": "array", "items": part},
            }}),
        );
    }

    #[test]
    fn recursion_is_an_error() {
        let document = json!({
            "$ref": "#/components/schemas/A",
            "components": {"schemas": {"A": {"type": "object", "properties": {
                "a": {"$ref": "#/components/schemas/A"},
            }}}},
        });
        let (_, what) = root("A", &document, Additions::Kubernetes).unwrap_err();
        assert!(what.starts_with("the type is recursive"), "{what}");
    }
}
