//! Simulated workloads.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crd_apiserver::{ApiServer, ApiServerBuilder};
use futures::StreamExt as _;
use k8s_openapi::api::apps::v1::{DaemonSet, Deployment, ReplicaSet, StatefulSet};
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod, Service};
use k8s_openapi::api::storage::v1::VolumeAttributesClass;
use kube::Client;
use kube::api::{
    Api, DeleteParams, EvictParams, ListParams, Patch, PatchParams, PostParams, WatchParams,
};
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

#[tokio::test(start_paused = true)]
async fn the_job_of_another_group_is_not_a_job() {
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": "y", "ownerReferences": [{
            "apiVersion": "example.com/v1", "kind": "Job", "name": "x", "uid": "z", "controller": true,
        }]},
        "spec": {"containers": [{"name": "c", "image": "i"}]},
    });
    let server = ApiServer::builder().without_controllers().with_pods().with_object(&pod).start();
    assert_eq!(of(&pods(&server), "y"), [("y", "Running")]);
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

fn counts(server: &ApiServer, name: &str) -> [Option<i32>; 3] {
    let status = server.get::<Deployment>("default", name).expect("a Deployment").status;
    let status = status.expect("a status");
    [status.replicas, status.updated_replicas, status.available_replicas]
}

fn images(server: &ApiServer) -> Vec<String> {
    let pods = server.list::<Pod>("default").expect("pods").into_iter();
    pods.filter_map(|pod| pod.spec?.containers.pop()?.image).collect()
}

fn uids(server: &ApiServer) -> Vec<Option<String>> {
    server.list::<Pod>("default").expect("pods").into_iter().map(|pod| pod.metadata.uid).collect()
}

#[tokio::test(start_paused = true)]
async fn an_evicted_pod_is_replaced_and_the_next_can_be_evicted() {
    let budget = json!({
        "apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "b"},
        "spec": {"maxUnavailable": 1, "selector": {"matchLabels": {"app": "x"}}},
    });
    let web = selecting("Deployment", "web", &json!({"replicas": 3}));
    let server = ApiServer::builder().with_pods().with_object(&web).with_object(&budget).start();
    let api: Api<Pod> = Api::default_namespaced(server.client());
    let before = uids(&server);
    for (name, _) in pods(&server) {
        api.evict(&name, &EvictParams::default()).await.expect("evicted");
    }
    let after = uids(&server);
    assert!(after.len() == 3 && after.iter().all(|uid| !before.contains(uid)));
}

#[tokio::test(start_paused = true)]
async fn a_deployment_whose_pods_are_denied_is_unavailable_until_they_are_allowed() {
    let rules = json!({"rules": [{
        "operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"],
    }]});
    let is_open = Arc::new(AtomicBool::new(false));
    let opened = Arc::clone(&is_open);
    let server = ApiServer::builder()
        .with_pods()
        .with_object(&crate::admission::configuration("Validating", "no", &rules))
        .admission("no.example.com", move |_| {
            if opened.load(Ordering::Relaxed) {
                crd_apiserver::AdmissionResponse::allow()
            } else {
                crd_apiserver::AdmissionResponse::deny("no")
            }
        })
        .start();
    let api: Api<Deployment> = Api::default_namespaced(server.client());
    let web = selecting("Deployment", "web", &json!({"replicas": 3}));
    let web = serde_json::from_value(web).expect("a Deployment");
    api.create(&PostParams::default(), &web).await.expect("created");
    assert_eq!((counts(&server, "web"), pods(&server)), ([None; 3], vec![]));
    is_open.store(true, Ordering::Relaxed);
    let all = || (counts(&server, "web") == [Some(3); 3]).then_some(());
    server.eventually(Duration::from_secs(600), all).await;
}

#[tokio::test(start_paused = true)]
async fn workloads_with_one_name_have_pods_of_their_own() {
    let mut job_template = template("a");
    job_template["spec"]["restartPolicy"] = "Never".into();
    let job = json!({
        "apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "x"},
        "spec": {"parallelism": 2, "template": job_template},
    });
    let server = ApiServer::builder()
        .with_pods()
        .with_object(&selecting("DaemonSet", "x", &json!({})))
        .with_object(&selecting("ReplicaSet", "x", &json!({})))
        .with_object(&job)
        .start();
    let all = pods(&server);
    let mut phases: Vec<&str> = of(&all, "x-").into_iter().map(|(_, phase)| phase).collect();
    phases.sort_unstable();
    assert_eq!(phases, ["Running", "Running", "Succeeded", "Succeeded"]);
    // The pods of a Job that is gone keep their names.
    server.delete::<Job>("default", "x").expect("deleted");
    server.create(&job).expect("created");
    assert_eq!(pods(&server).len(), all.len() + 2);
}

