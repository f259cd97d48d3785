//! Objects that are created, read, replaced and deleted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use crd_apiserver::ApiServer;
use crd_examples::crontab::CronTab;
use serde_json::{Value, json};

use crate::ask::{CRONTABS, ask, builder, delete, get, get_as, object, patch, send, server};

#[tokio::test]
async fn a_new_object_gets_metadata_of_the_server_and_no_status() {
    let client = server().client();
    let mut body = object("a", 2);
    body["metadata"]["uid"] = "mine".into();
    body["status"] = json!({"replicas": 7});
    let answer = send(&client, "POST", CRONTABS, &body).await;
    assert_eq!(answer.code, 201);
    let made = answer.body;
    let metadata = &made["metadata"];
    assert_eq!(metadata["generation"], 1);
    assert_eq!(metadata["namespace"], "default");
    assert_ne!(metadata["uid"], "mine");
    assert_eq!(made.get("status"), None);
    let entry = &metadata["managedFields"][0];
    assert_eq!((&entry["manager"], &entry["operation"]), (&json!("tests"), &json!("Update")));
    assert_eq!(entry["fieldsV1"], json!({"f:spec": {".": {}, "f:cronSpec": {}, "f:replicas": {}}}));
    assert_eq!(get(&client, &format!("{CRONTABS}/a")).await.ok(), made);
    assert_eq!(
        send(&client, "POST", CRONTABS, &body).await.rejected(409),
        "crontabs.stable.example.com \"a\" already exists"
    );
}

#[tokio::test]
async fn rejections_are_in_the_servers_words() {
    let client = server().client();
    let missing = get(&client, &format!("{CRONTABS}/none")).await;
    assert_eq!(
        missing.body,
        json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "message": "crontabs.stable.example.com \"none\" not found", "reason": "NotFound", "code": 404,
            "details": {"name": "none", "group": "stable.example.com", "kind": "crontabs"},
        })
    );
    let invalid = send(&client, "POST", CRONTABS, &object("a", 30)).await;
    assert_eq!(
        invalid.body["details"]["causes"],
        json!([{
            "reason": "FieldValueInvalid", "field": "spec.replicas",
            "message": "Invalid value: 30: spec.replicas in body should be less than or equal to 10",
        }])
    );
    assert_eq!(
        invalid.rejected(422),
        "CronTab.stable.example.com \"a\" is invalid: spec.replicas: Invalid value: 30: spec.replicas in body should be \
         less than or equal to 10"
    );
    let elsewhere = "/apis/stable.example.com/v1/namespaces/other/crontabs";
    assert_eq!(
        send(&client, "POST", elsewhere, &object("a", 3)).await.rejected(404),
        "namespaces \"other\" not found"
    );
    let mut moved = object("a", 3);
    moved["metadata"]["namespace"] = "other".into();
    assert_eq!(
        send(&client, "POST", CRONTABS, &moved).await.rejected(400),
        "the namespace of the provided object does not match the namespace sent on the request"
    );
    let text = [("content-type", "text/plain"), ("", "")];
    assert_eq!(
        ask(&client, "POST", CRONTABS, text, b"x".to_vec()).await.rejected(415),
        "the body of the request was in an unknown format - accepted media types include: application/json, \
         application/yaml, application/vnd.kubernetes.protobuf"
    );
    assert_eq!(
        send(&client, "PUT", CRONTABS, &object("a", 3)).await.rejected(400),
        "name must be provided"
    );
    let nowhere = get(&client, "/apis/stable.example.com/v2/crontabs").await;
    assert_eq!((nowhere.code, nowhere.body), (404, json!("404 page not found\n")));
}

#[tokio::test]
async fn unknown_fields_are_reported_or_rejected() {
    let client = server().client();
    let mut body = object("a", 2);
    body["spec"]["colour"] = "blue".into();
    let path = format!("{CRONTABS}?fieldValidation=Strict");
    assert_eq!(
        send(&client, "POST", &path, &body).await.rejected(400),
        "CronTab in version \"v1\" cannot be handled as a CronTab: strict decoding error: unknown field \"spec.colour\""
    );
    let warned = send(&client, "POST", CRONTABS, &body).await;
    assert_eq!(warned.warnings, ["299 - \"unknown field \\\"spec.colour\\\"\""]);
    assert_eq!(warned.ok()["spec"].get("colour"), None);
}

