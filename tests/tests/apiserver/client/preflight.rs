//! Writes that the server would reject are rejected before they are sent, with the same message.

use crd_examples::crontab::{CronTab, CronTabSpec};
use crd_examples::host_port::{v1, v1beta1};
use crd_runtime::CustomResource;
use crd_runtime::client::{Api, Checked, ErrorKind};
use crd_runtime::field;
use kube::api::PostParams;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::double::Double;

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
    assert!(double.requests().is_empty(), "nothing was sent");
    // The message of kube-apiserver for this object.
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
    assert!(errors.iter().all(|error| error.kind == field::ErrorKind::Invalid));
    assert!(matches!(error.kind(), ErrorKind::Rejected { .. }));
}

#[tokio::test]
async fn a_valid_object_is_created_as_it_is() {
    let double = Double::new().answer(201, &stored(2));
    checked(&double).create(&PostParams::default(), &new("* * * * *", 2)).await.unwrap();
    let want = json!({
        "apiVersion": "stable.example.com/v1", "kind": "CronTab",
        "metadata": {"name": "nightly"}, "spec": {"cronSpec": "* * * * *", "replicas": 2},
    });
    assert_eq!(double.requests()[0].body, want, "defaults and namespace are the server's to add");
}

#[tokio::test]
async fn a_name_or_generate_name_is_required_and_checked() {
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
    // Eleven replicas are too many for a new object, but a stored object may keep them (ratcheting).
    let double = Double::new().answer(200, &stored(11)).answer(200, &stored(11));
    let params = PostParams::default();
    let image = |crontab: &mut CronTab| crontab.spec.image = Some("nginx".to_owned());
    checked(&double).modify("nightly", &params, image).await.unwrap();
    assert_eq!(double.requests()[1].body["spec"]["suspend"], true);

    let double = Double::new().answer(200, &stored(11));
    let more = |crontab: &mut CronTab| crontab.spec.replicas = 12;
    let error = checked(&double).modify("nightly", &params, more).await.expect_err("an error");
    assert!(error.is_preflight() && error.is_invalid(), "{error}");
    assert_eq!(double.requests().len(), 1);

    let double = Double::new().answer(200, &stored(2));
    let mut object: CronTab = serde_json::from_value(stored(2)).unwrap();
    object.spec.replicas = 0;
    let error = checked(&double).replace("nightly", &params, &object).await.expect_err("an error");
    assert!(error.is_preflight(), "{error}");
    assert_eq!(double.requests().len(), 1);
}

