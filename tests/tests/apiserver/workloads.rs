//! Simulated workloads.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use crd_apiserver::{ApiServer, ApiServerBuilder};
use k8s_openapi::api::apps::v1::{DaemonSet, Deployment, ReplicaSet, StatefulSet};
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod, Service};
use kube::Client;
use kube::api::{Api, Patch, PatchParams, PostParams};
use kube::runtime::wait::conditions::{
    is_deployment_completed, is_job_completed, is_pod_running, is_service_loadbalancer_provisioned,
};
use kube::runtime::wait::{Condition as _, await_condition};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn builder() -> ApiServerBuilder {
    let object = |api_version: &str, kind: &str, spec: Value| {
        json!({
            "apiVersion": api_version, "kind": kind, "metadata": {"name": "x"}, "spec": spec,
        })
    };
    let container = json!([{"name": "a", "image": "b"}]);
    let selecting = |mut spec: Value| {
        spec["selector"] = json!({"matchLabels": {"app": "x"}});
        spec["template"] =
            json!({"metadata": {"labels": {"app": "x"}}, "spec": {"containers": container}});
        spec
    };
    let job = json!({"template": {"spec": {"restartPolicy": "Never", "containers": container}}});
    ApiServer::builder()
        .with_object(&object("apps/v1", "Deployment", selecting(json!({"replicas": 2}))))
        .with_object(&object("apps/v1", "StatefulSet", selecting(json!({"replicas": 2}))))
        .with_object(&object("apps/v1", "DaemonSet", selecting(json!({}))))
        .with_object(&object("batch/v1", "Job", job))
        .with_object(&object("v1", "Pod", json!({"containers": container})))
        .with_object(&object(
            "v1",
            "PersistentVolumeClaim",
            json!({"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}),
        ))
        .with_object(&object("v1", "Service", json!({"type": "LoadBalancer", "ports": [{"port": 80}]})))
}

async fn get<K>(client: &Client) -> K
where
    K: kube::Resource<DynamicType = (), Scope = kube::core::NamespaceResourceScope>
        + Clone
        + DeserializeOwned
        + std::fmt::Debug,
{
    Api::<K>::namespaced(client.clone(), "default").get("x").await.expect("there")
}

/// Checks that all workloads have the statuses that kube's conditions wait for.
async fn check(client: &Client) {
    assert!(is_deployment_completed().matches_object(Some(&get::<Deployment>(client).await)));
    assert!(is_job_completed().matches_object(Some(&get::<Job>(client).await)));
    assert!(is_pod_running().matches_object(Some(&get::<Pod>(client).await)));
    let service = get::<Service>(client).await;
    assert!(is_service_loadbalancer_provisioned().matches_object(Some(&service)));
    let claim = get::<PersistentVolumeClaim>(client).await;
    assert_eq!(claim.status.and_then(|status| status.phase).as_deref(), Some("Bound"));
    assert!(claim.spec.and_then(|spec| spec.volume_name).is_some_and(|it| it.starts_with("pvc-")));
    let ready = get::<StatefulSet>(client).await.status.and_then(|status| status.ready_replicas);
    assert_eq!(ready, Some(2));
    assert!(get::<DaemonSet>(client).await.status.is_some_and(|status| status.number_ready > 0));
}

#[tokio::test(start_paused = true)]
async fn workloads_go_on_step_by_step() {
    let server = builder().start();
    let client = server.client();
    let workloads = server.workloads();
    let api: Api<Deployment> = Api::namespaced(client.clone(), "default");
    let waiting = tokio::spawn(await_condition(api, "x", is_deployment_completed()));
    workloads.deployment_unavailable("default", "x").expect("written");
    assert!(!is_deployment_completed().matches_object(Some(&get::<Deployment>(&client).await)));
    workloads.deployment_available("default", "x").expect("written");
    waiting.await.expect("no panic").expect("awaited");
    workloads.stateful_set_ready("default", "x").expect("written");
    workloads.daemon_set_ready("default", "x", 3).expect("written");
    workloads.job_complete("default", "x").expect("written");
    workloads.pod_running("default", "x").expect("written");
    workloads.pod_ready("default", "x").expect("written");
    workloads.volume_claim_bound("default", "x").expect("written");
    workloads.load_balancer_ready("default", "x", "192.0.2.9").expect("written");
    check(&client).await;
    workloads.pod_failed("default", "x", 3).expect("written");
    let status = get::<Pod>(&client).await.status.expect("a status");
    assert_eq!(status.phase.as_deref(), Some("Failed"));
    workloads.pod_succeeded("default", "x").expect("written");
    workloads.job_failed("default", "x").expect("written");
    let status = get::<Job>(&client).await.status.expect("a status");
    assert_eq!(status.failed, Some(7));
    let rejected = workloads.job_complete("default", "y").expect_err("not there");
    assert_eq!(
        (rejected.code, rejected.to_string()),
        (404, "jobs.batch \"y\" not found".to_owned())
    );
}

#[tokio::test(start_paused = true)]
async fn workloads_become_ready_by_themselves() {
    let server = builder().with_workloads().start();
    let client = server.client();
    let api: Api<Deployment> = Api::namespaced(client.clone(), "default");
    let scale = Patch::Merge(json!({"spec": {"replicas": 5}}));
    api.patch("x", &PatchParams::default(), &scale).await.expect("patched");
    check(&client).await;
    let status = get::<Deployment>(&client).await.status.expect("a status");
    assert_eq!((status.ready_replicas, status.observed_generation), (Some(5), Some(2)));
}

#[tokio::test]
async fn a_pod_keeps_its_qos_class() {
    let resources = json!({"requests": {"cpu": "1"}});
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"},
        "spec": {"containers": [{"name": "a", "image": "b", "resources": resources}]},
    });
    let server = ApiServer::builder().with_object(&pod).start();
    let client = server.client();
    server.workloads().pod_ready("default", "x").expect("written");
    let class = get::<Pod>(&client).await.status.and_then(|status| status.qos_class);
    assert_eq!(class.as_deref(), Some("Burstable"));
}

