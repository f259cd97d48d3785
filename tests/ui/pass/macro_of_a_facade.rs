//! A macro of a crate that re-exports this one names it by `$crate`.
#![forbid(unused_imports)]

use crd_runtime::CustomResource as _;
use serde::{Deserialize, Serialize};

mod facade {
    pub use crd_runtime;
}

macro_rules! kind {
    ($spec:ident, $kind:literal, $size:ty) => {
        #[derive(facade::crd_runtime::CustomResource, Serialize, Deserialize, Clone, Debug)]
        #[crd(
            group = "example.com",
            version = "v1",
            kind = $kind,
            namespaced,
            apply,
            crate = $crate::facade::crd_runtime
        )]
        pub struct $spec {
            #[crd(minimum = 1)]
            pub size: $size,
            #[crd(nullable)]
            pub note: Option<String>,
        }
    };
}

kind!(DiskSpec, "Disk", i32);
// Names that differ in upper and lower case only.
kind!(Vmspec, "Vm", i32);
kind!(VMspec, "VM", i32);

fn main() {
    let apply = DiskApply::new().name("a").spec(DiskSpecApply::new().size(5));
    let json = serde_json::to_value(apply).expect("JSON");
    assert_eq!(json["spec"]["size"], 5);
    assert_eq!(json["apiVersion"], Disk::API_VERSION);
}
