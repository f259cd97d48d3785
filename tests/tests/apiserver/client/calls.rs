//! The request that each call sends, and its result for each answer.

use crd_examples::crontab::{CronTab, CronTabSpec, CronTabStatus};
use crd_runtime::client::{Api, Outcome};
use kube::api::{DeleteParams, ListParams, Patch, PatchParams, PostParams};
use serde_json::{Value, json};

use super::double::Double;

const PATH: &str = "/apis/stable.example.com/v1/namespaces/prod/crontabs";

fn stored() -> Value {
    json!({
        "apiVersion": "stable.example.com/v1", "kind": "CronTab",
        "metadata": {"name": "nightly", "namespace": "prod", "resourceVersion": "7"},
        "spec": {"cronSpec": "* * * * *", "replicas": 2},
        "status": {"replicas": 1, "labelSelector": "a=b"},
    })
}

fn api(double: &Double) -> Api<CronTab> {
    Api::namespaced(double.client(), "prod")
}

fn new() -> CronTab {
    let spec = CronTabSpec { cron_spec: "* * * * *".to_owned(), image: None, replicas: 2 };
    CronTab::new("nightly", spec)
}

#[tokio::test]
async fn get_and_list() {
    let list = json!({
        "apiVersion": "stable.example.com/v1", "kind": "CronTabList",
        "metadata": {"resourceVersion": "9"}, "items": [stored()],
    });
    let double = Double::new().answer(200, &stored()).answer(200, &list);
    let api = api(&double);
    assert_eq!(api.get("nightly").await.unwrap().spec.replicas, 2);
    let selector = CronTab::fields().metadata_name().eq("nightly");
    let items = api.list(&ListParams::from(selector).limit(5)).await.unwrap().items;
    assert_eq!(items.len(), 1);
    assert_eq!(
        double.request_lines(),
        [
            format!("GET {PATH}/nightly"),
            format!("GET {PATH}?&fieldSelector=metadata.name%3Dnightly&limit=5"),
        ]
    );
}

#[tokio::test]
async fn create_patch_and_delete() {
    let gone = json!({"kind": "Status", "apiVersion": "v1", "status": "Success"});
    let mut kept = stored();
    kept["metadata"]["finalizers"] = json!(["example.com/cleanup"]);
    let double = Double::new()
        .answer(201, &stored())
        .answer(200, &stored())
        .answer(200, &gone)
        .answer(200, &kept);
    let api = api(&double);
    api.create(&PostParams::default(), &new()).await.unwrap();
    let patch = Patch::Merge(json!({"spec": {"replicas": 3}}));
    api.patch("nightly", &PatchParams::default(), &patch).await.unwrap();
    assert!(api.delete("nightly", &DeleteParams::default()).await.unwrap().is_none());
    assert!(api.delete("nightly", &DeleteParams::default()).await.unwrap().is_some());
    let requests = double.requests();
    assert_eq!(requests[0].body["apiVersion"], "stable.example.com/v1");
    assert_eq!(requests[1].content_type, "application/merge-patch+json");
    assert_eq!(requests[1].body, json!({"spec": {"replicas": 3}}));
}

#[tokio::test]
async fn status_is_read_patched_and_applied_by_its_type() {
    let double = Double::new().answer(200, &stored()).answer(200, &stored()).answer(200, &stored());
    let api = api(&double);
    let status = api.get_status("nightly").await.unwrap().expect("a status");
    assert_eq!(status, CronTabStatus { replicas: 1, label_selector: "a=b".to_owned() });
    api.patch_status("nightly", &PatchParams::default(), &status).await.unwrap();
    api.apply_status("nightly", &PatchParams::apply("me").force(), &status).await.unwrap();
    let requests = double.requests();
    let body = json!({"replicas": 1, "labelSelector": "a=b"});
    assert_eq!(requests[1].body, json!({"status": body}));
    assert_eq!(requests[2].content_type, "application/apply-patch+yaml");
    assert_eq!(requests[2].uri, format!("{PATH}/nightly/status?&force=true&fieldManager=me"));
    let want = json!({
        "apiVersion": "stable.example.com/v1", "kind": "CronTab",
        "metadata": {"name": "nightly"}, "status": body,
    });
    assert_eq!(requests[2].body, want);
}

#[tokio::test]
async fn scale_is_typed() {
    let scale = json!({
        "apiVersion": "autoscaling/v1", "kind": "Scale",
        "metadata": {"name": "nightly", "namespace": "prod", "resourceVersion": "7"},
        "spec": {"replicas": 2}, "status": {"replicas": 1, "selector": "a=b"},
    });
    let double = Double::new().answer(200, &scale).answer(200, &scale).answer(200, &scale);
    let api = api(&double);
    let mut read = api.get_scale("nightly").await.unwrap();
    assert_eq!(read.status.as_ref().map(|status| status.replicas), Some(1));
    read.spec.get_or_insert_default().replicas = Some(4);
    api.replace_scale("nightly", &PostParams::default(), &read).await.unwrap();
    api.set_replicas("nightly", 5).await.unwrap();
    let requests = double.requests();
    assert_eq!(requests[1].body["spec"]["replicas"], 4);
    assert_eq!(
        (&*requests[2].method, &*requests[2].uri),
        ("PATCH", &*format!("{PATH}/nightly/scale?"))
    );
    assert_eq!(requests[2].body, json!({"spec": {"replicas": 5}}));
}

#[tokio::test]
async fn modify_keeps_unknown_fields() {
    let mut unknown = stored();
    unknown["spec"]["suspend"] = json!(true);
    let double = Double::new().answer(200, &unknown).answer(200, &unknown);
    let written = api(&double)
        .modify("nightly", &PostParams::default(), |crontab| crontab.spec.replicas = 9)
        .await
        .unwrap();
    assert_eq!(written.outcome, Outcome::Updated);
    assert_eq!(written.unknown, ["spec.suspend"]);
    let requests = double.requests();
    let mut want = unknown;
    want["spec"]["replicas"] = json!(9);
    assert_eq!(requests[1].method, "PUT");
    assert_eq!(requests[1].body, want);
}

#[tokio::test]
async fn an_unchanged_object_is_not_written() {
    let double = Double::new().answer(200, &stored());
    let written = api(&double).modify("nightly", &PostParams::default(), |_| ()).await.unwrap();
    assert_eq!(written.outcome, Outcome::Unchanged);
    assert_eq!(double.requests().len(), 1);
}

/// Users may spawn calls on a runtime with several threads, so the futures must be `Send`; none is polled here.
#[tokio::test]
async fn calls_can_be_spawned() {
    fn check<T: Send>(_: T) {}
    let (api, params, object) = (api(&Double::new()), PostParams::default(), new());
    let checked = api.checked().unwrap();
    check(api.get("a"));
    check(api.replace("a", &params, &object));
    check(api.modify("a", &params, |_| {}));
    check(api.create_or_update(&params, &object, |_| {}));
    check(api.modify_status("a", &params, |_| {}));
    check(api.set_replicas("a", 1));
    check(checked.modify("a", &params, |_| {}));
    check(checked.create_or_update(&params, &object, |_| {}));
    check(checked.modify_status("a", &params, |_| {}));
}
