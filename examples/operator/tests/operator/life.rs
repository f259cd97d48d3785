//! The life of a website, from its creation to its deletion.

use crd_apiserver::Mask;
use k8s_openapi::api::events::v1::Event;
use website_operator::recording::{builder, create_and_delete, ready, website};
use website_operator::website::Website;

use crate::{Outcome, operate, until};

#[tokio::test(start_paused = true)]
async fn a_website_waits_for_its_replicas() -> Outcome {
    let server = builder().with_object(&website()).start();
    operate(&server, async {
        until(&server, "default", "Starting").await;
        let status = server.get::<Website>("default", "blog")?.status.unwrap_or_default();
        assert_eq!(status.conditions[0].message, "0 of 2 replicas are ready");
        server.workloads().deployment_available("default", "blog")?;
        Ok(ready(server.client()).await?)
    })
    .await?;
    let events = server.list::<Event>("default")?;
    let notes: Vec<_> = events.into_iter().map(|it| it.note).collect();
    assert_eq!(notes, [Some("2 replicas serve example.com".to_owned())]);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn only_the_expected_objects_are_created() -> Outcome {
    let server = builder().with_workloads().start();
    let before = server.snapshot();
    operate(&server, async {
        server.create(&website())?;
        Ok(ready(server.client()).await?)
    })
    .await?;
    let after = server.snapshot();
    assert_eq!(
        before.changes(&after.without(&["events"])).to_string(),
        "+ v1 ConfigMap ingress/default.blog\n\
         + apps/v1 Deployment default/blog\n\
         + example.com/v1 Website default/blog\n"
    );
    let route = after.only(&["configmaps"]).masked(Mask::default()).to_string();
    assert_eq!(route, include_str!("route.yaml"));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn nothing_is_left_after_a_deletion() -> Outcome {
    let server = builder().with_workloads().start();
    let before = server.snapshot();
    operate(&server, create_and_delete(server.client(), website())).await?;
    let changes = before.changes(&server.snapshot().without(&["events"]));
    assert!(changes.is_empty(), "{changes}");
    Ok(())
}
