//! Objects of Kubernetes' own kinds, as kube-apiserver 1.37.2 answered the same requests.

use crd_apiserver::ApiServer;
use serde_json::json;

use crate::ask::{ask, get, patch, send};

const CONFIG_MAPS: &str = "/api/v1/namespaces/default/configmaps";

#[tokio::test]
async fn fields_of_config_maps_with_the_wrong_type_are_rejected() {
    let client = ApiServer::new().client();
    let metadata = json!({"name": "a"});
    for (fields, why) in [
        (
            json!({"data": 2.5}),
            "number into Go struct field ConfigMap.data of type map[string]string",
        ),
        (json!({"data": {"k": 1}}), "number into Go struct field ConfigMap.data of type string"),
        (
            json!({"immutable": "no"}),
            "string into Go struct field ConfigMap.immutable of type bool",
        ),
        (
            json!({"metadata": {"name": "a", "labels": {"app": 1}}}),
            "number into Go struct field ObjectMeta.metadata.labels of type string",
        ),
    ] {
        let mut body = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata});
        for (key, value) in fields.as_object().into_iter().flatten() {
            body[key] = value.clone();
        }
        assert_eq!(
            send(&client, "POST", CONFIG_MAPS, &body).await.rejected(400),
            format!(
                "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: json: cannot unmarshal {why}"
            )
        );
    }
}

#[tokio::test]
async fn unknown_fields_are_dropped_with_a_warning() {
    let client = ApiServer::new().client();
    let body =
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "unknown": 1});
    let made = send(&client, "POST", CONFIG_MAPS, &body).await;
    assert_eq!(made.warnings, ["299 - \"unknown field \\\"unknown\\\"\""]);
    assert_eq!(made.ok().get("unknown"), None);
    let twice = br#"{"kind":"Widget","kind":"ConfigMap","metadata":{"name":"b"},"unknown":1}"#;
    let headers = [("content-type", "application/json"), ("", "")];
    for (validation, warnings) in [("Warn", 2), ("Ignore", 0)] {
        let path = format!("{CONFIG_MAPS}?dryRun=All&fieldValidation={validation}");
        let made = ask(&client, "POST", &path, headers, twice.to_vec()).await;
        assert_eq!(made.warnings.len(), warnings, "{:?}", made.warnings);
        assert_eq!(made.ok()["kind"], "ConfigMap");
    }
    let path = format!("{CONFIG_MAPS}/a");
    let status = json!({"status": {"replicas": 1}});
    let changed = patch(&client, &path, "merge", &status).await.ok();
    assert_eq!(changed, get(&client, &path).await.ok());
    assert_eq!(changed.get("status"), None);
}

#[tokio::test]
async fn objects_of_unknown_kinds_are_rejected() {
    let client = ApiServer::new().client();
    let body = json!({"apiVersion": "demo.example.com/v9", "kind": "ConfigMap", "metadata": {"name": "a"}});
    let rejected = send(&client, "POST", CONFIG_MAPS, &body).await.rejected(400);
    let want = "ConfigMap in version \"v9\" cannot be handled as a ConfigMap: no kind \"ConfigMap\" is registered for \
                version \"demo.example.com/v9\"";
    assert!(rejected.starts_with(want), "{rejected}");
    let everywhere = send(&client, "POST", "/api/v1/configmaps", &body).await;
    assert_eq!(
        everywhere.rejected(405),
        "the server does not allow this method on the requested resource"
    );
}

#[tokio::test]
async fn metadata_and_keys_of_config_maps_are_validated() {
    let client = ApiServer::new().client();
    let namespace =
        json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "Not_A_Name"}});
    let rejected = send(&client, "POST", "/api/v1/namespaces", &namespace).await;
    assert!(rejected.rejected(422).contains("a lowercase RFC 1123 label must consist of"));
    let mut body = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"a b": ""}});
    let rejected = send(&client, "POST", CONFIG_MAPS, &body).await;
    assert_eq!(rejected.body["details"]["causes"][0]["field"], "data[a b]");
    body["data"] = json!({});
    let mut made = send(&client, "POST", CONFIG_MAPS, &body).await.ok();
    made["metadata"]["finalizers"] = json!(["bad"]);
    let rejected = send(&client, "PUT", &format!("{CONFIG_MAPS}/a"), &made).await;
    // The strategy and the code around it both find this error; the duplicate is removed.
    assert_eq!(rejected.body["details"]["causes"].as_array().map(Vec::len), Some(1));
    assert!(
        rejected
            .rejected(422)
            .ends_with("name is neither a standard finalizer name nor is it fully qualified")
    );
}

