//! Reads `cargo metadata`, and has helpers for the chores that use it.

use serde_json::Value;

use crate::cargo;

/// Runs `cargo metadata` with every feature, dependencies included.
pub(crate) fn read() -> Result<Value, String> {
    let output = cargo()
        .args(["metadata", "--format-version=1", "--all-features"])
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))
}

/// Returns the members of the workspace.
pub(crate) fn members(metadata: &Value) -> impl Iterator<Item = &Value> {
    let members = array(&metadata["workspace_members"]);
    array(&metadata["packages"]).iter().filter(|package| members.contains(&package["id"]))
}

/// Returns the members of the workspace that are published.
pub(crate) fn published(metadata: &Value) -> Vec<&Value> {
    members(metadata).filter(|package| package["publish"].is_null()).collect()
}

/// The items of a list; empty if the value is not a list.
pub(crate) fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A text; empty if the value is not a string.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
