//! The server rejects invalid websites.

use kube::api::{Api, Patch, PatchParams, PostParams};
use serde_json::json;
use website_operator::recording::{server, website};
use website_operator::website::Website;

#[tokio::test(start_paused = true)]
async fn wrong_websites_are_refused() {
    let api = Api::<Website>::default_namespaced(server().client());
    let mut many = website();
    many.spec.replicas = 10;
    let refused = api.create(&PostParams::default(), &many).await.expect_err("too many");
    let text =
        "spec.replicas: Invalid value: 10: spec.replicas in body should be less than or equal to 9";
    assert!(refused.to_string().contains(text), "{refused}");
}

#[tokio::test(start_paused = true)]
async fn a_host_stays() {
    let api = Api::<Website>::default_namespaced(server().client());
    api.create(&PostParams::default(), &website()).await.expect("created");
    let moved = Patch::Merge(json!({"spec": {"host": "example.org"}}));
    let refused = api.patch("blog", &PatchParams::default(), &moved).await.expect_err("immutable");
    assert!(refused.to_string().contains("spec.host"), "{refused}");
}
