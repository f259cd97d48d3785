//! One crate of many types: those that do not compile are taken out, with what rustc says of them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::rustc_error::{Error, module_of};

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
            let Some(number) = module_of(message, &starts) else { continue };
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
