//! Deserializes keywords whose value is a schema or something else.
//!
//! PERF: serde buffers the input of an untagged enum. Because schemas nest, everything below an `items` would be
//! buffered once for each level.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::schema_props::{SchemaOrArray, SchemaOrBool};

impl<'de> Deserialize<'de> for SchemaOrArray {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = SchemaOrArray;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a schema or a list of schemas")
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
                Ok(SchemaOrArray::Neither(value))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(SchemaOrArray::Array)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                Box::deserialize(MapAccessDeserializer::new(map)).map(SchemaOrArray::Schema)
            }
        }

        deserializer.deserialize_any(Either)
    }
}

impl<'de> Deserialize<'de> for SchemaOrBool {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = SchemaOrBool;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a schema or a bool")
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
                Ok(SchemaOrBool::Bool(value))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                Box::deserialize(MapAccessDeserializer::new(map)).map(SchemaOrBool::Schema)
            }
        }

        deserializer.deserialize_any(Either)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::schema_props::JsonSchemaProps;

    /// Checks that a schema is read, and written again unchanged, or that it is rejected if not `valid`.
    #[track_caller]
    fn check(schema: &Value, valid: bool) {
        let from_tree = serde_json::from_value::<JsonSchemaProps>(schema.clone());
        let from_text = serde_json::from_str::<JsonSchemaProps>(&schema.to_string());
        for read in [from_tree, from_text] {
            let written = read.ok().map(|read| serde_json::to_value(read).unwrap());
            assert_eq!(written, valid.then(|| schema.clone()));
        }
    }

    #[test]
    fn a_schema_or_something_else() {
        for key in ["items", "additionalProperties", "additionalItems"] {
            check(&json!({key: {"type": "string"}}), true);
            check(&json!({key: {"items": {"additionalProperties": {"items": true}}}}), true);
            check(&json!({key: true}), true);
            check(&json!({key: [{"type": "string"}, {}]}), key == "items");
            for other in [json!("x"), json!(1), json!([1]), json!({"type": 1})] {
                check(&json!({key: other}), false);
            }
            let null = serde_json::from_value::<JsonSchemaProps>(json!({key: null})).unwrap();
            assert_eq!(null, JsonSchemaProps::default());
        }
    }
}
