//! Checks names against the glossary: for example, its word is `reject`, so names must not contain `refuse`.

use super::code::{Tree, line_of};
use super::{Exceptions, Finding};

/// A row of the glossary: the word, and the words that it replaces.
struct Row<'a> {
    word: &'a str,
    not: Vec<&'a str>,
}

/// Reports names of items and local variables with words that the glossary of ARCHITECTURE.md replaces.
pub(super) fn check(tree: &Tree, exceptions: &mut Exceptions<'_>) -> Vec<Finding> {
    let rows = glossary(&tree.architecture);
    let mut findings = Vec::new();
    if rows.is_empty() {
        findings.push(Finding::of("ARCHITECTURE.md", 1, "no table below `## Glossary`".to_owned()));
    }
    for file in &tree.files {
        for (name, at) in names(&file.code) {
            for part in parts(name) {
                if let Some(row) = rows.iter().find(|row| row.not.contains(&part.as_str()))
                    && !exceptions.allows("word", &format!("{} {name}", file.path))
                {
                    let text = format!("`{name}`: the glossary's word is `{}`", row.word);
                    findings.push(Finding::of(&file.path, line_of(&file.code, at), text));
                }
            }
        }
    }
    findings
}

fn glossary(architecture: &str) -> Vec<Row<'_>> {
    let Some((_, section)) = architecture.split_once("\n## Glossary\n") else { return Vec::new() };
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter(|line| line.starts_with('|')).skip(2);
    rows.filter_map(row).collect()
}

fn row(line: &str) -> Option<Row<'_>> {
    let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
    let [word, _, not] = cells[..] else { return None };
    let not = not.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
    Some(Row { word, not })
}

/// Returns the names of items and local variables, which follow keywords such as `fn` and `let`, with their offsets.
fn names(code: &str) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    let keywords =
        ["fn ", "struct ", "enum ", "trait ", "mod ", "const ", "static ", "type ", "let ", "mut "];
    for keyword in keywords {
        for (at, _) in code.match_indices(keyword) {
            if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
                continue;
            }
            let name =
                code[at + keyword.len()..].split(|c: char| !c.is_alphanumeric() && c != '_').next();
            found.extend(name.filter(|name| !name.is_empty()).map(|name| (name, at)));
        }
    }
    found.sort_by_key(|(_, at)| *at);
    found
}

/// Splits a name into words in lower case: `read_all`, `ReadAll` and `READ_ALL` are `read` and `all`.
fn parts(name: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for piece in name.split('_') {
        if piece.chars().all(|c| !c.is_lowercase()) {
            parts.push(piece.to_lowercase());
            continue;
        }
        let mut word = String::new();
        for c in piece.chars() {
            if c.is_uppercase() && !word.is_empty() {
                parts.push(std::mem::take(&mut word));
            }
            word.extend(c.to_lowercase());
        }
        parts.push(word);
    }
    parts
}
