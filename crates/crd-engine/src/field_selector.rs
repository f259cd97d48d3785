//! Field selectors, as list and watch evaluate them.
//!
//! Source: `k8s.io/apimachinery/pkg/fields/selector.go`; `selectableFields` and `objectMetaFieldsSet` in
//! `pkg/registry/customresource/strategy.go` of apiextensions-apiserver.

use std::fmt;

use serde_json::Value;

use crate::compiled::CompiledSchema;
use crate::json_path::Template;
use crate::table;

/// A field selector, such as `spec.color=blue,metadata.name!=mine`. An object is selected if all terms hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldSelector {
    terms: Vec<Term>,
}

/// An error of parsing or evaluating a selector, with the server's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Term {
    label: String,
    equals: bool,
    value: String,
}

impl FieldSelector {
    /// Parses a selector. In a value, a comma, an equals sign and a backslash are escaped with `\`.
    ///
    /// # Errors
    /// If a term has no operator or a value is not escaped correctly, with the server's text.
    pub fn parse(selector: &str) -> Result<Self, Error> {
        let mut parts = split_terms(selector);
        // Upstream: the terms are sorted, so an error is about the first malformed one in this order.
        parts.sort_unstable();
        let terms = parts.into_iter().filter(|part| !part.is_empty()).map(|part| {
            let (label, operator, value) = split_term(part).ok_or_else(|| {
                Error(format!("invalid selector: '{selector}'; can't understand '{part}'"))
            })?;
            let value = unescape(value)?;
            Ok(Term { label: label.to_owned(), equals: operator != "!=", value })
        });
        Ok(Self { terms: terms.collect::<Result<_, Error>>()? })
    }

    /// Checks that the kind supports the label of every term.
    ///
    /// # Errors
    /// If it does not support one, with the text of the server's status 400.
    pub fn check(&self, schema: &CompiledSchema) -> Result<(), Error> {
        let resource = schema.resource();
        for term in self.terms.iter().filter(|term| !term.is_everything()) {
            let label = term.label.as_str();
            let known = match label {
                "metadata.name" => true,
                "metadata.namespace" => resource.namespaced,
                label => {
                    resource.selectable_fields.iter().any(|field| name(&field.json_path) == label)
                }
            };
            if !known {
                return Err(Error(format!("field label not supported: {label}")));
            }
        }
        Ok(())
    }

    /// Returns each term: its label, whether the operator is `=` rather than `!=`, and its value.
    pub fn terms(&self) -> impl Iterator<Item = (&str, bool, &str)> {
        let terms = self.terms.iter().filter(|term| !term.is_everything());
        terms.map(|term| (term.label.as_str(), term.equals, term.value.as_str()))
    }

    /// Returns whether an object is selected. The object must have been [read](crate::admit::read).
    ///
    /// # Errors
    /// If a selectable field cannot be evaluated. On the server, this error fails the whole list.
    pub fn matches(&self, schema: &CompiledSchema, object: &Value) -> Result<bool, Error> {
        let values = selectable(schema, object)?;
        Ok(self.terms.iter().filter(|term| !term.is_everything()).all(|term| {
            let found = values.iter().find(|(label, _)| *label == term.label);
            let value = found.map_or("", |(_, value)| value.as_str());
            (value == term.value) == term.equals
        }))
    }
}

impl Term {
    /// Upstream: a term with an empty label and an empty value matches every object.
    fn is_everything(&self) -> bool {
        self.label.is_empty() && self.value.is_empty()
    }
}