#[tokio::test]
async fn an_apply_that_creates_may_name_a_version() {
    let client = ApiServer::new().client();
    let body = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "resourceVersion": "1"},
    });
    let path = format!("{CONFIG_MAPS}/a?fieldManager=me");
    let made = patch(&client, &path, "apply", &body).await.ok();
    assert_ne!(made["metadata"]["resourceVersion"], "1");
    let rejected = send(&client, "POST", CONFIG_MAPS, &body).await.rejected(500);
    assert_eq!(rejected, "resourceVersion should not be set on objects to be created");
}

#[tokio::test]
async fn errors_of_decoding_a_strategic_patch_have_no_prefix() {
    let client = ApiServer::new().client();
    let body = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}});
    send(&client, "POST", CONFIG_MAPS, &body).await.ok();
    let path = format!("{CONFIG_MAPS}/a");
    let why = "json: cannot unmarshal string into Go value of type map[string]interface {}";
    for (form, want) in
        [("strategic-merge", why.to_owned()), ("merge", format!("error decoding patch: {why}"))]
    {
        assert_eq!(patch(&client, &path, form, &json!("[]")).await.rejected(400), want);
    }
}

#[tokio::test]
async fn a_path_is_looked_up_before_the_media_type() {
    let client = ApiServer::new().client();
    let headers = [("accept", "text/html"), ("content-type", "application/json")];
    let path = format!("{CONFIG_MAPS}/a/status");
    assert_eq!(ask(&client, "PUT", &path, headers, b"{}".to_vec()).await.code, 404);
    assert_eq!(ask(&client, "PUT", CONFIG_MAPS, headers, b"{}".to_vec()).await.code, 405);
    assert_eq!(ask(&client, "POST", CONFIG_MAPS, headers, b"{}".to_vec()).await.code, 406);
}

#[tokio::test]
async fn namespaces_cannot_be_deleted_as_a_collection() {
    let client = ApiServer::new().client();
    let spaces = "/api/v1/namespaces";
    let rejected = ask(&client, "DELETE", spaces, [("", ""); 2], Vec::new()).await.rejected(405);
    assert_eq!(rejected, "the server does not allow this method on the requested resource");
    let left = ask(&client, "GET", spaces, [("", ""); 2], Vec::new()).await.ok();
    assert_eq!(left["items"].as_array().map(Vec::len), Some(4));
}

#[tokio::test]
async fn the_manager_is_the_printable_part_of_the_user_agent() {
    let client = ApiServer::new().client();
    for (name, agent, want) in [
        ("a", &b"a\xc2\xa0b\xe2\x80\x8bc/1 d"[..], "abc"),
        // Each byte that is not UTF-8 is replaced.
        ("b", &b"a\xf0\x9f\x98b"[..], "a\u{fffd}\u{fffd}\u{fffd}b"),
        ("c", &b"\xc2\xa0/1"[..], "unknown"),
    ] {
        let body = json!({"metadata": {"name": name}, "data": {"a": "b"}}).to_string();
        let request = http::Request::post(CONFIG_MAPS)
            .header("content-type", "application/json")
            .header("user-agent", http::HeaderValue::from_bytes(agent).expect("a header"))
            .body(kube::client::Body::from(body.into_bytes()))
            .expect("a request");
        let answer = client.send(request).await.expect("an answer");
        let body = answer.into_body().collect_bytes().await.expect("a body");
        let made: serde_json::Value = serde_json::from_slice(&body).expect("JSON");
        assert_eq!(made["metadata"]["managedFields"][0]["manager"], want);
    }
}
