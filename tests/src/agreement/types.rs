//! Writes the Rust types that an author would write to get given schemas.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

/// Writes types, one for each distinct schema.
#[derive(Default)]
pub(super) struct Types {
    /// The source so far.
    pub(super) source: String,
    names: HashMap<String, String>,
}

/// A field's type and the keys of its attribute.
pub(super) struct Typed {
    pub(super) ty: String,
    pub(super) attributes: Vec<String>,
}

impl Typed {
    fn plain(ty: &str) -> Self {
        Self { ty: ty.to_owned(), attributes: Vec::new() }
    }

    fn with(ty: &str, attribute: &str) -> Self {
        Self { ty: ty.to_owned(), attributes: vec![attribute.to_owned()] }
    }

    /// Returns the type in a list or map, whose elements have the attributes in `attribute(..)`.
    fn within(self, container: impl Fn(&str) -> String, attribute: &str) -> Self {
        let attributes = match self.attributes.as_slice() {
            [] => Vec::new(),
            inner => vec![format!("{attribute}({})", inner.join(", "))],
        };
        Self { ty: container(&self.ty), attributes }
    }
}

impl Types {
    pub(super) fn of(&mut self, schema: &Value) -> Typed {
        let mut typed = self.unbounded(schema);
        typed.attributes.extend(bounds(schema));
        typed
    }

    fn unbounded(&mut self, schema: &Value) -> Typed {
        let is = |key: &str| schema[key] == Value::Bool(true);
        if is("x-kubernetes-int-or-string") {
            return Typed::with("serde_json::Value", "int_or_string");
        }
        match schema["type"].as_str().unwrap_or_default() {
            "array" if schema["items"].is_object() => {
                self.of(&schema["items"]).within(|ty| format!("Vec<{ty}>"), "items")
            }
            "object" if schema["additionalProperties"].is_object() => {
                let values = self.of(&schema["additionalProperties"]);
                values.within(|ty| format!("BTreeMap<String, {ty}>"), "values")
            }
            "object" => {
                let mut typed = match schema["properties"].as_object() {
                    Some(properties) if !properties.is_empty() => {
                        let mut schema = schema.clone();
                        if is("x-kubernetes-embedded-resource") {
                            // The derive requires them if the type has other fields.
                            for name in ["apiVersion", "kind"] {
                                schema["properties"][name] = json!({"type": "string"});
                            }
                        }
                        Typed::plain(&self.object(&schema))
                    }
                    _ => Typed::plain("serde_json::Map<String, serde_json::Value>"),
                };
                if is("x-kubernetes-embedded-resource") {
                    typed.attributes.push("embedded_resource".to_owned());
                }
                typed
            }
            "string" => match schema["format"].as_str() {
                Some(format @ ("byte" | "date" | "date-time" | "duration")) => {
                    Typed::with("String", &format!("format = {format:?}"))
                }
                _ => Typed::plain("String"),
            },
            "boolean" => Typed::plain("bool"),
            "number" => Typed::plain("f64"),
            "integer" => Typed::plain("i64"),
            _ => Typed::plain("serde_json::Value"),
        }
    }

    fn object(&mut self, schema: &Value) -> String {
        let key = schema.to_string();
        if let Some(name) = self.names.get(&key) {
            return name.clone();
        }
        let fields = self.fields(schema, false);
        let name = format!("T{}", self.names.len());
        let _ = writeln!(self.source, "#[derive(CrdSchema)]\npub struct {name} {{\n{fields}}}");
        self.names.insert(key, name.clone());
        name
    }

    /// Writes the fields of a struct.
    pub(super) fn fields(&mut self, schema: &Value, root: bool) -> String {
        let mut fields = String::new();
        if root {
            fields.push_str("#[serde(flatten)] resource: Resource,\n");
        }
        let properties = schema["properties"].as_object().into_iter().flatten();
        for (i, (wire, property)) in properties.enumerate() {
            if root && matches!(wire.as_str(), "apiVersion" | "kind" | "metadata") {
                continue;
            }
            let Typed { ty, attributes } = self.of(property);
            if !attributes.is_empty() {
                let _ = write!(fields, "#[crd({})] ", attributes.join(", "));
            }
            let _ = writeln!(fields, "#[serde(rename = {wire:?})] f{i}: {ty},");
        }
        fields
    }
}

/// Writes the attributes for bounds that apply to the schema's type.
fn bounds(schema: &Value) -> Vec<String> {
    let bound = |key: &str, attribute: &str| {
        let most = schema[key].as_i64()?;
        Some(format!("{attribute} = {}", most.max(0)))
    };
    if schema["x-kubernetes-int-or-string"] == Value::Bool(true) {
        return Vec::new();
    }
    match schema["type"].as_str().unwrap_or_default() {
        "array" if schema["items"].is_object() => {
            bound("maxItems", "max_items").into_iter().collect()
        }
        "object" if schema["additionalProperties"].is_object() => {
            bound("maxProperties", "max_properties").into_iter().collect()
        }
        "string" => {
            let values = schema["enum"].as_array().into_iter().flatten();
            let values: Vec<_> =
                values.filter_map(Value::as_str).map(|value| format!("{value:?}")).collect();
            let values =
                (!values.is_empty()).then(|| format!("enum_values({})", values.join(", ")));
            bound("maxLength", "max_length").into_iter().chain(values).collect()
        }
        _ => Vec::new(),
    }
}