/// The methods of [`ApiServer::workloads`] return at once, so they cannot wait for a webhook.
#[tokio::test]
async fn statuses_of_single_workloads_skip_webhooks_fails_open() {
    let webhook = json!({"rules": [{
        "operations": ["UPDATE"], "apiGroups": ["apps"], "apiVersions": ["v1"], "resources": ["deployments/status"],
    }]});
    let server = builder()
        .with_object(&crate::admission::configuration("Validating", "no", &webhook))
        .admission("no.example.com", |_| crd_apiserver::AdmissionResponse::deny("no"))
        .start();
    server.workloads().deployment_available("default", "x").expect("no webhook is called");
    let deployment: Deployment = get(&server.client()).await;
    assert_eq!(deployment.status.and_then(|status| status.available_replicas), Some(2));
    let api: Api<Deployment> = Api::default_namespaced(server.client());
    let change = Patch::Merge(json!({"status": {"replicas": 3}}));
    let rejected = api.patch_status("x", &PatchParams::default(), &change).await;
    assert!(rejected.is_err_and(|error| error.to_string().contains("denied the request: no")));
}

/// Returns the names of the pods, and the phases in which they are.
fn pods(server: &ApiServer) -> Vec<(String, String)> {
    let pods = server.list::<Pod>("default").expect("pods").into_iter();
    let named = pods.map(|pod| {
        let phase = pod.status.and_then(|status| status.phase).unwrap_or_default();
        (pod.metadata.name.unwrap_or_default(), phase)
    });
    named.collect()
}

fn of<'a>(all: &'a [(String, String)], prefix: &str) -> Vec<(&'a str, &'a str)> {
    let found = all.iter().filter(|(name, _)| name.starts_with(prefix));
    found.map(|(name, phase)| (&**name, &**phase)).collect()
}

fn template(image: &str) -> Value {
    let labels = json!({"app": "x"});
    json!({"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": image}]}})
}

fn selecting(kind: &str, name: &str, more: &Value) -> Value {
    let mut object = json!({
        "apiVersion": "apps/v1", "kind": kind, "metadata": {"name": name},
        "spec": {"selector": {"matchLabels": {"app": "x"}}, "template": template("a")},
    });
    for (key, value) in more.as_object().into_iter().flatten() {
        object["spec"][key] = value.clone();
    }
    object
}

