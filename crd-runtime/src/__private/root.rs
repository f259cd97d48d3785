//! The generated root type: how it is read and written.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

/// What is read of a root.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Root<Spec, Status> {
    api_version: Option<String>,
    kind: Option<String>,
    /// Standard metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: Spec,
    /// What is there. An `Option`, also where the kind has no status.
    pub status: Option<Status>,
}

/// What is written of a root.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RootRef<'a, Spec, Status> {
    /// Group and version.
    pub api_version: &'a str,
    /// The kind.
    pub kind: &'a str,
    /// Standard metadata.
    pub metadata: &'a ObjectMeta,
    /// What is wanted.
    pub spec: &'a Spec,
    /// What is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<&'a Status>,
}

/// Metadata with a name and nothing else.
#[must_use]
pub fn named(name: String) -> ObjectMeta {
    ObjectMeta { name: Some(name), ..ObjectMeta::default() }
}

/// Reads a root.
///
/// Items of a list may lack `apiVersion` and `kind`; where they are, they must be this kind's.
///
/// # Errors
/// Those of serde, and another kind or version.
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
