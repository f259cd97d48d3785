use k8s_openapi::api::apps::v1::{DaemonSetStatus, DeploymentStatus, StatefulSetStatus};
use k8s_openapi::api::batch::v1::JobStatus;
use k8s_openapi::api::core::v1::{PersistentVolumeClaimStatus, PodStatus, ServiceStatus};
use serde::de::DeserializeOwned;

use super::*;

const NOW: &str = "2026-01-02T03:04:05Z";

/// Decodes a status as the type of k8s-openapi, and checks that the type knows each of its fields.
#[track_caller]
fn read<T: DeserializeOwned + serde::Serialize>(status: &Value) -> T {
    let typed: T = serde_json::from_value(status.clone()).expect("a status");
    let mut again = serde_json::to_value(&typed).expect("JSON");
    // k8s-openapi does not write null times, but kubelets do.
    let conditions = again.get_mut("conditions").and_then(Value::as_array_mut);
    for condition in conditions.into_iter().flatten() {
        if status["phase"].is_string() {
            condition["lastProbeTime"] = Value::Null;
        }
    }
    assert_eq!(&again, status);
    typed
}

#[test]
fn a_deployment_becomes_available() {
    let mut object = json!({"metadata": {"name": "web", "generation": 4}, "spec": {"replicas": 2}});
    let status: DeploymentStatus =
        read(&sets::deployment(&object, Pods { ready: 0, ..all(&object) }, NOW));
    assert_eq!((status.available_replicas, status.unavailable_replicas), (None, Some(2)));
    object["status"] = sets::deployment(&object, Pods { ready: 0, ..all(&object) }, NOW);
    let later = "2026-01-02T03:05:00Z";
    let written = sets::deployment(&object, all(&object), later);
    let status: DeploymentStatus = read(&written);
    assert_eq!((status.observed_generation, status.available_replicas), (Some(4), Some(2)));
    let since = |index: usize| written["conditions"][index]["lastTransitionTime"].clone();
    // Only the condition that has changed has a new time.
    assert_eq!((since(0), since(1)), (later.into(), NOW.into()));
    let none = json!({"metadata": {"name": "web", "generation": 1}, "spec": {"replicas": 0}});
    let status: DeploymentStatus = read(&sets::deployment(&none, all(&none), NOW));
    assert_eq!(status.conditions.expect("some")[0].status.as_deref(), Some("True"));
}

#[test]
fn sets_and_jobs_are_typed() {
    let object = json!({"metadata": {"name": "x", "generation": 2}, "spec": {"completions": 3}});
    assert_eq!(
        read::<StatefulSetStatus>(&sets::stateful_set(&object, all(&object))).ready_replicas,
        Some(1)
    );
    assert_eq!(read::<DaemonSetStatus>(&sets::daemon_set(&object, Pods::all(5))).number_ready, 5);
    assert_eq!(
        read::<JobStatus>(&sets::ended_job(&object, Some(owned::wanted_of_job(&object)), NOW))
            .succeeded,
        Some(3)
    );
    let failed: JobStatus = read(&sets::ended_job(&object, None, NOW));
    assert_eq!(failed.failed, Some(7));
    assert_eq!(failed.conditions.expect("some")[1].type_, "Failed");
}

#[test]
fn pods_claims_and_services_are_typed() {
    let object = json!({"spec": {"containers": [{"name": "a", "image": "b"}]}});
    for (phase, ready) in [
        (pods::PodPhase::Running, false),
        (pods::PodPhase::Ready, true),
        (pods::PodPhase::Succeeded, false),
        (pods::PodPhase::Failed { exit_code: 3 }, false),
    ] {
        let status: PodStatus = read(&pods::pod(&object, phase, NOW));
        let containers = status.container_statuses.expect("one");
        assert_eq!((containers.len(), containers[0].ready), (1, ready));
    }
    let claim = json!({
        "metadata": {"uid": "u"},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
    });
    let status: PersistentVolumeClaimStatus = read(&storage::bound(&claim));
    assert_eq!(status.phase.as_deref(), Some("Bound"));
    assert_eq!(storage::volume_name(&claim), "pvc-u");
    read::<ServiceStatus>(&storage::load_balancer("192.0.2.7"));
}
