//! Kinds and aggregated APIs that a test adds to its server.

use crd_apiserver::{ApiServer, Storage, User};
use http::{Request, Response};
use kube::client::Body;
use serde_json::{Value, json};
use tower::service_fn;

use crate::ask::{ask, delete, get, get_as, patch, send};

fn with_gadgets() -> ApiServer {
    ApiServer::builder().with_kind(&json!({"spec": {
        "group": "gear", "scope": "Namespaced", "names": {"plural": "gadgets", "kind": "Gadget"},
        "versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}}}],
    }})).start()
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
        let texts = |name: &str| {
            let values = request.headers().get_all(name).into_iter();
            values.map(|it| it.to_str().expect("text").to_owned()).collect::<Vec<_>>()
        };
        let answer = json!({
            "users": texts("x-remote-user"), "groups": texts("x-remote-group"),
            "path": request.uri().path(),
        });
        Ok::<_, kube::Error>(Response::new(Body::from(answer.to_string().into_bytes())))
    });
    let server =
        ApiServer::builder().authorize().with_api("metrics.k8s.io", "v1beta1", service).start();
    let path = "/apis/metrics.k8s.io/v1beta1/nodes/n";
    let admin = server.client();
    let want = json!({
        "users": ["system:admin"], "groups": ["system:masters", "system:authenticated"], "path": path,
    });
    // Headers that a client sends itself are not trusted.
    let forged = [("x-remote-user", "jane"), ("x-remote-group", "other")];
    assert_eq!(ask(&admin, "GET", path, forged, Vec::new()).await.ok(), want);
    let group = get(&admin, "/apis/metrics.k8s.io").await.ok();
    assert_eq!(group["preferredVersion"]["groupVersion"], "metrics.k8s.io/v1beta1");
    let rejected = get(&server.client_as(User::new("jane")), path).await.rejected(403);
    assert!(
        rejected.contains("cannot get resource \"nodes\" in API group \"metrics.k8s.io\""),
        "{rejected}"
    );
}

const APIS: &str = "/apis/apiregistration.k8s.io/v1/apiservices";

/// Returns the condition `Available` of an `APIService`: its status, reason and message.
fn available(object: &Value) -> [&str; 3] {
    let condition = &object["status"]["conditions"][0];
    assert_eq!(condition["type"], "Available", "{object}");
    ["status", "reason", "message"].map(|key| condition[key].as_str().expect("text"))
}

#[tokio::test]
async fn discovery_has_the_resources_of_an_aggregated_api() {
    let nodes = json!({
        "name": "nodes", "singularName": "", "namespaced": false, "kind": "NodeMetrics",
        "verbs": ["get", "list"],
    });
    let mut status = nodes.clone();
    status["name"] = "nodes/status".into();
    let list = json!({
        "kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "metrics.k8s.io/v1beta1",
        "resources": [nodes, status],
    });
    let answers = move |request: Request<Body>| {
        let is_list = request.uri().path() == "/apis/metrics.k8s.io/v1beta1";
        let body = if is_list { list.to_string() } else { String::new() };
        std::future::ready(Ok::<_, kube::Error>(Response::new(Body::from(body.into_bytes()))))
    };
    let fails = service_fn(|_: Request<Body>| {
        std::future::ready(Err::<Response<Body>, _>("no connection"))
    });
    let client = ApiServer::builder()
        .with_api("metrics.k8s.io", "v1beta1", service_fn(answers))
        .with_api("custom.metrics.k8s.io", "v1", fails)
        .start()
        .client();
    let made = get(&client, &format!("{APIS}/v1beta1.metrics.k8s.io")).await.ok();
    assert_eq!(available(&made), ["True", "Passed", "all checks passed"]);
    let accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    let all = get_as(&client, "/apis", accept).await.ok();
    let groups = all["items"].as_array().expect("groups");
    assert_eq!(groups[0]["metadata"]["name"], "apiregistration.k8s.io");
    let version = |name: &str| {
        let group = groups.iter().find(|group| group["metadata"]["name"] == name);
        group.expect("a group")["versions"][0].clone()
    };
    let kind = json!({"group": "", "version": "", "kind": "NodeMetrics"});
    let want = json!({
        "version": "v1beta1", "freshness": "Current", "resources": [{
            "resource": "nodes", "responseKind": kind, "scope": "Cluster", "singularResource": "",
            "verbs": ["get", "list"],
            "subresources": [
                {"subresource": "status", "responseKind": kind, "verbs": ["get", "list"]},
            ],
        }],
    });
    assert_eq!(version("metrics.k8s.io"), want);
    let want = json!({"version": "v1", "freshness": "Stale", "resources": []});
    assert_eq!(version("custom.metrics.k8s.io"), want);
    // A built-in kind has no group in this document, one of a definition has.
    let deployments = &version("apps")["resources"][2];
    assert_eq!(deployments["resource"], "deployments");
    assert_eq!(
        deployments["responseKind"],
        json!({"group": "", "version": "", "kind": "Deployment"})
    );
}

