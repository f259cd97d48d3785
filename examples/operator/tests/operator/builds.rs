//! The web server starts once its content is built. The tests write the statuses that a cluster would write.

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::api::events::v1::Event;
use kube::Resource as _;
use kube::api::{Api, DeleteParams, ListParams};
use kube::runtime::wait::{await_condition, conditions};
use serde_json::json;
use website_operator::controller::NAME;
use website_operator::recording::{ready, run_until, server, website_with_build};
use website_operator::website::Website;

use crate::{Outcome, until};

#[tokio::test(start_paused = true)]
async fn the_web_server_waits_for_its_content() -> Outcome {
    let server = server().with_object(&website_with_build());
    let websites = Api::<Website>::default_namespaced(server.client());
    let deployments = Api::<Deployment>::default_namespaced(server.client());
    run_until(server.client_of(NAME), async {
        until(&websites, "Building").await?;
        assert!(deployments.get_opt("blog").await?.is_none());
        server.workloads().job_complete("default", "blog-build")?;
        until(&websites, "Starting").await?;
        server.workloads().deployment_available("default", "blog")?;
        ready(server.client()).await?;
        Outcome::Ok(())
    })
    .await?;
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_build_that_fails_is_reported() -> Outcome {
    let server = server().with_object(&website_with_build());
    let websites = Api::<Website>::default_namespaced(server.client());
    run_until(server.client_of(NAME), async {
        until(&websites, "Building").await?;
        server.workloads().job_failed("default", "blog-build")?;
        until(&websites, "BuildFailed").await
    })
    .await?;
    let warnings = ListParams::default().fields("type=Warning");
    let events = Api::<Event>::default_namespaced(server.client()).list(&warnings).await?;
    let notes: Vec<_> = events.items.into_iter().map(|it| it.note).collect();
    assert_eq!(notes, [Some("the content cannot be built".to_owned())]);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_running_build_is_deleted_with_its_website() -> Outcome {
    let server = server().with_object(&website_with_build());
    let websites = Api::<Website>::default_namespaced(server.client());
    let pods = Api::<Pod>::default_namespaced(server.client());
    run_until(server.client_of(NAME), async {
        until(&websites, "Building").await?;
        let job = Api::<Job>::default_namespaced(server.client()).get("blog-build").await?;
        // The server has no controller of jobs, so the test creates the pod.
        let server = server.clone().with_object(&json!({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": "blog-build-1", "ownerReferences": [job.controller_owner_ref(&())]},
            "spec": {"containers": [{"name": "build", "image": "hugo:0.150"}]},
        }));
        server.workloads().pod_running("default", "blog-build-1")?;
        let running = ListParams::default().fields("status.phase=Running");
        assert_eq!(pods.list(&running).await?.items.len(), 1);

        let website = websites.delete("blog", &DeleteParams::foreground()).await?.left();
        let uid = website.and_then(|it| it.metadata.uid).unwrap_or_default();
        await_condition(websites.clone(), "blog", conditions::is_deleted(&uid)).await?;
        assert_eq!(pods.list(&ListParams::default()).await?.items, []);
        Outcome::Ok(())
    })
    .await?;
    Ok(())
}
