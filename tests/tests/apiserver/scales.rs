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
