//! The output of `kubectl explain` for a kind or a field.
//!
//! Source: `k8s.io/kubectl/pkg/explain/v2/templates/plaintext.tmpl`. The template treats an empty schema as absent, and
//! so does this module.

use std::fmt::{self, Write as _};

use crd_cel::gofmt;
use serde_json::{Map, Value};

use super::wrap::{indent, wrap};
use super::{Edition, names, v3};
use crate::compiled::CompiledSchema;
use crate::field::ErrorList;
use crate::model::Manifest;

/// Width of descriptions, in characters.
const WIDTH: usize = 76;
/// The largest number of enum values in a list of fields.
const ENUM_LIMIT: usize = 4;

/// The reason why a kind or field cannot be explained.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ExplainError {
    /// The definition does not have the version, or its schema cannot be compiled.
    Definition(ErrorList),
    /// The document of the version does not have this kind.
    UnknownKind(String),
    /// The kind does not have a field of this name at the path.
    UnknownField(String),
}

impl fmt::Display for ExplainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Definition(errors) => errors.fmt(f),
            Self::UnknownKind(kind) => write!(f, "GVK {kind} not found in OpenAPI schema"),
            Self::UnknownField(name) => write!(f, "field \"{name}\" does not exist"),
        }
    }
}

impl std::error::Error for ExplainError {}

/// Explains a kind, or the field at a path such as `["spec", "replicas"]`, as `kubectl explain` prints it. `recursive`
/// prints all nested fields, without descriptions.
///
/// # Errors
/// If the CRD does not have the version, or the kind does not have the field. The error has the text of `kubectl`.
pub fn explain(
    crd: &impl Manifest,
    version: &str,
    path: &[&str],
    recursive: bool,
) -> Result<String, ExplainError> {
    let document = v3(crd, version).map_err(ExplainError::Definition)?;
    let manifest = crd.manifest().map_err(ExplainError::Definition)?;
    // The names do not depend on the schema, which may be invalid.
    let mut bare = manifest.into_owned();
    bare.spec.versions.iter_mut().for_each(|version| version.schema = None);
    let bare = CompiledSchema::for_version(&bare, version).map_err(ExplainError::Definition)?;
    let resource = bare.resource();
    let kind = &resource.names.kind;
    let mut out = String::new();
    if !resource.group.is_empty() {
        let _ = writeln!(out, "GROUP:      {}", resource.group);
    }
    let _ = writeln!(out, "KIND:       {kind}\nVERSION:    {version}\n");
    let explainer = Explainer { document: &document, recursive };
    let reference = Edition::V3.reference(&names::model(resource, kind));
    let Some(schema) = explainer.resolve(&reference) else {
        return Err(ExplainError::UnknownKind(kind.clone()));
    };
    let body = explainer.output(schema, path, &[]);
    if body.is_empty() {
        let name = path.last().copied().unwrap_or_default();
        return Err(ExplainError::UnknownField(name.to_owned()));
    }
    out.push_str(&body);
    out.push('\n');
    Ok(out)
}

/// Explains schemas of one document.
struct Explainer<'a> {
    document: &'a Value,
    recursive: bool,
}

