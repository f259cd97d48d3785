//! Two versions of one kind, of which the newer one has more fields in the items of a list. The converter keeps these
//! fields in an annotation while an object is read and written in the older version.

use std::convert::Infallible;

use crd_runtime::convert::{ConvertTo, Converter};

/// The version that is served for old clients.
pub mod v1beta1 {
    use crd_runtime::{CrdSchema, CustomResource};
    use serde::{Deserialize, Serialize};

    /// Where traffic enters.
    #[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[crd(group = "gates.example.com", version = "v1beta1", kind = "Gate", namespaced)]
    #[crd(storage = false)]
    pub struct GateSpec {
        /// The ports that are open.
        #[crd(list_type = "map", list_map_keys("name"))]
        pub ports: Vec<Port>,
        /// Where the traffic goes.
        pub routes: Vec<Route>,
    }

    /// A port.
    #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
    pub struct Port {
        /// Its name.
        pub name: String,
        /// Its number.
        pub number: u16,
    }

    /// A destination.
    #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
    pub struct Route {
        /// The name of a service.
        pub to: String,
    }
}

/// The version that is stored.
pub mod v1 {
    use crd_runtime::{CrdSchema, CustomResource};
    use serde::{Deserialize, Serialize};

    /// Where traffic enters.
    #[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[crd(group = "gates.example.com", version = "v1", kind = "Gate", namespaced)]
    #[crd(conversion(webhook(service(
        namespace = "default",
        name = "gate-conversion",
        path = "/convert"
    ))))]
    pub struct GateSpec {
        /// The ports that are open.
        #[crd(list_type = "map", list_map_keys("name"))]
        pub ports: Vec<Port>,
        /// Where the traffic goes.
        pub routes: Vec<Route>,
        /// How much of the traffic each route gets.
        #[serde(default)]
        pub weights: Vec<f64>,
    }

    /// A port.
    #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
    pub struct Port {
        /// Its name.
        pub name: String,
        /// Its number.
        pub number: u16,
        /// Its protocol.
        pub protocol: String,
    }

    pub use super::v1beta1::Route;
}

impl ConvertTo<v1::Gate> for v1beta1::Gate {
    type Error = Infallible;

    fn convert_to(self) -> Result<v1::Gate, Infallible> {
        let port =
            |v1beta1::Port { name, number }| v1::Port { name, number, protocol: "TCP".to_owned() };
        let ports = self.spec.ports.into_iter().map(port).collect();
        let spec = v1::GateSpec { ports, routes: self.spec.routes, weights: Vec::new() };
        Ok(v1::Gate { metadata: self.metadata, spec })
    }
}

impl ConvertTo<v1beta1::Gate> for v1::Gate {
    type Error = Infallible;

    fn convert_to(self) -> Result<v1beta1::Gate, Infallible> {
        let port = |v1::Port { name, number, .. }| v1beta1::Port { name, number };
        let ports = self.spec.ports.into_iter().map(port).collect();
        let spec = v1beta1::GateSpec { ports, routes: self.spec.routes };
        Ok(v1beta1::Gate { metadata: self.metadata, spec })
    }
}

/// Returns the converter between the two versions.
pub fn converter() -> Converter {
    Converter::of::<v1::Gate>().both_ways::<v1beta1::Gate, v1::Gate>()
}
