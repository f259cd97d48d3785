//! `cargo dev times [COMMAND..]`: measures the commands of a contributor, in a fresh clone with an empty cargo home, and
//! writes their times to `CONTRIBUTING.md`.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;
use std::{env, process, thread};

use crd_tests::go::workspace;

use crate::metadata::print_line;

const PAGE: &str = "CONTRIBUTING.md";
const BEGIN: &str = "<!-- times: written by `cargo dev times` -->\n";
const END: &str = "<!-- end of times -->";

/// The commands, in the order in which they run in the clone, and what is there before each.
const COMMANDS: [(&str, &str); 4] = [
    ("cargo xtask crds", "nothing"),
    ("cargo test --workspace", "the crates are downloaded"),
    ("cargo test --workspace", "all is built"),
    (".ci/run", "the tests are built"),
];

/// Measures the commands, or those that contain one of the arguments. Only if all were measured is the page written.
pub(crate) fn main(args: impl Iterator<Item = String>) -> ExitCode {
    let words: Vec<String> = args.collect();
    let directory = env::temp_dir().join(format!("crd-times-{}", process::id()));
    let table = measure(&directory, &words);
    let _ = fs::remove_dir_all(&directory);
    let written = table.and_then(|table| {
        let page = workspace().join(PAGE);
        let text = fs::read_to_string(&page).map_err(|error| format!("{PAGE}: {error}"))?;
        if words.is_empty() {
            let text = with_table(&text, &table).ok_or_else(|| format!("{PAGE} has no times"))?;
            fs::write(&page, text).map_err(|error| format!("{PAGE}: {error}"))?;
        }
        Ok(table)
    });
    match written {
        Ok(table) => print_line(&table, true),
        Err(error) => print_line(&format!("cargo dev times: {error}"), false),
    }
}

/// Returns the table of times.
fn measure(directory: &Path, words: &[String]) -> Result<String, String> {
    let (clone, home) = (directory.join("clone"), directory.join("cargo"));
    prepare(&clone, &home).map_err(|error| error.to_string())?;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut table = format!("| command | before it | seconds on {cores} cores |\n|---|---|---|\n");
    for (command, before) in COMMANDS {
        if !words.is_empty() && !words.iter().any(|word| command.contains(word)) {
            continue;
        }
        print_line(&format!("== {command} ({before})"), true);
        let begin = Instant::now();
        let mut parts = command.split(' ');
        let status = Command::new(parts.next().unwrap_or_default())
            .args(parts)
            .current_dir(&clone)
            .env("CARGO_HOME", &home)
            // The variables that cargo has set for this program.
            .env_remove("CARGO")
            .env_remove("CARGO_MANIFEST_DIR")
            .env_remove("CARGO_TARGET_DIR")
            .status()
            .map_err(|error| format!("{command}: {error}"))?;
        if !status.success() {
            return Err(format!("{command}: {status}"));
        }
        let _ = writeln!(table, "| `{command}` | {before} | {} |", begin.elapsed().as_secs());
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

/// Returns the page with another table between the marks; `None` if it has no marks.
fn with_table(page: &str, table: &str) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{table}\n{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_replaces_the_one_before() {
        let page = format!("a\n{BEGIN}\nold\n\n{END}\nb\n");
        let want = format!("a\n{BEGIN}\n| new |\n\n{END}\nb\n");
        assert_eq!(with_table(&page, "| new |\n"), Some(want));
        assert_eq!(with_table("a\n", ""), None);
    }
}