impl<'a> Explainer<'a> {
    fn resolve(&self, reference: &str) -> Option<&'a Value> {
        self.document.pointer(reference.strip_prefix('#')?).filter(|schema| schema.is_object())
    }

    /// Returns the schema that `schema` refers to, or `schema` itself, and the reference.
    fn resolved<'s>(&self, schema: &'s Value) -> (&'s Value, Option<&'s str>)
    where
        'a: 's,
    {
        let reference = schema.get("$ref").and_then(Value::as_str);
        (reference.and_then(|reference| self.resolve(reference)).unwrap_or(schema), reference)
    }

    /// Follows a path and explains the field at its end. Returns an empty string if there is no such field.
    fn output<'s>(&self, schema: &'s Value, path: &[&str], history: &[&'s str]) -> String
    where
        'a: 's,
    {
        let (resolved, reference) = self.resolved(schema);
        let Some((first, rest)) = path.split_first() else { return self.describe(resolved) };
        if reference.is_some_and(|reference| history.contains(&reference)) {
            return String::new();
        }
        if let Some(field) = nonempty_object(resolved, "properties")
            .and_then(|properties| nonempty_object(properties, first))
        {
            let mut out = String::new();
            if rest.is_empty() {
                let _ = writeln!(out, "FIELD: {first} <{}>", self.type_of(field));
                out.push_str(&long_enum(field));
                out.push_str("\n\n");
            }
            out.push_str(&self.output(field, rest, &[]));
            return out;
        }
        let mut seen = history.to_vec();
        seen.extend(reference);
        if let Some(items) = nonempty_object(resolved, "items") {
            return self.output(items, path, &seen);
        }
        if let Some(values) = nonempty_object(resolved, "additionalProperties") {
            return self.output(values, path, &seen);
        }
        let branches = all_of(resolved).map(|branch| self.output(branch, path, &seen));
        branches.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// Returns the description of a schema and its fields.
    fn describe(&self, schema: &Value) -> String {
        let description = self.description(schema);
        let description = if description.is_empty() { "<empty>" } else { &description };
        let mut out = format!("DESCRIPTION:\n{}\n", indent(&wrap(description, WIDTH), 4));
        let docs = external_docs(schema, 0);
        if !docs.is_empty() {
            let _ = write!(out, "\n{docs}");
        }
        let fields = self.fields(schema, 1, &[]);
        if !fields.is_empty() {
            let _ = write!(out, "FIELDS:\n{fields}");
        }
        out
    }

    /// Returns the descriptions of a schema and of its `allOf`, `items` and `additionalProperties`, one line each.
    fn description(&self, schema: &Value) -> String {
        let (resolved, _) = self.resolved(schema);
        let mut out = String::new();
        if let Some(text) = text(resolved, "description") {
            let _ = writeln!(out, "{text}");
        }
        let branches = all_of(resolved)
            .chain(nonempty_object(resolved, "items"))
            .chain(nonempty_object(resolved, "additionalProperties"));
        branches.for_each(|branch| out.push_str(&self.description(branch)));
        out
    }

    /// Returns the fields of a schema and of its `allOf`, `items` and `additionalProperties`.
    fn fields<'s>(&self, schema: &'s Value, level: usize, history: &[&'s str]) -> String
    where
        'a: 's,
    {
        let (resolved, reference) = self.resolved(schema);
        if reference.is_some_and(|reference| history.contains(&reference)) {
            return String::new();
        }
        let mut seen = history.to_vec();
        seen.extend(reference);
        let mut out = String::new();
        for (name, field) in properties(resolved) {
            out.push_str(&self.field(resolved, name, field, level));
            if self.recursive {
                out.push_str(&self.fields(field, level + 1, &seen));
            }
        }
        let branches = all_of(resolved)
            .chain(nonempty_object(resolved, "items"))
            .chain(nonempty_object(resolved, "additionalProperties"));
        branches.for_each(|branch| out.push_str(&self.fields(branch, level, &seen)));
        out
    }

    /// Returns one field: its name and type, and its description unless all levels are printed.
    fn field(&self, schema: &Value, name: &str, field: &Value, level: usize) -> String {
        let pad = level * 2;
        let mut out = format!("{}\t<{}>", indent(name, pad), self.type_of(field));
        let required = schema.get("required").and_then(Value::as_array);
        if required.is_some_and(|required| required.iter().any(|required| required == name)) {
            out.push_str(" -required-");
        }
        out.push_str(&short_enum(field, pad));
        out.push('\n');
        if self.recursive {
            return out;
        }
        let description = text(field, "description").unwrap_or("<no description>");
        let description = indent(&wrap(description, (WIDTH + 2).saturating_sub(pad)), pad + 2);
        let _ = writeln!(out, "{description}");
        let docs = external_docs(field, pad + 2);
        if !docs.is_empty() {
            let _ = write!(out, "\n{docs}");
        }
        out.push('\n');
        out
    }

    /// Returns the short form of a type: `string`, `[]Object`, `map[string]string`, or the name of a referenced
    /// definition.
    fn type_of(&self, schema: &Value) -> String {
        if let Some(items) = nonempty_object(schema, "items") {
            return format!("[]{}", self.type_of(items));
        }
        if let Some(values) = nonempty_object(schema, "additionalProperties") {
            return format!("map[string]{}", self.type_of(values));
        }
        let mut branches = all_of(schema);
        if let (Some(only), None, None) =
            (branches.next(), branches.next(), nonempty_object(schema, "properties"))
        {
            return self.type_of(only);
        }
        let named = |type_: Option<&str>| match type_ {
            None | Some("object") => "Object".to_owned(),
            Some(type_) => type_.to_owned(),
        };
        let Some(reference) = schema.get("$ref").and_then(Value::as_str) else {
            return named(text(schema, "type"));
        };
        match self.resolve(reference).and_then(|schema| text(schema, "type")) {
            None | Some("object") => {
                let name = reference.rsplit(['/', '.']).next().unwrap_or_default();
                if name.is_empty() { named(None) } else { name.to_owned() }
            }
            type_ => named(type_),
        }
    }
}

/// Returns the value of a keyword if it is a non-empty object.
fn nonempty_object<'s>(schema: &'s Value, keyword: &str) -> Option<&'s Value> {
    schema.get(keyword).filter(|below| below.as_object().is_some_and(|below| !below.is_empty()))
}