#[tokio::test]
async fn names_are_generated() {
    let client = server().client();
    let mut body = object("", 2);
    body["metadata"] = json!({"generateName": "job-"});
    let first = send(&client, "POST", CRONTABS, &body).await.ok();
    let second = send(&client, "POST", CRONTABS, &body).await.ok();
    let name = |object: &Value| object["metadata"]["name"].as_str().map(str::to_owned);
    assert_ne!(name(&first), name(&second));
    assert_eq!(name(&first).as_deref().map(str::len), Some("job-".len() + 5));
    // Another server with the same seed generates the same name.
    let client = server().client();
    assert_eq!(name(&send(&client, "POST", CRONTABS, &body).await.ok()), name(&first));
    let client = builder().seed(7).start().client();
    assert_ne!(name(&send(&client, "POST", CRONTABS, &body).await.ok()), name(&first));
}

#[tokio::test]
async fn an_update_needs_the_current_resource_version() {
    let client = server().client();
    let made = send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    let path = format!("{CRONTABS}/a");
    assert_eq!(
        send(&client, "PUT", &path, &object("a", 3)).await.rejected(422),
        "crontabs.stable.example.com \"a\" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for \
         an update"
    );
    // An update that changes nothing keeps the resource version.
    let same = send(&client, "PUT", &path, &made).await.ok();
    assert_eq!(same["metadata"]["resourceVersion"], made["metadata"]["resourceVersion"]);
    let mut next = made.clone();
    next["spec"]["replicas"] = 3.into();
    let replaced = send(&client, "PUT", &path, &next).await.ok();
    assert_eq!(replaced["metadata"]["generation"], 2);
    assert_eq!(
        send(&client, "PUT", &path, &next).await.rejected(409),
        "Operation cannot be fulfilled on crontabs.stable.example.com \"a\": the object has been modified; please apply \
         your changes to the latest version and try again"
    );
    assert_eq!(
        send(&client, "PUT", &format!("{CRONTABS}/b"), &next).await.rejected(400),
        "the name of the object (a) does not match the name on the URL (b)"
    );
}

// Number 171 of seed 2 of `cargo dev requests --webhook`.
#[tokio::test]
async fn a_status_of_another_kind_is_written_but_not_owned() {
    let client = server().client();
    let made = send(&client, "POST", CRONTABS, &object("a", 1)).await.ok();
    let mut body = made.clone();
    body["kind"] = "Other".into();
    body["status"] = json!({"replicas": 2});
    let written = send(&client, "PUT", &format!("{CRONTABS}/a/status"), &body).await.ok();
    assert_eq!(written["kind"], made["kind"]);
    assert_eq!(written["status"]["replicas"], 2);
    assert_eq!(written["metadata"]["managedFields"], made["metadata"]["managedFields"]);
}

#[tokio::test]
async fn the_status_is_written_apart_from_the_spec() {
    let client = server().client();
    let mut made = send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    made["status"] = json!({"replicas": 2, "labelSelector": "app=a"});
    made["spec"]["replicas"] = 5.into();
    let path = format!("{CRONTABS}/a/status");
    let written = send(&client, "PUT", &path, &made).await.ok();
    assert_eq!(
        (&written["spec"]["replicas"], &written["status"]["replicas"]),
        (&json!(2), &json!(2))
    );
    assert_eq!(written["metadata"]["generation"], 1);
    let entry = &written["metadata"]["managedFields"][1];
    assert_eq!((&entry["subresource"], &entry["manager"]), (&json!("status"), &json!("tests")));
    let scale = get(&client, &format!("{CRONTABS}/a/scale")).await.ok();
    assert_eq!(scale["status"], json!({"replicas": 2, "selector": "app=a"}));
    let path = format!("{CRONTABS}/a/scale");
    let scaled = patch(&client, &path, "merge", &json!({"spec": {"replicas": 4}})).await.ok();
    assert_eq!(scaled["spec"]["replicas"], 4);
    let too_many = patch(&client, &path, "merge", &json!({"spec": {"replicas": 40}})).await;
    assert!(too_many.rejected(422).contains("should be less than or equal to 10"));
}

