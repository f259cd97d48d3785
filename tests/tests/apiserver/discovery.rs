//! Discovery and OpenAPI documents.

use crd_fixtures::crd;
use kube::Discovery;
use serde_json::{Value, json};

use crate::ask::{delete, get, get_as, patch, send, server};

#[tokio::test]
async fn groups_and_resources_are_listed() {
    let client = server().client();
    let group = get(&client, "/apis/stable.example.com").await.ok();
    assert_eq!(group["preferredVersion"]["groupVersion"], "stable.example.com/v1");
    let resources = get(&client, "/apis/stable.example.com/v1").await.ok();
    let names: Vec<&Value> = resources["resources"]
        .as_array()
        .expect("resources")
        .iter()
        .map(|it| &it["name"])
        .collect();
    assert_eq!(names, ["crontabs", "crontabs/status", "crontabs/scale"]);
    assert_eq!(
        resources["resources"][2],
        json!({
            "name": "crontabs/scale", "singularName": "", "namespaced": true, "group": "autoscaling",
            "version": "v1", "kind": "Scale", "verbs": ["get", "patch", "update"],
        })
    );
    assert_eq!(get(&client, "/apis/none.example.com").await.code, 404);
    let version = get(&client, "/api/v2").await.rejected(404);
    assert_eq!(version, "the server could not find the requested resource");
    assert_eq!(get(&client, "/version").await.ok()["major"], "1");
}

#[tokio::test]
async fn storage_versions_have_hashes() {
    let client = server().client();
    // As a server of 1.37 answers.
    for (path, resource, want) in [
        ("/api/v1", "pods", "xPOwRZ+Yhw8="),
        ("/apis/events.k8s.io/v1", "events", "r2yiGXH7wu8="),
        ("/apis/autoscaling/v2", "horizontalpodautoscalers", "qwQve8ut294="),
        ("/apis/apiextensions.k8s.io/v1", "customresourcedefinitions", "jfWCUB31mvA="),
    ] {
        let list = get(&client, path).await.ok();
        let found = list["resources"].as_array().expect("resources").iter();
        let found: Vec<&Value> = found.filter(|it| it["name"] == resource).collect();
        assert_eq!(found[0]["storageVersionHash"], want, "{path}");
    }
}

#[tokio::test]
async fn the_health_of_the_server_has_details() {
    let client = server().client();
    for set in ["healthz", "livez", "readyz"] {
        assert_eq!(get(&client, &format!("/{set}")).await.ok(), "ok");
        assert_eq!(
            get(&client, &format!("/{set}/poststarthook/rbac/bootstrap-roles")).await.ok(),
            "ok"
        );
        assert_eq!(get(&client, &format!("/{set}/nope")).await.code, 404);
        let all = get(&client, &format!("/{set}?verbose")).await.ok();
        let all = all.as_str().expect("text");
        assert!(all.starts_with("[+]ping ok\n[+]log ok\n[+]etcd ok\n"), "{all}");
        assert!(all.ends_with(&format!(" ok\n{set} check passed\n")), "{all}");
        assert_eq!(all.contains("[+]shutdown ok\n"), set == "readyz");
        assert_eq!(get(&client, &format!("/{set}/shutdown")).await.code == 200, set == "readyz");
    }
    let some = get(&client, "/readyz?verbose&exclude=etcd&exclude=x&exclude=a").await.ok();
    let some = some.as_str().expect("text");
    assert!(some.contains("[+]log ok\n[+]etcd excluded: ok\n[+]etcd-readiness ok\n"), "{some}");
    let warning = "warn: some health checks cannot be excluded: no matches for \"a\",\"x\"\n";
    assert!(some.ends_with(&format!("{warning}readyz check passed\n")), "{some}");
}

#[tokio::test]
async fn metrics_count_the_stored_objects() {
    let client = server().client();
    let lease = json!({
        "apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "a"},
        "spec": {"leaseDurationSeconds": 1},
    });
    let path = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    send(&client, "POST", path, &lease).await.ok();
    let metrics = get(&client, "/metrics").await.ok();
    let count = "\napiserver_storage_objects{resource=\"leases.coordination.k8s.io\"} 1\n";
    assert!(metrics.as_str().is_some_and(|text| text.contains(count)), "{metrics}");
}

