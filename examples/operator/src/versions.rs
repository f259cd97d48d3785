//! The older version `v1beta1` of websites, and the conversion between the versions.

use std::convert::Infallible;

use crd_runtime::convert::{ConvertTo, Converter};

use crate::website::{Website, WebsiteSpec};

/// The version for manifests that were written before `v1`.
pub mod v1beta1 {
    use crd_runtime::CustomResource;
    use serde::{Deserialize, Serialize};

    use crate::website::WebsiteStatus;

    /// A website: replicas of a web server, and a host name in the cluster's routes.
    #[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[crd(group = "example.com", version = "v1beta1", kind = "Website", namespaced)]
    #[crd(storage = false, status = WebsiteStatus)]
    pub struct WebsiteSpec {
        /// The host name. It cannot be changed.
        #[crd(immutable, min_length = 1, max_length = 253)]
        pub host: String,
        /// The image of the web server.
        #[crd(min_length = 1, max_length = 512, default = "nginx:1.29")]
        pub image: String,
        /// How many replicas run.
        #[crd(minimum = 0, maximum = 9, default = 1)]
        pub size: i32,
    }
}

/// All versions: `Websites::merged()` is the definition.
pub type Websites = crd_runtime::versions!(v1beta1::Website, Website);

impl ConvertTo<Website> for v1beta1::Website {
    type Error = Infallible;

    fn convert_to(self) -> Result<Website, Infallible> {
        let v1beta1::WebsiteSpec { host, image, size } = self.spec;
        let spec = WebsiteSpec { host, image, build: None, replicas: size };
        Ok(Website { metadata: self.metadata, spec, status: self.status })
    }
}

impl ConvertTo<v1beta1::Website> for Website {
    type Error = Infallible;

    /// Drops `build`, which the [`Converter`] then keeps in an annotation.
    fn convert_to(self) -> Result<v1beta1::Website, Infallible> {
        let WebsiteSpec { host, image, build: _, replicas } = self.spec;
        let spec = v1beta1::WebsiteSpec { host, image, size: replicas };
        Ok(v1beta1::Website { metadata: self.metadata, spec, status: self.status })
    }
}

/// Converts websites between their versions.
pub fn converter() -> Converter {
    Converter::of::<Website>().both_ways::<v1beta1::Website, Website>()
}