fn all_of(schema: &Value) -> impl Iterator<Item = &Value> {
    schema.get("allOf").and_then(Value::as_array).into_iter().flatten()
}

/// Returns the properties, sorted by name.
fn properties(schema: &Value) -> Vec<(&String, &Value)> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut properties: Vec<_> = properties.into_iter().flat_map(Map::iter).collect();
    properties.sort_unstable_by_key(|(name, _)| *name);
    properties
}

fn text<'s>(schema: &'s Value, keyword: &str) -> Option<&'s str> {
    schema.get(keyword).and_then(Value::as_str).filter(|text| !text.is_empty())
}

fn external_docs(schema: &Value, pad: usize) -> String {
    let Some(docs) = nonempty_object(schema, "externalDocs") else { return String::new() };
    let mut out = format!("{}\n", indent("EXTERNAL DOCS:", pad));
    if let Some(description) = text(docs, "description") {
        // Upstream: in a list of fields, the width is reduced by the indentation of the field, not by that of the text.
        let width = WIDTH.saturating_sub(pad.saturating_sub(2));
        let _ = writeln!(
            out,
            "{}",
            indent(&wrap(description, width), if pad == 0 { 4 } else { pad + 2 })
        );
    }
    if let Some(url) = text(docs, "url") {
        let _ =
            writeln!(out, "{}", indent(&format!("URL: {url}"), if pad == 0 { 4 } else { pad + 2 }));
    }
    out
}

/// Returns all values of an enum, one per line.
fn long_enum(schema: &Value) -> String {
    let values = enum_of(schema);
    if values.is_empty() {
        return String::new();
    }
    let lines: Vec<String> =
        values.iter().map(|value| format!("\n    {}", go_text(value))).collect();
    format!("ENUM:{}", lines.concat())
}

/// Returns the first values of an enum, on one line.
fn short_enum(schema: &Value, pad: usize) -> String {
    let values = enum_of(schema);
    if values.is_empty() {
        return String::new();
    }
    let mut shown: Vec<String> = values.iter().take(ENUM_LIMIT).map(go_text).collect();
    if values.len() > ENUM_LIMIT {
        shown.push("....".to_owned());
    }
    format!("\n{}enum: {}", " ".repeat(pad), shown.join(", "))
}

