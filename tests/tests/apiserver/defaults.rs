//! Defaults that contain nulls, as kube-apiserver 1.37.2 answered the same requests.

use crd_apiserver::ApiServer;
use serde_json::{Value, json};

use crate::ask::{get, patch, send};

const WIDGETS: &str = "/apis/example.com/v1/namespaces/default/widgets";
const DEFINITION: &str =
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com";

/// Returns the definition of a kind whose `spec.value` has this default, or none if it is null.
fn definition(default: &Value) -> Value {
    let replicas = json!({"type": "object", "properties": {"replicas": {"type": "integer"}}});
    let mut value = json!({"type": "object", "properties": {
        "any": {"x-kubernetes-preserve-unknown-fields": true},
    }});
    if !default.is_null() {
        value["default"] = default.clone();
    }
    let mut spec = replicas.clone();
    spec["properties"]["value"] = value;
    let subresources = json!({"status": {}, "scale": {
        "specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas",
    }});
    let root = json!({"type": "object", "properties": {"spec": spec, "status": replicas}});
    crd_fixtures::widget(root).set("/spec/versions/0/subresources", subresources).json()
}

fn widget() -> Value {
    json!({
        "apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"replicas": 1},
    })
}

/// Returns the spec, the generation and the resource version of an object.
fn state(object: &Value) -> (&Value, i64, u64) {
    let metadata = &object["metadata"];
    let revision = metadata["resourceVersion"].as_str().and_then(|text| text.parse().ok());
    (
        &object["spec"],
        metadata["generation"].as_i64().unwrap_or_default(),
        revision.unwrap_or_default(),
    )
}

/// The null is stored, and is dropped whenever the object is read.
#[tokio::test]
async fn a_null_in_a_default_is_never_read() {
    let client =
        ApiServer::builder().with_object(&definition(&json!({"any": null}))).start().client();
    let path = format!("{WIDGETS}/w");
    let read = json!({"replicas": 1, "value": {}});

    let dry = send(&client, "POST", &format!("{WIDGETS}?dryRun=All"), &widget()).await.ok();
    assert_eq!(dry["spec"], read);
    let made = send(&client, "POST", WIDGETS, &widget()).await.ok();
    assert_eq!(made["spec"], read);
    let owned = json!({"f:spec": {".": {}, "f:replicas": {}, "f:value": {".": {}, "f:any": {}}}});
    assert_eq!(made["metadata"]["managedFields"][0]["fieldsV1"], owned);
    assert_eq!(get(&client, &path).await.ok(), made);
    assert_eq!(get(&client, WIDGETS).await.ok()["items"][0]["spec"], read);

    // What is read differs from what is stored, so the same object is stored once more.
    let same = send(&client, "PUT", &path, &made).await.ok();
    assert_eq!(state(&same), (&read, 1, state(&made).2 + 1));
    let again = send(&client, "PUT", &path, &same).await.ok();
    assert_eq!(again, same);

    let mut without = same.clone();
    without["spec"].as_object_mut().expect("a map").remove("value");
    let changed = send(&client, "PUT", &path, &without).await.ok();
    assert_eq!(state(&changed), (&read, 2, state(&same).2 + 1));
    let null = json!({"spec": {"value": null}});
    let dry = patch(&client, &format!("{path}?dryRun=All"), "merge", &null).await.ok();
    assert_eq!(state(&dry), (&read, 3, state(&changed).2));
    let changed = patch(&client, &path, "merge", &null).await.ok();
    assert_eq!(state(&changed), (&read, 3, state(&dry).2 + 1));

    let scale = json!({"metadata": {"name": "w"}, "spec": {"replicas": 3}});
    send(&client, "PUT", &format!("{path}/scale"), &scale).await.ok();
    let scaled = get(&client, &path).await.ok();
    assert_eq!(state(&scaled), (&json!({"replicas": 3, "value": {}}), 4, state(&changed).2 + 1));
}

/// The default is added to objects that are stored without it, and its null is dropped.
#[tokio::test]
async fn a_null_in_a_later_default_is_no_change() {
    let client = ApiServer::builder().with_object(&definition(&Value::Null)).start().client();
    let path = format!("{WIDGETS}/w");
    send(&client, "POST", WIDGETS, &widget()).await.ok();
    let default =
        "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/value/default";
    let add = json!([{"op": "add", "path": default, "value": {"any": null}}]);
    patch(&client, DEFINITION, "json", &add).await.ok();

    let read = get(&client, &path).await.ok();
    assert_eq!(state(&read).0, &json!({"replicas": 1, "value": {}}));
    let dry = send(&client, "PUT", &format!("{path}?dryRun=All"), &read).await.ok();
    assert_eq!(state(&dry), state(&read));
    let status = json!({"status": {"replicas": 2}});
    let written = patch(&client, &format!("{path}/status"), "merge", &status).await.ok();
    assert_eq!(state(&written).0, &json!({"replicas": 1, "value": {}}));
    let changed = patch(&client, &path, "merge", &json!({"spec": {"replicas": 5}})).await.ok();
    let want = json!({"replicas": 5, "value": {}});
    assert_eq!(state(&changed), (&want, 2, state(&written).2 + 1));
}
