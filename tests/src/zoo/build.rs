//! One crate of many types: those that do not compile are taken out, with what rustc says of them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const PRELUDE: &str = "\
#![allow(warnings)]
mod harness;
mod prelude {
    pub use std::collections::{BTreeMap, BTreeSet, HashMap};
    pub use crd_runtime::CrdSchema;
    pub use crd_runtime::__private::k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
    pub use serde::{Deserialize, Serialize};
    pub use serde_json::{Value, json};
    pub use crate::harness::*;
}
";
/// How often a crate is compiled at most: each time rustc gets further.
const ROUNDS: usize = 12;

/// A crate that compiles.
pub(super) struct Built {
    pub compiled: Vec<u64>,
    pub refused: BTreeMap<u64, Vec<Error>>,
    pub program: PathBuf,
}

/// An error of rustc.
#[derive(Debug)]
pub(super) struct Error {
    code: Option<String>,
    message: String,
    /// The text that is marked.
    marked: String,
    rendered: String,
}

impl Error {
    /// Why it is none of the derives' own at a token, if it is none.
    pub(super) fn is_foreign(&self) -> Option<String> {
        let own = match self.code.as_deref() {
            None => true,
            Some("E0080") => self.message.contains("evaluation panicked"),
            Some(_) => false,
        };
        if !own {
            return Some(format!("an error of rustc's own:\n{}", self.rendered));
        }
        (self.marked == "CrdSchema").then(|| format!("an error at no token:\n{}", self.rendered))
    }

    /// Whether a macro says it, not rustc.
    pub(super) fn is_of_macro(&self) -> bool {
        self.code.is_none()
    }

    /// Whether an implementation of serde's traits is missing.
    pub(super) fn asks_for_serde(&self) -> bool {
        self.code.as_deref() == Some("E0277")
            && ["serde::Serialize", "serde::Deserialize", "serde::de::DeserializeOwned"]
                .iter()
                .any(|name| self.message.contains(name))
    }

    /// The message without the names in it.
    pub(super) fn summary(&self) -> String {
        let parts = self.message.split('`').enumerate();
        parts.map(|(i, part)| if i % 2 == 0 { part } else { "_" }).collect()
    }

    fn read(message: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let span = primary(message);
        let marked = span.and_then(|span| {
            let line = span["text"][0]["text"].as_str()?;
            let column = |key: &str| usize::try_from(span["text"][0][key].as_u64()?).ok();
            let (start, end) = (column("highlight_start")?, column("highlight_end")?);
            Some(line.chars().skip(start.checked_sub(1)?).take(end.checked_sub(start)?).collect())
        });
        Self {
            code: message["code"]["code"].as_str().map(str::to_owned),
            message: text(&message["message"]),
            marked: marked.unwrap_or_default(),
            rendered: text(&message["rendered"]),
        }
    }
}

fn primary(message: &Value) -> Option<&Value> {
    message["spans"].as_array()?.iter().find(|span| span["is_primary"] == Value::Bool(true))
}

/// Compiles what compiles of the modules.
pub(super) fn build(
    mut modules: BTreeMap<u64, String>,
    dir: &Path,
    runtime: &Path,
) -> io::Result<Built> {
    fs::create_dir_all(dir.join("src"))?;
    fs::write(dir.join("src/harness.rs"), include_str!("harness.rs"))?;
    let manifest = format!(
        "[package]\nname = \"zoo\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [profile.dev]\ndebug = false\nincremental = false\n\n[dependencies]\nserde = {{ version = \"1\", features = \
         [\"derive\"] }}\nserde_json = \"1\"\nk8s-openapi = {{ version = \"0.29\", features = [\"latest\"] }}\ncrd-runtime = {{ path = {:?}, default-features = false, features = \
         [\"derive\"] }}\n",
        runtime.display().to_string()
    );
    fs::write(dir.join("Cargo.toml"), manifest)?;
    fs::copy(runtime.join("../Cargo.lock"), dir.join("Cargo.lock"))?;
    let mut refused: BTreeMap<u64, Vec<Error>> = BTreeMap::new();
    for _ in 0..ROUNDS {
        let (source, starts) = write(&modules);
        fs::write(dir.join("src/main.rs"), source)?;
        let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["build", "--message-format=json", "--target-dir"])
            .arg(dir.join("target"))
            .current_dir(dir)
            .output()?;
        if output.status.success() {
            let program = dir.join("target/debug/zoo");
            return Ok(Built { compiled: modules.into_keys().collect(), refused, program });
        }
        let mut found = false;
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let Ok(message) = serde_json::from_str::<Value>(line) else { continue };
            let message = &message["message"];
            if message["level"] != "error" {
                continue;
            }
            let Some(number) = type_of(message, &starts) else { continue };
            found = true;
            modules.remove(&number);
            refused.entry(number).or_default().push(Error::read(message));
        }
        if !found {
            let text = String::from_utf8_lossy(&output.stdout);
            let errors = text.lines().filter(|line| line.contains("\"level\":\"error\""));
            let stderr = String::from_utf8_lossy(&output.stderr);
            let text = errors.take(3).collect::<Vec<_>>().join("\n");
            return Err(io::Error::other(format!("errors of no type: {text}\n{stderr}")));
        }
    }
    Err(io::Error::other(format!("errors remain after {ROUNDS} rounds")))
}

/// The type whose module has one of the lines that an error is about.
fn type_of(message: &Value, starts: &BTreeMap<u64, u64>) -> Option<u64> {
    let spans = message["spans"].as_array()?;
    let primary_first = spans.iter().filter(|span| span["is_primary"] == Value::Bool(true));
    primary_first.chain(spans).find_map(|span| of_span(span, starts))
}

fn of_span(span: &Value, starts: &BTreeMap<u64, u64>) -> Option<u64> {
    if span["file_name"] == "src/main.rs" {
        let line = span["line_start"].as_u64()?;
        let (_, number) = starts.range(..=line).next_back()?;
        return Some(*number);
    }
    let call = &span["expansion"]["span"];
    if call.is_null() { None } else { of_span(call, starts) }
}

/// The source, and at which line which type's module begins.
fn write(modules: &BTreeMap<u64, String>) -> (String, BTreeMap<u64, u64>) {
    let mut source = PRELUDE.to_owned();
    let mut starts = BTreeMap::new();
    for (number, module) in modules {
        let line = source.bytes().filter(|byte| *byte == b'\n').count() as u64 + 1;
        starts.insert(line, *number);
        // Writing to a string does not fail.
        let _ = writeln!(source, "mod t{number} {{\nuse super::prelude::*;\n{module}}}");
    }
    let line = source.bytes().filter(|byte| *byte == b'\n').count() as u64 + 1;
    source.push_str("fn main() {\n    harness::serve(&[\n");
    for number in modules.keys() {
        let _ = writeln!(source, "        ({number}, harness::handle::<t{number}::Root>),");
    }
    source.push_str("    ]);\n}\n");
    // An error there is about a type's bounds; the type is the line's.
    for (at, number) in modules.keys().enumerate() {
        starts.insert(line + 2 + at as u64, *number);
    }
    (source, starts)
}
