//! Deserialization and serialization of generated root types.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

/// A root as it is deserialized.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Root<Spec, Status> {
    api_version: Option<String>,
    kind: Option<String>,
    /// Standard metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// The desired state.
    pub spec: Spec,
    /// The observed state: an `Option` even if the kind has no status.
    pub status: Option<Status>,
}

/// A root as it is serialized.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RootRef<'a, Spec, Status> {
    /// Group and version.
    pub api_version: &'a str,
    /// The kind.
    pub kind: &'a str,
    /// Standard metadata.
    pub metadata: &'a ObjectMeta,
    /// The desired state.
    pub spec: &'a Spec,
    /// The observed state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<&'a Status>,
}

/// Returns metadata with a name and no other field.
#[must_use]
pub fn named(name: String) -> ObjectMeta {
    ObjectMeta { name: Some(name), ..ObjectMeta::default() }
}

/// Deserializes a root.
///
/// `apiVersion` and `kind` may be absent, as in items of a list; if present, they must be those of the kind.
///
/// # Errors
/// If serde cannot deserialize a field, or the object has another `apiVersion` or `kind`.
pub fn deserialize_root<'de, Spec, Status, D>(
    deserializer: D,
    api_version: &str,
    kind: &str,
) -> Result<Root<Spec, Status>, D::Error>
where
    Spec: Deserialize<'de>,
    Status: Deserialize<'de>,
    D: Deserializer<'de>,
{
    let root = Root::<Spec, Status>::deserialize(deserializer)?;
    for (name, there, want) in
        [("apiVersion", &root.api_version, api_version), ("kind", &root.kind, kind)]
    {
        if let Some(there) = there.as_deref().filter(|there| *there != want) {
            return Err(D::Error::custom(format_args!("{name} is `{there}`, want `{want}`")));
        }
    }
    Ok(root)
}

/// Joins an API group and a version, with a slash between them. `N` is the length of the text.
#[must_use]
pub const fn joined<const N: usize>(group: &str, version: &str) -> [u8; N] {
    let (group, version) = (group.as_bytes(), version.as_bytes());
    let mut text = [b'/'; N];
    let mut at = 0;
    while at < N {
        if at < group.len() {
            text[at] = group[at];
        } else if at > group.len() {
            text[at] = version[at - group.len() - 1];
        }
        at += 1;
    }
    text
}

/// Returns bytes as the text that they are.
///
/// # Panics
/// If they are not UTF-8.
#[must_use]
pub const fn text(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("not a text"),
    }
}
