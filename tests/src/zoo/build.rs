//! Compiles a crate of many types.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::batch::{self, Source};
use crate::rustc::Rustc;
use crate::rustc_error::Error;

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
/// The result of a build: the types that compile, in a program, and the errors of the others.
pub(super) struct Built {
    pub compiled: Vec<u64>,
    pub rejected: BTreeMap<u64, Vec<Error>>,
    pub program: PathBuf,
}

/// Compiles the modules, without those that have errors.
pub(super) fn build(
    modules: &BTreeMap<u64, String>,
    dir: &Path,
    rustc: &Rustc,
) -> io::Result<Built> {
    fs::create_dir_all(dir)?;
    fs::write(dir.join("harness.rs"), include_str!("harness.rs"))?;
    let numbers = modules.keys().copied().collect();
    let compiled = batch::compile(rustc, dir, ("zoo", true), numbers, &|numbers| {
        let mut source = Source::new(PRELUDE);
        for number in numbers {
            let module = &modules[number];
            source
                .push(*number, &format!("mod t{number} {{\nuse super::prelude::*;\n{module}}}\n"));
        }
        source.text.push_str("fn main() {\n    harness::serve(&[\n");
        // An error in this part is about the bounds of the type that the line names.
        for number in numbers {
            source.push(
                *number,
                &format!("        ({number}, harness::handle::<t{number}::Root>),\n"),
            );
        }
        source.text.push_str("    ]);\n}\n");
        source
    })?;
    let batch::Compiled { numbers, rejected } = compiled;
    Ok(Built { compiled: numbers, rejected, program: dir.join("zoo") })
}
