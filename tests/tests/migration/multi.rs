//! `crd_derive_multi`: two versions of one kind.

use crd_runtime::definition;
use crd_runtime::versions::Versions;

mod v1 {
    use crd_runtime::{CrdSchema, CustomResource};
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, Serialize, Deserialize, Default, Debug, Clone)]
    #[crd(group = "kube.rs", version = "v1", kind = "ManyDerive", namespaced)]
    #[crd(status = ManyDeriveStatus, storage = false)]
    pub(crate) struct ManyDeriveSpec {
        pub name: String,
        pub oldprop: u32,
    }

    #[derive(CrdSchema, Serialize, Deserialize, Default, Debug, Clone)]
    pub(crate) struct ManyDeriveStatus {
        pub condition: Option<bool>,
    }
}

mod v2 {
    use super::v1;
    use crd_runtime::CustomResource;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, Serialize, Deserialize, Default, Debug, Clone)]
    #[crd(group = "kube.rs", version = "v2", kind = "ManyDerive", namespaced)]
    #[crd(status = v1::ManyDeriveStatus)]
    #[crd(conversion(webhook(service(namespace = "default", name = "many"))))]
    pub(crate) struct ManyDeriveSpec {
        pub name: String,
        pub extra: Option<String>,
    }
}

#[test]
fn versions_merge() {
    let crd = <(v1::ManyDerive, v2::ManyDerive)>::merged().expect("they agree");
    definition::validate(&crd).into_result().expect("a definition that the server takes");
    let versions: Vec<_> = crd.spec.versions.iter().map(|v| (v.name.as_str(), v.storage)).collect();
    assert_eq!(versions, [("v2", true), ("v1", false)]);
}
