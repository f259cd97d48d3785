//! What cargo says of the workspace, and what the chores that ask it have in common.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::{Command, ExitCode};

use serde_json::Value;

/// The cargo that runs this chore.
pub(crate) fn cargo() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// `cargo metadata` with every feature, dependencies included.
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

/// The members of the workspace that are published.
pub(crate) fn published(metadata: &Value) -> Vec<&Value> {
    let members = array(&metadata["workspace_members"]);
    let packages = array(&metadata["packages"]).iter();
    let members = packages.filter(|package| members.contains(&package["id"]));
    members.filter(|package| package["publish"].is_null()).collect()
}

/// The items of a list; none where there is no list.
pub(crate) fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A text; empty where there is none.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Prints a line where it belongs, and is the exit status that goes with it.
pub(crate) fn say(line: &str, good: bool) -> ExitCode {
    let _ = if good { writeln!(io::stdout(), "{line}") } else { writeln!(io::stderr(), "{line}") };
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
