//! What the server would refuse is refused here, in its words, and not sent.

use crd_examples::crontab::{CronTab, CronTabSpec};
use crd_runtime::CustomResource;
use crd_runtime::client::{Api, Checked, Fault};
use crd_runtime::field::ErrorKind;
use kube::api::PostParams;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::double::Double;

fn checked(double: &Double) -> Checked<CronTab> {
    Api::namespaced(double.client(), "prod").checked().unwrap()
}

fn new(cron_spec: &str, replicas: i32) -> CronTab {
    let spec = CronTabSpec { cron_spec: cron_spec.to_owned(), image: None, replicas };
    CronTab::new("nightly", spec)
}

fn stored(replicas: i32) -> Value {
    json!({
        "apiVersion": "stable.example.com/v1", "kind": "CronTab",
        "metadata": {"name": "nightly", "namespace": "prod", "resourceVersion": "7", "generation": 1},
        "spec": {"cronSpec": "* * * * *", "replicas": replicas, "suspend": true},
        "status": {"replicas": 1, "labelSelector": ""},
    })
}

#[tokio::test]
async fn an_invalid_object_is_not_created() {
    let double = Double::new();
    let created = checked(&double).create(&PostParams::default(), &new("* * *", 11)).await;
    let error = created.expect_err("an error");
    assert!(error.is_preflight() && error.is_invalid());
    assert!(double.asked().is_empty(), "nothing was sent");
    // What kube-apiserver 1.36 answers to this object.
    let message = "CronTab.stable.example.com \"nightly\" is invalid: [spec.cronSpec: Invalid value: \
                   \"* * *\": spec.cronSpec in body should match '^(\\d+|\\*)(/\\d+)?(\\s+(\\d+|\\*)\
                   (/\\d+)?){4}$', spec.replicas: Invalid value: 11: spec.replicas in body should be less \
                   than or equal to 10]";
    let status = error.status().expect("a status");
    assert_eq!((status.code, &*status.reason, &*status.message), (422, "Invalid", message));
    let details = status.details.as_ref().expect("details");
    assert_eq!((&*details.kind, &*details.group), ("CronTab", "stable.example.com"));
    assert_eq!(details.causes.len(), 2);
    let errors = error.field_errors();
    assert!(errors.iter().all(|error| error.kind == ErrorKind::Invalid));
    assert!(matches!(error.fault(), Fault::Refused { .. }));
}

#[tokio::test]
async fn a_valid_object_is_created_as_it_is() {
    let double = Double::new().answer(201, &stored(2));
    checked(&double).create(&PostParams::default(), &new("* * * * *", 2)).await.unwrap();
    let want = json!({
        "apiVersion": "stable.example.com/v1", "kind": "CronTab",
        "metadata": {"name": "nightly"}, "spec": {"cronSpec": "* * * * *", "replicas": 2},
    });
    assert_eq!(double.asked()[0].body, want, "defaults and namespace are the server's to add");
}

#[tokio::test]
async fn generated_names_are_decided_as_the_server_decides_them() {
    let double = Double::new();
    let mut object = new("* * * * *", 2);
    object.metadata.name = None;
    let checked = checked(&double);
    let error = checked.check_create(&object).expect_err("an error");
    let fields: Vec<_> = error.field_errors().into_iter().map(|error| error.field).collect();
    assert_eq!(fields, ["metadata.name"]);
    object.metadata.generate_name = Some(format!("{}-", "é".repeat(80)));
    assert!(checked.check_create(&object).is_err());
    object.metadata.generate_name = Some("nightly-".to_owned());
    checked.check_create(&object).unwrap();
}

#[tokio::test]
async fn a_change_is_decided_against_what_is_stored() {
    // Eleven are too many for a new object, and stay where they are stored: that is ratcheting.
    let double = Double::new().answer(200, &stored(11)).answer(200, &stored(11));
    let params = PostParams::default();
    let image = |crontab: &mut CronTab| crontab.spec.image = Some("nginx".to_owned());
    checked(&double).modify("nightly", &params, image).await.unwrap();
    assert_eq!(double.asked()[1].body["spec"]["suspend"], true);

    let double = Double::new().answer(200, &stored(11));
    let more = |crontab: &mut CronTab| crontab.spec.replicas = 12;
    let error = checked(&double).modify("nightly", &params, more).await.expect_err("an error");
    assert!(error.is_preflight() && error.is_invalid(), "{error}");
    assert_eq!(double.asked().len(), 1);

    let double = Double::new().answer(200, &stored(2));
    let mut object: CronTab = serde_json::from_value(stored(2)).unwrap();
    object.spec.replicas = 0;
    let error = checked(&double).replace("nightly", &params, &object).await.expect_err("an error");
    assert!(error.is_preflight(), "{error}");
    assert_eq!(double.asked().len(), 1);
}

