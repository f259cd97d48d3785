//! Kinds beyond workloads, and objects that are stored and read without a client.

use std::fs;
use std::path::{Path, PathBuf};

use crd_apiserver::ApiServer;
use crd_examples::crontab::CronTab;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::autoscaling::v2::HorizontalPodAutoscaler;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use serde_json::{Value, json};

use crate::ask::{get, get_as, patch, send};

const TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io";

/// Returns the path of objects and an object for each kind.
fn objects() -> Vec<(&'static str, Value)> {
    let container = json!({"name": "c", "image": "i"});
    let template =
        json!({"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [container]}});
    let target = json!({"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"});
    vec![
        (
            "/api/v1/namespaces/default/endpoints",
            json!({"subsets": [{
                "addresses": [{"ip": "10.0.0.1"}], "ports": [{"port": 80}],
            }]}),
        ),
        ("/api/v1/namespaces/default/podtemplates", json!({"template": template})),
        (
            "/api/v1/namespaces/default/replicationcontrollers",
            json!({"spec": {"template": template}}),
        ),
        (
            "/apis/apps/v1/namespaces/default/controllerrevisions",
            json!({"revision": 1, "data": {"a": 1}}),
        ),
        (
            "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers",
            json!({"spec": {"maxReplicas": 3, "scaleTargetRef": target}}),
        ),
        (
            "/apis/certificates.k8s.io/v1/certificatesigningrequests",
            json!({"spec": {
                "request": "eA==", "signerName": "example.com/signer", "usages": ["client auth"],
            }}),
        ),
        (
            "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
            json!({
                "addressType": "IPv4", "endpoints": [{"addresses": ["10.0.0.1"]}], "ports": [{"port": 80}],
            }),
        ),
        (
            "/apis/networking.k8s.io/v1/ingressclasses",
            json!({"spec": {"controller": "example.com/x"}}),
        ),
        ("/apis/node.k8s.io/v1/runtimeclasses", json!({"handler": "runc"})),
        ("/apis/scheduling.k8s.io/v1/priorityclasses", json!({"value": 7})),
        ("/apis/storage.k8s.io/v1/csidrivers", json!({"spec": {}})),
        ("/apis/storage.k8s.io/v1/csinodes", json!({"spec": {"drivers": []}})),
        (
            "/apis/storage.k8s.io/v1/namespaces/default/csistoragecapacities",
            json!({"storageClassName": "a"}),
        ),
        ("/apis/storage.k8s.io/v1/storageclasses", json!({"provisioner": "example.com/x"})),
        (
            "/apis/storage.k8s.io/v1/volumeattachments",
            json!({"spec": {
                "attacher": "example.com/x", "nodeName": "n", "source": {"persistentVolumeName": "v"},
            }}),
        ),
    ]
}

#[tokio::test]
async fn each_kind_is_served() {
    let client = ApiServer::new().client();
    for (path, mut object) in objects() {
        object["metadata"] = json!({"name": "a"});
        let made = send(&client, "POST", path, &object).await.ok();
        let named = format!("{path}/a");
        assert_eq!(get(&client, &named).await.ok()["metadata"]["uid"], made["metadata"]["uid"]);
        let label = json!({"metadata": {"labels": {"x": "y"}}});
        let changed = patch(&client, &named, "merge", &label).await.ok();
        // Only an EndpointSlice counts changes of its labels.
        let is_counted = path.ends_with("/endpointslices");
        let generation = if is_counted { json!(2) } else { made["metadata"]["generation"].clone() };
        assert_eq!(changed["metadata"]["generation"], generation, "{path}");
        let (group, plural) = path.rsplit_once('/').expect("a path");
        let group = group.split("/namespaces").next().expect("a group");
        let resources = get(&client, group).await.ok()["resources"].clone();
        let found = resources.as_array().expect("resources").iter().any(|it| it["name"] == plural);
        assert!(found, "{plural} in {group}");
    }
}

#[tokio::test]
async fn kinds_have_their_defaults() {
    let server = ApiServer::new();
    let client = server.client();
    for (path, mut object) in objects() {
        object["metadata"] = json!({"name": "a"});
        send(&client, "POST", path, &object).await.ok();
    }
    let hpa: HorizontalPodAutoscaler = server.get("default", "a").expect("stored");
    let spec = hpa.spec;
    assert_eq!((spec.min_replicas, spec.metrics.expect("metrics").len()), (Some(1), 1));
    assert_eq!(hpa.metadata.generation, Some(1));
    let rc = get(&client, "/api/v1/namespaces/default/replicationcontrollers/a/scale").await.ok();
    assert_eq!((&rc["spec"]["replicas"], &rc["status"]["selector"]), (&json!(1), &json!("app=a")));
    let driver = get(&client, "/apis/storage.k8s.io/v1/csidrivers/a").await.ok();
    let spec = &driver["spec"];
    assert_eq!(spec["volumeLifecycleModes"], json!(["Persistent"]));
    assert_eq!(spec["preventPodSchedulingIfMissing"], false);
    assert!(driver["metadata"]["generation"].is_null());
    let change = json!({"spec": {"requiresRepublish": true}});
    let changed = patch(&client, "/apis/storage.k8s.io/v1/csidrivers/a", "merge", &change).await;
    assert_eq!(changed.ok()["metadata"]["generation"], 1);
    let class = get(&client, "/apis/storage.k8s.io/v1/storageclasses/a").await.ok();
    assert_eq!(
        (&class["reclaimPolicy"], &class["volumeBindingMode"]),
        (&json!("Delete"), &json!("Immediate"))
    );
}

#[tokio::test]
async fn autoscalers_are_one_object_in_two_versions() {
    let client = ApiServer::new().client();
    let path = |version: &str| {
        format!("/apis/autoscaling/{version}/namespaces/default/horizontalpodautoscalers")
    };
    let (old, new) = (path("v1"), path("v2"));
    let target = json!({"kind": "Deployment", "name": "web"});
    let object =
        json!({"metadata": {"name": "a"}, "spec": {"maxReplicas": 3, "scaleTargetRef": target}});
    let made = send(&client, "POST", &old, &object).await.ok();
    assert_eq!(made["apiVersion"], "autoscaling/v1");
    assert_eq!(made["spec"]["targetCPUUtilizationPercentage"], 80);
    let manager = &made["metadata"]["managedFields"][0];
    assert_eq!(manager["apiVersion"], "autoscaling/v1");
    assert_eq!(manager["fieldsV1"]["f:spec"]["f:minReplicas"], json!({}));
    let cpu = |percent: u32| {
        json!({"type": "Resource", "resource": {
            "name": "cpu", "target": {"type": "Utilization", "averageUtilization": percent},
        }})
    };
    let stored = get(&client, &format!("{new}/a")).await.ok();
    assert_eq!(stored["spec"]["metrics"], json!([cpu(80)]));
    assert_eq!(stored["metadata"]["uid"], made["metadata"]["uid"]);

    let pods =
        json!({"metric": {"name": "m"}, "target": {"type": "AverageValue", "averageValue": "2"}});
    let metrics = json!([{"type": "Pods", "pods": pods}, cpu(50)]);
    let change =
        json!({"spec": {"metrics": metrics, "behavior": {"scaleUp": {"selectPolicy": "Min"}}}});
    let changed = patch(&client, &format!("{new}/a"), "merge", &change).await.ok();
    assert_eq!(changed["metadata"]["generation"], 2);
    let read = get(&client, &format!("{old}/a")).await.ok();
    assert_eq!(read["spec"]["targetCPUUtilizationPercentage"], 50);
    let annotations = &read["metadata"]["annotations"];
    assert_eq!(
        annotations["autoscaling.alpha.kubernetes.io/metrics"],
        "[{\"type\":\"Pods\",\"pods\":{\"metricName\":\"m\",\"targetAverageValue\":\"2\"}}]"
    );
    assert!(annotations["autoscaling.alpha.kubernetes.io/behavior"].is_string());

    // A client of the old version keeps what its version does not have.
    let percent = json!({"spec": {"targetCPUUtilizationPercentage": 60}});
    patch(&client, &format!("{old}/a"), "merge", &percent).await.ok();
    let kept = get(&client, &format!("{new}/a")).await.ok();
    assert_eq!(kept["spec"]["metrics"], json!([metrics[0], cpu(60)]));
    assert_eq!(kept["spec"]["behavior"], changed["spec"]["behavior"]);
    assert!(kept["metadata"]["annotations"].is_null());
    let status = json!({"status": {"currentCPUUtilizationPercentage": 7, "desiredReplicas": 2}});
    patch(&client, &format!("{old}/a/status"), "merge", &status).await.ok();
    let kept = get(&client, &format!("{new}/a")).await.ok();
    assert_eq!(kept["status"]["currentMetrics"][0]["resource"]["current"]["averageUtilization"], 7);
    assert_eq!(kept["metadata"]["generation"], 3);

    let why = "the API version in the data (autoscaling/v1) does not match the expected API version (autoscaling/v2)";
    let sent = json!({"apiVersion": "autoscaling/v1", "kind": "HorizontalPodAutoscaler"});
    assert_eq!(send(&client, "POST", &new, &sent).await.rejected(400), why);
    let group = get(&client, "/apis/autoscaling").await.ok();
    let versions = |at: &str| group.pointer(at).cloned().unwrap_or_default();
    assert_eq!(versions("/versions/0/version"), "v2");
    assert_eq!(versions("/versions/1/version"), "v1");
    for path in [&old, &format!("{old}/a")] {
        let table = get_as(&client, path, TABLE).await.ok();
        let targets = table["columnDefinitions"].as_array().expect("columns");
        let targets = targets.iter().position(|column| column["name"] == "Targets");
        let cells = &table["rows"][0]["cells"];
        assert_eq!(cells[targets.expect("a column")], "<unknown>/2, cpu: <unknown>/60%");
        // Partial metadata is that of the internal type, which has fields instead of annotations.
        assert!(table["rows"][0]["object"]["metadata"]["annotations"].is_null());
    }
}

#[tokio::test]
async fn a_table_of_events_of_the_new_group_shows_them() {
    let client = ApiServer::new().client();
    let event = json!({
        "metadata": {"name": "a"}, "reason": "Begun", "message": "all is well",
        "involvedObject": {"kind": "Pod", "name": "p", "namespace": "default"},
    });
    send(&client, "POST", "/api/v1/namespaces/default/events", &event).await.ok();
    for path in ["/api/v1", "/apis/events.k8s.io/v1"] {
        let path = format!("{path}/namespaces/default/events");
        let table = get_as(&client, &path, TABLE).await.ok();
        let cells = table["rows"][0]["cells"].as_array().expect("cells");
        assert!(cells.contains(&json!("pod/p")) && cells.contains(&json!("all is well")), "{path}");
    }
}

#[tokio::test]
async fn a_request_to_sign_names_its_user() {
    let client = ApiServer::new().client();
    let path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
    let spec = json!({
        "request": "eA==", "signerName": "example.com/signer", "usages": ["client auth"], "username": "me",
    });
    let object = json!({"metadata": {"name": "a"}, "spec": spec});
    let made = send(&client, "POST", path, &object).await.ok();
    let user = &made["spec"]["username"];
    assert!(user.is_string() && user != "me", "{user}");
    let table = get_as(&client, path, TABLE).await.ok();
    assert_eq!(table["columnDefinitions"][3]["name"], "Requestor");
    assert_eq!(&table["rows"][0]["cells"][3], user);
}

#[tokio::test]
async fn classes_give_pods_their_priority() {
    let client = ApiServer::new().client();
    let pods = "/api/v1/namespaces/default/pods";
    let pod = |name: &str, more: Value| {
        let mut spec = json!({"containers": [{"name": "c", "image": "i"}]});
        for (key, value) in more.as_object().expect("fields") {
            spec[key.as_str()] = value.clone();
        }
        json!({"metadata": {"name": name}, "spec": spec})
    };
    let rejected =
        send(&client, "POST", pods, &pod("a", json!({"priorityClassName": "nope"}))).await;
    assert_eq!(
        rejected.rejected(403),
        "pods \"a\" is forbidden: no PriorityClass with name nope was found"
    );
    let rejected = send(&client, "POST", pods, &pod("a", json!({"priority": 5}))).await;
    assert!(
        rejected.rejected(403).contains("the integer value of priority (5) must not be provided")
    );
    let classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
    let class = json!({"metadata": {"name": "high"}, "value": 1000, "preemptionPolicy": "Never"});
    send(&client, "POST", classes, &class).await.ok();
    let made =
        send(&client, "POST", pods, &pod("a", json!({"priorityClassName": "high"}))).await.ok();
    assert_eq!(
        (&made["spec"]["priority"], &made["spec"]["preemptionPolicy"]),
        (&json!(1000), &json!("Never"))
    );
    let class = json!({"metadata": {"name": "usual"}, "value": 7, "globalDefault": true});
    send(&client, "POST", classes, &class).await.ok();
    let made = send(&client, "POST", pods, &pod("b", json!({}))).await.ok();
    assert_eq!(
        (&made["spec"]["priority"], &made["spec"]["priorityClassName"]),
        (&json!(7), &json!("usual"))
    );
}

#[tokio::test]
async fn objects_are_stored_as_they_are() {
    let server = ApiServer::builder()
        .with_stored(&json!({
            "apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": {"name": "web", "namespace": "prod", "uid": "u", "generation": 4},
            "spec": {"replicas": 3}, "status": {"readyReplicas": 2, "observedGeneration": 3},
        }))
        .start();
    let web: Deployment = server.get("prod", "web").expect("stored");
    assert_eq!((web.metadata.uid.as_deref(), web.metadata.generation), (Some("u"), Some(4)));
    assert_eq!(web.status.and_then(|status| status.ready_replicas), Some(2));
    assert_eq!(web.spec.revision_history_limit, Some(10));
    assert!(server.get::<Namespace>("", "prod").is_ok());
    assert_eq!(server.list::<Deployment>("prod").map(|found| found.len()), Ok(1));
    assert_eq!(server.list::<Deployment>("").map(|found| found.len()), Ok(1));
    assert_eq!(server.get::<ConfigMap>("prod", "none").map_err(|error| error.code), Err(404));
    // What is stored is subject to controllers, and clients see it.
    let client = server.client();
    let path = "/apis/apps/v1/namespaces/prod/deployments/web";
    assert_eq!(get(&client, path).await.ok()["metadata"]["uid"], "u");
    let owned = json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": "owned", "ownerReferences": [
            {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "uid": "other"},
        ]},
    });
    server.store(&owned).expect("stored");
    assert_eq!(server.get::<ConfigMap>("default", "owned").map_err(|error| error.code), Err(404));
}

