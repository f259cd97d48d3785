//! `cargo dev api`: compares the public items of the published crates with the listings in `docs/api`.

use std::collections::HashSet;
use std::env;
use std::fmt::Display;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use public_api::PublicItem;
use serde_json::Value;

use crate::metadata::{self, array, text};
use crate::{Outcome, cargo, complain, say, succeed};

/// The directory of the listings.
const LISTINGS: &str = "docs/api";
/// The environment variable with the path of rustdoc. It is set if cargo runs this program in place of rustdoc.
const RUSTDOC: &str = "XTASK_API_RUSTDOC";
/// The version of rustdoc's JSON that `public-api` reads, which is that of Rust 1.95. Other toolchains may write
/// another version.
const FORMAT: u64 = 57;

/// Compare the public items of the published crates with docs/api.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Write them there.
    #[arg(long)]
    write: bool,
}

/// Writes or compares all listings. Returns whether no compared listing differs.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let metadata = metadata::read()?;
    let root = Path::new(text(&metadata["workspace_root"]));
    let target = Path::new(text(&metadata["target_directory"]));
    generate_documents(root)?;
    let mut same = true;
    for package in metadata::published(&metadata) {
        let Some(library) = library(package) else { continue };
        let name = text(&package["name"]);
        let document = target.join("doc").join(format!("{library}.json"));
        let format = format_of(&document)?;
        if format != FORMAT {
            let text = format!(
                "{name}: skipped, as this toolchain writes version {format} of rustdoc's JSON and the \
                 listings are made from version {FORMAT}"
            );
            say(&text);
            continue;
        }
        let listing = listing(&document)?;
        let file = root.join(LISTINGS).join(format!("{name}.txt"));
        if arguments.write {
            fs::create_dir_all(root.join(LISTINGS)).map_err(|error| error.to_string())?;
            fs::write(&file, listing).map_err(|error| format!("{}: {error}", file.display()))?;
            say(&format!("{name}: written to {LISTINGS}/{name}.txt"));
        } else {
            let before = fs::read_to_string(&file).unwrap_or_default();
            same &= compare(name, &before, &listing);
        }
    }
    if !same {
        complain("if the change is meant, write it down: cargo dev api --write");
    }
    Ok(same)
}

/// Returns the name of a package's library.
fn library(package: &Value) -> Option<&str> {
    let mut targets = array(&package["targets"]).iter();
    let is_library = |kind: &Value| matches!(text(kind), "lib" | "proc-macro");
    targets
        .find(|target| array(&target["kind"]).iter().any(is_library))
        .map(|target| text(&target["name"]))
}

/// Generates rustdoc's JSON of all crates of the workspace. All features are enabled, as they are for the documentation,
/// so that the dependencies built for it are used again.
fn generate_documents(root: &Path) -> Outcome {
    let this = env::current_exe().map_err(|error| error.to_string())?;
    let rustdoc = env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into());
    succeed(
        cargo()
            .args(["doc", "--quiet", "--workspace", "--lib", "--no-deps", "--all-features"])
            .env("RUSTDOC", this)
            .env(RUSTDOC, rustdoc)
            .env("RUSTDOCFLAGS", "-Zunstable-options --output-format=json --cap-lints=allow")
            .current_dir(root),
    )
}

/// Runs rustdoc if cargo has called this program in its place; `None` otherwise.
///
/// `RUSTC_BOOTSTRAP` allows a stable toolchain to write JSON, which is unstable. It is set for rustdoc alone: set for
/// cargo, it would make build scripts run again, and everything that depends on them compile again.
pub(crate) fn in_place_of_rustdoc() -> Option<ExitCode> {
    let rustdoc = env::var_os(RUSTDOC)?;
    let status = Command::new(rustdoc)
        .args(env::args_os().skip(1))
        .env("RUSTC_BOOTSTRAP", "1")
        .env_remove(RUSTDOC)
        .status();
    Some(match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            complain(&format!("rustdoc: {error}"));
            ExitCode::FAILURE
        }
    })
}

