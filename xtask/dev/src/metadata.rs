//! Reads `cargo metadata`, and has helpers for the chores that use it.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::{Command, ExitCode};

use serde_json::Value;

/// Returns the path of the cargo that runs this chore.
pub(crate) fn cargo() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Runs `cargo metadata` with every feature, dependencies included.
pub(crate) fn read() -> Result<Value, String> {
    let output = Command::new(cargo())
        .args(["metadata", "--format-version=1", "--all-features"])
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))
}

/// Returns the members of the workspace that are published.
pub(crate) fn published(metadata: &Value) -> Vec<&Value> {
    let members = array(&metadata["workspace_members"]);
    let packages = array(&metadata["packages"]).iter();
    let members = packages.filter(|package| members.contains(&package["id"]));
    members.filter(|package| package["publish"].is_null()).collect()
}

/// The items of a list; empty if the value is not a list.
pub(crate) fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A text; empty if the value is not a string.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Prints a line, to standard output if `good` and to standard error otherwise, and returns the matching exit status.
pub(crate) fn print_line(line: &str, good: bool) -> ExitCode {
    let _ = if good { writeln!(io::stdout(), "{line}") } else { writeln!(io::stderr(), "{line}") };
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
