//! Compiles a crate of many types: removes those that do not compile, and collects rustc's errors about them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::rustc::{Rustc, lines_of_json};
use crate::rustc_error::{Error, module_of};

const PRELUDE: &str = "\
#![allow(warnings)]
mod harness;
mod prelude {
    pub use std::collections::{BTreeMap, BTreeSet, HashMap};
    pub use crd_runtime::{CrdSchema, CustomResource, TypeMeta};
    pub use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
    pub use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
    pub use serde::{Deserialize, Serialize};
    pub use serde_json::{Value, json};
    pub use crate::harness::*;
}
";
/// The most compilations of a crate. rustc stops at errors of one phase, so that each compilation can find new ones.
const ROUNDS: usize = 12;

/// The result of a build: the types that compile, in a program, and the errors of the others.
pub(super) struct Built {
    pub compiled: Vec<u64>,
    pub rejected: BTreeMap<u64, Vec<Error>>,
    pub program: PathBuf,
}

/// Compiles the modules, without those that have errors.
pub(super) fn build(
    mut modules: BTreeMap<u64, String>,
    dir: &Path,
    rustc: &Rustc,
) -> io::Result<Built> {
    fs::create_dir_all(dir)?;
    fs::write(dir.join("harness.rs"), include_str!("harness.rs"))?;
    let mut rejected: BTreeMap<u64, Vec<Error>> = BTreeMap::new();
    for _ in 0..ROUNDS {
        let (source, starts) = write(&modules);
        fs::write(dir.join("main.rs"), source)?;
        let output = rustc.run(dir, &["--crate-name=zoo", "-Cdebuginfo=0", "-o", "zoo", "main.rs"]);
        if output.status.success() {
            let (compiled, program) = (modules.into_keys().collect(), dir.join("zoo"));
            return Ok(Built { compiled, rejected, program });
        }
        let messages = lines_of_json(&output.stderr);
        let errors: Vec<_> =
            messages.iter().filter(|message| message["level"] == "error").collect();
        let mut found = false;
        for message in &errors {
            let Some(number) = module_of(message, &starts) else { continue };
            found = true;
            modules.remove(&number);
            rejected.entry(number).or_default().push(Error::read(message));
        }
        if !found {
            let texts = errors.iter().filter_map(|message| message["rendered"].as_str());
            let text: String = texts.take(3).collect();
            return Err(io::Error::other(format!("errors of no type: {text}")));
        }
    }
    Err(io::Error::other(format!("errors remain after {ROUNDS} rounds")))
}

/// Returns the source of the crate, and the number of the type whose module begins at each line.
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
    // An error in this part is about the bounds of the type that the line names.
    for (at, number) in modules.keys().enumerate() {
        starts.insert(line + 2 + at as u64, *number);
    }
    (source, starts)
}
