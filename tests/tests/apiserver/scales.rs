//! Scales: tables, partial objects, applies, unknown fields and selectors, as kube-apiserver 1.37.2 answered the same
//! requests.

use serde_json::{Value, json};

use crate::ask::{CRONTABS, get_as, object, patch, send, server};

#[tokio::test]
async fn a_scale_has_a_table_of_its_own() {
    let client = server().client();
    send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    let path = format!("{CRONTABS}/a/scale");
    let table = get_as(&client, &path, "application/json;as=Table;v=v1;g=meta.k8s.io").await.ok();
    let columns = table["columnDefinitions"].as_array().into_iter().flatten();
    let names: Vec<&Value> = columns.map(|column| &column["name"]).collect();
    assert_eq!(names, ["Name", "Desired", "Available", "Age"]);
    let cells = table["rows"][0]["cells"].as_array().expect("a list");
    assert_eq!(cells[..3], [json!("a"), json!(2), json!(0)]);
    let partial = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
    let partial = get_as(&client, &path, partial).await.ok();
    assert_eq!(partial["kind"], "PartialObjectMetadata");
    assert_eq!(partial["metadata"]["name"], "a");
    // The error names a Go type, which a scale has, unlike the custom resource itself.
    let list = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
    assert_eq!(
        get_as(&client, &path, list).await.rejected(406),
        "you requested PartialObjectMetadataList, but the requested object is not a list (*v1.Scale)"
    );
}

#[tokio::test]
async fn an_apply_of_a_scale_succeeds_only_if_it_changes_nothing() {
    let client = server().client();
    send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    let path = format!("{CRONTABS}/a/scale?fieldManager=me&force=true");
    let scale = |replicas: i32| json!({"apiVersion": "autoscaling/v1", "kind": "Scale", "spec": {"replicas": replicas}});
    assert_eq!(patch(&client, &path, "apply", &scale(2)).await.ok()["spec"]["replicas"], 2);
    assert_eq!(
        patch(&client, &path, "apply", &scale(3)).await.rejected(500),
        "failed to convert new object (/; autoscaling/v1, Kind=Scale) to proper version: request to convert CR to an \
         invalid group/version: autoscaling/v1"
    );
}

/// The server creates the manager of the fields that existed before it looks at the managed fields of the configuration.
#[tokio::test]
async fn an_apply_of_a_scale_with_managed_fields_fails_at_the_manager_of_older_fields() {
    let client = server().client();
    send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    let reset = json!({"metadata": {"managedFields": [{}]}});
    patch(&client, &format!("{CRONTABS}/a"), "merge", &reset).await.ok();
    let path = |name: &str| format!("{CRONTABS}/{name}/scale?fieldManager=me&force=true");
    let mut scale = json!({
        "apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"managedFields": []}, "spec": {"replicas": 2},
    });
    let why = patch(&client, &path("a"), "apply", &scale).await.rejected(500);
    assert!(why.starts_with("failed to create manager for existing fields: "), "{why}");
    send(&client, "POST", CRONTABS, &object("b", 2)).await.ok();
    let why = patch(&client, &path("b"), "apply", &scale).await.rejected(400);
    assert_eq!(why, "metadata.managedFields must be nil");
    scale["metadata"]["managedFields"] = Value::Null;
    let why = patch(&client, &path("b"), "apply", &scale).await.rejected(500);
    assert!(why.starts_with("failed to convert new object "), "{why}");
    scale["kind"] = "CronTab".into();
    let why = patch(&client, &path("b"), "apply", &scale).await.rejected(400);
    assert_eq!(why, "invalid object type: autoscaling/v1, Kind=CronTab");
}

#[tokio::test]
async fn fields_that_a_scale_does_not_have_are_reported() {
    let client = server().client();
    send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    let path = format!("{CRONTABS}/a/scale");
    let unknown = json!({"spec": {"replicas": 1, "p": 2}});
    let patched = patch(&client, &path, "merge", &unknown).await;
    assert_eq!(patched.warnings, ["299 - \"unknown field \\\"spec.p\\\"\""]);
    assert_eq!(patched.ok()["spec"], json!({"replicas": 1}));
    let strict = format!("{path}?fieldValidation=Strict");
    let rejected = patch(&client, &strict, "merge", &unknown).await.rejected(422);
    assert!(rejected.ends_with("strict decoding error: unknown field \"spec.p\""), "{rejected}");

    for (body, want) in [
        (json!({"spec": [1]}), "array into Go struct field Scale.spec of type v1.ScaleSpec"),
        (
            json!({"status": {"selector": 1}}),
            "number into Go struct field ScaleStatus.status.selector of type string",
        ),
    ] {
        let rejected = patch(&client, &path, "merge", &body).await.rejected(422);
        assert!(rejected.ends_with(&format!("json: cannot unmarshal {want}")), "{rejected}");
    }
}

