//! Patches of objects, in each format.

use serde_json::{Value, json};

use crate::ask::{CRONTABS, ask, get, object, patch, send, server};

#[tokio::test]
async fn an_apply_of_a_scale_takes_the_replicas_from_their_owner() {
    let client = server().client();
    let path = "/apis/apps/v1/namespaces/default/deployments/a";
    let mut config = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"},
        "spec": {"replicas": 2, "paused": true, "selector": {"matchLabels": {"app": "x"}}, "template": {
            "metadata": {"labels": {"app": "x"}}, "spec": {"containers": [{"name": "c", "image": "i"}]},
        }},
    });
    patch(&client, &format!("{path}?fieldManager=owner"), "apply", &config).await.ok();
    let scale_path = format!("{path}/scale?fieldManager=hpa");
    let rejected = patch(&client, &scale_path, "apply", &scale(4)).await;
    assert_eq!(
        rejected.rejected(409),
        "Apply failed with 1 conflict: conflict with \"owner\": .spec.replicas"
    );
    let scaled = patch(&client, &format!("{scale_path}&force=true"), "apply", &scale(4)).await.ok();
    assert_eq!((&scaled["kind"], &scaled["spec"]["replicas"]), (&json!("Scale"), &json!(4)));
    let now = get(&client, path).await.ok();
    let entries = now["metadata"]["managedFields"].as_array().cloned().unwrap_or_default();
    let owned = &entries[1]["fieldsV1"]["f:spec"];
    assert_eq!((owned.get("f:replicas"), owned.get("f:paused")), (None, Some(&json!({}))));
    // Upstream: the entry has no time, and is therefore the first one of the operation `Apply`.
    assert_eq!(
        entries[0],
        json!({
            "manager": "hpa", "operation": "Apply", "apiVersion": "apps/v1", "subresource": "scale",
            "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:replicas": {}}},
        })
    );
    // The owner of the other fields can no longer apply the replicas without a conflict.
    let rejected = patch(&client, &format!("{path}?fieldManager=owner"), "apply", &config).await;
    assert_eq!(
        rejected.rejected(409),
        "Apply failed with 1 conflict: conflict with \"hpa\" with subresource \"scale\": .spec.replicas"
    );
    config["spec"].as_object_mut().expect("a spec").remove("replicas");
    let kept = patch(&client, &format!("{path}?fieldManager=owner"), "apply", &config).await.ok();
    assert_eq!(kept["spec"]["replicas"], 4);
    let other = patch(&client, &scale_path, "apply", &object("a", 2)).await.rejected(400);
    assert_eq!(other, "invalid object type: stable.example.com/v1, Kind=CronTab");
}

fn scale(replicas: i32) -> Value {
    json!({"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "a"}, "spec": {"replicas": replicas}})
}

#[tokio::test]
async fn scales_of_custom_resources_cannot_be_applied() {
    let client = server().client();
    let path = format!("{CRONTABS}/a");
    patch(&client, &format!("{path}?fieldManager=owner"), "apply", &object("a", 2)).await.ok();
    let forced = format!("{path}/scale?fieldManager=hpa&force=true");
    assert_eq!(
        patch(&client, &forced, "apply", &scale(4)).await.rejected(500),
        "failed to convert new object (/a; autoscaling/v1, Kind=Scale) to proper version: request to convert CR to an \
         invalid group/version: autoscaling/v1"
    );
    let merged = format!("{path}/scale?fieldManager=kubectl");
    patch(&client, &merged, "merge", &json!({"spec": {"replicas": 5}})).await.ok();
    let entries = get(&client, &path).await.ok()["metadata"]["managedFields"].clone();
    assert_eq!(entries[0]["fieldsV1"], json!({"f:spec": {"f:cronSpec": {}}}));
    // Upstream: the entry has no time.
    assert_eq!(
        entries[1],
        json!({
            "manager": "kubectl", "operation": "Update", "apiVersion": "stable.example.com/v1", "subresource": "scale",
            "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:replicas": {}}},
        })
    );
}

