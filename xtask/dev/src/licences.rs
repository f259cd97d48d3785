//! `cargo dev licences`: checks the licences and sources of all dependencies against `deny.toml`, without cargo-deny.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use toml_edit::{DocumentMut, Item};

use crate::metadata::{self, array, text};
use crate::{Outcome, say};

const CONFIGURATION: &str = "deny.toml";
/// The only registry, as `cargo metadata` names it.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

pub(crate) fn run() -> Outcome {
    let metadata = metadata::read()?;
    let path = Path::new(text(&metadata["workspace_root"])).join(CONFIGURATION);
    let at = |error: &dyn std::fmt::Display| format!("{CONFIGURATION}: {error}");
    let configuration: DocumentMut = fs::read_to_string(path)
        .map_err(|error| at(&error))?
        .parse()
        .map_err(|error: toml_edit::TomlError| at(&error))?;
    let allowed = strings(&configuration["licenses"]["allow"]);
    let denied = strings(&configuration["bans"]["deny"]);
    let packages = array(&metadata["packages"]);
    let mut used = BTreeSet::new();
    let mut errors: Vec<String> = packages
        .iter()
        .filter_map(|package| {
            let error = error_of(package, &allowed, &denied, &mut used)?;
            Some(format!("{} {}: {error}", text(&package["name"]), text(&package["version"])))
        })
        .collect();
    let unused = allowed.difference(&used);
    errors.extend(unused.map(|licence| at(&format!("no dependency needs {licence}"))));
    if errors.is_empty() {
        say(&format!("{} packages: licences and sources are allowed", packages.len()));
        return Ok(true);
    }
    Err(errors.join("\n"))
}

/// Returns why a package is not allowed; `None` if it is. Adds the licences that it needs to `used`.
fn error_of(
    package: &Value,
    allowed: &BTreeSet<String>,
    denied: &BTreeSet<String>,
    used: &mut BTreeSet<String>,
) -> Option<String> {
    if denied.contains(text(&package["name"])) {
        return Some("is denied".to_owned());
    }
    match package["source"].as_str() {
        // A package of the workspace.
        None => return None,
        Some(REGISTRY) => {}
        Some(source) => return Some(format!("comes from {source}")),
    }
    let licence = text(&package["license"]);
    match chosen(licence, allowed) {
        Some(licences) => {
            used.extend(licences);
            None
        }
        None => Some(format!("its licence is `{licence}`")),
    }
}

/// Returns the licences by which an expression is satisfied: of alternatives the first that is allowed. `None` if there
/// is none. `/` is the `OR` of old manifests; `AND` binds more tightly than `OR`.
fn chosen(expression: &str, allowed: &BTreeSet<String>) -> Option<BTreeSet<String>> {
    let expression = expression.trim();
    let inner = expression.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    if let Some(inner) = inner.filter(|inner| !inner.contains(['(', ')'])) {
        return chosen(inner, allowed);
    }
    let alternatives = split(expression, &[" OR ", "/"]);
    if alternatives.len() > 1 {
        return alternatives.into_iter().find_map(|alternative| chosen(alternative, allowed));
    }
    let parts = split(expression, &[" AND "]);
    if parts.len() > 1 {
        let parts = parts.into_iter().map(|part| chosen(part, allowed));
        return parts.collect::<Option<Vec<_>>>().map(|sets| sets.into_iter().flatten().collect());
    }
    allowed.get(expression).map(|licence| [licence.clone()].into())
}

/// Splits an expression at separators that are outside of parentheses.
fn split<'a>(expression: &'a str, separators: &[&str]) -> Vec<&'a str> {
    let (mut parts, mut begin, mut depth) = (Vec::new(), 0, 0_u32);
    for (at, c) in expression.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let rest = &expression[at..];
        let found = separators.iter().find(|separator| rest.starts_with(**separator));
        if let Some(separator) = found.filter(|_| depth == 0 && at >= begin) {
            parts.push(&expression[begin..at]);
            begin = at + separator.len();
        }
    }
    parts.push(&expression[begin..]);
    parts
}

fn strings(list: &Item) -> BTreeSet<String> {
    let items = list.as_array().into_iter().flat_map(|list| list.iter());
    items.filter_map(|item| item.as_str()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn set(licences: &[&str]) -> BTreeSet<String> {
        licences.iter().map(|licence| (*licence).to_owned()).collect()
    }

    #[test]
    fn an_expression_is_satisfied_by_allowed_licences() {
        let allowed = set(&["Apache-2.0", "Apache-2.0 WITH LLVM-exception", "MIT", "Unicode-3.0"]);
        for (expression, want) in [
            ("MIT", Some(&["MIT"][..])),
            ("GPL-3.0", None),
            ("GPL-3.0 OR MIT", Some(&["MIT"])),
            ("Unlicense/MIT", Some(&["MIT"])),
            ("Apache-2.0 / MIT", Some(&["Apache-2.0"])),
            ("MIT AND GPL-3.0", None),
            ("GPL-3.0 OR MIT AND Apache-2.0", Some(&["MIT", "Apache-2.0"])),
            ("(GPL-3.0 OR MIT) AND Unicode-3.0", Some(&["MIT", "Unicode-3.0"])),
            ("(MIT) OR (Apache-2.0)", Some(&["MIT"])),
            ("Apache-2.0 WITH LLVM-exception", Some(&["Apache-2.0 WITH LLVM-exception"])),
            ("", None),
        ] {
            assert_eq!(chosen(expression, &allowed), want.map(set), "{expression}");
        }
    }

    #[test]
    fn a_package_comes_from_the_registry() {
        let (allowed, denied) = (set(&["MIT"]), set(&["openssl"]));
        let error = |name: &str, source: Value| {
            let package = json!({"name": name, "source": source, "license": "MIT"});
            error_of(&package, &allowed, &denied, &mut BTreeSet::new())
        };
        assert_eq!(error("a", json!(REGISTRY)), None);
        assert_eq!(error("own", json!(null)), None);
        assert_eq!(error("openssl", json!(REGISTRY)).as_deref(), Some("is denied"));
        let git = json!("git+https://example.com/a");
        assert_eq!(error("a", git).as_deref(), Some("comes from git+https://example.com/a"));
    }
}
