//! A server of one version of Kubernetes, as the receiver of what depends on the version.

use crd_cel::kubernetes::KubernetesVersion;

/// Answers as the server of one version of Kubernetes. The functions of [`definition`](crate::definition) and
/// [`openapi`](crate::openapi) answer as [`Server::REFERENCE`].
///
/// # Examples
///
/// ```
/// use crd_runtime::{CustomResource, KubernetesVersion, Server};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
/// #[crd(group = "example.com", version = "v1", kind = "Shirt", namespaced)]
/// struct ShirtSpec {
///     size: String,
/// }
///
/// for kubernetes in KubernetesVersion::ALL {
///     Server::of(kubernetes).validate(&Shirt::crd()).into_result()?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Server {
    pub(crate) kubernetes: KubernetesVersion,
}

impl Server {
    /// The server of [`KubernetesVersion::REFERENCE`].
    pub const REFERENCE: Self = Self::of(KubernetesVersion::REFERENCE);

    /// Returns the server of a version.
    pub const fn of(kubernetes: KubernetesVersion) -> Self {
        Self { kubernetes }
    }
}
