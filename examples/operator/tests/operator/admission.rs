//! The server sets defaults and rejects invalid websites.

use std::time::{Duration, UNIX_EPOCH};

use kube::api::{Api, Patch, PatchParams, PostParams};
use serde_json::json;
use website_operator::recording::{builder, website};
use website_operator::website::Website;

use crate::Outcome;

#[tokio::test(start_paused = true)]
async fn wrong_websites_are_rejected() {
    let api = Api::<Website>::default_namespaced(builder().start().client());
    let mut many = website();
    many.spec.replicas = 10;
    let rejected = api.create(&PostParams::default(), &many).await.expect_err("too many");
    let text =
        "spec.replicas: Invalid value: 10: spec.replicas in body should be less than or equal to 9";
    assert!(rejected.to_string().contains(text), "{rejected}");
}

#[tokio::test(start_paused = true)]
async fn a_host_cannot_be_changed() -> Outcome {
    let api = Api::<Website>::default_namespaced(builder().start().client());
    api.create(&PostParams::default(), &website()).await?;
    let moved = Patch::Merge(json!({"spec": {"host": "example.org"}}));
    let rejected = api.patch("blog", &PatchParams::default(), &moved).await.expect_err("immutable");
    assert!(rejected.to_string().contains("spec.host"), "{rejected}");
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_dry_run_shows_defaults_and_finds_unknown_fields() -> Outcome {
    let api = Api::<Website>::default_namespaced(builder().start().client());
    let manifest = |mut spec: serde_json::Value| {
        spec["host"] = "example.com".into();
        Patch::Apply(json!({
            "apiVersion": "example.com/v1", "kind": "Website", "metadata": {"name": "blog"},
            "spec": spec,
        }))
    };
    let params = PatchParams::apply("me").dry_run().validation_strict();
    let shown = api.patch("blog", &params, &manifest(json!({}))).await?;
    assert_eq!((shown.spec.image.as_str(), shown.spec.replicas), ("nginx:1.29", 1));
    assert!(api.get_opt("blog").await?.is_none());
    let typo = manifest(json!({"replica": 2}));
    let rejected = api.patch("blog", &params, &typo).await.expect_err("unknown field");
    assert!(rejected.to_string().contains(".spec.replica"), "{rejected}");
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn names_and_times_are_the_same_in_each_run() -> Outcome {
    let mut unnamed = website();
    unnamed.metadata.name = None;
    unnamed.metadata.generate_name = Some("blog-".to_owned());
    let mut made = Vec::new();
    for seed in [1, 1, 2] {
        let server =
            builder().seed(seed).clock(|| UNIX_EPOCH + Duration::from_secs(1_800_000_000)).start();
        let api = Api::<Website>::default_namespaced(server.client());
        made.push(api.create(&PostParams::default(), &unnamed).await?.metadata);
    }
    assert_eq!(made[0], made[1]);
    assert_ne!((&made[0].name, &made[0].uid), (&made[2].name, &made[2].uid));
    assert_eq!(made[0].creation_timestamp, made[2].creation_timestamp);
    Ok(())
}
