//! A builder of schemas, with one method per keyword.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::{IntoSchema, Rule};
use crate::model::{ExternalDocs, JsonSchemaProps, SchemaOrArray, SchemaOrBool, ValidationRule};

/// A builder of a schema.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct Schema(JsonSchemaProps);

macro_rules! setters {
    ($($(#[$attr:meta])* $name:ident($ty:ty): $slot:ident = $value:expr;)*) => {$(
        $(#[$attr])*
        #[must_use]
        pub fn $name(mut self, value: $ty) -> Self {
            self.0.$slot = $value(value);
            self
        }
    )*};
}

#[doc(hidden)]
impl Schema {
    /// Starts with the schema that a `schema_with` function returns.
    pub fn from(schema: impl IntoSchema) -> Self {
        Self(schema.into_schema())
    }

    /// Returns the schema. If the default of a list of type `set` or `map` has duplicate items, `type` becomes the text
    /// of an error, which validation of the definition reports: the server accepts such a default and then rejects
    /// every object without the field.
    #[must_use]
    pub fn done(mut self) -> JsonSchemaProps {
        if has_repeated_default(&self.0) {
            const TWICE: &str = "the default has a duplicate item, which a list of type `set` or `map` does not allow";
            TWICE.clone_into(&mut self.0.type_);
        }
        self.0
    }

    setters! {
        title(&str): title = str::to_owned;
        description(&str): description = str::to_owned;
        example(Value): example = non_null;
        nullable(bool): nullable = std::convert::identity;
        minimum(f64): minimum = Some;
        maximum(f64): maximum = Some;
        exclusive_minimum(bool): exclusive_minimum = std::convert::identity;
        exclusive_maximum(bool): exclusive_maximum = std::convert::identity;
        multiple_of(f64): multiple_of = Some;
        min_length(i64): min_length = Some;
        max_length(i64): max_length = Some;
        pattern(&str): pattern = str::to_owned;
        format(&str): format = str::to_owned;
        min_items(i64): min_items = Some;
        max_items(i64): max_items = Some;
        min_properties(i64): min_properties = Some;
        max_properties(i64): max_properties = Some;
        enum_values(Vec<Value>): enum_ = Some;
        list_map_keys(&[&str]): x_list_map_keys = |keys| Some(owned(keys));
        list_type(&str): x_list_type = |text: &str| Some(text.to_owned());
        map_type(&str): x_map_type = |text: &str| Some(text.to_owned());
    }

    /// Sets `maxProperties` to 1 if the schema is of an externally tagged enum among other alternatives, whose fields the
    /// server keeps and with which serde does not read it.
    #[must_use]
    pub fn keyed(mut self, is_keyed: bool) -> Self {
        if is_keyed {
            self.0.max_properties.get_or_insert(1);
        }
        self
    }

    /// Sets `default` to that of a type, as [`Self::default`].
    #[must_use]
    pub fn default_of<T: Default + Serialize>(self) -> Self {
        self.default(super::json(&T::default()))
    }

    /// Sets `default`. If the value is `null`, `type` becomes the text of an error, as for an error of [`IntoSchema`].
    #[must_use]
    pub fn default(mut self, value: Value) -> Self {
        if value.is_null() {
            const NULL: &str = "the default is `null` in JSON, which is not a value; remove it, or give one that serializes";
            NULL.clone_into(&mut self.0.type_);
        } else {
            self.0.default = Some(value);
        }
        self
    }

    /// Sets `description` to the text of doc comments.
    #[must_use]
    pub fn doc(mut self, texts: &[&str]) -> Self {
        self.0.description = crd_model::doc_comments::description(texts);
        self
    }

    /// Sets `externalDocs`.
    #[must_use]
    pub fn external_docs(mut self, url: &str, description: &str) -> Self {
        let docs = ExternalDocs { url: url.to_owned(), description: description.to_owned() };
        self.0.external_docs = Some(docs);
        self
    }

    /// Sets `x-kubernetes-int-or-string` and removes `type`, `format` and `x-kubernetes-preserve-unknown-fields`.
    #[must_use]
    pub fn int_or_string(mut self) -> Self {
        self.0.type_.clear();
        self.0.format.clear();
        self.0.x_preserve_unknown_fields = None;
        self.0.x_int_or_string = true;
        self
    }

    /// Sets `x-kubernetes-preserve-unknown-fields`.
    #[must_use]
    pub fn preserve_unknown_fields(mut self) -> Self {
        self.0.x_preserve_unknown_fields = Some(true);
        self
    }

    /// Sets `x-kubernetes-embedded-resource`. An object without properties keeps unknown fields.
    #[must_use]
    pub fn embedded_resource(mut self) -> Self {
        self.0.x_embedded_resource = true;
        "object".clone_into(&mut self.0.type_);
        self.0.additional_properties = None;
        if self.0.properties.is_none() {
            self.0.x_preserve_unknown_fields = Some(true);
        }
        self
    }

    /// Adds a rule without further keys after the existing ones.
    #[must_use]
    pub fn rule(self, rule: &'static str) -> Self {
        self.rule_with(Rule { rule, ..Rule::NONE })
    }

    /// Adds a rule after the existing ones.
    #[must_use]
    pub fn rule_with(mut self, rule: Rule) -> Self {
        self.0.x_validations.get_or_insert_default().push(rule.build());
        self
    }

    /// Adds a rule: the value cannot change once it is set.
    #[must_use]
    pub fn immutable(self) -> Self {
        self.rule_with(Rule {
            rule: "self == oldSelf",
            message: "field is immutable",
            ..Rule::NONE
        })
    }

    /// Adds a rule: at most one of these fields is set.
    #[must_use]
    pub fn at_most_one_of(self, fields: &[&str]) -> Self {
        self.count(fields, "<= 1", "at most one of the fields in", "may be set")
    }

    /// Adds a rule: exactly one of these fields is set.
    #[must_use]
    pub fn exactly_one_of(self, fields: &[&str]) -> Self {
        self.count(fields, "== 1", "exactly one of the fields in", "must be set")
    }

    /// Adds a rule: at least one of these fields is set.
    #[must_use]
    pub fn at_least_one_of(self, fields: &[&str]) -> Self {
        let has: Vec<_> = fields.iter().map(|field| has(field)).collect();
        let message = format!("at least one of the fields in [{}] must be set", fields.join(" "));
        self.push_rule(has.join(" || "), message)
    }

    fn count(self, fields: &[&str], test: &str, start: &str, end: &str) -> Self {
        let ones: Vec<_> = fields.iter().map(|field| format!("({} ? 1 : 0)", has(field))).collect();
        let message = format!("{start} [{}] {end}", fields.join(" "));
        self.push_rule(format!("{} {test}", ones.join(" + ")), message)
    }

    fn push_rule(mut self, rule: String, message: String) -> Self {
        let rule = ValidationRule { rule, message, ..ValidationRule::default() };
        self.0.x_validations.get_or_insert_default().push(rule);
        self
    }

    /// Merges JSON into the schema as a JSON merge patch (RFC 7396) does: objects are merged, `null` removes a keyword.
    /// If the result is not a schema, `type` becomes the text of an error, which validation of the definition reports.
    #[must_use]
    pub fn patch(mut self, patch: Value) -> Self {
        let patched = serde_json::to_value(&self.0).and_then(|mut schema| {
            merge(&mut schema, patch);
            serde_json::from_value(schema)
        });
        match patched {
            Ok(schema) => self.0 = schema,
            Err(error) => self.0.type_ = format!("`patch` does not make a schema: {error}"),
        }
        self
    }

    /// Changes the schema of a list's elements. If it has none, `type` becomes the text of an error, as in
    /// [`Self::default`].
    #[must_use]
    pub fn items(mut self, change: impl FnOnce(Self) -> Self) -> Self {
        if let Some(SchemaOrArray::Schema(items)) = &mut self.0.items {
            **items = change(Self(std::mem::take(items))).done();
        } else {
            const NONE: &str = "`items(..)` has no effect: the schema has no elements; remove it, or use the type or function of a list";
            NONE.clone_into(&mut self.0.type_);
        }
        self
    }

    /// Changes the schema of a map's values. If it has none, `type` becomes the text of an error, as in
    /// [`Self::default`].
    #[must_use]
    pub fn values(mut self, change: impl Fn(Self) -> Self) -> Self {
        match (&mut self.0.additional_properties, &mut self.0.properties) {
            (Some(SchemaOrBool::Schema(values)), _) => {
                **values = change(Self(std::mem::take(values))).done();
            }
            // A map with an enum as its key has a property for each name.
            (_, Some(properties)) => {
                for value in properties.values_mut() {
                    let value = Arc::make_mut(value);
                    *value = change(Self(std::mem::take(value))).done();
                }
            }
            _ => {
                const NONE: &str = "`values(..)` has no effect: the schema has no values; remove it, or use the type or function of a map";
                NONE.clone_into(&mut self.0.type_);
            }
        }
        self
    }
}

/// Applies a JSON merge patch.
fn merge(target: &mut Value, patch: Value) {
    let Value::Object(patch) = patch else {
        *target = patch;
        return;
    };
    if !target.is_object() {
        *target = Value::Object(serde_json::Map::new());
    }
    let Value::Object(target) = target else { return };
    for (name, value) in patch {
        if value.is_null() {
            target.remove(&name);
        } else {
            merge(target.entry(name).or_insert(Value::Null), value);
        }
    }
}

/// Returns whether the default of a list of type `set` or `map` has duplicate items.
fn has_repeated_default(schema: &JsonSchemaProps) -> bool {
    let (Some(Value::Array(items)), Some(list_type)) = (&schema.default, &schema.x_list_type)
    else {
        return false;
    };
    let keys = schema.x_list_map_keys.as_deref().unwrap_or_default();
    let is_same = |a: &Value, b: &Value| match list_type.as_str() {
        "set" => a == b,
        "map" => keys.iter().all(|key| a.get(key) == b.get(key)),
        _ => false,
    };
    items.iter().enumerate().any(|(at, item)| items[..at].iter().any(|other| is_same(item, other)))
}

fn has(field: &str) -> String {
    format!("has(self.{})", super::cel_field(field))
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn non_null(value: Value) -> Option<Value> {
    Some(value).filter(|value| !value.is_null())
}