/// Returns the version of rustdoc's JSON in a file.
fn format_of(document: &Path) -> Result<u64, String> {
    let at = |error: &dyn Display| format!("{}: {error}", document.display());
    let json = fs::read(document).map_err(|error| at(&error))?;
    let json: Value = serde_json::from_slice(&json).map_err(|error| at(&error))?;
    json["format_version"].as_u64().ok_or_else(|| at(&"no format_version"))
}

/// Lists the public items, one per line. Omits what every type has (auto traits, blanket implementations), derived
/// implementations, and the items of trait implementations, which the line of the implementation implies.
fn listing(document: &Path) -> Result<String, String> {
    let api = public_api::Builder::from_rustdoc_json(document)
        .omit_auto_trait_impls(true)
        .omit_blanket_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .map_err(|error| error.to_string())?;
    let items: Vec<_> = api.items().map(|item| (item, item.to_string())).collect();
    let is_of_a_trait = |line: &str| line.starts_with("impl") && line.contains(" for ");
    let implementations: HashSet<_> =
        items.iter().filter(|(_, line)| is_of_a_trait(line)).map(|(item, _)| item.id()).collect();
    let is_implied =
        |item: &PublicItem| item.parent_id().is_some_and(|id| implementations.contains(&id));
    // The `impl` line of inherent items says nothing more: the line of each item names its type.
    let is_inherent = |line: &str| line.starts_with("impl") && !line.contains(" for ");
    let lines = items.iter().filter(|(item, line)| !is_implied(item) && !is_inherent(line));
    let mut lines: Vec<String> = lines.map(|(_, line)| short(line) + "\n").collect();
    lines.sort_by(|a, b| (sort_key(a), a).cmp(&(sort_key(b), b)));
    Ok(lines.concat())
}

/// Returns the part of a line by which lines are sorted: the name of the item or type. The order of rustdoc's JSON
/// depends on code that is not public.
fn sort_key(line: &str) -> &str {
    let implements = || line.starts_with("impl").then(|| line.split_once(" for "))?;
    if let Some((_, ty)) = implements() {
        return ty;
    }
    line.find("crd_").and_then(|at| line.get(at..)).unwrap_or(line)
}

/// Shortens a line: removes the paths of names in the prelude, and the Kubernetes version chosen in `k8s-openapi`.
fn short(line: &str) -> String {
    let mut line = line.to_owned();
    for (path, name) in [
        ("alloc::borrow::ToOwned", "ToOwned"),
        ("alloc::boxed::Box", "Box"),
        ("alloc::string::String", "String"),
        ("alloc::string::ToString", "ToString"),
        ("alloc::vec::Vec", "Vec"),
        ("core::clone::Clone", "Clone"),
        ("core::convert::AsRef", "AsRef"),
        ("core::convert::From", "From"),
        ("core::convert::Into", "Into"),
        ("core::default::Default", "Default"),
        ("core::iter::traits::collect::Extend", "Extend"),
        ("core::iter::traits::collect::FromIterator", "FromIterator"),
        ("core::iter::traits::collect::IntoIterator", "IntoIterator"),
        ("core::iter::traits::iterator::Iterator", "Iterator"),
        ("core::marker::Send", "Send"),
        ("core::marker::Sized", "Sized"),
        ("core::marker::Sync", "Sync"),
        ("core::ops::function::Fn", "Fn"),
        ("core::option::Option", "Option"),
        ("core::result::Result", "Result"),
    ] {
        line = line.replace(path, name);
    }
    let Some((before, after)) = line.split_once("k8s_openapi::v1_") else { return line };
    let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
    format!("{before}k8s_openapi{}", short(rest))
}

/// Prints the removed and the added lines. Returns whether there are none.
fn compare(name: &str, before: &str, now: &str) -> bool {
    let removed = before.lines().filter(|line| !now.lines().any(|other| other == *line));
    let added = now.lines().filter(|line| !before.lines().any(|other| other == *line));
    let changes: Vec<String> = removed
        .map(|line| format!("- {line}"))
        .chain(added.map(|line| format!("+ {line}")))
        .collect();
    let text = if before == now {
        format!("{name}: {} public items, as listed", now.lines().count())
    } else {
        format!(
            "{name}: the public surface differs from {LISTINGS}/{name}.txt\n{}",
            changes.join("\n")
        )
    };
    say(&text);
    before == now
}