#[tokio::test]
async fn a_dry_run_leaves_no_trace() {
    let client = server().client();
    let dry = send(&client, "POST", &format!("{CRONTABS}?dryRun=All"), &object("a", 2)).await;
    assert_eq!(dry.code, 201);
    assert_eq!(dry.body["metadata"].get("resourceVersion"), None);
    assert_eq!(get(&client, &format!("{CRONTABS}/a")).await.code, 404);
    send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    let gone = delete(&client, &format!("{CRONTABS}/a?dryRun=All")).await.ok();
    assert_eq!(gone["status"], "Success");
    assert_eq!(get(&client, &format!("{CRONTABS}/a")).await.code, 200);
}

#[tokio::test]
async fn finalizers_keep_what_is_deleted() {
    let client = server().client();
    let mut body = object("a", 2);
    body["metadata"]["finalizers"] = json!(["example.com/x"]);
    send(&client, "POST", CRONTABS, &body).await.ok();
    let path = format!("{CRONTABS}/a");
    let going = delete(&client, &path).await.ok();
    assert!(going["metadata"]["deletionTimestamp"].is_string());
    assert_eq!(going["metadata"]["deletionGracePeriodSeconds"], 0);
    assert_eq!(going["metadata"]["generation"], 2);
    // A second deletion changes nothing.
    assert_eq!(delete(&client, &path).await.ok(), going);
    assert_eq!(
        send(&client, "POST", CRONTABS, &body).await.rejected(409),
        "object is being deleted: crontabs.stable.example.com \"a\" already exists"
    );
    let more = json!({"metadata": {"finalizers": ["example.com/x", "example.com/y"]}});
    assert!(
        patch(&client, &path, "merge", &more)
            .await
            .rejected(422)
            .contains("no new finalizers can be added")
    );
    patch(&client, &path, "merge", &json!({"metadata": {"finalizers": null}})).await.ok();
    assert_eq!(get(&client, &path).await.code, 404);
}

#[tokio::test]
async fn deletions_have_preconditions() {
    let client = server().client();
    let made = send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    let path = format!("{CRONTABS}/a");
    let with = |uid: &str| json!({"preconditions": {"uid": uid}});
    let rejected = send(&client, "DELETE", &path, &with("x")).await.rejected(409);
    assert!(rejected.starts_with(
        "Operation cannot be fulfilled on CronTab.stable.example.com \"a\": the UID in the precondition (x) does not match"
    ));
    let uid = made["metadata"]["uid"].as_str().expect("an id");
    let gone = send(&client, "DELETE", &path, &with(uid)).await.ok();
    assert_eq!(gone["details"]["uid"], uid);
    assert_eq!(gone["details"]["kind"], "crontabs");
    let policy = json!({"propagationPolicy": "Sideways"});
    assert!(
        send(&client, "DELETE", &path, &policy)
            .await
            .rejected(422)
            .starts_with("DeleteOptions.meta.k8s.io")
    );
}

/// The server removes a finalizer that the propagation policy contradicts, and then compares the version in the
/// preconditions with the result of an update that it has not stored.
#[tokio::test]
async fn a_precondition_fails_if_the_last_finalizer_is_that_of_another_policy() {
    let client = server().client();
    let mut orphaning = object("a", 2);
    orphaning["metadata"]["finalizers"] = json!(["orphan"]);
    let made = send(&client, "POST", CRONTABS, &orphaning).await.ok();
    let path = format!("{CRONTABS}/a");
    let version = &made["metadata"]["resourceVersion"];
    let uid = &made["metadata"]["uid"];
    let with = |preconditions: Value, dry_run: Value| json!({"preconditions": preconditions, "propagationPolicy": "Background", "dryRun": dry_run});
    let versioned = with(json!({"resourceVersion": version}), json!([]));
    assert_eq!(
        send(&client, "DELETE", &path, &versioned).await.rejected(409),
        format!(
            "Operation cannot be fulfilled on crontabs.stable.example.com \"a\": StorageError: invalid object, Code: 4, \
             Key: /registry/stable.example.com/crontabs/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition \
             failed: ResourceVersion in precondition: , ResourceVersion in object meta: {}",
            version.as_str().expect("a version")
        )
    );
    let trial = with(json!({"resourceVersion": version}), json!(["All"]));
    send(&client, "DELETE", &path, &trial).await.ok();
    assert_eq!(get(&client, &path).await.ok()["metadata"]["finalizers"], json!(["orphan"]));
    send(&client, "DELETE", &path, &with(json!({"uid": uid}), json!([]))).await.ok();
    assert_eq!(get(&client, &path).await.code, 404);
}