#[tokio::test(start_paused = true)]
async fn orphans_are_adopted() {
    let web = selecting("Deployment", "web", &json!({"replicas": 2}));
    let db = selecting("StatefulSet", "db", &json!({"replicas": 2}));
    let server = ApiServer::builder().with_pods().with_object(&web).with_object(&db).start();
    let before = uids(&server);
    let orphan = DeleteParams::orphan();
    let deployments: Api<Deployment> = Api::default_namespaced(server.client());
    let sets: Api<StatefulSet> = Api::default_namespaced(server.client());
    deployments.delete("web", &orphan).await.expect("deleted");
    sets.delete("db", &orphan).await.expect("deleted");
    server.create(&web).expect("created");
    server.create(&db).expect("created");
    assert_eq!((uids(&server), counts(&server, "web")), (before, [Some(2); 3]));
    server.delete::<StatefulSet>("default", "db").expect("deleted");
    server.delete::<Deployment>("default", "web").expect("deleted");
    assert_eq!(pods(&server), []);
}

#[tokio::test(start_paused = true)]
async fn strategies_say_which_pods_are_replaced() {
    let partition = json!({"type": "RollingUpdate", "rollingUpdate": {"partition": 2}});
    let server = ApiServer::builder()
        .with_pods()
        .with_object(&selecting(
            "StatefulSet",
            "a",
            &json!({"replicas": 3, "updateStrategy": partition}),
        ))
        .with_object(&selecting(
            "StatefulSet",
            "b",
            &json!({"updateStrategy": {"type": "OnDelete"}}),
        ))
        .with_object(&selecting("DaemonSet", "c", &json!({"updateStrategy": {"type": "OnDelete"}})))
        .start();
    let other = json!({"spec": {"template": template("b")}});
    for name in ["a", "b"] {
        server.patch::<StatefulSet>("default", name, &other).expect("changed");
    }
    server.patch::<DaemonSet>("default", "c", &other).expect("changed");
    assert_eq!(images(&server), ["a", "a", "b", "a", "a"]);
    let status =
        server.get::<StatefulSet>("default", "a").expect("a set").status.expect("a status");
    assert_eq!((status.updated_replicas, status.current_replicas), (Some(1), Some(2)));
    assert_ne!(status.current_revision, status.update_revision);
    server.delete::<Pod>("default", "b-0").expect("deleted");
    assert_eq!(images(&server), ["a", "a", "b", "b", "a"]);
}

#[tokio::test(start_paused = true)]
async fn rollouts_pause_recreate_and_go_back() {
    let web = |image: &str, more: Value| {
        let mut spec = json!({"template": template(image)});
        for (key, value) in more.as_object().into_iter().flatten() {
            spec[key] = value.clone();
        }
        json!({"spec": spec})
    };
    let first = selecting("Deployment", "web", &json!({"replicas": 2, "paused": true}));
    let server = ApiServer::builder().with_pods().with_object(&first).start();
    assert_eq!((pods(&server).len(), counts(&server, "web")), (0, [None; 3]));
    let change = |patch: Value| {
        server.patch::<Deployment>("default", "web", &patch).expect("changed");
    };
    change(web("a", json!({"paused": false})));
    change(web("b", json!({"paused": true, "replicas": 3})));
    // It is scaled, and keeps its template.
    assert_eq!(images(&server), ["a", "a", "a"]);
    assert_eq!(counts(&server, "web"), [Some(3), None, Some(3)]);
    let recording = server.record();
    let recreate = json!({"type": "Recreate", "rollingUpdate": null});
    let api: Api<Pod> = Api::default_namespaced(server.client());
    let params = WatchParams::default().disable_bookmarks();
    let now = api.list(&ListParams::default()).await.expect("pods").metadata.resource_version;
    let now = now.expect("a version");
    let mut events = std::pin::pin!(api.watch(&params, &now).await.expect("a watch"));
    change(web("b", json!({"paused": false, "strategy": recreate})));
    let mut types = Vec::new();
    while types.iter().filter(|type_| *type_ == "ADDED").count() < 3 {
        events.next().await.expect("an event").expect("an event");
        types = recording.transcript().events().map(|event| event.type_.clone()).collect();
    }
    let last = types.iter().rposition(|type_| type_ == "DELETED");
    assert!(last < types.iter().position(|type_| type_ == "ADDED"), "{types:?}");
    change(web("a", json!({})));
    let revision = |set: &ReplicaSet| {
        let annotations = set.metadata.annotations.as_ref().expect("annotations");
        (annotations["deployment.kubernetes.io/revision"].clone(), set.spec.replicas)
    };
    let sets = server.list::<ReplicaSet>("default").expect("sets");
    let mut revisions: Vec<_> = sets.iter().map(revision).collect();
    revisions.sort_unstable();
    assert_eq!(revisions, [("2".to_owned(), Some(0)), ("3".to_owned(), Some(3))]);
}

