//! Changes that are allowed, each with a reason.
//!
//! ```toml
//! [[allow]]
//! id = "enum-value-removed"
//! definition = "crontabs.stable.example.com"
//! version = "v1"
//! path = "spec.phase"
//! reason = "no released controller has written `Paused`"
//! ```

use std::fs;
use std::path::Path;

use toml_edit::{DocumentMut, Table};

use super::change::Change;
use super::kinds;
use crate::CommandError;

/// The keys of an entry.
const KEYS: [&str; 5] = ["id", "definition", "version", "path", "reason"];

/// An entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Allowed {
    id: String,
    definition: Option<String>,
    version: Option<String>,
    /// The path, or its beginning if it ends in `*`.
    path: Option<String>,
    reason: String,
    is_used: bool,
}

/// Reads the allowed changes of a file.
pub(super) fn read(file: Option<&Path>) -> Result<Vec<Allowed>, CommandError> {
    let Some(path) = file else { return Ok(Vec::new()) };
    let about = |message: String| CommandError(format!("{}: {message}", path.display()));
    parse(&fs::read_to_string(path).map_err(|error| about(error.to_string()))?).map_err(about)
}

fn parse(text: &str) -> Result<Vec<Allowed>, String> {
    let document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| error.to_string())?;
    if let Some((key, _)) = document.iter().find(|(key, _)| *key != "allow") {
        return Err(format!("`{key}` is unknown; write `[[allow]]`"));
    }
    let Some(entries) = document.get("allow") else { return Ok(Vec::new()) };
    let entries = entries.as_array_of_tables();
    entries.ok_or("`allow` is not a list of tables; write `[[allow]]`")?.iter().map(entry).collect()
}

fn entry(table: &Table) -> Result<Allowed, String> {
    if let Some((key, _)) = table.iter().find(|(key, _)| !KEYS.contains(key)) {
        return Err(format!("`{key}` is unknown in `[[allow]]`; its keys are {}", KEYS.join(", ")));
    }
    let text = |key: &str| match table.get(key) {
        None => Ok(None),
        Some(item) => {
            let text = item.as_str().ok_or_else(|| format!("`{key}` is not a string"))?;
            Ok::<_, String>(Some(text.to_owned()))
        }
    };
    let required = |key: &str| {
        let text = text(key)?.filter(|text| !text.trim().is_empty());
        text.ok_or_else(|| format!("an entry of `[[allow]]` has no `{key}`"))
    };
    let id = required("id")?;
    if kinds::find(&id).is_none() {
        return Err(format!("`{id}` is no kind of change"));
    }
    let (definition, version, path) = (text("definition")?, text("version")?, text("path")?);
    Ok(Allowed { id, definition, version, path, reason: required("reason")?, is_used: false })
}

/// Notes the reason in each change that is allowed.
pub(super) fn apply(allowed: &mut [Allowed], definition: &str, changes: &mut [Change]) {
    for change in changes {
        let is_allowed = |entry: &&mut Allowed| {
            let is = |wanted: &Option<String>, found: &str| {
                wanted.as_deref().is_none_or(|wanted| wanted == found)
            };
            let path = change.site.shown();
            let fits = entry.path.as_ref().is_none_or(|wanted| match wanted.strip_suffix('*') {
                Some(start) => path.starts_with(start),
                None => path == *wanted,
            });
            entry.id == change.kind.id
                && is(&entry.definition, definition)
                && is(&entry.version, &change.version)
                && fits
        };
        if let Some(entry) = allowed.iter_mut().find(is_allowed) {
            entry.is_used = true;
            change.allowed = Some(entry.reason.clone());
        }
    }
}

/// Returns the entries that allowed nothing.
pub(super) fn unused(allowed: &[Allowed]) -> impl Iterator<Item = String> {
    let unused = allowed.iter().filter(|entry| !entry.is_used);
    unused.map(|Allowed { id, path, .. }| match path {
        Some(path) => format!("`{id}` at `{path}`"),
        None => format!("`{id}`"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::change::Site;

    #[test]
    fn entries_allow_by_id_and_path() {
        let text = "[[allow]]\nid = \"rule-added\"\npath = \"spec.*\"\nreason = \"x\"\n";
        let mut allowed = parse(text).expect("a file");
        let at = |name: &str| {
            Change::new(&kinds::RULE_ADDED, &Site::of_field("").property(name).property("a"), "")
        };
        let mut changes = [at("spec"), at("status")];
        apply(&mut allowed, "d", &mut changes);
        assert_eq!(changes.map(|change| change.allowed), [Some("x".to_owned()), None]);
        assert_eq!(unused(&allowed).count(), 0);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, message) in [
            ("[[allow]]\nid = \"x\"\nreason = \"y\"", "`x` is no kind of change"),
            ("[[allow]]\nid = \"rule-added\"", "an entry of `[[allow]]` has no `reason`"),
            (
                "[[allow]]\nids = \"x\"",
                "`ids` is unknown in `[[allow]]`; its keys are id, definition, version, path, reason",
            ),
            ("x = 1", "`x` is unknown; write `[[allow]]`"),
            ("allow = 1", "`allow` is not a list of tables; write `[[allow]]`"),
        ] {
            assert_eq!(parse(text), Err(message.to_owned()), "{text}");
        }
    }
}
