//! The web server starts once its content is built. The tests write the statuses that a cluster would write.

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::api::events::v1::Event;
use kube::Resource as _;
use kube::api::{Api, DeleteParams};
use kube::runtime::wait::{await_condition, conditions};
use serde_json::json;
use website_operator::controller::NAME;
use website_operator::recording::{ready, run_until, server, website_with_build};
use website_operator::website::Website;

use crate::{Outcome, until};

#[tokio::test(start_paused = true)]
async fn the_web_server_waits_for_its_content() -> Outcome {
    let server = server().with_object(&website_with_build());
    run_until(server.client_of(NAME), async {
        until(&server, "default", "Building").await;
        assert_eq!(server.list::<Deployment>("default")?, []);
        server.workloads().job_complete("default", "blog-build")?;
        until(&server, "default", "Starting").await;
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
    run_until(server.client_of(NAME), async {
        until(&server, "default", "Building").await;
        server.workloads().job_failed("default", "blog-build")?;
        until(&server, "default", "BuildFailed").await;
        Outcome::Ok(())
    })
    .await?;
    let events = server.list::<Event>("default")?;
    let notes: Vec<_> = events.iter().map(|it| (it.type_.as_deref(), it.note.as_deref())).collect();
    assert_eq!(notes, [(Some("Warning"), Some("the content cannot be built"))]);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_running_build_is_deleted_with_its_website() -> Outcome {
    let server = server().with_object(&website_with_build());
    let websites = Api::<Website>::default_namespaced(server.client());
    run_until(server.client_of(NAME), async {
        until(&server, "default", "Building").await;
        let job = server.get::<Job>("default", "blog-build")?;
        // The server has no controller of jobs, so the test creates the pod.
        server.create(&json!({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": "blog-build-1", "ownerReferences": [job.controller_owner_ref(&())]},
            "spec": {"containers": [{"name": "build", "image": "hugo:0.150"}]},
        }))?;
        server.workloads().pod_running("default", "blog-build-1")?;
        let status = server.get::<Pod>("default", "blog-build-1")?.status;
        assert_eq!(status.and_then(|it| it.phase).as_deref(), Some("Running"));
        let website = websites.delete("blog", &DeleteParams::foreground()).await?.left();
        let uid = website.and_then(|it| it.metadata.uid).unwrap_or_default();
        await_condition(websites.clone(), "blog", conditions::is_deleted(&uid)).await?;
        assert_eq!(server.list::<Pod>("default")?, []);
        Outcome::Ok(())
    })
    .await?;
    Ok(())
}
