//! The life of a website, from its creation to its deletion.

use crd_runtime::apiserver::Mask;
use k8s_openapi::api::events::v1::Event;
use kube::api::{Api, ListParams, PostParams};
use kube::runtime::wait::await_condition;
use website_operator::controller::NAME;
use website_operator::recording::{live, ready, run_until, server, website};
use website_operator::website::Website;

#[tokio::test(start_paused = true)]
async fn a_website_waits_for_its_replicas() {
    let server = server();
    let client = server.client();
    let api = Api::<Website>::default_namespaced(client.clone());
    run_until(server.client_of(NAME), async {
        api.create(&PostParams::default(), &website()).await.expect("created");
        let has_status = |website: Option<&Website>| website.is_some_and(|it| it.status.is_some());
        await_condition(api.clone(), "blog", has_status).await.expect("a status");
        let status = api.get("blog").await.expect("there").status.expect("a status");
        assert_eq!(status.conditions[0].message, "0 of 2 replicas are ready");

        server.workloads().deployment_available("default", "blog").expect("there");
        ready(client.clone()).await
    })
    .await
    .expect("ready");
    let events = Api::<Event>::default_namespaced(client).list(&ListParams::default()).await;
    let notes: Vec<_> = events.expect("listed").items.into_iter().map(|it| it.note).collect();
    assert_eq!(notes, [Some("2 replicas serve example.com".to_owned())]);
}

#[tokio::test(start_paused = true)]
async fn what_is_made_is_what_is_meant() {
    let server = server().with_workloads();
    let before = server.snapshot();
    run_until(server.client_of(NAME), async {
        let api = Api::<Website>::default_namespaced(server.client());
        api.create(&PostParams::default(), &website()).await.expect("created");
        ready(server.client()).await
    })
    .await
    .expect("ready");
    let made = server.snapshot();
    assert_eq!(
        before
            .changes(&made)
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
    let route = made.only(&["configmaps"]).masked(Mask::default()).to_string();
    assert_eq!(route, include_str!("route.yaml"));
}

#[tokio::test(start_paused = true)]
async fn nothing_is_left() {
    let server = server().with_workloads();
    let before = server.snapshot();
    run_until(server.client_of(NAME), live(server.client())).await.expect("gone");
    let changes = before.changes(&server.snapshot().without(&["events"]));
    assert!(changes.is_empty(), "{changes}");
}
