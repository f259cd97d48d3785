//! Subresources of built-in kinds: eviction, binding, tokens, ephemeral containers, resizes, logs and approvals.

use crd_apiserver::{AdmissionResponse, ApiServer};
use kube::Client;
use serde_json::{Value, json};

use crate::admission::configuration;
use crate::ask::{ask, delete, get, patch, send};

const PODS: &str = "/api/v1/namespaces/default/pods";
const BUDGETS: &str = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

/// Creates a pod that runs on a node, and is ready.
async fn ready_pod(client: &Client, name: &str) {
    let pod = json!({
        "metadata": {"name": name, "labels": {"a": "b"}},
        "spec": {"nodeName": "n", "containers": [{"name": "c", "image": "i"}]},
    });
    send(client, "POST", PODS, &pod).await.ok();
    let status = json!({"status": {
        "phase": "Running", "conditions": [{"type": "Ready", "status": "True"}],
    }});
    patch(client, &format!("{PODS}/{name}/status"), "merge", &status).await.ok();
}

async fn evict(client: &Client, name: &str) -> crate::ask::Answer {
    let eviction =
        json!({"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": name}});
    send(client, "POST", &format!("{PODS}/{name}/eviction"), &eviction).await
}

/// Creates a disruption budget for the pods of [`ready_pod`], with this status.
async fn budget(client: &Client, name: &str, status: Value) {
    let spec = json!({"minAvailable": 1, "selector": {"matchLabels": {"a": "b"}}});
    let budget = json!({"metadata": {"name": name}, "spec": spec});
    send(client, "POST", BUDGETS, &budget).await.ok();
    let path = format!("{BUDGETS}/{name}/status");
    patch(client, &path, "merge", &json!({"status": status})).await.ok();
}

#[tokio::test]
async fn pods_are_evicted_as_their_budget_allows() {
    let server = ApiServer::new();
    let client = server.client();
    for name in ["x", "y"] {
        ready_pod(&client, name).await;
    }
    budget(
        &client,
        "pdb",
        json!({
            "observedGeneration": 1, "disruptionsAllowed": 1, "currentHealthy": 2, "desiredHealthy": 1,
            "expectedPods": 2,
        }),
    )
    .await;
    let done = evict(&client, "x").await;
    assert_eq!((done.code, &done.body["status"]), (201, &json!("Success")));
    let x = get(&client, &format!("{PODS}/x")).await.ok();
    let conditions = x["status"]["conditions"].as_array().expect("conditions");
    assert!(conditions.iter().any(|it| it["type"] == "DisruptionTarget"), "{x}");
    assert_eq!(x["metadata"]["deletionGracePeriodSeconds"], 30);
    let status = get(&client, &format!("{BUDGETS}/pdb")).await.ok()["status"].clone();
    assert_eq!(status["disruptionsAllowed"], 0);
    assert!(status["disruptedPods"]["x"].is_string(), "{status}");
    // A second eviction of the same pod is no further disruption.
    assert_eq!(evict(&client, "x").await.code, 201);
    let rejected = evict(&client, "y").await;
    assert_eq!(rejected.code, 429, "{}", rejected.body);
    assert_eq!(rejected.body["reason"], "TooManyRequests");
    assert_eq!(
        (&rejected.body["message"], &rejected.body["details"]["causes"][0]),
        (
            &json!("Cannot evict pod as it would violate the pod's disruption budget."),
            &json!({
                "reason": "DisruptionBudget",
                "message": "The disruption budget pdb does not allow evicting pods currently",
            })
        )
    );
    assert_eq!(
        get(&client, &format!("{PODS}/y")).await.ok()["metadata"].get("deletionTimestamp"),
        None
    );
}

#[tokio::test]
async fn budgets_that_no_controller_has_seen_allow_nothing() {
    let server = ApiServer::builder()
        .admission("keep.example.com", |request| match request["kind"]["kind"].as_str() {
            Some("Eviction") => AdmissionResponse::deny("keep it"),
            _ => AdmissionResponse::allow(),
        })
        .start();
    let client = server.client();
    ready_pod(&client, "x").await;
    budget(&client, "pdb", json!({"disruptionsAllowed": 1})).await;
    let rejected = evict(&client, "x").await;
    assert_eq!((rejected.code, &rejected.body["details"]["retryAfterSeconds"]), (429, &json!(10)));
    delete(&client, &format!("{BUDGETS}/pdb")).await.ok();
    let webhook = json!({"rules": [{
        "operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods/eviction"],
    }]});
    server.create(&configuration("Validating", "keep", &webhook)).expect("created");
    let rejected = evict(&client, "x").await.rejected(400);
    assert!(rejected.ends_with("keep it"), "{rejected}");
    assert_eq!(get(&client, &format!("{PODS}/x/eviction")).await.code, 405);
    assert_eq!(evict(&client, "none").await.code, 400);
}

