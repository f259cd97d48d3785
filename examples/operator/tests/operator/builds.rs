//! The web server starts once its content is built. The tests write the statuses that a cluster would write, or let the
//! server make pods.

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::api::events::v1::Event;
use kube::api::{Api, DeleteParams};
use website_operator::recording::{builder, ready, website_with_build};
use website_operator::website::Website;

use crate::{Outcome, gone, operate, until};

#[tokio::test(start_paused = true)]
async fn the_web_server_waits_for_its_content() -> Outcome {
    let server = builder().with_object(&website_with_build()).start();
    operate(&server, async {
        until(&server, "default", "Building").await;
        assert_eq!(server.list::<Deployment>("default")?, []);
        server.workloads().job_complete("default", "blog-build")?;
        until(&server, "default", "Starting").await;
        server.workloads().deployment_available("default", "blog")?;
        Ok(ready(server.client()).await?)
    })
    .await
}

#[tokio::test(start_paused = true)]
async fn a_build_that_fails_is_reported() -> Outcome {
    let server = builder().with_object(&website_with_build()).start();
    operate(&server, async {
        until(&server, "default", "Building").await;
        server.workloads().job_failed("default", "blog-build")?;
        until(&server, "default", "BuildFailed").await;
        Ok(())
    })
    .await?;
    let events = server.list::<Event>("default")?;
    let notes: Vec<_> = events.iter().map(|it| (it.type_.as_deref(), it.note.as_deref())).collect();
    assert_eq!(notes, [(Some("Warning"), Some("the content cannot be built"))]);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn pods_are_deleted_with_their_website() -> Outcome {
    let server = builder().with_pods().with_object(&website_with_build()).start();
    let websites = Api::<Website>::default_namespaced(server.client());
    operate(&server, async {
        until(&server, "default", "AllReplicasReady").await;
        let pods = server.list::<Pod>("default")?.into_iter();
        let phases: Vec<_> = pods.filter_map(|pod| pod.status?.phase).collect();
        assert_eq!(phases, ["Succeeded", "Running", "Running"]);
        websites.delete("blog", &DeleteParams::foreground()).await?;
        gone(&server).await;
        assert_eq!(server.list::<Pod>("default")?, []);
        Ok(())
    })
    .await
}
