//! The guide's code, compiled, and its tests, run. `build.rs` makes a module of each page.
#![allow(
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::str_to_string,
    dead_code,
    missing_docs,
    unreachable_pub,
    unused_qualifications,
    reason = "pages show the shortest code"
)]

use crd_runtime::model::Manifest as _;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;

include!(concat!(env!("OUT_DIR"), "/guide.rs"));

/// The lines stand in the manifest, one after the other, each as deep below the first as they are shown.
#[track_caller]
fn shows(crd: &CustomResourceDefinition, lines: &str) {
    let written = crd.manifest().expect("a manifest");
    let written = serde_json::to_value(&*written).expect("JSON");
    let written = crd_runtime::yaml::to_string(&written);
    // The dash of an item stands where its further keys have blanks.
    let item = |line: &str| match line.trim_start().strip_prefix("- ") {
        Some(rest) => format!("{}{rest}", " ".repeat(line.len() - rest.len())),
        None => line.to_owned(),
    };
    let manifest: Vec<String> = written.lines().map(item).collect();
    let shown: Vec<String> = lines.lines().map(item).collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let found = manifest.windows(shown.len()).any(|window| {
        let deeper = indent(&window[0]).saturating_sub(indent(&shown[0]));
        window.iter().zip(&shown).all(|(line, shown)| {
            line.trim_start() == shown.trim_start() && indent(line) == indent(shown) + deeper
        })
    });
    assert!(found, "{lines}\n\nis not in\n\n{written}");
}
