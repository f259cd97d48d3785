//! Reads the roles of a manifest.

use std::fmt;

use serde_json::Value;

use super::{Role, Rule};
use crate::yaml;

/// The error of a manifest whose roles cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    /// The line of the error, or the first line of the document that contains it; counted from 1.
    pub line: usize,
    /// The problem, such as `"operator": rules[0].verbs: must be a list of texts`.
    pub message: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for Error {}

pub(super) fn roles(text: &str) -> Result<Vec<Role>, Error> {
    let mut roles = Vec::new();
    for document in yaml::documents(text) {
        let document = document.map_err(|error| {
            let mut message = error.message.clone();
            if text.contains("{{") {
                message = format!("{message}; render a chart with `helm template` first");
            }
            Error { line: error.line, message }
        })?;
        let located = |message: String| Error { line: document.line, message };
        let list = match document.value.get("kind").and_then(Value::as_str) {
            Some("List") => document.value.get("items").and_then(Value::as_array).cloned(),
            _ => Some(vec![document.value.clone()]),
        };
        for object in list.unwrap_or_default() {
            roles.extend(role(&object).map_err(located)?);
        }
    }
    roles.sort_by(|a, b| (&a.namespace, &a.name).cmp(&(&b.namespace, &b.name)));
    Ok(roles)
}

/// Reads an object as a role; `None` if it is of another kind.
fn role(object: &Value) -> Result<Option<Role>, String> {
    let text = |at: &str| object.pointer(at).and_then(Value::as_str).unwrap_or_default();
    if !text("/apiVersion").starts_with("rbac.authorization.k8s.io/") {
        return Ok(None);
    }
    let namespace = match (text("/kind"), text("/metadata/namespace")) {
        ("ClusterRole", _) => "",
        ("Role", "") => "default",
        ("Role", namespace) => namespace,
        _ => return Ok(None),
    };
    let name = text("/metadata/name").to_owned();
    let rules = match object.get("rules") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(rules)) => {
            let rules = rules.iter().enumerate().map(|(index, rule)| {
                self::rule(rule).map_err(|why| format!("{name:?}: rules[{index}]{why}"))
            });
            rules.collect::<Result<_, _>>()?
        }
        Some(_) => return Err(format!("{name:?}: rules: must be a list")),
    };
    Ok(Some(Role { namespace: namespace.to_owned(), name, rules }))
}

fn rule(rule: &Value) -> Result<Rule, String> {
    let list = |key: &str| match rule.get(key) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(list)) => list
            .iter()
            .map(|one| one.as_str().map(str::to_owned))
            .collect::<Option<Vec<String>>>()
            .ok_or_else(|| format!(".{key}: must be a list of texts")),
        Some(_) => Err(format!(".{key}: must be a list of texts")),
    };
    Ok(Rule {
        api_groups: list("apiGroups")?,
        non_resource_urls: list("nonResourceURLs")?,
        resource_names: list("resourceNames")?,
        resources: list("resources")?,
        verbs: list("verbs")?,
    })
}
