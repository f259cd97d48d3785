//! `cargo xtask api`: the public surface of the published crates, compared with the listings in `docs/api`.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde_json::Value;

use crate::metadata::{self, array, cargo, say, text};

/// Where the listings are.
const LISTINGS: &str = "docs/api";
/// A target directory of its own: build scripts that look at `RUSTC_BOOTSTRAP` would run anew in the common one.
const TARGET: &str = "target/api";
/// The version of rustdoc's JSON that `public-api` reads, that of Rust 1.95. Other toolchains may write another one.
const FORMAT: u64 = 57;

pub(crate) fn main(args: impl Iterator<Item = String>) -> ExitCode {
    let args: Vec<String> = args.collect();
    let write = match &args[..] {
        [] => false,
        [flag] if flag == "--write" => true,
        _ => {
            say("usage: cargo xtask api [--write]", false);
            return ExitCode::from(crate::EXIT_USAGE);
        }
    };
    match run(write) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => say("if the change is meant, write it down: cargo xtask api --write", false),
        Err(error) => say(&error, false),
    }
}

/// Whether all listings are as they should be.
fn run(write: bool) -> Result<bool, String> {
    let metadata = metadata::read()?;
    let root = Path::new(text(&metadata["workspace_root"]));
    let mut same = true;
    for package in metadata::published(&metadata) {
        let Some(library) = library(package) else { continue };
        let name = text(&package["name"]);
        let document = document(root, name, library)?;
        let format = format_of(&document)?;
        if format != FORMAT {
            let text = format!(
                "{name}: not compared, as this toolchain writes version {format} of rustdoc's JSON and the \
                 listings are made from version {FORMAT}"
            );
            say(&text, true);
            continue;
        }
        let listing = listing(&document)?;
        let file = root.join(LISTINGS).join(format!("{name}.txt"));
        if write {
            fs::create_dir_all(root.join(LISTINGS)).map_err(|error| error.to_string())?;
            fs::write(&file, listing).map_err(|error| format!("{}: {error}", file.display()))?;
            say(&format!("{name}: written to {LISTINGS}/{name}.txt"), true);
        } else {
            let before = fs::read_to_string(&file).unwrap_or_default();
            same &= compare(name, &before, &listing);
        }
    }
    Ok(same)
}

/// The name of a package's library.
fn library(package: &Value) -> Option<&str> {
    let mut targets = array(&package["targets"]).iter();
    let is_library = |kind: &Value| matches!(text(kind), "lib" | "proc-macro");
    targets
        .find(|target| array(&target["kind"]).iter().any(is_library))
        .map(|target| text(&target["name"]))
}

/// Makes rustdoc's JSON of a crate with every feature, and says where it is.
fn document(root: &Path, package: &str, library: &str) -> Result<PathBuf, String> {
    let status = Command::new(cargo())
        .args(["rustdoc", "--quiet", "--lib", "--all-features", "--package", package])
        .args([
            "--target-dir",
            TARGET,
            "--",
            "-Zunstable-options",
            "--output-format=json",
            "--cap-lints=allow",
        ])
        // The JSON of rustdoc is unstable, and the toolchain is the stable one.
        .env("RUSTC_BOOTSTRAP", "1")
        .env_remove("RUSTDOCFLAGS")
        .current_dir(root)
        .status()
        .map_err(|error| format!("cargo rustdoc: {error}"))?;
    if !status.success() {
        return Err(format!("rustdoc fails on {package}"));
    }
    Ok(root.join(TARGET).join("doc").join(format!("{library}.json")))
}

/// The version of rustdoc's JSON in a file.
fn format_of(document: &Path) -> Result<u64, String> {
    let at = |error: &dyn Display| format!("{}: {error}", document.display());
    let json = fs::read(document).map_err(|error| at(&error))?;
    let json: Value = serde_json::from_slice(&json).map_err(|error| at(&error))?;
    json["format_version"].as_u64().ok_or_else(|| at(&"no format_version"))
}

/// The public items, one a line. What every type has (automatic traits, blanket implementations) is left out, as
/// are derived implementations.
fn listing(document: &Path) -> Result<String, String> {
    let api = public_api::Builder::from_rustdoc_json(document)
        .omit_auto_trait_impls(true)
        .omit_blanket_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .map_err(|error| error.to_string())?;
    let lines: Vec<_> = api.items().map(ToString::to_string).collect();
    Ok(lines.join("\n") + "\n")
}

/// Prints what has gone and what has come. Whether it is nothing.
fn compare(name: &str, before: &str, now: &str) -> bool {
    let gone = before.lines().filter(|line| !now.lines().any(|other| other == *line));
    let come = now.lines().filter(|line| !before.lines().any(|other| other == *line));
    let changes: Vec<String> =
        gone.map(|line| format!("- {line}")).chain(come.map(|line| format!("+ {line}"))).collect();
    let text = if before == now {
        format!("{name}: {} public items, as listed", now.lines().count())
    } else {
        format!(
            "{name}: the public surface differs from {LISTINGS}/{name}.txt\n{}",
            changes.join("\n")
        )
    };
    say(&text, true);
    before == now
}
