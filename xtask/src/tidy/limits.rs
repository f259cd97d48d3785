//! Checks that the documentation of each constant limit has its unit.

use super::Finding;
use super::code::{Tree, line_of};

/// Words in the name of a constant that make it a limit.
const NAMES: [&str; 6] = ["MAX", "LIMIT", "BUDGET", "TIMEOUT", "CAPACITY", "FUEL"];

/// Words of documentation that are units or counted things.
const UNITS: [&str; 38] = [
    "byte",
    "bytes",
    "bit",
    "bits",
    "point",
    "points",
    "unit",
    "units",
    "second",
    "seconds",
    "millisecond",
    "milliseconds",
    "nanoseconds",
    "minutes",
    "days",
    "step",
    "steps",
    "node",
    "nodes",
    "item",
    "items",
    "element",
    "elements",
    "entry",
    "entries",
    "level",
    "levels",
    "character",
    "characters",
    "digit",
    "digits",
    "line",
    "lines",
    "error",
    "errors",
    "deep",
    "times",
    "number",
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| !file.is_test()) {
        for (at, _) in file.code.match_indices("const ") {
            let rest = &file.code[at + "const ".len()..];
            let Some((name, ty)) = rest.split_once(':') else { continue };
            let ty = ty.split('=').next().unwrap_or_default().trim();
            let is_number = matches!(
                ty,
                "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i32" | "i64" | "f64"
            );
            let is_limit = name.split('_').any(|word| NAMES.contains(&word));
            if !is_number || !is_limit {
                continue;
            }
            let comment = comment_above(&file.text, line_of(&file.code, at));
            let words = comment.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
            if !words.into_iter().any(|word| is_unit(&word)) {
                let text = format!("`{name}` is a limit: its documentation must state its unit");
                findings.push(Finding::of(&file.path, line_of(&file.code, at), text));
            }
        }
    }
    findings
}

/// Whether a word is a unit or looks like a plural, because counted things are plural: `rules of a schema`.
fn is_unit(word: &str) -> bool {
    UNITS.contains(&word) || (word.len() > 3 && word.ends_with('s') && !word.ends_with("ss"))
}

/// Returns the comment above a line, which is counted from 1, and the comment at the end of that line. Attributes
/// between the comment and the line are skipped.
fn comment_above(text: &str, line: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut comment = lines
        .get(line - 1)
        .and_then(|line| line.split_once("//"))
        .map_or("", |(_, rest)| rest)
        .to_owned();
    for above in lines[..line - 1].iter().rev().map(|line| line.trim_start()) {
        match above.strip_prefix("//") {
            Some(rest) => comment.insert_str(0, rest),
            None if above.starts_with("#[") => {}
            None => break,
        }
    }
    comment
}
