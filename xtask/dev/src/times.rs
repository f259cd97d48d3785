//! `cargo dev times`: measures the commands of a contributor, in a fresh clone with an empty cargo home, and
//! writes their times to `CONTRIBUTING.md`.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Instant, SystemTime};
use std::{env, fs, io, thread};

use crd_tests::go::workspace;

use crate::{Outcome, between, say, succeed, temporary_directory};

const PAGE: &str = "CONTRIBUTING.md";
const BEGIN: &str = "<!-- times: written by `cargo dev times` -->\n";
const END: &str = "<!-- end of times -->";

/// A row of the table: what a contributor edits and runs.
struct Row {
    edits: &'static str,
    /// The file that gets another time of change before the command, so that what depends on it is compiled again.
    file: Option<&'static str>,
    command: &'static str,
}

const fn row(edits: &'static str, file: Option<&'static str>, command: &'static str) -> Row {
    Row { edits, file, command }
}

/// The rows, in the order in which their commands run.
const ROWS: [Row; 12] = [
    row("nothing, in a fresh clone", None, "cargo xtask crds"),
    row("nothing, then", None, "cargo test --workspace"),
    row("nothing, then again", None, "cargo test --workspace"),
    row("CEL", Some("crates/crd-cel/src/lib.rs"), "cargo test -p crd-cel"),
    row("a derive", Some("crd-derive/src/lib.rs"), "cargo test -p crd-derive"),
    row("a derive, its errors", None, "cargo test -p crd-tests --test rustc ui::"),
    row(
        "the same, over the probes",
        None,
        "cargo test -p crd-tests --test rustc probes -- --ignored",
    ),
    row("admission", Some("crates/crd-engine/src/lib.rs"), "cargo test -p crd-tests --test engine"),
    row(
        "the in-process API server",
        Some("crates/crd-apiserver/src/lib.rs"),
        "cargo test -p crd-tests --test apiserver",
    ),
    row("the commands", Some("crates/crd-cli/src/lib.rs"), "cargo test -p crd-cli"),
    row("a page", Some("README.md"), "cargo test -p crd-tests --test documentation"),
    row("anything, before it is merged", None, ".ci/run"),
];

/// Measure the commands of a contributor in a fresh clone, and write their times to CONTRIBUTING.md.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Measure only the commands that contain one of these, and do not write the page.
    words: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let directory = temporary_directory()?;
    let table = measure(directory.path(), &arguments.words)?;
    if arguments.words.is_empty() {
        let page = workspace().join(PAGE);
        let text = fs::read_to_string(&page).map_err(|error| format!("{PAGE}: {error}"))?;
        let text =
            between(&text, BEGIN, END, &table).ok_or_else(|| format!("{PAGE} has no times"))?;
        fs::write(&page, text).map_err(|error| format!("{PAGE}: {error}"))?;
    }
    say(&table);
    Ok(true)
}

/// Returns the table of times.
fn measure(directory: &Path, words: &[String]) -> Result<String, String> {
    let (clone, home) = (directory.join("clone"), directory.join("cargo"));
    prepare(&clone, &home).map_err(|error| error.to_string())?;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut table = format!("| you edit | you run | seconds on {cores} cores |\n|---|---|---|\n");
    for Row { edits, file, command } in ROWS {
        if !words.is_empty() && !words.iter().any(|word| command.contains(word)) {
            continue;
        }
        if let Some(file) = file {
            let opened = fs::File::options().append(true).open(clone.join(file));
            let touched = opened.and_then(|file| file.set_modified(SystemTime::now()));
            touched.map_err(|error| format!("{file}: {error}"))?;
        }
        say(&format!("== {command} ({edits})"));
        let begin = Instant::now();
        let mut parts = command.split(' ');
        succeed(
            Command::new(parts.next().unwrap_or_default())
                .args(parts)
                .current_dir(&clone)
                .env("CARGO_HOME", &home)
                // The variables that cargo has set for this program.
                .env_remove("CARGO")
                .env_remove("CARGO_MANIFEST_DIR")
                .env_remove("CARGO_TARGET_DIR"),
        )?;
        let row = format!("| {edits} | `{command}` | {} |", begin.elapsed().as_secs());
        say(&row);
        let _ = writeln!(table, "{row}");
    }
    Ok(table)
}

/// Clones the last commit, and makes a cargo home that has nothing but the settings of the present one.
fn prepare(clone: &Path, home: &Path) -> io::Result<()> {
    fs::create_dir_all(home)?;
    let present = env::var_os("CARGO_HOME").map_or_else(
        || Path::new(&env::var_os("HOME").unwrap_or_default()).join(".cargo"),
        Into::into,
    );
    let settings = present.join("config.toml");
    if settings.is_file() {
        fs::copy(settings, home.join("config.toml"))?;
    }
    let mut git = Command::new("git");
    let status = git.args(["clone", "--quiet"]).arg(workspace()).arg(clone).status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(format!("git clone: {status}"))) }
}
