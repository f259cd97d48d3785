//! Checks many rules with rustc at once: writes one crate with one line for each rule, and reads rustc's errors as
//! JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::types::{Typed, Types};
use super::{Case, GENERATED};

/// The beginning of the crate.
const PRELUDE: &str = "\
#![allow(dead_code, non_snake_case)]
use crd_runtime::CrdSchema;
use std::collections::BTreeMap;
#[derive(CrdSchema)]
#[serde(rename_all = \"camelCase\")]
pub struct Meta { name: String, generate_name: String }
#[derive(CrdSchema)]
#[serde(rename_all = \"camelCase\")]
pub struct Resource { api_version: String, kind: String, metadata: Meta }
";

/// The errors of rustc, by case.
#[derive(Debug)]
pub struct Verdicts {
    /// The errors of cases, by their index.
    pub errors: BTreeMap<usize, String>,
    /// For each type: the cases whose rules it has, and rustc's error for a list of the type without a bound.
    pub lists: Vec<(Vec<usize>, Option<String>)>,
    /// Errors that are not at a rule: the generator wrote types that do not compile.
    pub elsewhere: Vec<String>,
}

/// Writes the crate for the cases into `dir` and runs `cargo check` on it. `runtime` is the directory of
/// `crd-runtime`.
///
/// # Errors
/// If a file cannot be written, or cargo cannot be run.
pub fn verdicts(cases: &[Case], dir: &Path, runtime: &Path) -> io::Result<Verdicts> {
    let Source { text: source, lines, lists } = write(cases);
    fs::create_dir_all(dir.join("src"))?;
    fs::write(dir.join("src/lib.rs"), source)?;
    fs::write(
        dir.join("Cargo.toml"),
        format!(
            "[package]\nname = \"agreement\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
             [dependencies]\nserde_json = \"1\"\ncrd-runtime = {{ path = {:?}, default-features = false }}\n",
            runtime.display().to_string()
        ),
    )?;
    let lock = runtime.join("../Cargo.lock");
    fs::copy(lock, dir.join("Cargo.lock"))?;
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["check", "--message-format=json"])
        .current_dir(dir)
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut verdicts = read(&text, &lines, lists);
    if text.is_empty() {
        verdicts.elsewhere.push(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(verdicts)
}

struct Source {
    text: String,
    /// The case of each line.
    lines: BTreeMap<u64, usize>,
    /// For each line that checks a list of a type: the cases whose rules the type has.
    lists: BTreeMap<u64, Vec<usize>>,
}

fn write(cases: &[Case]) -> Source {
    let mut types = Types::default();
    let mut by_schema: BTreeMap<(String, bool), Vec<usize>> = BTreeMap::new();
    for (i, case) in cases.iter().enumerate() {
        by_schema.entry((case.schema.to_string(), case.root)).or_default().push(i);
    }
    let mut kinds = Vec::new();
    for ((_, root), members) in by_schema {
        let schema = &cases[members[0]].schema;
        let is_object = schema["type"] == "object" && !schema["additionalProperties"].is_object();
        let body = if is_object && (root || schema["properties"].is_object()) {
            (Some(types.fields(schema, root)), Typed { ty: String::new(), attributes: Vec::new() })
        } else {
            (None, types.of(schema))
        };
        kinds.push((members, body));
    }
    let mut source = PRELUDE.to_owned() + &types.source;
    let (mut lines, mut lists) = (BTreeMap::new(), BTreeMap::new());
    for (n, (members, (fields, typed))) in kinds.into_iter().enumerate() {
        // A single attribute: rustc nests the attributes of an item, and its nesting is limited.
        let mut rules = "#[crd(\n".to_owned();
        let first = count_lines(&source) + if fields.is_some() { 3 } else { 4 };
        for (at, i) in (first..).zip(&members) {
            let case = &cases[*i];
            let _ = write!(rules, "rule({:?}, message = \"m\"", case.rule);
            if let Some(message) = &case.message {
                let _ = write!(rules, ", message_expression = {message:?}");
            }
            if case.optional_old_self && case.rule.contains("oldSelf") {
                rules.push_str(", optional_old_self = true");
            }
            if case.change == GENERATED {
                rules.push_str(", unchecked");
            }
            rules.push_str("),\n");
            lines.insert(at, *i);
        }
        rules.push_str(")]\n");
        let _ = if let Some(fields) = fields {
            writeln!(source, "#[derive(CrdSchema)]\n{rules}pub struct C{n} {{\n{fields}}}")
        } else {
            let Typed { ty, attributes } = typed;
            let own = if attributes.is_empty() {
                String::new()
            } else {
                format!("#[crd({})] ", attributes.join(", "))
            };
            writeln!(source, "#[derive(CrdSchema)]\npub struct C{n} {{\n{rules}{own}f: {ty},\n}}")
        };
        if !cases[members[0]].root {
            lists.insert(count_lines(&source) + 1, members);
            let _ = writeln!(
                source,
                "const _: () = crd_runtime::__private::cel::within_limit(&<Vec<C{n}> as CrdSchema>::CEL, &<Vec<C{n}> \
                 as CrdSchema>::RULES, 0, 0);"
            );
        }
    }
    Source { text: source, lines, lists }
}

fn count_lines(source: &str) -> u64 {
    source.bytes().filter(|byte| *byte == b'\n').count() as u64
}

fn read(
    text: &str,
    lines: &BTreeMap<u64, usize>,
    mut lists: BTreeMap<u64, Vec<usize>>,
) -> Verdicts {
    let mut verdicts =
        Verdicts { errors: BTreeMap::new(), lists: Vec::new(), elsewhere: Vec::new() };
    for line in text.lines() {
        let Ok(message) = serde_json::from_str::<Value>(line) else { continue };
        let message = &message["message"];
        let primary = message["spans"]
            .as_array()
            .into_iter()
            .flatten()
            .find(|span| span["is_primary"] == Value::Bool(true));
        if message["level"] != "error" {
            continue;
        }
        let rendered = message["rendered"].as_str().unwrap_or_default().to_owned();
        let line = primary.and_then(|span| span["line_start"].as_u64());
        if let Some(members) = line.and_then(|line| lists.remove(&line)) {
            verdicts.lists.push((members, Some(rendered)));
            continue;
        }
        match line.and_then(|line| lines.get(&line)) {
            Some(case) => {
                verdicts.errors.insert(*case, rendered);
            }
            // rustc's last message has the number of errors.
            None if primary.is_none() && rendered.contains("aborting due to") => {}
            None => verdicts.elsewhere.push(rendered),
        }
    }
    verdicts.lists.extend(lists.into_values().map(|members| (members, None)));
    verdicts
}
