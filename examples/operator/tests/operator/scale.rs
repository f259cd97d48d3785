//! Other clients set the number of replicas.

use k8s_openapi::api::apps::v1::Deployment;
use kube::api::{Api, Patch, PatchParams};
use serde_json::json;
use website_operator::recording::{builder, ready, website};
use website_operator::website::Website;

use crate::{Outcome, operate};

#[tokio::test(start_paused = true)]
async fn a_website_is_scaled_as_a_deployment_is() -> Outcome {
    let server = builder().with_workloads().with_object(&website()).start();
    let websites = Api::<Website>::default_namespaced(server.client());
    operate(&server, async {
        ready(server.client()).await?;
        let five = Patch::Merge(json!({"spec": {"replicas": 5}}));
        websites.patch_scale("blog", &PatchParams::default(), &five).await?;
        Ok(ready(server.client()).await?)
    })
    .await?;
    let scale = websites.get_scale("blog").await?;
    assert_eq!(scale.status.map(|status| status.replicas), Some(5));
    assert_eq!(server.get::<Deployment>("default", "blog")?.spec.replicas, Some(5));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_manifest_does_not_undo_what_an_autoscaler_has_set() -> Outcome {
    let websites = Api::<Website>::default_namespaced(builder().start().client());
    let manifest = Patch::Apply(json!({
        "apiVersion": "example.com/v1", "kind": "Website", "metadata": {"name": "blog"},
        "spec": {"host": "example.com", "replicas": 2},
    }));
    let params = PatchParams::apply("kubectl");
    websites.patch("blog", &params, &manifest).await?;
    let five = Patch::Merge(json!({"spec": {"replicas": 5}}));
    let autoscaler =
        PatchParams { field_manager: Some("autoscaler".to_owned()), ..PatchParams::default() };
    websites.patch_scale("blog", &autoscaler, &five).await?;

    let conflict = websites.patch("blog", &params, &manifest).await.expect_err("a conflict");
    let text = "conflict with \"autoscaler\" with subresource \"scale\"";
    assert!(conflict.to_string().contains(text), "{conflict}");
    assert!(conflict.to_string().contains(".spec.replicas"), "{conflict}");
    Ok(())
}