#[tokio::test]
async fn api_services_say_whether_a_service_answers() {
    let server = ApiServer::new();
    let client = server.client();
    let object = |service: Value| {
        json!({
            "apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
            "metadata": {"name": "v1.far.example.com"},
            "spec": {
                "group": "far.example.com", "version": "v1", "groupPriorityMinimum": 100,
                "versionPriority": 100, "service": service,
            },
        })
    };
    let far = json!({"namespace": "default", "name": "far"});
    let made = send(&client, "POST", APIS, &object(far.clone())).await.ok();
    assert_eq!(made["spec"]["service"]["port"], 443);
    let path = format!("{APIS}/v1.far.example.com");
    let found = get(&client, &path).await.ok();
    let missing = "service/far in \"default\" is not present";
    assert_eq!(available(&found), ["False", "ServiceNotFound", missing]);
    let group = get(&client, "/apis/far.example.com").await.ok();
    assert_eq!(group["preferredVersion"]["groupVersion"], "far.example.com/v1");
    let answer = get(&client, "/apis/far.example.com/v1/things").await;
    assert_eq!((answer.code, answer.body), (503, json!("service unavailable\n")));
    let service = json!({
        "apiVersion": "v1", "kind": "Service", "metadata": {"name": "far", "namespace": "default"},
        "spec": {"ports": [{"port": 443}]},
    });
    server.create(&service).expect("created");
    let found = get(&client, &path).await.ok();
    assert_eq!(available(&found)[1], "FailedDiscoveryCheck");
    // A test that answers for it makes it available, and keeps its service.
    let echo = service_fn(|_: Request<Body>| {
        std::future::ready(Ok::<_, kube::Error>(Response::new(Body::from(b"{}".to_vec()))))
    });
    let server = ApiServer::builder()
        .with_object(&object(far))
        .with_api("far.example.com", "v1", echo)
        .start();
    let client = server.client();
    let found = get(&client, &path).await.ok();
    assert_eq!(available(&found)[1], "Passed");
    assert_eq!(found["spec"]["service"]["name"], "far");
    assert_eq!(get(&client, "/apis/far.example.com/v1/things").await.ok(), json!({}));
    server.restart(Storage::Lost);
    assert_eq!(available(&get(&client, &path).await.ok())[1], "Passed");
}

#[tokio::test]
async fn api_services_are_validated() {
    let client = ApiServer::new().client();
    let spec = json!({"group": "a.example.com", "version": "V1", "caBundle": "YWJj"});
    let wrong = json!({
        "apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService", "metadata": {"name": "x"}, "spec": spec,
    });
    let why = send(&client, "POST", APIS, &wrong).await.rejected(422);
    for part in [
        "metadata.name: Invalid value: \"x\": must be `spec.version+\".\"+spec.group`: \"V1.a.example.com\"",
        "spec.version: Invalid value: \"V1\": a DNS-1035 label must consist of",
        "spec.groupPriorityMinimum: Invalid value: 0: must be positive and less than 20000",
        "spec.versionPriority: Invalid value: 0: must be positive and less than 1000",
        "spec.caBundle: Invalid value: \"3 bytes\": local APIServices may not have a caBundle",
    ] {
        assert!(why.contains(part), "{why}");
    }
}

#[tokio::test]
async fn a_cluster_has_an_api_service_for_each_version() {
    let server = ApiServer::new();
    server.create_cluster_objects();
    let client = server.client();
    let core = get(&client, &format!("{APIS}/v1.")).await.ok();
    assert_eq!(available(&core)[1..], ["Local", "Local APIServices are always available"]);
    assert_eq!(
        (&core["spec"]["groupPriorityMinimum"], &core["spec"]["versionPriority"]),
        (&json!(18_000), &json!(1))
    );
    let managed = |object: &Value| {
        object["metadata"]["labels"]["kube-aggregator.kubernetes.io/automanaged"].clone()
    };
    assert_eq!(managed(&core), "onstart");
    let components = "/api/v1/componentstatuses";
    let scheduler = get(&client, &format!("{components}/scheduler")).await;
    assert_eq!(scheduler.warnings, ["299 - \"v1 ComponentStatus is deprecated in v1.19+\""]);
    assert_eq!(scheduler.ok()["conditions"][0]["status"], "True");
    let names = get(&client, components).await.ok();
    assert_eq!(names["items"].as_array().map(Vec::len), Some(3));
    let watch = get(&client, &format!("{components}?watch=true")).await.rejected(405);
    assert_eq!(watch, "watch is not supported on resources of kind \"componentstatuses\"");
    assert_eq!(send(&client, "POST", components, &json!({})).await.code, 405);
    let resources = get(&client, "/api/v1").await.ok();
    let found = resources["resources"].as_array().into_iter().flatten();
    let found: Vec<_> = found.filter(|it| it["name"] == "componentstatuses").collect();
    assert_eq!(
        (&found[0]["verbs"], &found[0]["storageVersionHash"]),
        (&json!(["get", "list"]), &Value::Null)
    );
    // Those of definitions follow the definitions.
    let crd = <crd_examples::crontab::CronTab as crd_runtime::CustomResource>::crd();
    server.create(&crd).expect("created");
    let path = format!("{APIS}/v1.stable.example.com");
    let found = get(&client, &path).await.ok();
    assert_eq!((managed(&found), available(&found)[0]), (json!("true"), "True"));
    assert_eq!(found["spec"]["versionPriority"], 100);
    let crd = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/crontabs.stable.example.com";
    delete(&client, crd).await.ok();
    assert_eq!(get(&client, &path).await.code, 404);
    drop(server);
}
