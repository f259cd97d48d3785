//! Kinds and aggregated APIs that a test adds to its server.

use crd_apiserver::{ApiServer, Storage, User};
use http::{Request, Response};
use kube::client::Body;
use serde_json::{Value, json};
use tower::service_fn;

use crate::ask::{get, patch, send};

fn with_gadgets() -> ApiServer {
    ApiServer::new().with_kind(&json!({"spec": {
        "group": "gear", "scope": "Namespaced", "names": {"plural": "gadgets", "kind": "Gadget"},
        "versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}}}],
    }}))
}

#[tokio::test]
async fn a_kind_without_a_definition_is_served() {
    let server = with_gadgets();
    let client = server.client();
    let path = "/apis/gear/v1/namespaces/default/gadgets";
    let gadget = json!({"apiVersion": "gear/v1", "kind": "Gadget", "metadata": {"name": "a"}, "any": {"x": 1}});
    let made = send(&client, "POST", path, &gadget).await.ok();
    assert_eq!((&made["apiVersion"], &made["any"]["x"]), (&json!("gear/v1"), &json!(1)));
    let status = json!({"status": {"ready": true}});
    let changed = patch(&client, &format!("{path}/a/status"), "merge", &status).await.ok();
    assert_eq!(changed["status"]["ready"], true);
    let listed = get(&client, path).await.ok();
    assert_eq!(
        (&listed["kind"], listed["items"].as_array().map(Vec::len)),
        (&json!("GadgetList"), Some(1))
    );
    let resources = get(&client, "/apis/gear/v1").await.ok();
    let names: Vec<&Value> = resources["resources"]
        .as_array()
        .expect("resources")
        .iter()
        .map(|it| &it["name"])
        .collect();
    assert!(names.contains(&&json!("gadgets/status")), "{names:?}");
    let definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    assert_eq!(get(&client, definitions).await.ok()["items"], json!([]));
    server.restart(Storage::Lost);
    assert_eq!(get(&client, path).await.ok()["items"], json!([]));
}

#[tokio::test]
async fn aggregated_apis_are_answered_by_a_service() {
    let service = service_fn(|request: Request<Body>| async move {
        let user = request.headers().get("x-remote-user").and_then(|user| user.to_str().ok());
        let answer = json!({"user": user, "path": request.uri().path()});
        Ok::<_, kube::Error>(Response::new(Body::from(answer.to_string().into_bytes())))
    });
    let server = ApiServer::new().authorize().with_api("metrics.k8s.io", "v1beta1", service);
    let path = "/apis/metrics.k8s.io/v1beta1/nodes/n";
    let admin = server.client();
    assert_eq!(get(&admin, path).await.ok(), json!({"user": "system:admin", "path": path}));
    let group = get(&admin, "/apis/metrics.k8s.io").await.ok();
    assert_eq!(group["preferredVersion"]["groupVersion"], "metrics.k8s.io/v1beta1");
    let rejected = get(&server.client_as(User::new("jane")), path).await.rejected(403);
    assert!(
        rejected.contains("cannot get resource \"nodes\" in API group \"metrics.k8s.io\""),
        "{rejected}"
    );
}
