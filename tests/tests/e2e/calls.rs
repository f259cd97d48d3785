//! Calls of `kube::Api` for derived kinds.

use std::time::Duration;

use crd_examples::crontab::{CronTab, CronTabSpec, CronTabStatus};
use crd_examples::shirt::{Shirt, ShirtSpec};
use crd_runtime::CustomResource as _;
use crd_runtime::differences::Difference;
use futures::TryStreamExt as _;
use kube::api::{
    DeleteParams, ListParams, Patch, PatchParams, PostParams, WatchEvent, WatchParams,
};
use kube::{Api, ResourceExt as _};
use serde_json::json;

use crate::cluster::Cluster;

fn crontab(name: &str, replicas: i32) -> CronTab {
    let spec = CronTabSpec { cron_spec: "* * * * *".to_owned(), image: None, replicas };
    CronTab::new(name, spec)
}

fn crontabs(cluster: &Cluster) -> Api<CronTab> {
    Api::namespaced(cluster.client.clone(), "default")
}

pub(crate) async fn objects(cluster: Cluster) {
    let api = crontabs(&cluster);
    let created = api.create(&PostParams::default(), &crontab("calls", 2)).await.expect("created");
    assert_eq!((created.spec.replicas, created.metadata.generation), (2, Some(1)));
    let mut read = api.get("calls").await.expect("there");
    assert_eq!(read.metadata.resource_version, created.metadata.resource_version);

    read.spec.image = Some("i".to_owned());
    let replaced = api.replace("calls", &PostParams::default(), &read).await.expect("replaced");
    assert_eq!(replaced.metadata.generation, Some(2));
    let stale = api.replace("calls", &PostParams::default(), &read).await.expect_err("stale");
    assert!(matches!(stale, kube::Error::Api(status) if status.is_conflict()));

    let patch = Patch::Merge(json!({"spec": {"replicas": 3}}));
    let patched = api.patch("calls", &PatchParams::default(), &patch).await.expect("patched");
    assert_eq!((patched.spec.replicas, patched.spec.image.as_deref()), (3, Some("i")));
    let invalid = Patch::Merge(json!({"spec": {"replicas": 30}}));
    let invalid = api.patch("calls", &PatchParams::default(), &invalid).await.expect_err("invalid");
    assert_eq!(
        invalid_message(&invalid),
        "CronTab.stable.example.com \"calls\" is invalid: spec.replicas: Invalid value: 30: spec.replicas in body should be less than or equal to 10"
    );

    let applied =
        json!({"apiVersion": CronTab::API_VERSION, "kind": CronTab::KIND, "spec": {"replicas": 4}});
    let params = PatchParams::apply("e2e");
    let conflict = api.patch("calls", &params, &Patch::Apply(&applied)).await.expect_err("owned");
    assert!(matches!(conflict, kube::Error::Api(status) if status.code == 409));
    let applied =
        api.patch("calls", &params.force(), &Patch::Apply(&applied)).await.expect("forced");
    assert_eq!(applied.spec.replicas, 4);

    api.delete("calls", &DeleteParams::default()).await.expect("deleted");
    assert!(api.get_opt("calls").await.expect("an answer").is_none());
}

fn invalid_message(error: &kube::Error) -> &str {
    match error {
        kube::Error::Api(status) if status.is_invalid() => &status.message,
        other => panic!("{other}"),
    }
}

pub(crate) async fn status_and_scale(cluster: Cluster) {
    let api = crontabs(&cluster);
    let mut object =
        api.create(&PostParams::default(), &crontab("scaled", 2)).await.expect("created");
    object.status = Some(CronTabStatus { replicas: 2, label_selector: "app=x".to_owned() });
    object.spec.replicas = 9;
    let written =
        api.replace_status("scaled", &PostParams::default(), &object).await.expect("written");
    assert_eq!(written.status, object.status);
    assert_eq!(written.spec.replicas, 2, "a status write leaves the spec alone");

    let scale = api.get_scale("scaled").await.expect("a scale");
    assert_eq!(scale.spec.and_then(|spec| spec.replicas), Some(2));
    let status = scale.status.expect("a status");
    assert_eq!((status.replicas, status.selector.as_deref()), (2, Some("app=x")));
    let patch = Patch::Merge(json!({"spec": {"replicas": 7}}));
    api.patch_scale("scaled", &PatchParams::default(), &patch).await.expect("scaled");
    assert_eq!(api.get("scaled").await.expect("there").spec.replicas, 7);
    let patch = Patch::Merge(json!({"spec": {"replicas": 70}}));
    let error =
        api.patch_scale("scaled", &PatchParams::default(), &patch).await.expect_err("too many");
    assert!(
        invalid_message(&error)
            .contains("spec.replicas in body should be less than or equal to 10")
    );
}

