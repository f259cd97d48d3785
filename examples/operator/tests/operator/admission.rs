//! The server rejects invalid websites.

use kube::api::{Api, Patch, PatchParams, PostParams};
use serde_json::json;
use website_operator::recording::{server, website};
use website_operator::website::Website;

#[tokio::test(start_paused = true)]
async fn wrong_websites_are_rejected() {
    let api = Api::<Website>::default_namespaced(server().client());
    let mut many = website();
    many.spec.replicas = 10;
    let rejected = api.create(&PostParams::default(), &many).await.expect_err("too many");
    let text =
        "spec.replicas: Invalid value: 10: spec.replicas in body should be less than or equal to 9";
    assert!(rejected.to_string().contains(text), "{rejected}");
}

#[tokio::test(start_paused = true)]
async fn a_host_stays() {
    let api = Api::<Website>::default_namespaced(server().client());
    api.create(&PostParams::default(), &website()).await.expect("created");
    let moved = Patch::Merge(json!({"spec": {"host": "example.org"}}));
    let rejected = api.patch("blog", &PatchParams::default(), &moved).await.expect_err("immutable");
    assert!(rejected.to_string().contains("spec.host"), "{rejected}");
}
