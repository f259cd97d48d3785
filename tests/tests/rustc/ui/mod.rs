//! Types that the derives reject, with the error texts, and types that they accept.
//!
//! Each file of `ui/fail` must not compile, and rustc must print the errors in the `.stderr` file beside it.
//! Each file of `ui/pass` is a program that must compile and exit successfully, and so is each of `ui/editions`, in all
//! editions of Rust.
//!
//! `TRYBUILD=overwrite cargo test -p crd-tests --test rustc ui::` writes the `.stderr` files again.
//! `ONLY=column_ cargo test -p crd-tests --test rustc ui::` tests only files whose names contain that.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod normalize;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::{env, fs};

use crd_tests::cores::on_all_cores;
use crd_tests::rustc::lines_of_json;

use crate::RUSTC;

/// The directory of this package, `tests` of the workspace.
const TESTS: &str = env!("CARGO_MANIFEST_DIR");

/// Returns the files of a directory that have an extension, as paths without it, relative to [`TESTS`].
fn files(directory: &str, extension: &str) -> Vec<PathBuf> {
    let directory = Path::new(directory);
    let entries = fs::read_dir(Path::new(TESTS).join(directory)).unwrap();
    let names = entries.map(|entry| PathBuf::from(entry.unwrap().file_name()));
    let mut files: Vec<_> = names
        .filter(|name| name.extension().is_some_and(|it| it == extension))
        .map(|name| directory.join(name.file_stem().unwrap()))
        .collect();
    files.sort();
    files
}

/// Calls `check` with each source of `directory`, on all cores, and fails with all errors that it returns.
fn for_each(directory: &str, check: impl Fn(&Path) -> Result<(), String> + Sync) {
    let only = env::var("ONLY").unwrap_or_default();
    let mut sources = files(directory, "rs");
    sources.retain(|source| source.to_string_lossy().contains(&only));
    assert!(!sources.is_empty(), "no file of {directory} has `{only}` in its name");
    LazyLock::force(&RUSTC);

    let answers = on_all_cores(&sources, |_, source| check(source));
    let answers = sources.iter().zip(answers);
    let failures: Vec<_> =
        answers.filter_map(|(source, answer)| Some((source, answer.err()?))).collect();
    let mut text = String::new();
    for (source, failure) in &failures {
        write!(text, "\n{}.rs: {failure}", source.display()).unwrap();
    }
    assert!(failures.is_empty(), "{} of {} files:{text}", failures.len(), sources.len());
}

/// Returns rustc's errors for a source as a `.stderr` file has them.
fn output_of(output: &Output) -> String {
    let messages = lines_of_json(&output.stderr);
    let texts = messages.iter().filter(|message| message["level"] != "failure-note");
    let texts = texts.filter_map(|message| message["rendered"].as_str());
    let texts: Vec<_> = texts.map(|text| normalize::text(text, workspace())).collect();
    texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Returns the directory in which rustc runs. It is the one that cargo uses for members of the workspace, so that rustc
/// finds their sources.
fn workspace() -> &'static Path {
    Path::new(TESTS).parent().unwrap()
}

/// Returns the path of a source that rustc gets.
fn path_of(source: &Path) -> String {
    let path = Path::new("tests").join(source).with_extension("rs");
    path.to_string_lossy().replace('\\', "/")
}

/// The arguments that make rustc's output independent of its environment.
const STABLE_OUTPUT: [&str; 2] = ["--verbose", "--diagnostic-width=140"];

fn is_rejected(source: &Path) -> Result<(), String> {
    let (rs, stderr) = (path_of(source), source.with_extension("stderr"));
    let metadata = scratch(source, "rmeta");
    let mut args = vec!["--emit=metadata", "-o", &metadata, &rs];
    args.extend(STABLE_OUTPUT);
    let output = RUSTC.run(workspace(), &args);
    let got = output_of(&output);
    if output.status.success() {
        return Err(format!("compiles, and must not\n{got}"));
    }
    let file = Path::new(TESTS).join(&stderr);
    // Git may have checked the file out with CRLF.
    let want = fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
    if got == want {
        return Ok(());
    }
    if env::var_os("TRYBUILD").is_some_and(|mode| mode == "overwrite") {
        return fs::write(file, got).map_err(|error| error.to_string());
    }
    Err(format!(
        "rustc says\n{got}\nand not, as in {},\n{want}\n(TRYBUILD=overwrite writes it)\n",
        stderr.display()
    ))
}

fn is_accepted(source: &Path) -> Result<(), String> {
    is_accepted_in("2024", source)
}

fn is_accepted_in(edition: &str, source: &Path) -> Result<(), String> {
    let rs = path_of(source);
    let program = scratch(source, env::consts::EXE_EXTENSION);
    let output = RUSTC.run_in(edition, workspace(), &["-o", &program, &rs]);
    if !output.status.success() {
        return Err(format!("does not compile\n{}", output_of(&output)));
    }
    let output = Command::new(&program).output().map_err(|error| format!("{program}: {error}"))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(format!("compiles, and ends with {}\n{text}", output.status));
    }
    Ok(())
}

/// Returns the path for a file that is made from a source.
fn scratch(source: &Path, extension: &str) -> String {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui");
    fs::create_dir_all(&directory).unwrap();
    let file = directory.join(source.file_name().unwrap()).with_extension(extension);
    file.to_string_lossy().into_owned()
}

#[test]
fn rejected() {
    for_each("ui/fail", is_rejected);
}

#[test]
fn accepted() {
    for_each("ui/pass", is_accepted);
}

#[test]
fn accepted_in_all_editions() {
    for_each("ui/editions", |source| {
        ["2015", "2018", "2021"].into_iter().try_for_each(|edition| {
            is_accepted_in(edition, source)
                .map_err(|error| format!("in edition {edition}: {error}"))
        })
    });
}

#[test]
fn every_text_is_of_a_source() {
    let sources = files("ui/fail", "rs");
    for text in files("ui/fail", "stderr") {
        assert!(sources.contains(&text), "there is no source beside {}.stderr", text.display());
    }
}