#[tokio::test]
async fn a_replacement_is_checked_without_any_request() {
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
    assert!(double.requests().is_empty());
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
    // As in the server's error, the path is that of the scale subresource, with its dot.
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
async fn an_apply_is_validated_by_its_result() {
    let apply = async |double: &Double, spec: CacheSpecApply| {
        let checked = Api::<Cache>::namespaced(double.client(), "prod").checked().unwrap();
        checked.apply("web", &CacheApply::new().spec(spec), "me").await
    };
    let size = |size| CacheSpecApply::new().size(size);

    // The object does not exist, so it is created.
    let double = Double::new().answer(404, &missing());
    let error = apply(&double, size(10)).await.expect_err("an error");
    assert!(error.is_preflight() && error.is_invalid(), "{error}");
    assert_eq!(error.request().verb, "apply");
    let double = Double::new().answer(404, &missing()).answer(201, &cache(&[]));
    apply(&double, size(9)).await.unwrap();
    assert_eq!(double.requests().len(), 2);

    // Another manager owns `memory`, so it stays.
    let double = Double::new().answer(200, &cache(&[("you", "Apply")]));
    let error = apply(&double, size(1).disk(5)).await.expect_err("an error");
    assert!(error.to_string().contains("one of both"), "{error}");
    assert_eq!(double.requests().len(), 1);

    // A field that the manager has applied and now omits is removed.
    let mine = cache(&[("me", "Apply")]);
    let double = Double::new().answer(200, &mine).answer(200, &mine);
    apply(&double, size(1).disk(5)).await.unwrap();
    assert_eq!(double.requests()[1].content_type, "application/apply-patch+yaml");

    // A field that another manager owns, too, stays.
    let ours = cache(&[("me", "Apply"), ("kubectl", "Update")]);
    let double = Double::new().answer(200, &ours);
    let error = apply(&double, size(1).disk(5)).await.expect_err("an error");
    assert!(error.to_string().contains("one of both"), "{error}");
    assert_eq!(double.requests().len(), 1);

    // Managed fields of another version need a conversion by the server, so nothing is predicted.
    let mut newer = cache(&[("me", "Apply")]);
    newer["metadata"]["managedFields"][0]["apiVersion"] = "example.com/v2".into();
    let double = Double::new().answer(200, &newer).answer(200, &newer);
    apply(&double, size(10)).await.unwrap();
    assert_eq!(double.requests().len(), 2);
}

#[tokio::test]
async fn conflicts_of_an_apply_are_computed_before_it_is_sent() {
    let owned = cache(&[("kubectl", "Update"), ("you", "Apply")]);
    let config = CacheApply::new().spec(CacheSpecApply::new().size(2).memory(6));
    let checked =
        |double: &Double| Api::<Cache>::namespaced(double.client(), "prod").checked().unwrap();

    let double = Double::new().answer(200, &owned);
    let error = checked(&double).apply("web", &config, "me").await.expect_err("an error");
    assert_eq!(double.requests().len(), 1, "nothing was sent");
    assert!(error.is_conflict() && error.is_preflight() && !error.is_invalid(), "{error}");
    let status = error.status().unwrap();
    assert_eq!((status.code, &*status.reason), (409, "Conflict"));
    assert_eq!(
        status.message,
        "Apply failed with 4 conflicts: conflicts with \"kubectl\" using example.com/v1:\n- .spec.memory\n\
         - .spec.size\nconflicts with \"you\":\n- .spec.memory\n- .spec.size"
    );
    let conflicts = error.manager_conflicts();
    let conflicts: Vec<_> =
        conflicts.iter().map(|it| (it.manager.as_deref().unwrap(), &*it.field)).collect();
    let fields = [".spec.memory", ".spec.size"];
    let want = ["kubectl", "you"].map(|manager| fields.map(|field| (manager, field)));
    assert_eq!(conflicts, want.concat());
    assert!(error.to_string().contains("take them over with force"), "{error}");

    let double = Double::new().answer(200, &owned).answer(200, &owned);
    checked(&double).apply("web", &config, "me").force().await.unwrap();
    assert!(double.requests()[1].uri.contains("force=true"));

    // The same check without a request.
    let apply = checked(&double);
    let apply = apply.apply("web", &config, "me");
    assert!(apply.check(Some(&owned)).expect_err("conflicts").is_conflict());
    let admitted = apply.force().check(Some(&owned)).unwrap().unwrap();
    assert_eq!(admitted.object["spec"], json!({"size": 2, "memory": 6}));
}

/// A kind of two versions that are alike.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Tank", namespaced, apply)]
pub(crate) struct TankSpec {
    #[crd(maximum = 9)]
    level: i32,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1beta1", kind = "Tank", root = OldTank, namespaced)]
#[crd(storage = false)]
pub(crate) struct OldTankSpec(TankSpec);

#[tokio::test]
async fn managed_fields_of_an_equivalent_version_are_predicted() {
    let live = json!({
        "apiVersion": "example.com/v1", "kind": "Tank",
        "metadata": {"name": "a", "namespace": "prod", "managedFields": [{
            "manager": "kim", "operation": "Update", "apiVersion": "example.com/v1beta1",
            "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:level": {}}},
        }]},
        "spec": {"level": 1},
    });
    let config = TankApply::new().spec(TankSpecApply::new().level(2));
    let double = Double::new().answer(200, &live);
    let api: Api<Tank> = Api::namespaced(double.client(), "prod");
    let checked = api.checked().unwrap();
    let apply = checked.apply("a", &config, "me");
    assert!(apply.check(Some(&live)).unwrap().is_none(), "only the server can tell");

    let checked = checked.with_versions::<(OldTank, Tank)>().expect("they are alike");
    let error = checked.apply("a", &config, "me").await.expect_err("an error");
    assert!(error.is_preflight() && error.is_conflict(), "{error}");
    assert_eq!(double.requests().len(), 1, "it was read and not sent");
    let conflicts = error.manager_conflicts();
    assert_eq!(conflicts[0].field, ".spec.level");
    assert_eq!(conflicts[0].message, "conflict with \"kim\" using example.com/v1beta1");
    let full = TankApply::new().spec(TankSpecApply::new().level(10));
    let apply = checked.apply("a", &full, "me").force();
    assert!(apply.check(Some(&live)).expect_err("an error").is_invalid());
}