#[tokio::test(start_paused = true)]
async fn deployments_have_a_replica_set_for_each_template() {
    let web = selecting("Deployment", "web", &json!({"replicas": 3}));
    let server = ApiServer::builder().with_pods().with_object(&web).start();
    let first = pods(&server);
    assert_eq!(first.len(), 3);
    assert!(first.iter().all(|(name, phase)| name.starts_with("web-") && phase == "Running"));
    let set = &server.list::<ReplicaSet>("default").expect("sets")[0];
    let hash = set.metadata.labels.as_ref().expect("labels")["pod-template-hash"].clone();
    assert_eq!(set.status.as_ref().and_then(|status| status.available_replicas), Some(3));
    let pod = &server.list::<Pod>("default").expect("pods")[0];
    assert_eq!(pod.metadata.labels.as_ref().expect("labels")["pod-template-hash"], hash);

    // A pod that is gone is made again, with another uid; those beyond the replicas are deleted.
    server.delete::<Pod>("default", &first[0].0).expect("deleted");
    assert_eq!(pods(&server), first);
    let again = server.get::<Pod>("default", &first[0].0).expect("a pod");
    assert_ne!(
        Some(again.metadata.uid),
        server.list::<Pod>("default").ok().map(|pods| pods[1].metadata.uid.clone())
    );
    let scale = |replicas: i32| json!({"spec": {"replicas": replicas}});
    server.patch::<Deployment>("default", "web", &scale(1)).expect("scaled");
    assert_eq!(pods(&server).len(), 1);

    let other = json!({"spec": {"template": template("b"), "replicas": 2}});
    server.patch::<Deployment>("default", "web", &other).expect("rolled out");
    let sets = server.list::<ReplicaSet>("default").expect("sets");
    let mut replicas: Vec<_> = sets
        .iter()
        .map(|set| {
            let annotations = set.metadata.annotations.as_ref().expect("annotations");
            let replicas = set.spec.replicas;
            (annotations["deployment.kubernetes.io/revision"].as_str(), replicas)
        })
        .collect();
    replicas.sort_unstable();
    assert_eq!(replicas, [("1", Some(0)), ("2", Some(2))]);
    let images = server.list::<Pod>("default").expect("pods").into_iter();
    let images: Vec<_> = images.filter_map(|pod| pod.spec?.containers.pop()?.image).collect();
    assert_eq!(images, ["b", "b"]);

    server.delete::<Deployment>("default", "web").expect("deleted");
    assert_eq!((pods(&server), server.list::<ReplicaSet>("default")), (vec![], Ok(vec![])));
}

#[tokio::test(start_paused = true)]
async fn sets_have_ordinals_claims_and_newest_pods() {
    let claim = json!({
        "metadata": {"name": "data"},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
    });
    let more = json!({"replicas": 2, "serviceName": "db", "volumeClaimTemplates": [claim]});
    let server = ApiServer::builder()
        .with_pods()
        .with_object(&selecting("StatefulSet", "db", &more))
        .with_object(&selecting("DaemonSet", "agent", &json!({})))
        .start();
    let all = pods(&server);
    assert_eq!(of(&all, "db-"), [("db-0", "Running"), ("db-1", "Running")]);
    assert_eq!(of(&all, "agent-").len(), 1);
    let claims = server.list::<PersistentVolumeClaim>("default").expect("claims");
    let claims = claims.iter().map(|claim| {
        let phase = claim.status.as_ref().and_then(|status| status.phase.as_deref());
        (claim.metadata.name.as_deref(), phase)
    });
    assert!(claims.eq([(Some("data-db-0"), Some("Bound")), (Some("data-db-1"), Some("Bound"))]));
    let pod = server.get::<Pod>("default", "db-1").expect("a pod");
    let labels = pod.metadata.labels.expect("labels");
    assert_eq!(labels["apps.kubernetes.io/pod-index"], "1");
    let spec = pod.spec.expect("a spec");
    assert_eq!((spec.hostname.as_deref(), spec.subdomain.as_deref()), (Some("db-1"), Some("db")));
    let volumes = spec.volumes.expect("volumes");
    let claim = volumes[0].persistent_volume_claim.as_ref();
    assert_eq!(claim.map(|claim| &*claim.claim_name), Some("data-db-1"));

    let other = json!({"spec": {"template": template("b")}});
    server.patch::<StatefulSet>("default", "db", &other).expect("rolled out");
    server.patch::<DaemonSet>("default", "agent", &other).expect("rolled out");
    let images = server.list::<Pod>("default").expect("pods").into_iter();
    let images: Vec<_> = images.filter_map(|pod| pod.spec?.containers.pop()?.image).collect();
    assert_eq!(images, ["b", "b", "b"]);
    // Claims outlive their pods.
    server
        .patch::<StatefulSet>("default", "db", &json!({"spec": {"replicas": 0}}))
        .expect("scaled");
    assert_eq!(of(&pods(&server), "db-"), []);
    assert_eq!(server.list::<PersistentVolumeClaim>("default").expect("claims").len(), 2);
}

