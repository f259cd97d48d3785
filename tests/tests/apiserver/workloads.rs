//! Simulated workloads.

use crd_apiserver::ApiServer;
use k8s_openapi::api::apps::v1::{DaemonSet, Deployment, StatefulSet};
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod, Service};
use kube::Client;
use kube::api::{Api, Patch, PatchParams};
use kube::runtime::wait::conditions::{
    is_deployment_completed, is_job_completed, is_pod_running, is_service_loadbalancer_provisioned,
};
use kube::runtime::wait::{Condition as _, await_condition};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn server() -> ApiServer {
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
    ApiServer::new()
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
    let server = server();
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
    let server = server().with_workloads();
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
    let server = ApiServer::new().with_object(&pod);
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
    let server = server()
        .with_object(&crate::admission::configuration("Validating", "no", &webhook))
        .admission("no.example.com", |_| crd_apiserver::AdmissionResponse::deny("no"));
    server.workloads().deployment_available("default", "x").expect("no webhook is called");
    let deployment: Deployment = get(&server.client()).await;
    assert_eq!(deployment.status.and_then(|status| status.available_replicas), Some(2));
    let api: Api<Deployment> = Api::default_namespaced(server.client());
    let change = Patch::Merge(json!({"status": {"replicas": 3}}));
    let rejected = api.patch_status("x", &PatchParams::default(), &change).await;
    assert!(rejected.is_err_and(|error| error.to_string().contains("denied the request: no")));
}