/// A kind of three versions: compared with `v1`, the schema of `v1beta1` adds only a description, and that of
/// `v1alpha1` a field.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Tub", namespaced, apply)]
pub(crate) struct TubSpec {
    level: i32,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1beta1", kind = "Tub", root = DescribedTub, namespaced)]
#[crd(storage = false)]
pub(crate) struct DescribedTubSpec {
    /// How full it is.
    level: i32,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1alpha1", kind = "Tub", root = OtherTub, namespaced)]
#[crd(storage = false)]
pub(crate) struct OtherTubSpec {
    level: i32,
    color: Option<String>,
}

#[tokio::test]
async fn a_version_whose_schema_differs_is_left_to_the_server() {
    let live = |version: &str| {
        json!({
            "apiVersion": "example.com/v1", "kind": "Tub",
            "metadata": {"name": "a", "namespace": "prod", "managedFields": [{
                "manager": "kim", "operation": "Update", "apiVersion": format!("example.com/{version}"),
                "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:level": {}}},
            }]},
            "spec": {"level": 1},
        })
    };
    let config = TubApply::new().spec(TubSpecApply::new().level(2));
    let double = Double::new();
    let api: Api<Tub> = Api::namespaced(double.client(), "prod");
    let checked =
        api.checked().unwrap().with_versions::<(OtherTub, DescribedTub, Tub)>().expect("versions");
    let apply = checked.apply("a", &config, "me");
    assert!(apply.check(Some(&live("v1beta1"))).expect_err("an error").is_conflict());
    assert!(apply.check(Some(&live("v1alpha1"))).unwrap().is_none(), "only the server can tell");
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Shelf", namespaced, apply)]
pub(crate) struct ShelfSpec {
    labels: Option<std::collections::BTreeMap<String, String>>,
}

/// Only 1.36 keeps `spec`, as `{}`, if an apply removes its last field.
#[tokio::test]
async fn a_write_is_decided_for_the_minor_of_the_server() {
    let live = json!({
        "apiVersion": "example.com/v1", "kind": "Shelf",
        "metadata": {"name": "a", "namespace": "prod", "resourceVersion": "1", "managedFields": [{
            "manager": "me", "operation": "Apply", "apiVersion": "example.com/v1",
            "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:labels": {"f:k": {}}}},
        }]},
        "spec": {"labels": {"k": "v"}},
    });
    let double = Double::new();
    let api: Api<Shelf> = Api::namespaced(double.client(), "prod");
    let config = ShelfApply::new().spec(ShelfSpecApply::new());
    let check = |api: &Api<Shelf>| api.apply("a", &config, "me").check(Some(&live));
    // The last field of `spec` is removed, which leaves a null that the schema rejects.
    assert!(check(&api).expect_err("an error").is_invalid());
    let older = api.on("1.36".parse().unwrap());
    let admitted = check(&older).unwrap().unwrap();
    assert_eq!(admitted.object["spec"], json!({}));
}

#[tokio::test]
async fn versions_of_another_kind_or_with_a_webhook_are_rejected() {
    let double = Double::new();
    let api: Api<Tank> = Api::namespaced(double.client(), "prod");
    let error = api.checked().unwrap().with_versions::<(CronTab,)>().expect_err("another kind");
    let want = "check Tank in prod: no such request: these are versions of \
                crontabs.stable.example.com, not of tanks.example.com: correct the call";
    assert_eq!(error.to_string(), want);
    let api: Api<v1::Endpoint> = Api::namespaced(double.client(), "prod");
    let checked = api.checked().unwrap();
    let error =
        checked.with_versions::<(v1beta1::Endpoint, v1::Endpoint)>().expect_err("is converted");
    assert!(error.to_string().contains("a webhook converts between the versions"), "{error}");
}
