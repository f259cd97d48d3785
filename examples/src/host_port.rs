//! Two versions of one kind, and the conversion between them: the `hostPort` example of the Kubernetes documentation.
//!
//! `v1beta1` has host and port in one string, `v1` in two fields. The fields are not in a spec, so each struct has
//! `metadata` and is a root type.

use crd_runtime::TypeMeta;
use crd_runtime::convert::{ConvertTo, Converter};

/// The version that is served for old clients.
pub mod v1beta1 {
    use crd_runtime::{CustomResource, TypeMeta};
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
    use serde::{Deserialize, Serialize};

    /// Where something listens.
    #[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[crd(group = "example.com", version = "v1beta1", kind = "Endpoint", namespaced)]
    #[crd(storage = false)]
    #[serde(rename_all = "camelCase")]
    pub struct Endpoint {
        /// `apiVersion` and `kind`.
        #[serde(flatten)]
        pub type_meta: TypeMeta<Self>,
        /// Standard metadata.
        pub metadata: ObjectMeta,
        /// Host and port, separated by a colon.
        #[crd(example = "localhost:1234")]
        pub host_port: String,
    }
}

/// The version that is stored.
pub mod v1 {
    use crd_runtime::{CustomResource, TypeMeta};
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
    use serde::{Deserialize, Serialize};

    /// Where something listens.
    #[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[crd(group = "example.com", version = "v1", kind = "Endpoint", namespaced)]
    #[crd(conversion(webhook(
        service(namespace = "default", name = "endpoint-conversion", path = "/convert"),
        review_versions("v1", "v1beta1")
    )))]
    pub struct Endpoint {
        /// `apiVersion` and `kind`.
        #[serde(flatten)]
        pub type_meta: TypeMeta<Self>,
        /// Standard metadata.
        pub metadata: ObjectMeta,
        /// The host.
        pub host: String,
        /// The port.
        pub port: String,
    }
}

impl ConvertTo<v1::Endpoint> for v1beta1::Endpoint {
    type Error = String;

    fn convert_to(self) -> Result<v1::Endpoint, String> {
        let (host, port) = self
            .host_port
            .rsplit_once(':')
            .ok_or_else(|| format!("hostPort {:?} has no colon", self.host_port))?;
        Ok(v1::Endpoint {
            type_meta: TypeMeta::new(),
            metadata: self.metadata,
            host: host.to_owned(),
            port: port.to_owned(),
        })
    }
}

impl ConvertTo<v1beta1::Endpoint> for v1::Endpoint {
    type Error = std::convert::Infallible;

    fn convert_to(self) -> Result<v1beta1::Endpoint, Self::Error> {
        let host_port = format!("{}:{}", self.host, self.port);
        Ok(v1beta1::Endpoint { type_meta: TypeMeta::new(), metadata: self.metadata, host_port })
    }
}

/// Returns the converter between the two versions.
pub fn converter() -> Converter {
    Converter::of::<v1::Endpoint>().both_ways::<v1beta1::Endpoint, v1::Endpoint>()
}