#[tokio::test]
async fn rows_of_tables_have_typed_objects() {
    let client = ApiServer::new().client();
    let table = "application/json;as=Table;v=v1;g=meta.k8s.io";
    let list = get_as(&client, "/api/v1/namespaces?includeObject=Object", table).await.ok();
    let object = &list["rows"][0]["object"];
    assert_eq!((&object["kind"], &object["apiVersion"]), (&json!("Namespace"), &json!("v1")));
}

/// Returns a new directory with these files.
fn directory(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("manifests").join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(directory.join("below")).expect("a directory");
    for (file, text) in files {
        fs::write(directory.join(file), text).expect("written");
    }
    directory
}

#[test]
fn manifests_are_created_with_definitions_first() {
    let definition = include_str!("../../../examples/crds/crontabs.stable.example.com.yaml");
    let crontab = "apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {name: a}\n\
                   spec: {cronSpec: '* * * * *', replicas: 2}\n";
    let maps = json!({"apiVersion": "v1", "kind": "List", "items": [
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}},
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "b"}},
    ]});
    let files = [
        ("a.yaml", crontab),
        ("b.json", &maps.to_string()),
        ("c.yml", definition),
        ("readme.md", "# No manifest"),
        ("below/d.yaml", "kind: Unknown"),
    ];
    let server = ApiServer::builder().with_manifests(directory("mixed", &files)).start();
    assert_eq!(server.get::<CronTab>("default", "a").expect("a crontab").spec.replicas, 2);
    assert_eq!(server.list::<ConfigMap>("default").expect("a list").len(), 2);
}

#[test]
#[should_panic(expected = "wrong.yaml: no kind `Unknown` of `v1` is served")]
fn a_wrong_manifest_is_named() {
    let files = [("wrong.yaml", "{apiVersion: v1, kind: Unknown}")];
    let _server =
        ApiServer::builder().with_manifests(directory("wrong", &files).join("wrong.yaml")).start();
}

#[test]
fn objects_are_written_without_a_client() {
    let server = ApiServer::builder().with_workloads().start();
    server
        .create(&json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}))
        .expect("created");
    let data = json!({"data": {"color": "red"}});
    let map: ConfigMap = server.patch("default", "a", &data).expect("patched");
    assert_eq!(map.data.expect("data")["color"], "red");
    let wrong = json!({"data": 1});
    let rejected = server.patch::<ConfigMap>("default", "a", &wrong).expect_err("no map");
    assert_eq!(rejected.code, 422);
    server.delete::<ConfigMap>("default", "a").expect("deleted");
    assert_eq!(server.delete::<ConfigMap>("default", "a").expect_err("gone").code, 404);
}