#[tokio::test]
async fn two_hundred_servers_share_nothing() {
    let definition = <CronTab as crd_runtime::CustomResource>::crd();
    let servers: Vec<ApiServer> =
        (0..200).map(|_| ApiServer::builder().with(&definition).start()).collect();
    let image = |number: usize| Value::from(format!("image-{number}"));
    for (number, server) in servers.iter().enumerate() {
        let mut body = object("a", 2);
        body["spec"]["image"] = image(number);
        assert_eq!(send(&server.client(), "POST", CRONTABS, &body).await.code, 201);
    }
    for (number, server) in servers.iter().enumerate() {
        let list = get(&server.client(), CRONTABS).await.ok();
        let items = list["items"].as_array().expect("items");
        let images: Vec<&Value> = items.iter().map(|item| &item["spec"]["image"]).collect();
        assert_eq!(images, [&image(number)]);
    }
}

#[tokio::test]
async fn the_clock_sets_the_times_of_objects() {
    let seconds = Arc::new(AtomicU64::new(1_000_000_000));
    let read = Arc::clone(&seconds);
    // Fractions of a second are cut off.
    let now = move || {
        let since = Duration::from_secs(read.load(Ordering::Relaxed)) + Duration::from_millis(900);
        SystemTime::UNIX_EPOCH + since
    };
    let client = builder().clock(now).start().client();
    let mut body = object("a", 2);
    body["metadata"]["finalizers"] = json!(["example.com/x"]);
    let made = send(&client, "POST", CRONTABS, &body).await.ok();
    let first = "2001-09-09T01:46:40Z";
    assert_eq!(made["metadata"]["creationTimestamp"], first);
    assert_eq!(made["metadata"]["managedFields"][0]["time"], first);

    seconds.fetch_add(3_661, Ordering::Relaxed);
    let path = format!("{CRONTABS}/a");
    let applied = json!({
        "apiVersion": "stable.example.com/v1", "kind": "CronTab", "spec": {"image": "i"},
    });
    let path_of_apply = format!("{path}?fieldManager=applier");
    let applied = patch(&client, &path_of_apply, "apply", &applied).await.ok();
    assert_eq!(applied["metadata"]["creationTimestamp"], first);
    let entries = applied["metadata"]["managedFields"].as_array().expect("entries");
    let times: Vec<_> = entries.iter().map(|entry| (&entry["manager"], &entry["time"])).collect();
    let second = "2001-09-09T02:47:41Z";
    assert_eq!(times, [(&json!("applier"), &json!(second)), (&json!("tests"), &json!(first))]);

    let table = get_as(&client, CRONTABS, "application/json;as=Table;v=v1;g=meta.k8s.io").await;
    assert_eq!(table.ok()["rows"][0]["cells"][3], "61m");

    // The clock may also go back.
    seconds.store(1_000_000_060, Ordering::Relaxed);
    let going = delete(&client, &path).await.ok();
    assert_eq!(going["metadata"]["deletionTimestamp"], "2001-09-09T01:47:40Z");
}

#[tokio::test]
async fn built_in_kinds_are_stored() {
    let client = ApiServer::new().client();
    let secrets = "/api/v1/namespaces/default/secrets";
    let secret = json!({"metadata": {"name": "a"}, "stringData": {"k": "v"}});
    let secret = send(&client, "POST", secrets, &secret).await.ok();
    assert_eq!((&secret["data"], &secret["type"]), (&json!({"k": "dg=="}), &json!("Opaque")));
    let deployments = "/apis/apps/v1/namespaces/default/deployments";
    let deployment = json!({"metadata": {"name": "a"}, "spec": {
        "replicas": 2, "selector": {"matchLabels": {"app": "a"}},
        "template": {
            "metadata": {"labels": {"app": "a"}}, "spec": {"containers": [{"name": "c", "image": "1"}]},
        },
    }});
    send(&client, "POST", deployments, &deployment).await.ok();
    let path = format!("{deployments}/a");
    let image =
        json!({"spec": {"template": {"spec": {"containers": [{"name": "c", "image": "2"}]}}}});
    let patched = patch(&client, &path, "strategic-merge", &image).await.ok();
    assert_eq!(patched["metadata"]["generation"], 2);
    let scale = get(&client, &format!("{path}/scale")).await.ok();
    assert_eq!(scale["status"]["selector"], "app=a");
    let rejected = patch(&client, &format!("{CRONTABS}/a"), "strategic-merge", &image).await;
    assert_eq!(rejected.code, 404, "no definition, no path");
}