#[tokio::test]
async fn two_typed_objects_are_decided_without_any_request() {
    let double = Double::new();
    let checked = checked(&double);
    let old: CronTab = serde_json::from_value(stored(2)).unwrap();
    let mut new = old.clone();
    new.spec.replicas = 3;
    let admitted = checked.check_replace(&new, &old).unwrap();
    assert_eq!(admitted.object["metadata"]["generation"], 2);
    new.metadata.resource_version = None;
    let error = checked.check_replace(&new, &old).expect_err("an error");
    assert!(error.to_string().contains("metadata.resourceVersion"), "{error}");
    assert!(double.asked().is_empty());
}

#[tokio::test]
async fn a_status_is_decided_too() {
    let double = Double::new().answer(200, &stored(2));
    let mut negative = |crontab: &mut CronTab| {
        crontab.status.get_or_insert_default().replicas = -1;
    };
    let params = PostParams::default();
    let written = checked(&double).modify_status("nightly", &params, &mut negative).await;
    let error = written.expect_err("an error");
    assert!(error.is_preflight(), "{error}");
    let fields: Vec<_> = error.field_errors().into_iter().map(|error| error.field).collect();
    // The server's own path, with its dot: that of the scale subresource.
    assert_eq!(fields, [".status.replicas"]);
}

/// A cache.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(group = "example.com", version = "v1", kind = "Cache", namespaced, apply)]
#[crd(rule("!(has(self.memory) && has(self.disk))", message = "one of both"))]
pub(crate) struct CacheSpec {
    #[crd(maximum = 9)]
    size: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    memory: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    disk: Option<i32>,
}

fn cache(managers: &[(&str, &str)]) -> Value {
    let owned = json!({"f:spec": {"f:size": {}, "f:memory": {}}});
    let entries: Vec<_> = managers
        .iter()
        .map(|(manager, operation)| {
            json!({
                "manager": manager, "operation": operation, "apiVersion": "example.com/v1",
                "fieldsType": "FieldsV1", "fieldsV1": owned,
            })
        })
        .collect();
    json!({
        "apiVersion": "example.com/v1", "kind": "Cache",
        "metadata": {
            "name": "web", "namespace": "prod", "resourceVersion": "7", "generation": 1, "uid": "u",
            "managedFields": entries,
        },
        "spec": {"size": 1, "memory": 5},
    })
}

fn missing() -> Value {
    json!({
        "kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 404,
        "reason": "NotFound", "message": "it is not there", "details": {"name": "web"},
    })
}

#[tokio::test]
async fn an_apply_is_decided_on_what_comes_of_it() {
    let apply = async |double: &Double, spec: CacheSpecApply| {
        let checked = Api::<Cache>::namespaced(double.client(), "prod").checked().unwrap();
        checked.apply("web", &CacheApply::new().spec(spec), "me").await
    };
    let size = |size| CacheSpecApply::new().size(size);

    // Nothing is there: it is a new object.
    let double = Double::new().answer(404, &missing());
    let error = apply(&double, size(10)).await.expect_err("an error");
    assert!(error.is_preflight() && error.is_invalid(), "{error}");
    assert_eq!(error.asked().verb, "apply");
    let double = Double::new().answer(404, &missing()).answer(201, &cache(&[]));
    apply(&double, size(9)).await.unwrap();
    assert_eq!(double.asked().len(), 2);

    // Another owns `memory`, which is still there.
    let double = Double::new().answer(200, &cache(&[("you", "Apply")]));
    let error = apply(&double, size(1).disk(5)).await.expect_err("an error");
    assert!(error.to_string().contains("one of both"), "{error}");
    assert_eq!(double.asked().len(), 1);

    // What the manager has said and leaves out now is gone.
    let mine = cache(&[("me", "Apply")]);
    let double = Double::new().answer(200, &mine).answer(200, &mine);
    apply(&double, size(1).disk(5)).await.unwrap();
    assert_eq!(double.asked()[1].content_type, "application/apply-patch+yaml");

    // Whether it is gone depends on the other one: the server decides.
    let ours = cache(&[("me", "Apply"), ("kubectl", "Update")]);
    let double = Double::new().answer(200, &ours).answer(200, &ours);
    apply(&double, size(1).disk(5)).await.unwrap();
    assert_eq!(double.asked().len(), 2);
}