fn enum_of(schema: &Value) -> &[Value] {
    schema.get("enum").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Formats a value as a Go template does.
fn go_text(value: &Value) -> String {
    match value {
        Value::String(text) if text.is_empty() => "\"\"".to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(number) => gofmt::float_v(number.as_f64().unwrap_or_default()),
        Value::Null => "<nil>".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::CustomResourceDefinition;

    fn crd() -> CustomResourceDefinition {
        let root = json!({
            "type": "object",
            "description": "A job that comes back.",
            "properties": {"spec": {"type": "object", "required": ["cronSpec"], "properties": {
                "cronSpec": {"type": "string", "description": "When, in five fields."},
                "policy": {"type": "string", "enum": ["a", "", "c", "d", "e"]},
                "ports": {"type": "array", "items": {"type": "object", "properties": {"port": {"type": "integer"}}}},
                "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            }}},
        });
        crd_fixtures::crd("stable.example.com", "CronTab").version("v1", root).read()
    }

    #[track_caller]
    fn check(path: &[&str], recursive: bool, want: &str) {
        let head = "GROUP:      stable.example.com\nKIND:       CronTab\nVERSION:    v1\n\n";
        assert_eq!(explain(&crd(), "v1", path, recursive), Ok(format!("{head}{want}\n")));
    }

    #[test]
    fn a_field_with_fields() {
        check(
            &["spec"],
            false,
            "FIELD: spec <Object>\n\n\nDESCRIPTION:\n    <empty>\nFIELDS:\n\
            \x20 cronSpec\t<string> -required-\n    When, in five fields.\n\n\
            \x20 labels\t<map[string]string>\n    <no description>\n\n\
            \x20 policy\t<string>\n  enum: a, \"\", c, d, ....\n    <no description>\n\n\
            \x20 ports\t<[]Object>\n    <no description>\n\n",
        );
    }

    #[test]
    fn a_field_without_fields() {
        check(
            &["spec", "ports", "port"],
            false,
            "FIELD: port <integer>\n\n\nDESCRIPTION:\n    <empty>\n",
        );
        check(
            &["spec", "policy"],
            false,
            "FIELD: policy <string>\nENUM:\n    a\n    \"\"\n    c\n    d\n    e\n\nDESCRIPTION:\n    <empty>\n",
        );
    }

    #[test]
    fn recursive_prints_nested_fields() {
        check(
            &["spec"],
            true,
            "FIELD: spec <Object>\n\n\nDESCRIPTION:\n    <empty>\nFIELDS:\n\
            \x20 cronSpec\t<string> -required-\n  labels\t<map[string]string>\n  policy\t<string>\n  enum: a, \"\", c, d, ....\n\
            \x20 ports\t<[]Object>\n    port\t<integer>\n",
        );
    }

    #[test]
    fn the_kind_and_its_metadata() {
        let text = explain(&crd(), "v1", &[], false).expect("explained");
        assert!(
            text.contains(
                "DESCRIPTION:\n    A job that comes back.\n    \nFIELDS:\n  apiVersion\t<string>\n"
            ),
            "{text}"
        );
        assert!(
            text.contains(
                "\n  metadata\t<ObjectMeta>\n    Standard object's metadata. More info:\n"
            ),
            "{text}"
        );
        let text = explain(&crd(), "v1", &["metadata", "ownerReferences", "uid"], false)
            .expect("explained");
        assert!(text.contains("FIELD: uid <string>\n"), "{text}");
    }

    #[test]
    fn missing_fields_and_versions_are_errors() {
        assert_eq!(
            explain(&crd(), "v1", &["spec", "nope"], false),
            Err(ExplainError::UnknownField("nope".to_owned()))
        );
        assert!(explain(&crd(), "v2", &[], false).is_err());
    }
}