#[tokio::test]
async fn pods_are_bound_once() {
    let client = ApiServer::new().client();
    let pod =
        json!({"metadata": {"name": "x"}, "spec": {"containers": [{"name": "c", "image": "i"}]}});
    send(&client, "POST", PODS, &pod).await.ok();
    let path = format!("{PODS}/x/binding");
    let to = |node: &str| json!({"metadata": {"name": "x", "annotations": {"k": "v"}}, "target": {"kind": "Node", "name": node}});
    let rejected = send(&client, "POST", &path, &to("")).await.rejected(500);
    assert_eq!(rejected, "target.name: Required value");
    assert_eq!(send(&client, "POST", &path, &to("n")).await.code, 201);
    let bound = get(&client, &format!("{PODS}/x")).await.ok();
    assert_eq!(bound["spec"]["nodeName"], "n");
    assert_eq!(bound["metadata"]["annotations"]["k"], "v");
    let scheduled = &bound["status"]["conditions"][0];
    assert_eq!(
        (&scheduled["type"], &scheduled["status"]),
        (&json!("PodScheduled"), &json!("True"))
    );
    let rejected = send(&client, "POST", &path, &to("m")).await.rejected(409);
    assert_eq!(
        rejected,
        "Operation cannot be fulfilled on pods/binding \"x\": pod x is already assigned to node \"n\""
    );
}

#[tokio::test]
async fn tokens_authenticate_service_accounts() {
    let server = ApiServer::builder().authorize().start();
    let client = server.client();
    let account = json!({"metadata": {"name": "robot"}});
    let accounts = "/api/v1/namespaces/default/serviceaccounts";
    let uid = send(&client, "POST", accounts, &account).await.ok()["metadata"]["uid"].clone();
    let path = format!("{accounts}/robot/token");
    let short = json!({"spec": {"expirationSeconds": 60}});
    let rejected = send(&client, "POST", &path, &short).await.rejected(422);
    assert!(rejected.contains("may not specify a duration less than 10 minutes"), "{rejected}");
    let made = send(&client, "POST", &path, &json!({"spec": {}})).await.ok();
    assert_eq!(made["spec"]["expirationSeconds"], 3600);
    let token = made["status"]["token"].as_str().expect("a token").to_owned();
    assert_eq!(token.split('.').count(), 3);
    let reviews = "/apis/authentication.k8s.io/v1/tokenreviews";
    let review = |token: &str| json!({"spec": {"token": token}});
    let found = send(&client, "POST", reviews, &review(&token)).await.ok()["status"].clone();
    assert_eq!(found["authenticated"], true);
    assert_eq!(found["user"]["username"], "system:serviceaccount:default:robot");
    assert_eq!(found["user"]["uid"], uid);
    let found = send(&client, "POST", reviews, &review("abc")).await.ok()["status"].clone();
    assert_eq!(found, json!({"user": {}, "error": "invalid bearer token"}));
    // A request with the token is one of the account, which may do nothing.
    let bearer = format!("Bearer {token}");
    let headers = [("authorization", bearer.as_str()), ("", "")];
    let rejected = ask(&client, "GET", PODS, headers, Vec::new()).await.rejected(403);
    assert!(
        rejected.contains("User \"system:serviceaccount:default:robot\" cannot list"),
        "{rejected}"
    );
    delete(&client, &format!("{accounts}/robot")).await.ok();
    let found = send(&client, "POST", reviews, &review(&token)).await.ok()["status"].clone();
    assert_eq!(found.get("authenticated"), None);
}