#[tokio::test]
async fn json_patches_work_as_on_the_server() {
    let client = server().client();
    send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    let path = format!("{CRONTABS}/a");
    // kube's finalizers send this patch: the operation `test` takes an absent list for null.
    let finalizer = json!([
        {"op": "test", "path": "/metadata/finalizers", "value": null},
        {"op": "add", "path": "/metadata/finalizers", "value": ["example.com/x"]},
    ]);
    let patched = patch(&client, &path, "json", &finalizer).await.ok();
    assert_eq!(patched["metadata"]["finalizers"], json!(["example.com/x"]));
    let rejected = patch(&client, &path, "json", &finalizer).await;
    assert_eq!(rejected.body["reason"], "Invalid");
    assert_eq!(
        rejected.rejected(422),
        "the server rejected our request due to an error in our request"
    );
    let wrong = json!([{"op": "replace", "path": "/spec/replicas", "value": "x"}]);
    assert!(patch(&client, &path, "json", &wrong).await.rejected(422).contains("spec.replicas"));
    let unreadable = patch(&client, &path, "json", &json!({"op": "add"})).await.rejected(400);
    assert_eq!(
        unreadable,
        "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp"
    );
}

/// With field validation, the server decodes the patch before the library that applies it does. Number 19 of seed 63 of
/// `cargo dev requests`.
#[tokio::test]
async fn without_field_validation_errors_of_a_patch_are_those_of_the_library() {
    let client = server().client();
    send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    let path = format!("{CRONTABS}/a?fieldValidation=Ignore");
    for body in [json!("x"), json!(null), json!(1)] {
        let rejected = patch(&client, &path, "merge", &body).await.rejected(400);
        assert_eq!(rejected, "Invalid JSON Patch");
    }
    assert_eq!(
        patch(&client, &path, "json", &json!({})).await.rejected(400),
        "json: cannot unmarshal object into Go value of type jsonpatch.Patch"
    );
    let rejected = patch(&client, &path, "merge", &json!([])).await.rejected(422);
    assert!(rejected.starts_with(" \"\" is invalid: patch: Invalid value: \"[]\""), "{rejected}");
    let decoded = format!("{CRONTABS}/a");
    assert_eq!(
        patch(&client, &decoded, "merge", &json!("x")).await.rejected(400),
        "error decoding patch: json: cannot unmarshal string into Go value of type map[string]interface {}"
    );
    patch(&client, &decoded, "json", &json!(null)).await.ok();
}

#[tokio::test]
async fn merge_patches() {
    let client = server().client();
    send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    let path = format!("{CRONTABS}/a");
    let patched = patch(&client, &path, "merge", &json!({"spec": {"image": "i"}})).await.ok();
    assert_eq!(
        (&patched["spec"]["image"], &patched["metadata"]["generation"]),
        (&json!("i"), &json!(2))
    );
    let same = patch(&client, &path, "merge", &json!({"spec": {"image": "i"}})).await.ok();
    assert_eq!(same["metadata"]["resourceVersion"], patched["metadata"]["resourceVersion"]);
    let stale = json!({"metadata": {"resourceVersion": "2"}, "spec": {"image": "j"}});
    assert!(
        patch(&client, &path, "merge", &stale).await.rejected(409).contains("has been modified")
    );
    let unknown = json!({"spec": {"colour": "blue"}});
    let strict = format!("{path}?fieldValidation=Strict");
    let rejected = patch(&client, &strict, "merge", &unknown).await.rejected(422);
    assert!(rejected.starts_with(" \"\" is invalid: patch: Invalid value: \"{"), "{rejected}");
    assert!(
        rejected.ends_with("strict decoding error: unknown field \"spec.colour\""),
        "{rejected}"
    );
    assert_eq!(
        patch(&client, &path, "strategic-merge", &unknown).await.rejected(415),
        "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, \
         application/merge-patch+json, application/apply-patch+yaml"
    );
    assert_eq!(
        patch(&client, &format!("{CRONTABS}/none"), "merge", &unknown).await.rejected(404),
        "crontabs.stable.example.com \"none\" not found"
    );
}