#[tokio::test(start_paused = true)]
async fn jobs_have_pods_that_have_succeeded() {
    let job = |name: &str, more: Value| {
        let mut template = template("a");
        template["spec"]["restartPolicy"] = "Never".into();
        let mut object = json!({
            "apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name}, "spec": {"template": template},
        });
        for (key, value) in more.as_object().into_iter().flatten() {
            object["spec"][key] = value.clone();
        }
        object
    };
    let server = ApiServer::builder()
        .with_pods()
        .with_object(&job("one", json!({})))
        .with_object(&job("few", json!({"completions": 2, "completionMode": "Indexed"})))
        .with_object(&job("none", json!({"suspend": true})))
        .start();
    let all = pods(&server);
    assert!(all.iter().all(|(_, phase)| phase == "Succeeded"), "{all:?}");
    assert_eq!([of(&all, "one-").len(), of(&all, "none-").len()], [1, 0]);
    let few = of(&all, "few-");
    assert!(few[0].0.starts_with("few-0-") && few[1].0.starts_with("few-1-"), "{few:?}");
    let pod = server.get::<Pod>("default", few[1].0).expect("a pod");
    let (labels, annotations) = (pod.metadata.labels, pod.metadata.annotations);
    let key = "batch.kubernetes.io/job-completion-index";
    assert_eq!(labels.as_ref().expect("labels")[key], "1");
    assert_eq!(labels.expect("labels")["job-name"], "few");
    assert_eq!(annotations.expect("annotations")[key], "1");
    // A job that has ended makes no pods.
    server.delete::<Pod>("default", few[1].0).expect("deleted");
    assert_eq!(of(&pods(&server), "few-").len(), 1);
}

/// The largest number of replicas is not a number of pods that a test can wait for.
#[tokio::test(start_paused = true)]
async fn workloads_have_at_most_500_pods() {
    let huge = selecting("ReplicaSet", "huge", &json!({"replicas": i32::MAX}));
    let server = ApiServer::builder().with_pods().with_object(&huge).start();
    assert_eq!(pods(&server).len(), 500);
}

#[tokio::test(start_paused = true)]
async fn pods_are_admitted() {
    let rules = json!({"rules": [{
        "operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"],
    }]});
    let seen = Arc::new(Mutex::new(Vec::new()));
    let uids = Arc::clone(&seen);
    let server = ApiServer::builder()
        .with_pods()
        .with_object(&crate::admission::configuration("Mutating", "add", &rules))
        .admission("add.example.com", move |request| {
            let uid = request["object"]["metadata"]["name"].clone();
            uids.lock().expect("no panic").push(uid);
            let node = json!([{"op": "add", "path": "/spec/nodeName", "value": "n"}]);
            crd_apiserver::AdmissionResponse::patch(node)
        })
        .start();
    let api: Api<Deployment> = Api::default_namespaced(server.client());
    let web = selecting("Deployment", "web", &json!({"replicas": 3}));
    let web = serde_json::from_value(web).expect("a Deployment");
    api.create(&PostParams::default(), &web).await.expect("created");
    let made = server.list::<Pod>("default").expect("pods");
    let nodes: Vec<_> =
        made.iter().filter_map(|pod| pod.spec.as_ref()?.node_name.as_deref()).collect();
    assert_eq!(nodes, ["n", "n", "n"]);
    let uids: BTreeSet<_> = made.iter().map(|pod| &pod.metadata.uid).collect();
    assert_eq!((uids.len(), seen.lock().expect("no panic").len()), (3, 3));
}
