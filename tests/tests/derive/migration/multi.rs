//! `crd_derive_multi`: two versions of one kind.

use crd_runtime::compiled::CompiledSchema;
use crd_runtime::definition;
use crd_runtime::model::Conversion;
use crd_runtime::versions::{Versions, merge};
use crd_runtime::{CustomResource, admit, versions};
use serde_json::json;

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
    pub(crate) struct ManyDeriveSpec {
        pub name: String,
        pub extra: Option<String>,
    }
}

type Many = versions!(v1::ManyDerive, v2::ManyDerive);

#[test]
fn versions_merge() {
    let crd = Many::merged().expect("they agree");
    assert_eq!(crd.spec.conversion, Some(Conversion::none()));
    assert_eq!(Many::merged_with(Conversion::none()).as_ref(), Ok(&crd));
    definition::validate(&crd).into_result().expect("a definition that the server takes");
    let versions: Vec<_> = crd.spec.versions.iter().map(|v| (v.name.as_str(), v.storage)).collect();
    assert_eq!(versions, [("v2", true), ("v1", false)]);
}

#[test]
fn fields_that_the_other_version_lacks_are_dropped() {
    let crd = Many::merged().expect("they agree");
    let v1 = CompiledSchema::for_version(&crd, "v1").unwrap();
    let v2 = CompiledSchema::for_version(&crd, "v2").unwrap();
    let spec = v1::ManyDeriveSpec { name: "i am old".to_owned(), oldprop: 5 };
    let old = admit::create_typed(&v1, &v1::ManyDerive::new("old", spec)).unwrap();
    let mut object = serde_json::to_value(&old).unwrap();
    object["apiVersion"] = json!("kube.rs/v2");
    let read = admit::read(&v2, object).unwrap();
    assert_eq!(read["spec"], json!({"name": "i am old"}));
}

#[test]
fn errors_name_the_kind_and_the_difference() {
    let mut v2 = v2::ManyDerive::definition();
    v2.spec.names.plural = "lots".to_owned();
    let error = merge(&[v1::ManyDerive::definition(), v2]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "versions of `ManyDerive` cannot be merged into one CRD: `plural` is `manyderives` in version `v1` and `lots` in \
         version `v2`: set the same value in both"
    );
}