#[tokio::test]
async fn the_scale_of_a_deployment_has_its_whole_selector() {
    let client = server().client();
    let body = json!({
        "metadata": {"name": "a"},
        "spec": {
            "replicas": 2,
            "selector": {
                "matchLabels": {"app": "web"},
                "matchExpressions": [{"key": "tier", "operator": "In", "values": ["y", "x"]}],
            },
            "template": {
                "metadata": {"labels": {"app": "web", "tier": "x"}},
                "spec": {"containers": [{"name": "c", "image": "i"}]},
            },
        },
    });
    let deployments = "/apis/apps/v1/namespaces/default/deployments";
    send(&client, "POST", deployments, &body).await.ok();
    let scale = get_as(&client, &format!("{deployments}/a/scale"), "application/json").await.ok();
    assert_eq!(scale["status"]["selector"], "app=web,tier in (x,y)");
}

/// A custom resource has a scheme with all versions of scales, of which none converts to another.
#[tokio::test]
async fn patches_of_a_scale_to_another_kind_are_rejected() {
    let client = server().client();
    send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    let path = format!("{CRONTABS}/a/scale");
    let unregistered = |kind: &str, version: &str| {
        format!(
            "no kind \"{kind}\" is registered for version \"{version}\" in scheme \"pkg/runtime/scheme.go:111\""
        )
    };
    let unread = "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of \
                  type string";
    for (change, why) in [
        (json!({"apiVersion": "v1", "kind": "Pod"}), unregistered("Pod", "v1")),
        (json!({"apiVersion": "autoscaling/v2"}), unregistered("Scale", "autoscaling/v2")),
        (
            json!({"apiVersion": "apps/v1beta1"}),
            "converting (v1beta1.Scale) to (v1.Scale): unknown conversion".to_owned(),
        ),
        (json!({"apiVersion": "a/b/c"}), "unexpected GroupVersion string: a/b/c".to_owned()),
        (json!({"kind": 5}), unread.to_owned()),
    ] {
        let rejected = patch(&client, &path, "merge", &change).await.rejected(422);
        assert!(rejected.ends_with(&format!("}}\": {why}")), "{rejected}");
    }
    let none = json!({"apiVersion": null, "kind": null, "spec": {"replicas": 3}});
    assert_eq!(patch(&client, &path, "merge", &none).await.ok()["spec"]["replicas"], 3);
}

/// Source: `checkName` of `k8s.io/apiserver/pkg/endpoints/handlers/rest.go`, of the patched scale.
#[tokio::test]
async fn patches_of_a_scale_keep_its_name_and_namespace() {
    let client = server().client();
    send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    let path = format!("{CRONTABS}/a/scale");
    let unnamed =
        "the name of the object (a based on URL) was undeterminable: name must be provided";
    for (metadata, why) in [
        (Value::Null, unnamed),
        (json!({"name": null}), unnamed),
        (json!({"name": "b"}), "the name of the object (b) does not match the name on the URL (a)"),
        (
            json!({"namespace": "other"}),
            "the namespace of the provided object does not match the namespace sent on the request",
        ),
    ] {
        let change = json!({"metadata": metadata, "spec": {"replicas": 3}});
        let rejected = patch(&client, &path, "merge", &change).await.rejected(400);
        assert!(rejected.contains(why), "{rejected}");
    }
    let scale = get_as(&client, &path, "application/json").await.ok();
    assert_eq!(scale["spec"]["replicas"], 2);
}

#[tokio::test]
async fn the_scale_of_a_rejected_patch_is_shown_with_sorted_keys() {
    let client = server().client();
    send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    let path = format!("{CRONTABS}/a/scale");
    let change = json!({"spec": {"replicas": "x"}});
    let rejected = patch(&client, &path, "merge", &change).await.rejected(422);
    assert!(
        rejected.contains(r#"\"kind\":\"Scale\",\"metadata\":{\"creationTimestamp\":"#),
        "{rejected}"
    );
}

/// Deployments have all versions of scales, too, and convert them.
#[tokio::test]
async fn scales_of_deployments_had_other_versions() {
    let client = server().client();
    let deployments = "/apis/apps/v1/namespaces/default/deployments";
    let deployment = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"},
        "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": {
            "metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]},
        }},
    });
    send(&client, "POST", deployments, &deployment).await.ok();
    let path = format!("{deployments}/a/scale");
    let scale = |version: &str| json!({"apiVersion": version, "kind": "Scale", "metadata": {"name": "a"}, "spec": {"replicas": 2}});
    let patched = patch(&client, &path, "merge", &scale("apps/v1beta1")).await.ok();
    assert_eq!(patched["spec"]["replicas"], 2);
    assert_eq!(
        send(&client, "PUT", &path, &scale("apps/v1beta1")).await.rejected(400),
        "the API version in the data (apps/v1beta1) does not match the expected API version (autoscaling/v1)"
    );
    let pod = patch(&client, &path, "merge", &json!({"apiVersion": "v1", "kind": "Pod"}))
        .await
        .rejected(422);
    assert!(
        pod.ends_with("converting (v1.Pod) to (autoscaling.Scale): unknown conversion"),
        "{pod}"
    );
    let unread = send(&client, "PUT", &path, &json!([1])).await.rejected(400);
    assert!(
        unread.starts_with(
            "the object provided is unrecognized (must be of type Scale): couldn't get"
        ),
        "{unread}"
    );
}
