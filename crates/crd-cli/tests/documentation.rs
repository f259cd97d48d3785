//! Every command in the documentation exists, with its options.
//!
//! Commands in the changelog, in ARCHITECTURE.md and on the pages of `docs/design` are not checked. Of the chores of this
//! workspace, such as `cargo dev tidy`, only the names are.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crd_cli::Registry;

/// The root of the workspace.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Returns the paths and texts of all pages for users and contributors.
fn pages() -> Vec<(PathBuf, String)> {
    let mut paths: Vec<PathBuf> = [
        "",
        "docs",
        "docs/design",
        "docs/guide/src",
        "crates/crd-apiserver",
        "crates/crd-cel",
        "crates/crd-cli",
        "crates/crd-engine",
        "crates/crd-model",
        "crates/crd-webhook",
        "crd-derive",
        "crd-runtime",
    ]
    .iter()
    .flat_map(|directory| fs::read_dir(Path::new(ROOT).join(directory)).expect("a directory"))
    .map(|entry| entry.expect("an entry").path())
    .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
    .collect();
    paths.sort();
    assert!(paths.len() > 20, "{paths:?}");
    let read = |path: PathBuf| (path.clone(), fs::read_to_string(path).expect("a page"));
    paths.into_iter().map(read).collect()
}

/// Returns the commands of this project on a page: in fenced blocks, and between backticks.
fn commands(page: &str) -> Vec<&str> {
    let mut commands = Vec::new();
    let mut fence = None;
    for line in page.lines() {
        match (fence, line.strip_prefix("```")) {
            (None, Some(language)) => fence = Some(language),
            (Some(_), Some(_)) => fence = None,
            (Some("sh" | "console"), None) => {
                let line = line.split(['#', '>']).next().unwrap_or_default();
                commands.extend(line.split(" | ").map(|part| part.trim_start_matches("$ ").trim()));
            }
            (Some(_), None) => {}
            (None, None) => commands.extend(line.split('`').skip(1).step_by(2)),
        }
    }
    let is_ours = |command: &&str| {
        [
            "crd ",
            "kubectl crd ",
            "cargo dev ",
            "cargo rbac",
            "cargo xtask ",
            "cargo run --bin crds -- ",
        ]
        .iter()
        .any(|start| command.starts_with(start))
    };
    commands.into_iter().filter(is_ours).collect()
}

/// Splits a command as pages show it into words that can be run: an optional `[a]` and a repeated `a..` are given once,
/// of `a\|b` the first choice is taken, and placeholders are replaced by values. After a digit, `..` is a range and is
/// kept.
fn words_of(shown: &str) -> Vec<String> {
    const RANGE: &str = "\u{2026}";
    let mut shown = shown.replace("\\|", "|");
    for digit in '0'..='9' {
        shown = shown.replace(&format!("{digit}.."), &format!("{digit}{RANGE}"));
    }
    let shown = shown.replace("..", "").replace(RANGE, "..");
    let words = shown.split_whitespace().map(|word| word.trim_matches(['[', ']']));
    let words = words.map(|word| word.split('|').next().unwrap_or_default());
    let words = words.map(|word| match word {
        "SHELL" => "bash",
        "N" => "1",
        "LINT" => "phase_name",
        "LINT@CRD" => "phase_name@crontabs.stable.example.com",
        "LINT@CRD:FIELD" => "phase_name@crontabs.stable.example.com:status",
        "MINOR" | "MINORS" => "1.33",
        word => word,
    });
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Whether `cargo dev` has a chore of this name: each is a module.
fn is_chore(name: &str) -> bool {
    let module = Path::new(ROOT).join("xtask/dev/src").join(name.replace('-', "_"));
    module.is_dir() || module.with_extension("rs").exists()
}

#[test]
fn every_command_exists_with_its_options() {
    let mut count = 0;
    for (path, page) in pages() {
        let design = path.parent().is_some_and(|parent| parent.ends_with("docs/design"));
        if path.ends_with("CHANGELOG.md") || path.ends_with("ARCHITECTURE.md") || design {
            continue;
        }
        for shown in commands(&page) {
            count += 1;
            let words = words_of(shown);
            let (is_xtask, words) = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                ["crd", ..] => (false, &words[1..]),
                ["kubectl", "crd", ..] => (false, &words[2..]),
                ["cargo", "dev", name, ..] => {
                    assert!(is_chore(name), "{}: `{shown}`: no such chore", path.display());
                    continue;
                }
                ["cargo", "rbac", ..] => (true, &words[1..]),
                ["cargo", "xtask", ..] => (true, &words[2..]),
                // `cargo run --bin crds --`, which takes the arguments of `cargo xtask`.
                _ => (true, &words[5..]),
            };
            let failure = if is_xtask { xtask_error(words) } else { crd_error(words) };
            assert!(
                failure.is_none(),
                "{}: `{shown}`: {}",
                path.display(),
                failure.unwrap_or_default()
            );
        }
    }
    assert!(count > 40, "{count} commands");
}

/// Returns the error of `cargo xtask`, in a user's project, with these arguments and `--help`. Because of `--help`,
/// nothing is run.
fn xtask_error(words: &[String]) -> Option<String> {
    let words = words.iter().map(String::as_str);
    let args = std::iter::once("xtask").chain(words).chain(["--help"]).map(Into::into);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = Registry::new().run_to(args, &mut out, &mut err);
    (status != 0).then(|| String::from_utf8_lossy(&err).into_owned())
}

/// Returns the error of `crd` with these arguments and `--help`.
fn crd_error(words: &[String]) -> Option<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_crd")).args(words).arg("--help").output();
    let output = output.expect("it runs");
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
}