/// Returns the labels that an object can be selected by, and their values.
fn selectable(schema: &CompiledSchema, object: &Value) -> Result<Vec<(String, String)>, Error> {
    let resource = schema.resource();
    let meta = |key: &str| {
        let value = object.get("metadata").and_then(|metadata| metadata.get(key));
        value.and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let mut values = vec![("metadata.name".to_owned(), meta("name"))];
    if resource.namespaced {
        values.push(("metadata.namespace".to_owned(), meta("namespace")));
    }
    for field in &resource.selectable_fields {
        let path = Template::parse_path(&field.json_path)
            .map_err(|error| Error(format!("unexpected error parsing jsonPath: {error}")))?;
        let groups = path.find(object).map_err(|error| {
            Error(format!("unexpected error finding value with jsonPath: {error}"))
        })?;
        let value = match &groups[..] {
            [] => String::new(),
            [group] => match &group[..] {
                [] => String::new(),
                [value] if value.is_null() => String::new(),
                [value] => table::text(value),
                _ => return Err(more_than_one()),
            },
            [first, ..] if first.is_empty() => String::new(),
            _ => return Err(more_than_one()),
        };
        values.push((name(&field.json_path).to_owned(), value));
    }
    Ok(values)
}

fn more_than_one() -> Error {
    Error("unexpectedly received more than one JSON path result".to_owned())
}

fn name(json_path: &str) -> &str {
    json_path.strip_prefix('.').unwrap_or(json_path)
}

/// Splits at commas that are not escaped.
fn split_terms(selector: &str) -> Vec<&str> {
    let mut escaped = false;
    selector
        .split(|c| {
            let splits = c == ',' && !escaped;
            escaped = c == '\\' && !escaped;
            splits
        })
        .collect()
}

/// Splits at the first operator.
fn split_term(term: &str) -> Option<(&str, &str, &str)> {
    term.char_indices().find_map(|(at, _)| {
        let (label, rest) = term.split_at_checked(at)?;
        ["!=", "==", "="]
            .into_iter()
            .find_map(|operator| Some((label, operator, rest.strip_prefix(operator)?)))
    })
}

fn unescape(value: &str) -> Result<String, Error> {
    let invalid = |text: &str| Error(format!("invalid field selector: {text}"));
    let mut out = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some(c @ ('\\' | ',' | '=')) => out.push(c),
                Some(c) => {
                    return Err(invalid(&format!("invalid escape sequence: \\{c}")));
                }
                None => {
                    return Err(invalid("invalid escape sequence: \\"));
                }
            },
            ',' | '=' => {
                let code = u32::from(c);
                return Err(invalid(&format!("unescaped character in value: {code}")));
            }
            c => out.push(c),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::CustomResourceDefinition;

    fn schema(scope: &str) -> CompiledSchema {
        let any = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        let fields = json!([{"jsonPath": ".spec.color"}, {"jsonPath": ".spec.size"}]);
        let crd = crd_fixtures::crd("example.com", "Shirt").version("v1", any);
        let crd = crd.set("/spec/scope", scope).set("/spec/versions/0/selectableFields", fields);
        let crd: CustomResourceDefinition = crd.read();
        CompiledSchema::for_version(&crd, "v1").expect("a schema")
    }

    #[track_caller]
    fn check(selector: &str, want: bool) {
        let object = json!({
            "metadata": {"name": "mine", "namespace": "here"},
            "spec": {"color": "blue,=\\", "size": 42, "other": "x"},
        });
        let schema = schema("Namespaced");
        let selector = FieldSelector::parse(selector).expect("a selector");
        assert_eq!(selector.check(&schema), Ok(()));
        assert_eq!(selector.matches(&schema, &object), Ok(want));
    }

    #[track_caller]
    fn check_error(selector: &str, want: &str) {
        let got =
            FieldSelector::parse(selector).and_then(|selector| selector.check(&schema("Cluster")));
        assert_eq!(got, Err(Error(want.to_owned())));
    }

    #[test]
    fn terms() {
        check("", true);
        check(",", true);
        check("=", true);
        check("metadata.name=mine", true);
        check("metadata.name==mine,metadata.namespace=here", true);
        check("metadata.name!=mine", false);
        check("spec.size=42", true);
        check("spec.size!=42", false);
        check(r"spec.color=blue\,\=\\", true);
    }

    #[test]
    fn an_absent_field_equals_the_empty_text() {
        let schema = schema("Namespaced");
        for object in [json!({}), json!({"spec": {"color": null}}), json!({"spec": {"color": ""}})]
        {
            for (selector, want) in
                [("spec.color=", true), ("spec.color!=a", true), ("spec.color=a", false)]
            {
                let selector = FieldSelector::parse(selector).expect("a selector");
                assert_eq!(selector.matches(&schema, &object), Ok(want));
            }
        }
    }

    #[test]
    fn malformed_selectors_are_rejected() {
        check_error("a", "invalid selector: 'a'; can't understand 'a'");
        check_error("a=b=c", "invalid field selector: unescaped character in value: 61");
        check_error(r"a=\x", r"invalid field selector: invalid escape sequence: \x");
        check_error(r"a=b\", r"invalid field selector: invalid escape sequence: \");
        check_error("spec.other=x", "field label not supported: spec.other");
        check_error("metadata.namespace=here", "field label not supported: metadata.namespace");
    }
}
