//! Which objects are deleted together, and which are kept.

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Namespace;
use kube::api::{Api, DeleteParams, ListParams, PostParams, Preconditions};
use serde_json::json;
use website_operator::recording::{builder, ready, website};
use website_operator::website::Website;

use crate::{HOUR, Outcome, gone, operate, until};

/// The website's finalizer runs while the namespace is deleted: the route is in another namespace, and must go too.
#[tokio::test(start_paused = true)]
async fn a_namespace_goes_with_its_websites() -> Outcome {
    let server = builder().with_workloads().start();
    let before = server.snapshot();
    let shop = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}});
    server.create(&shop)?;
    let websites = Api::<Website>::namespaced(server.client(), "shop");
    operate(&server, async {
        websites.create(&PostParams::default(), &website()).await?;
        until(&server, "shop", "AllReplicasReady").await;
        server.delete::<Namespace>("", "shop")?;
        server.eventually(HOUR, || server.get::<Namespace>("", "shop").err()).await;
        Ok(())
    })
    .await?;
    let changes = before.changes(&server.snapshot());
    assert!(changes.is_empty(), "{changes}");
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_deployment_can_outlive_its_website() -> Outcome {
    let server = builder().with_workloads().with_object(&website()).start();
    let websites = Api::<Website>::default_namespaced(server.client());
    operate(&server, async {
        ready(server.client()).await?;
        websites.delete("blog", &DeleteParams::orphan()).await?;
        gone(&server).await;
        Ok(())
    })
    .await?;
    let left = server.get::<Deployment>("default", "blog")?;
    assert_eq!(left.metadata.owner_references, None);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn preconditions_and_selectors_limit_deletions() -> Outcome {
    let mut labelled = website();
    labelled.metadata.name = Some("shop".to_owned());
    labelled.metadata.labels = Some([("tier".to_owned(), "test".to_owned())].into());
    let server = builder().with_object(&website()).with_object(&labelled).start();
    let websites = Api::<Website>::default_namespaced(server.client());

    let outdated =
        Preconditions { resource_version: Some("1".to_owned()), ..Preconditions::default() };
    let params = DeleteParams::default().preconditions(outdated);
    let rejected = websites.delete("blog", &params).await.expect_err("changed since");
    assert!(rejected.to_string().contains("the ResourceVersion in the precondition"), "{rejected}");

    let tests = ListParams::default().labels("tier=test");
    websites.delete_collection(&DeleteParams::default(), &tests).await?;
    let left = server.list::<Website>("default")?;
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].metadata.name.as_deref(), Some("blog"));
    Ok(())
}