#[tokio::test]
async fn parts_of_pods_change_alone() {
    let client = ApiServer::new().client();
    let pod =
        json!({"metadata": {"name": "x"}, "spec": {"containers": [{"name": "c", "image": "i"}]}});
    send(&client, "POST", PODS, &pod).await.ok();
    let debug = json!({
        "metadata": {"labels": {"a": "b"}},
        "spec": {"restartPolicy": "Never", "ephemeralContainers": [{"name": "d", "image": "busybox"}]},
    });
    let path = format!("{PODS}/x/ephemeralcontainers");
    let changed = patch(&client, &path, "strategic-merge", &debug).await.ok();
    assert_eq!(changed["spec"]["ephemeralContainers"][0]["name"], "d");
    assert_eq!(changed["spec"]["restartPolicy"], "Always");
    assert_eq!(changed["metadata"].get("labels"), None);
    assert_eq!(changed["metadata"]["generation"], 2);
    let none = json!([{"op": "remove", "path": "/spec/ephemeralContainers"}]);
    let rejected = patch(&client, &path, "json", &none).await.rejected(422);
    assert!(
        rejected.contains("existing ephemeral containers \"d\" may not be removed"),
        "{rejected}"
    );
    let resources = json!({"spec": {"containers": [
        {"name": "c", "image": "other", "resources": {"limits": {"cpu": "1"}, "requests": {"cpu": "1"}}},
    ]}});
    let resized =
        patch(&client, &format!("{PODS}/x/resize"), "strategic-merge", &resources).await.ok();
    let container = &resized["spec"]["containers"][0];
    assert_eq!(
        (&container["image"], &container["resources"]["limits"]["cpu"]),
        (&json!("i"), &json!("1"))
    );
    assert_eq!(get(&client, &format!("{PODS}/x/log")).await.ok(), "");
    assert_eq!(get(&client, &format!("{PODS}/y/log")).await.code, 404);
}

#[tokio::test]
async fn signing_requests_are_approved() {
    let client = ApiServer::new().client();
    let requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
    let request = json!({
        "metadata": {"name": "r"},
        "spec": {"request": "YQ==", "signerName": "example.com/a", "usages": ["client auth"]},
    });
    send(&client, "POST", requests, &request).await.ok();
    let approve = json!({
        "metadata": {"labels": {"a": "b"}}, "spec": {"signerName": "example.com/b"},
        "status": {"certificate": "Yg==", "conditions": [{"type": "Approved", "status": "True", "reason": "A"}]},
    });
    let path = format!("{requests}/r/approval");
    let approved = patch(&client, &path, "merge", &approve).await.ok();
    assert_eq!(approved["spec"]["signerName"], "example.com/a");
    assert_eq!(approved["status"].get("certificate"), None);
    let condition = &approved["status"]["conditions"][0];
    assert_eq!(condition["type"], "Approved");
    assert!(condition["lastUpdateTime"].is_string(), "{condition}");
    let none = json!({"status": {"conditions": []}});
    let rejected = patch(&client, &path, "merge", &none).await.rejected(422);
    assert!(
        rejected.contains("updates may not remove a condition of type \"Approved\""),
        "{rejected}"
    );
}

#[tokio::test]
async fn subresources_are_discovered() {
    let client = ApiServer::new().client();
    let resources = get(&client, "/api/v1").await.ok();
    let named = |name: &str| {
        let all = resources["resources"].as_array().expect("resources");
        all.iter().find(|it| it["name"] == name).cloned().unwrap_or_default()
    };
    assert_eq!(
        named("pods/eviction"),
        json!({
            "name": "pods/eviction", "singularName": "", "namespaced": true, "group": "policy", "version": "v1",
            "kind": "Eviction", "verbs": ["create"],
        })
    );
    assert_eq!(named("namespaces/finalize")["verbs"], json!(["update"]));
    assert_eq!(named("pods/log")["verbs"], json!(["get"]));
}

#[tokio::test]
async fn budgets_count_pods_where_workloads_are_simulated() {
    let client = ApiServer::builder().with_workloads().start().client();
    let spec = json!({"minAvailable": 1, "selector": {"matchLabels": {"a": "b"}}});
    let budget = json!({"metadata": {"name": "pdb"}, "spec": spec});
    send(&client, "POST", BUDGETS, &budget).await.ok();
    for name in ["x", "y"] {
        let pod = json!({
            "metadata": {"name": name, "labels": {"a": "b"}},
            "spec": {"nodeName": "n", "containers": [{"name": "c", "image": "i"}]},
        });
        send(&client, "POST", PODS, &pod).await.ok();
    }
    let status = async || get(&client, &format!("{BUDGETS}/pdb")).await.ok()["status"].clone();
    let before = status().await;
    assert_eq!((&before["currentHealthy"], &before["disruptionsAllowed"]), (&json!(2), &json!(1)));
    assert_eq!(evict(&client, "x").await.code, 201);
    assert_eq!(get(&client, &format!("{PODS}/x")).await.code, 404);
    let after = status().await;
    assert_eq!((&after["currentHealthy"], &after["disruptionsAllowed"]), (&json!(1), &json!(0)));
    assert_eq!(evict(&client, "y").await.code, 429);
}

