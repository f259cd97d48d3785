//! The life of a website, from its creation to its deletion.

use crd_apiserver::Mask;
use k8s_openapi::api::events::v1::Event;
use kube::api::{Api, PostParams};
use website_operator::controller::NAME;
use website_operator::recording::{create_and_delete, ready, run_until, server, website};
use website_operator::website::Website;

use crate::{Outcome, until};

#[tokio::test(start_paused = true)]
async fn a_website_waits_for_its_replicas() -> Outcome {
    let server = server().with_object(&website());
    run_until(server.client_of(NAME), async {
        until(&server, "default", "Starting").await;
        let status = server.get::<Website>("default", "blog")?.status.unwrap_or_default();
        assert_eq!(status.conditions[0].message, "0 of 2 replicas are ready");
        server.workloads().deployment_available("default", "blog")?;
        ready(server.client()).await?;
        Outcome::Ok(())
    })
    .await?;
    let events = server.list::<Event>("default")?;
    let notes: Vec<_> = events.into_iter().map(|it| it.note).collect();
    assert_eq!(notes, [Some("2 replicas serve example.com".to_owned())]);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn only_the_expected_objects_are_created() {
    let server = server().with_workloads();
    let before = server.snapshot();
    run_until(server.client_of(NAME), async {
        let api = Api::<Website>::default_namespaced(server.client());
        api.create(&PostParams::default(), &website()).await.expect("created");
        ready(server.client()).await
    })
    .await
    .expect("ready");
    let after = server.snapshot();
    assert_eq!(
        before
            .changes(&after)
            .to_string()
            .lines()
            .filter(|line| !line.contains("Event"))
            .collect::<Vec<_>>(),
        [
            "+ v1 ConfigMap ingress/default.blog",
            "+ apps/v1 Deployment default/blog",
            "+ example.com/v1 Website default/blog"
        ]
    );
    let route = after.only(&["configmaps"]).masked(Mask::default()).to_string();
    assert_eq!(route, include_str!("route.yaml"));
}

#[tokio::test(start_paused = true)]
async fn nothing_is_left_after_a_deletion() {
    let server = server().with_workloads();
    let before = server.snapshot();
    run_until(server.client_of(NAME), create_and_delete(server.client(), website()))
        .await
        .expect("gone");
    let changes = before.changes(&server.snapshot().without(&["events"]));
    assert!(changes.is_empty(), "{changes}");
}