/// What a webhook undoes is not tried for ever.
#[tokio::test(start_paused = true)]
async fn a_webhook_may_undo_what_a_controller_does() {
    let rules = json!({"rules": [{
        "operations": ["UPDATE"], "apiGroups": ["apps"], "apiVersions": ["v1"], "resources": ["replicasets"],
    }]});
    let server = ApiServer::builder()
        .with_pods()
        .with_object(&crate::admission::configuration("Mutating", "two", &rules))
        .admission("two.example.com", |_| {
            let two = json!([{"op": "add", "path": "/spec/replicas", "value": 2}]);
            crd_apiserver::AdmissionResponse::patch(two)
        })
        .with_object(&selecting("Deployment", "web", &json!({"replicas": 2})))
        .start();
    let api: Api<Deployment> = Api::default_namespaced(server.client());
    let other = Patch::Merge(json!({"spec": {"template": template("b")}}));
    api.patch("web", &PatchParams::default(), &other).await.expect("changed");
    assert_eq!(pods(&server).len(), 4);
}

#[tokio::test(start_paused = true)]
async fn failed_pods_are_replaced_and_claims_are_protected() {
    let claim = json!({
        "metadata": {"name": "data"},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
    });
    let server = ApiServer::builder()
        .with_pods()
        .with_object(&selecting("Deployment", "web", &json!({"replicas": 2})))
        .with_object(&selecting("StatefulSet", "db", &json!({"volumeClaimTemplates": [claim]})))
        .start();
    let all = pods(&server);
    let first = of(&all, "web-")[0].0;
    server.workloads().pod_failed("default", first, 1).expect("failed");
    server.workloads().pod_failed("default", "db-0", 1).expect("failed");
    let all = pods(&server);
    let phases = |prefix: &str| {
        let mut phases: Vec<&str> = of(&all, prefix).into_iter().map(|(_, phase)| phase).collect();
        phases.sort_unstable();
        phases.join(" ")
    };
    assert_eq!([phases("web-"), phases("db-")], ["Failed Running Running", "Running"]);
    server.delete::<PersistentVolumeClaim>("default", "data-db-0").expect("deleted");
    assert!(server.get::<PersistentVolumeClaim>("default", "data-db-0").is_ok());
    server.delete::<StatefulSet>("default", "db").expect("deleted");
    assert!(server.get::<PersistentVolumeClaim>("default", "data-db-0").is_err());
}

#[tokio::test(start_paused = true)]
async fn classes_of_attributes_are_protected_while_claims_refer_to_them() {
    let class = json!({
        "apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttributesClass", "metadata": {"name": "fast"},
        "driverName": "disk.example.com", "parameters": {"iops": "3000"},
    });
    let claim = json!({
        "apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "a"},
        "spec": {
            "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}},
            "volumeAttributesClassName": "fast",
        },
    });
    let server = ApiServer::builder().with_object(&class).with_object(&claim).start();
    server.delete::<VolumeAttributesClass>("", "fast").expect("deleted");
    assert!(server.get::<VolumeAttributesClass>("", "fast").is_ok());
    server.delete::<PersistentVolumeClaim>("default", "a").expect("deleted");
    assert!(server.get::<VolumeAttributesClass>("", "fast").is_err());
    // Kinds are served since the minor in which they are stable.
    let older = ApiServer::builder().kubernetes("1.33".parse().expect("a version")).start();
    assert_eq!(older.create(&class).expect_err("not served").code, 404);
}

#[tokio::test(start_paused = true)]
async fn an_object_that_is_stored_again_keeps_its_uid() {
    let web = |replicas: i32| selecting("Deployment", "web", &json!({"replicas": replicas}));
    let server = ApiServer::builder().with_pods().with_object(&web(1)).start();
    let before = server.get::<Deployment>("default", "web").expect("a Deployment").metadata;
    server.store(&web(2)).expect("stored");
    let after = server.get::<Deployment>("default", "web").expect("a Deployment").metadata;
    assert_eq!((before.uid, before.creation_timestamp), (after.uid, after.creation_timestamp));
    assert_eq!(pods(&server).len(), 2);
}
