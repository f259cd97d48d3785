//! `no_spec` of kube's derive: properties beside `metadata`.

use crd_runtime::{CrdSchema, CustomResource, TypeMeta, admit, compiled::CompiledSchema};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::ResourceExt;
use kube::core::object::{HasSpec as _, HasStatus as _};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "clux.dev", version = "v1", kind = "Bucket", namespaced)]
struct Bucket {
    #[serde(flatten)]
    type_meta: TypeMeta<Self>,
    metadata: ObjectMeta,
    name: String,
}

#[test]
fn properties_are_at_the_root() {
    let metadata = ObjectMeta { name: Some("blobs".to_owned()), ..ObjectMeta::default() };
    let bucket = Bucket { type_meta: TypeMeta::new(), metadata, name: "blobs".to_owned() };
    assert_eq!(bucket.name_any(), "blobs");
    let written = serde_json::to_value(&bucket).unwrap();
    let want = json!({
        "apiVersion": "clux.dev/v1", "kind": "Bucket", "metadata": {"name": "blobs"}, "name": "blobs",
    });
    assert_eq!(written, want);
    let mut object = want;
    object["metadata"]["namespace"] = json!("default");
    let schema = CompiledSchema::for_version(&Bucket::definition(), "v1").unwrap();
    admit::create(&schema, object).unwrap().into_typed::<Bucket>().unwrap();
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
struct BucketSize {
    bytes: i64,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "clux.dev", version = "v1", kind = "Volume", namespaced, status = BucketSize)]
struct Volume {
    #[serde(flatten)]
    type_meta: TypeMeta<Self>,
    metadata: ObjectMeta,
    spec: BucketSize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<BucketSize>,
}

#[test]
fn roots_with_a_spec_and_a_status_have_kubes_traits() {
    let spec = BucketSize { bytes: 1 };
    let mut volume = Volume {
        type_meta: TypeMeta::new(),
        metadata: ObjectMeta::default(),
        spec: spec.clone(),
        status: None,
    };
    assert_eq!((volume.spec(), volume.status()), (&spec, None));
    volume.spec_mut().bytes = 2;
    *volume.status_mut() = Some(spec.clone());
    assert_eq!((volume.spec.bytes, volume.status()), (2, Some(&spec)));
}