#[tokio::test]
async fn each_response_has_an_id_for_the_audit_log() {
    let client = server().client();
    let ids = async |path: &str, sent: &str| {
        let request = http::Request::get(path).header("audit-id", sent);
        let request = request.body(kube::client::Body::empty()).expect("a request");
        let answer = client.send(request).await.expect("an answer");
        let texts = |name: &str| {
            let values = answer.headers().get_all(name).into_iter();
            values.map(|it| it.to_str().expect("text").to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(texts("cache-control"), ["no-cache, private"], "{path}");
        texts("audit-id")
    };
    let first = ids("/api/v1/nodes", "").await;
    let second = ids("/api/v1/nodes/none", "").await;
    assert_eq!((first.len(), first[0].len(), second.len()), (1, 36, 1));
    assert_ne!(first, second);
    assert_eq!(ids("/livez", "mine").await, ["mine"]);
}

#[tokio::test]
async fn kube_discovers() {
    let client = server().client();
    let discovery = Discovery::new(client.clone()).run().await.expect("discovered");
    let group = discovery.get("stable.example.com").expect("a group");
    let (resource, capabilities) = group.recommended_kind("CronTab").expect("a kind");
    assert_eq!(resource.plural, "crontabs");
    assert_eq!(capabilities.subresources.len(), 2);
    assert!(discovery.get("").is_some(), "the group without a name");
    assert_eq!(client.apiserver_version().await.expect("a version").minor, "37");
}

#[tokio::test]
async fn one_document_has_all_groups() {
    let client = server().client();
    for version in ["v2", "v2beta1"] {
        let accept = format!(
            "application/json;g=apidiscovery.k8s.io;v={version};as=APIGroupDiscoveryList,application/json"
        );
        let all = get_as(&client, "/apis", &accept).await.ok();
        assert_eq!(all["apiVersion"], format!("apidiscovery.k8s.io/{version}"));
        let last = all["items"].as_array().and_then(|items| items.last()).expect("a group");
        assert_eq!(last["metadata"]["name"], "stable.example.com");
        let resource = &last["versions"][0]["resources"][0];
        assert_eq!(
            (&resource["resource"], &resource["shortNames"], &resource["scope"]),
            (&json!("crontabs"), &json!(["ct"]), &json!("Namespaced"))
        );
        let core = get_as(&client, "/api", &accept).await.ok();
        assert_eq!(core["items"].as_array().map(Vec::len), Some(1));
    }
    let old = get(&client, "/apis").await.ok();
    assert_eq!(old["kind"], "APIGroupList");
}

#[tokio::test]
async fn schemas_are_published() {
    let client = server().client();
    let index = get(&client, "/openapi/v3").await.ok();
    let url =
        index["paths"]["apis/stable.example.com/v1"]["serverRelativeURL"].as_str().expect("a path");
    let document = get(&client, url).await.ok();
    assert!(document["components"]["schemas"].get("com.example.stable.v1.CronTab").is_some());
    let path = "/apis/stable.example.com/v1/namespaces/{namespace}/crontabs/{name}";
    assert!(document["paths"][path]["patch"].is_object());
    let nothing = get(&client, "/openapi/v3/apis/stable.example.com/v9").await;
    assert_eq!((nothing.code, nothing.body), (404, json!("")));
    let v2 = get(&client, "/openapi/v2").await.ok();
    assert!(v2["definitions"].get("com.example.stable.v1.CronTab").is_some());
    assert!(v2["definitions"].get("io.k8s.api.core.v1.Pod").is_some());
}

/// Old clients, and `kubectl explain --output=plaintext-openapiv2`, ask for Protocol Buffers.
#[tokio::test]
async fn version_2_is_also_written_as_protocol_buffers() {
    let client = server().client();
    for type_ in ["v2@v1.0+protobuf", "v2.v1.0+protobuf"] {
        let accept = format!("application/com.github.proto-openapi.spec.{type_}");
        let answer = get_as(&client, "/openapi/v2", &accept).await;
        let text = answer.body.as_str().unwrap_or_default();
        // Field 1 is the version of the document.
        assert!(answer.code == 200 && text.starts_with("\n\u{3}2.0"), "{} {accept}", answer.code);
        assert!(text.contains("com.example.stable.v1.CronTab"));
    }
    let nothing = get_as(&client, "/openapi/v2", "application/yaml").await;
    assert_eq!((nothing.code, nothing.body), (406, json!("")));
}

/// The server removes a definition from documents only when it is deleted.
#[tokio::test]
async fn a_document_outlives_its_version() {
    let client = server().client();
    let definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    let definition = |served: bool| {
        crd("more.example.com", "Thing")
            .cluster()
            .version("v1", json!({"type": "object"}))
            .version("v2", json!({"type": "object"}))
            .set("/spec/versions/1/served", served)
            .json()
    };
    let document = "/openapi/v3/apis/more.example.com/v2";
    send(&client, "POST", definitions, &definition(true)).await.ok();
    let before = get(&client, document).await.ok();
    let path = format!("{definitions}/things.more.example.com");
    patch(&client, &path, "merge", &definition(false)).await.ok();
    get(&client, "/apis/more.example.com/v2/things").await.rejected(404);
    assert_eq!(get(&client, document).await.ok(), before);
    let index = get(&client, "/openapi/v3").await.ok();
    assert!(index["paths"].get("apis/more.example.com/v2").is_some());
    delete(&client, &path).await.ok();
    get(&client, document).await.rejected(404);
}

/// If two definitions have a type of the same name, the document keeps the type that it had first.
#[tokio::test]
async fn documents_have_each_type_once() {
    let client = server().client();
    let definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    let definition = |kind: &str, list_kind: &str| {
        crd("more.example.com", kind)
            .cluster()
            .version("v1", json!({"type": "object"}))
            .set("/spec/names/listKind", list_kind)
            .json()
    };
    for kind in ["Thing", "Part"] {
        let new = definition(kind, &format!("{kind}List"));
        send(&client, "POST", definitions, &new).await.ok();
    }
    let document = "/openapi/v3/apis/more.example.com/v1";
    let before = get(&client, document).await.ok();
    let path = format!("{definitions}/parts.more.example.com");
    patch(&client, &path, "merge", &definition("Part", "ThingList")).await.ok();
    assert_eq!(get(&client, document).await.ok(), before);
    patch(&client, &path, "merge", &definition("Part", "Parts")).await.ok();
    let schemas = &get(&client, document).await.ok()["components"]["schemas"];
    assert!(schemas.get("com.example.more.v1.Parts").is_some(), "{schemas}");
}