#[tokio::test]
async fn nothing_answers_behind_a_proxy() {
    let server = ApiServer::new();
    let client = server.client();
    let code = async |path: &str| {
        let path = format!("/api/v1/namespaces/default/{path}");
        let answer = ask(&client, "GET", &path, [("", ""); 2], Vec::new()).await;
        let code = answer.code;
        (code, answer.rejected(code))
    };
    let check = async |path: &str, want: (u16, &str)| {
        let (found, message) = code(path).await;
        assert_eq!((found, &*message), want, "{path}");
    };
    check("pods/x/proxy", (404, "pods \"x\" not found")).await;
    let mut pod = json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"},
        "spec": {"containers": [{"name": "c", "image": "i", "ports": [{"containerPort": 8080}]}]},
    });
    server.store(&pod).expect("stored");
    check("pods/x/proxy/a/b?c=d", (400, "address not allowed")).await;
    check("pods/ftp:x:1/proxy", (400, "invalid pod request \"ftp:x:1\"")).await;
    pod["metadata"]["name"] = "y".into();
    pod["status"] = json!({"podIPs": [{"ip": "10.0.0.1"}]});
    server.store(&pod).expect("stored");
    let refused = |at: &str| {
        format!("error trying to reach service: dial tcp {at}: connect: connection refused")
    };
    check("pods/y/proxy", (503, &refused("10.0.0.1:8080"))).await;
    check("pods/https:y:9/proxy/a", (503, &refused("10.0.0.1:9"))).await;
    let service = json!({
        "apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"},
        "spec": {"ports": [{"name": "http", "port": 80}]},
    });
    server.store(&service).expect("stored");
    let none = "no endpoints available for service \"s\"";
    check("services/s/proxy", (503, none)).await;
    check("services/s:80/proxy", (503, none)).await;
    check("services/s:81/proxy", (503, "no service port 81 found for service \"s\"")).await;
    let endpoints = json!({
        "apiVersion": "v1", "kind": "Endpoints", "metadata": {"name": "s"},
        "subsets": [{"addresses": [{"ip": "10.0.0.2"}], "ports": [{"name": "http", "port": 8080}]}],
    });
    server.store(&endpoints).expect("stored");
    check("services/s:80/proxy/a", (503, &refused("10.0.0.2:8080"))).await;
    check("services/http:s:http/proxy", (503, &refused("10.0.0.2:8080"))).await;
    let resources = get(&client, "/api/v1").await.ok();
    let found = resources["resources"].as_array().expect("resources").iter();
    let found: Vec<&Value> = found.filter(|it| it["name"] == "services/proxy").collect();
    assert_eq!(found[0]["kind"], "ServiceProxyOptions");
}

#[tokio::test]
async fn connections_fail_as_without_kubelets() {
    let client = ApiServer::new().client();
    let mut pod = json!({"metadata": {"name": "x"}, "spec": {"containers": [
        {"name": "c", "image": "i"}, {"name": "d", "image": "i"},
    ]}});
    send(&client, "POST", PODS, &pod).await.ok();
    let exec = async |path: &str| ask(&client, "POST", path, [("", ""); 2], Vec::new()).await;
    let path = format!("{PODS}/x/exec?command=ls");
    assert_eq!(
        exec(&path).await.rejected(400),
        "a container name must be specified for pod x, choose one of: [c d]"
    );
    let other = exec(&format!("{path}&container=e")).await.rejected(400);
    assert_eq!(other, "container e is not valid for pod x");
    for path in [format!("{path}&container=c"), format!("{PODS}/x/portforward")] {
        assert_eq!(exec(&path).await.rejected(400), "pod x does not have a host assigned");
    }
    pod["metadata"]["name"] = "y".into();
    pod["spec"]["nodeName"] = "n".into();
    send(&client, "POST", PODS, &pod).await.ok();
    let path = format!("{PODS}/y/attach?container=c");
    assert_eq!(exec(&path).await.rejected(404), "nodes \"n\" not found");
    let addresses = json!([{"type": "InternalIP", "address": "10.0.0.1"}]);
    let node = json!({"metadata": {"name": "n"}, "status": {"addresses": addresses}});
    send(&client, "POST", "/api/v1/nodes", &node).await.ok();
    assert_eq!(exec(&path).await.rejected(400), "Upgrade request required");
    let upgrade = [("connection", "Upgrade"), ("upgrade", "websocket")];
    let refused = ask(&client, "GET", &path, upgrade, Vec::new()).await.rejected(500);
    assert_eq!(
        refused,
        "error dialing backend: dial tcp 10.0.0.1:10250: connect: connection refused"
    );
}