/// The server shows the object with both entries of the key.
#[tokio::test]
async fn repeated_keys_in_values_of_patches_are_shown_once() {
    let client = server().client();
    send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    let path = format!("{CRONTABS}/a?fieldValidation=Strict");
    let labels = br#"[{"op": "add", "path": "/metadata/labels", "value": {"x": "1", "x": "2"}}]"#;
    let headers = [("content-type", "application/json-patch+json"), ("", "")];
    let why = ask(&client, "PATCH", &path, headers, labels.to_vec()).await.rejected(422);
    assert!(why.contains(r#"\"labels\":{\"x\":\"2\"}"#), "{why}");
    let end = r#"duplicate field "[0].value.x", duplicate field "metadata.labels.x""#;
    assert!(why.ends_with(end), "{why}");
}

/// The server applies the text of the number, and then does not decode the object.
#[tokio::test]
async fn numbers_out_of_range_in_unchecked_patches_are_malformed() {
    let client = server().client();
    send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    let path = format!("{CRONTABS}/a?fieldValidation=Ignore");
    let operation = br#"[{"op": "add", "path": "/spec/replicas", "value": 1e400}]"#;
    let merge = br#"{"spec": {"replicas": 1e400}}"#;
    for (form, body) in [("json", operation.as_slice()), ("merge", merge)] {
        let form = format!("application/{form}-patch+json");
        let headers = [("content-type", form.as_str()), ("", "")];
        assert_eq!(
            ask(&client, "PATCH", &path, headers, body.to_vec()).await.rejected(400),
            "json: cannot unmarshal number 1e400 into Go value of type float64"
        );
    }
}

#[tokio::test]
async fn applies_create_own_and_release_fields() {
    let client = server().client();
    let path = format!("{CRONTABS}/a?fieldManager=me");
    let made = patch(&client, &path, "apply", &object("a", 2)).await;
    assert_eq!(made.code, 201);
    let entry = &made.body["metadata"]["managedFields"][0];
    assert_eq!((&entry["manager"], &entry["operation"]), (&json!("me"), &json!("Apply")));
    // A second apply of the same configuration changes nothing.
    let again = patch(&client, &path, "apply", &object("a", 2)).await;
    assert_eq!((again.code, &again.body), (200, &made.body));
    let theirs = format!("{CRONTABS}/a?fieldManager=you");
    let conflict = patch(&client, &theirs, "apply", &object("a", 3)).await;
    assert_eq!(
        conflict.body["details"]["causes"],
        json!([{"reason": "FieldManagerConflict", "message": "conflict with \"me\"", "field": ".spec.replicas"}])
    );
    assert_eq!(
        conflict.rejected(409),
        "Apply failed with 1 conflict: conflict with \"me\": .spec.replicas"
    );
    let forced =
        patch(&client, &format!("{theirs}&force=true"), "apply", &object("a", 3)).await.ok();
    assert_eq!(forced["spec"]["replicas"], 3);
    // A field that its only manager no longer applies is removed, and then gets its default.
    let mut less = object("a", 3);
    less["spec"] = json!({"cronSpec": "* * * * *"});
    let given_up = patch(&client, &theirs, "apply", &less).await.ok();
    assert_eq!(given_up["spec"]["replicas"], 1);
    let unnamed = patch(&client, &format!("{CRONTABS}/a"), "apply", &less).await.rejected(422);
    assert!(unnamed.ends_with("fieldManager: Required value: is required for apply patch"));
    less["spec"]["colour"] = "blue".into();
    assert_eq!(
        patch(&client, &theirs, "apply", &less).await.rejected(500),
        "failed to create typed patch object (/a; stable.example.com/v1, Kind=CronTab): .spec.colour: field not declared in \
         schema"
    );
    less["kind"] = "Shirt".into();
    assert_eq!(
        patch(&client, &theirs, "apply", &less).await.rejected(400),
        "invalid object type: stable.example.com/v1, Kind=Shirt"
    );
    assert_eq!(get(&client, &format!("{CRONTABS}/a")).await.ok()["spec"]["replicas"], 1);
}

#[tokio::test]
async fn a_test_of_a_json_patch_compares_texts() {
    let client = server().client();
    let path = format!("{CRONTABS}/a");
    let mut tab = object("a", 3);
    tab["metadata"]["annotations"] = json!({"a": "x<y\u{2028}A/"});
    send(&client, "POST", CRONTABS, &tab).await.ok();
    let test = async |at: &str, texts: &[(&str, u16)]| {
        for (text, want) in texts {
            let body = format!("[{{\"op\": \"test\", \"path\": \"{at}\", \"value\": {text}}}]");
            let headers = [("content-type", "application/json-patch+json"), ("", "")];
            let answer = ask(&client, "PATCH", &path, headers, body.into_bytes()).await;
            assert_eq!(answer.code, *want, "{text}: {}", answer.body);
        }
    };
    test("/spec/replicas", &[("3", 200), ("3.0", 422), ("3e0", 422), ("\"3\"", 422)]).await;
    let texts = [
        ("\"x\\u003cy\\u2028A/\"", 200),
        ("\"x<y\\u2028A/\"", 422),
        ("\"x\\u003cy\u{2028}A/\"", 422),
        ("\"x\\u003cy\\u2028\\u0041/\"", 422),
        ("\"x\\u003cy\\u2028A\\/\"", 422),
    ];
    test("/metadata/annotations/a", &texts).await;
    let whole = format!("{{\"\\u0061\": {}}}", texts[0].0);
    test("/metadata/annotations", &[(whole.as_str(), 200)]).await;
}