pub(crate) async fn selectors(cluster: Cluster) {
    let api: Api<Shirt> = Api::namespaced(cluster.client.clone(), "default");
    for (name, color, size) in [("s1", "blue", "S"), ("s2", "blue", "M"), ("s3", "green", "M")] {
        let spec = ShirtSpec { color: Some(color.to_owned()), size: Some(size.to_owned()) };
        api.create(&PostParams::default(), &Shirt::new(name, spec)).await.expect("created");
    }
    for (selector, want) in [
        ("spec.color=blue,metadata.namespace=default", &["s1", "s2"][..]),
        ("spec.color=blue,spec.size=M", &["s2"]),
        ("spec.color!=blue,spec.size=M", &["s3"]),
    ] {
        let params = ListParams::default().fields(selector);
        let found = api.list(&params).await;
        if !Difference::SelectableFields.is_in(cluster.kubernetes) {
            let error = found.expect_err("the server has dropped the fields").to_string();
            assert!(error.contains("field label not supported: spec."), "{selector}: {error}");
            continue;
        }
        let found = found.expect("listed");
        let names: Vec<String> = found.items.iter().map(kube::ResourceExt::name_any).collect();
        // Other scenarios create shirts with longer names.
        let names: Vec<&String> = names.iter().filter(|name| name.len() == 2).collect();
        assert_eq!(names, want, "{selector}");
    }
    let params = ListParams::default().fields("spec.price=1");
    let error = api.list(&params).await.expect_err("not selectable");
    assert!(
        matches!(&error, kube::Error::Api(status) if status.message.contains("field label not supported: spec.price")),
        "{error}"
    );
}

pub(crate) async fn watch(cluster: Cluster) {
    let api = crontabs(&cluster);
    let since = api.list(&ListParams::default()).await.expect("listed").metadata.resource_version;
    let since = since.expect("a version");
    let params = WatchParams::default().fields("metadata.name=watched").timeout(60);
    let mut events = Box::pin(api.watch(&params, &since).await.expect("watched"));
    api.create(&PostParams::default(), &crontab("watched", 1)).await.expect("created");
    let patch = Patch::Merge(json!({"spec": {"replicas": 2}}));
    api.patch("watched", &PatchParams::default(), &patch).await.expect("patched");
    api.delete("watched", &DeleteParams::default()).await.expect("deleted");
    let mut seen = Vec::new();
    while seen.len() < 3 {
        let next = tokio::time::timeout(Duration::from_secs(30), events.try_next()).await;
        match next.expect("in time").expect("no error").expect("more") {
            WatchEvent::Added(object) => seen.push(format!("added {}", object.spec.replicas)),
            WatchEvent::Modified(object) => seen.push(format!("modified {}", object.spec.replicas)),
            WatchEvent::Deleted(object) => seen.push(format!("deleted {}", object.name_any())),
            WatchEvent::Bookmark(_) => {}
            WatchEvent::Error(status) => panic!("{status}"),
        }
    }
    assert_eq!(seen, ["added 1", "modified 2", "deleted watched"]);
}

pub(crate) async fn finalizers(cluster: Cluster) {
    let api = crontabs(&cluster);
    let mut object = crontab("finalized", 1);
    object.metadata.finalizers = Some(vec!["example.com/e2e".to_owned()]);
    api.create(&PostParams::default(), &object).await.expect("created");
    let deleted = api.delete("finalized", &DeleteParams::default()).await.expect("an answer");
    let waiting = deleted.left().expect("it waits for its finalizer");
    assert!(waiting.metadata.deletion_timestamp.is_some());
    let patch = Patch::Merge(json!({"metadata": {"finalizers": null}}));
    api.patch("finalized", &PatchParams::default(), &patch).await.expect("patched");
    assert!(
        api.get_opt("finalized").await.expect("an answer").is_none(),
        "gone with its finalizer"
    );
}
