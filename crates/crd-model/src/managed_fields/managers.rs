//! The managers of an object, and the conflicts between them.
//!
//! Source: apimachinery `pkg/util/managedfields/internal/managedfields.go`, `DecodeManagedFields`, and
//! `internal/conflict.go`.

use std::collections::BTreeMap;

use crd_cel::gofmt;
use serde_json::Value;

use super::field_set::FieldSet;
use crate::json;

/// A manager, ordered as the server orders managers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Manager {
    /// Upstream's key of a manager: the other fields as JSON.
    identifier: String,
    pub(crate) name: String,
    /// The version in which it wrote; `None` for a manager that applies, because it is one manager for all versions.
    update: Option<String>,
    subresource: String,
}

/// The fields that a manager owns.
#[derive(Debug, Clone)]
pub(super) struct Owned {
    pub api_version: String,
    pub fields: FieldSet,
    /// The time of its last write, as the entry has it.
    pub time: Option<Value>,
}

/// The managers of an object, with the fields that each owns.
pub(super) type Managers = BTreeMap<Manager, Owned>;

/// A field that an apply would change, and its manager.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    pub(crate) manager: Manager,
    /// The field's path, such as `.spec.ports[name="http"].port`.
    pub field: String,
}

impl Manager {
    /// Returns a manager that applies.
    pub(super) fn applier(name: &str, subresource: &str) -> Self {
        Self::of(name, None, subresource)
    }

    /// Returns a manager that writes with other verbs than apply.
    pub(super) fn updater(name: &str, api_version: &str, subresource: &str) -> Self {
        Self::of(name, Some(api_version), subresource)
    }

    fn of(name: &str, update: Option<&str>, subresource: &str) -> Self {
        let operation = if update.is_some() { "Update" } else { "Apply" };
        let mut identifier = String::new();
        let parts = [
            ("manager", name),
            ("operation", operation),
            ("apiVersion", update.unwrap_or_default()),
            ("subresource", subresource),
        ];
        for (key, text) in parts.into_iter().filter(|(_, text)| !text.is_empty()) {
            identifier.push_str(if identifier.is_empty() { "{" } else { "," });
            json::write_string(&mut identifier, key);
            identifier.push(':');
            json::write_string(&mut identifier, text);
        }
        identifier.push('}');
        Self {
            identifier,
            name: name.to_owned(),
            update: update.map(str::to_owned),
            subresource: subresource.to_owned(),
        }
    }

    /// Returns whether it applies; if not, it updates.
    pub(super) fn applies(&self) -> bool {
        self.update.is_none()
    }

    pub(super) fn subresource(&self) -> &str {
        &self.subresource
    }

    /// Source: `printManager`.
    fn text(&self) -> String {
        let mut text = gofmt::quote(&self.name);
        if !self.subresource.is_empty() {
            text = format!("{text} with subresource {}", gofmt::quote(&self.subresource));
        }
        match &self.update {
            Some(version) => format!("{text} using {version}"),
            None => text,
        }
    }
}

impl Conflict {
    /// Returns the server's text for one field.
    pub fn text(&self) -> String {
        format!("conflict with {}", self.manager.text())
    }

    /// Returns the server's text for an apply with these conflicts, in the order of their managers. Source:
    /// `getConflictMessage`.
    pub fn message(conflicts: &[Self]) -> String {
        if let [conflict] = conflicts {
            let (text, field) = (conflict.text(), &conflict.field);
            return format!("Apply failed with 1 conflict: {text}: {field}");
        }
        let mut lines = Vec::new();
        let mut last = None;
        for Self { manager, field } in conflicts {
            if last != Some(manager) {
                lines.push(format!("conflicts with {}:", manager.text()));
                last = Some(manager);
            }
            lines.push(format!("- {field}"));
        }
        format!("Apply failed with {} conflicts: {}", conflicts.len(), lines.join("\n"))
    }
}

/// Returns the managers in the managed fields of an object; `None` if the server cannot read them either.
pub(super) fn of(object: &Value) -> Option<Managers> {
    let mut managers = Managers::new();
    let entries = match object.pointer("/metadata/managedFields") {
        None | Some(Value::Null) => return Some(managers),
        Some(entries) => entries.as_array()?,
    };
    for entry in entries {
        let text = |key: &str| match entry.get(key) {
            None => Some(""),
            Some(value) => value.as_str(),
        };
        let api_version = text("apiVersion")?;
        let update = match text("operation")? {
            "Apply" => None,
            "Update" => Some(api_version),
            _ => return None,
        };
        if api_version.is_empty() || text("fieldsType")? != "FieldsV1" {
            return None;
        }
        let fields = match entry.get("fieldsV1") {
            None => FieldSet::default(),
            Some(fields) => FieldSet::parse(fields).ok()?,
        };
        let manager = Manager::of(text("manager")?, update, text("subresource")?);
        let time = entry.get("time").filter(|time| !time.is_null()).cloned();
        managers.insert(manager, Owned { api_version: api_version.to_owned(), fields, time });
    }
    Some(managers)
}
