//! Writes and deletions of objects of Kubernetes' own kinds, as kube-apiserver 1.37.2 answered the same requests.

use crd_apiserver::ApiServer;
use k8s_openapi::ByteString;
use serde_json::{Value, json};

use crate::ask::{delete, get, get_as, patch, send};

const LEASES: &str = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const SERVICES: &str = "/api/v1/namespaces/default/services";
const EVENTS: &str = "/api/v1/namespaces/default/events";
const ROLES: &str = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
const DEPLOYMENTS: &str = "/apis/apps/v1/namespaces/default/deployments";

fn headless() -> Value {
    json!({
        "apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"},
        "spec": {
            "clusterIP": "None", "selector": {"app": "x"}, "ports": [{"port": 80}],
            "sessionAffinity": "ClientIP",
        },
    })
}

fn event(name: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Event", "metadata": {"name": name},
        "involvedObject": {"kind": "Pod", "name": "p", "namespace": "default"},
    })
}

fn deployment() -> Value {
    let container = |name: &str| {
        json!({
            "name": name, "image": "app:1", "ports": [{"name": "web", "containerPort": 80}],
        })
    };
    json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {"name": "a", "labels": {"app": "x"}},
        "spec": {
            "replicas": 2, "selector": {"matchLabels": {"app": "x"}},
            "template": {
                "metadata": {"labels": {"app": "x"}},
                "spec": {"containers": [container("one"), container("two")]},
            },
        },
    })
}

#[tokio::test]
async fn the_deletion_of_some_kinds_returns_the_object() {
    let client = ApiServer::new().client();
    let made = send(&client, "POST", SERVICES, &headless()).await.ok();
    let gone = delete(&client, &format!("{SERVICES}/a")).await.ok();
    assert_eq!((&gone["kind"], &gone["spec"]), (&json!("Service"), &made["spec"]));
    let version = |object: &Value| {
        object["metadata"]["resourceVersion"].as_str().and_then(|text| text.parse::<u64>().ok())
    };
    assert_eq!(version(&gone), version(&made).map(|before| before + 1));
    send(&client, "POST", EVENTS, &event("a")).await.ok();
    let status = delete(&client, &format!("{EVENTS}/a")).await.ok();
    assert_eq!(status["kind"], "Status");
}

#[tokio::test]
async fn events_have_no_dependents() {
    let client = ApiServer::new().client();
    for policy in ["Orphan", "Foreground"] {
        send(&client, "POST", EVENTS, &event("a")).await.ok();
        let gone = delete(&client, &format!("{EVENTS}/a?propagationPolicy={policy}")).await.ok();
        assert_eq!(gone["status"], "Success");
    }
}

#[tokio::test]
async fn events_of_the_newer_group_are_validated_in_full() {
    const NEW: &str = "/apis/events.k8s.io/v1/namespaces/default/events";
    let client = ApiServer::new().client();
    let mut new = json!({
        "apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": {"name": "a"},
        "regarding": {"kind": "Pod", "name": "p", "namespace": "default"},
    });
    let rejected = send(&client, "POST", NEW, &new).await.rejected(422);
    let want =
        "is invalid: [eventTime: Required value, type: Invalid value: \"\": has invalid value: ]";
    assert_eq!(rejected, format!("Event \"a\" {want}"));
    // Old clients send events without a time to the core group.
    send(&client, "POST", EVENTS, &event("b")).await.ok();
    let mut timed = event("c");
    timed["eventTime"] = "2024-01-01T00:00:00.000000Z".into();
    let rejected = send(&client, "POST", EVENTS, &timed).await.rejected(422);
    assert!(rejected.contains("reportingComponent: Required value"), "{rejected}");

    for (key, value) in [
        ("eventTime", "2024-01-01T00:00:00.000000Z"),
        ("type", "Normal"),
        ("action", "Run"),
        ("reason", "Started"),
        ("reportingController", "example.com/c"),
        ("reportingInstance", "i"),
    ] {
        new[key] = value.into();
    }
    send(&client, "POST", NEW, &new).await.ok();
    new["regarding"]["name"] = "q".into();
    let rejected = send(&client, "PUT", &format!("{NEW}/a"), &new).await.rejected(422);
    let want = "is invalid: involvedObject: Invalid value: {\"Kind\":\"Pod\",\"Namespace\":\"default\",\"Name\":\"q\",\
                \"UID\":\"\",\"APIVersion\":\"\",\"ResourceVersion\":\"\",\"FieldPath\":\"\"}: field is immutable";
    assert!(rejected.ends_with(want), "{rejected}");
    let change = json!({"involvedObject": {"name": "q"}});
    patch(&client, &format!("{EVENTS}/a"), "merge", &change).await.ok();
}

/// An apply that takes back the parallelism of a job sets the default of its completions.
#[tokio::test]
async fn the_completions_of_a_job_change_with_its_parallelism_if_it_is_indexed() {
    const JOBS: &str = "/apis/batch/v1/namespaces/default/jobs";
    let client = ApiServer::new().client();
    let job = |name: &str, spec: Value| {
        let pod = json!({"containers": [{"name": "c", "image": "i"}], "restartPolicy": "Never"});
        let mut job = json!({
            "apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name},
            "spec": {"template": {"spec": pod}},
        });
        for (key, value) in spec.as_object().expect("fields") {
            job["spec"][key] = value.clone();
        }
        job
    };
    send(&client, "POST", JOBS, &job("plain", json!({"parallelism": 2}))).await.ok();
    let indexed = json!({"completions": 2, "completionMode": "Indexed", "parallelism": 2});
    send(&client, "POST", JOBS, &job("indexed", indexed)).await.ok();
    for (name, spec, why) in [
        ("plain", json!({"parallelism": 3}), None),
        ("plain", json!({"parallelism": null, "completions": 1}), Some("field is immutable")),
        (
            "indexed",
            json!({"completions": 3}),
            Some("can only be modified in tandem with spec.parallelism"),
        ),
        ("indexed", json!({"completions": 3, "parallelism": 3}), None),
    ] {
        let answer =
            patch(&client, &format!("{JOBS}/{name}"), "merge", &json!({"spec": spec})).await;
        match why {
            Some(why) => {
                let rejected = answer.rejected(422);
                assert!(rejected.contains("spec.completions: Invalid value: "), "{rejected}");
                assert!(rejected.ends_with(why), "{rejected}");
            }
            None => _ = answer.ok(),
        }
    }
}

#[tokio::test]
async fn lists_of_events_are_continued_from_the_storage() {
    let client = ApiServer::new().client();
    for name in ["a", "b"] {
        send(&client, "POST", EVENTS, &event(name)).await.ok();
    }
    let list = get(&client, &format!("{EVENTS}?limit=1")).await.ok();
    let token = list["metadata"]["continue"].as_str().expect("a token").to_owned();
    let padded = format!("{token:=<width$}", width = token.len().next_multiple_of(4));
    let decoded: ByteString = serde_json::from_value(padded.into()).expect("base64");
    let decoded: Value = serde_json::from_slice(&decoded.0).expect("JSON");
    assert_eq!(decoded["start"], "a\u{0}", "no slash before the name");
    let rest = get(&client, &format!("{EVENTS}?limit=1&continue={token}")).await.ok();
    assert_eq!(rest["items"][0]["metadata"]["name"], "b");
}

#[tokio::test]
async fn empty_lists_are_stored_as_none() {
    let client = ApiServer::new().client();
    let role = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "a"},
        "rules": [],
    });
    let made = send(&client, "POST", ROLES, &role).await.ok();
    assert_eq!(made["rules"], Value::Null);
    assert!(made["metadata"]["managedFields"][0]["fieldsV1"].get("f:rules").is_some());
    // An update that removes the last finalizer deletes the object and returns it without storing it.
    let path = format!("{ROLES}/a");
    let held = json!({"metadata": {"finalizers": ["example.com/wait"]}});
    patch(&client, &path, "merge", &held).await.ok();
    delete(&client, &path).await.ok();
    let last = json!({"metadata": {"finalizers": null}, "rules": []});
    assert_eq!(patch(&client, &path, "merge", &last).await.ok()["rules"], json!([]));
}

#[tokio::test]
async fn a_dry_run_that_creates_returns_the_resource_version_of_the_request() {
    let client = ApiServer::new().client();
    let mut event = event("a");
    event["metadata"]["resourceVersion"] = "7".into();
    let made = send(&client, "PUT", &format!("{EVENTS}/a?dryRun=All"), &event).await.ok();
    assert_eq!(made["metadata"]["resourceVersion"], "7");
    let made = send(&client, "PUT", &format!("{EVENTS}/a"), &event).await.ok();
    assert_ne!(made["metadata"]["resourceVersion"], "7");
}

#[tokio::test]
async fn only_for_an_apply_does_the_error_for_a_wrong_time_name_the_object() {
    let client = ApiServer::new().client();
    let lease = |spec: Value| {
        json!({
            "apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "a"},
            "spec": spec,
        })
    };
    let wrong = json!({"renewTime": "2026-01-02T03:04:05Z"});
    let why = "parsing time \"2026-01-02T03:04:05Z\" as \"2006-01-02T15:04:05.000000Z07:00\": cannot parse \"Z\" as \
               \".000000\"";
    let path = format!("{LEASES}/a?fieldManager=me");
    assert_eq!(
        patch(&client, &path, "apply", &lease(wrong.clone())).await.rejected(500),
        format!(
            "failed to convert new object (/a; coordination.k8s.io/v1, Kind=Lease) to proper version: unable to convert \
             unstructured object to coordination.k8s.io/v1, Kind=Lease: {why}"
        )
    );
    let number = patch(&client, &path, "apply", &lease(json!({"renewTime": 5}))).await;
    let why_not = "json: cannot unmarshal number into Go value of type string";
    assert!(number.rejected(500).ends_with(&format!("Kind=Lease: {why_not}")));
    send(&client, "POST", LEASES, &lease(json!({}))).await.ok();
    let rejected = patch(&client, &path, "strategic-merge", &json!({"spec": wrong})).await;
    assert_eq!(
        rejected.rejected(422),
        format!(
            " \"\" is invalid: patch: Invalid value: \"map[spec:map[renewTime:2026-01-02T03:04:05Z]]\": {why}"
        )
    );
}

#[tokio::test]
async fn a_strategic_merge_patch_with_a_wrong_type_says_what_cannot_be_converted() {
    let client = ApiServer::new().client();
    send(&client, "POST", DEPLOYMENTS, &deployment()).await.ok();
    let path = format!("{DEPLOYMENTS}/a");
    let cases = [
        (json!({"metadata": {"labels": "x"}}), "cannot restore map from string"),
        (json!({"metadata": {"labels": {"a": 5}}}), "cannot convert int64 to string"),
        (json!({"metadata": {"labels": {"a": true}}}), "unrecognized type: string"),
        (json!({"metadata": {"finalizers": "x"}}), "cannot restore slice from string"),
        (json!({"spec": {"replicas": "1"}}), "unrecognized type: int32"),
        (json!({"spec": {"replicas": 1.5}}), "cannot convert float64 to int32"),
        (
            json!({"spec": {"strategy": {"type": 5}}}),
            "cannot convert int64 to v1.DeploymentStrategyType",
        ),
        (json!({"spec": {"paused": 1}}), "unrecognized type: bool"),
        (json!({"spec": {"strategy": "x"}}), "cannot restore struct from: string"),
    ];
    for (sent, why) in cases {
        let rejected = patch(&client, &path, "strategic-merge", &sent).await.rejected(422);
        assert!(rejected.ends_with(&format!(": {why}")), "{rejected}");
    }
}

#[tokio::test]
async fn a_write_of_the_status_changes_metadata_but_not_the_labels_of_a_deployment() {
    let client = ApiServer::new().client();
    let mut deployment = deployment();
    let made = send(&client, "POST", DEPLOYMENTS, &deployment).await.ok();
    deployment["metadata"]["labels"] = json!({"app": "other"});
    deployment["metadata"]["annotations"] = json!({"example.com/note": "y"});
    deployment["spec"]["replicas"] = 5.into();
    deployment["status"] = json!({"replicas": 1});
    let path = format!("{DEPLOYMENTS}/a/status");
    let written = send(&client, "PUT", &path, &deployment).await.ok();
    let metadata = &written["metadata"];
    assert_eq!(metadata["annotations"], json!({"example.com/note": "y"}));
    assert_eq!((&metadata["labels"]["app"], &metadata["generation"]), (&json!("x"), &json!(1)));
    assert_eq!((&written["spec"], &written["status"]["replicas"]), (&made["spec"], &json!(1)));
    let owned = &metadata["managedFields"][1]["fieldsV1"];
    assert!(owned["f:metadata"].get("f:annotations").is_some(), "{owned}");
    assert!(owned["f:metadata"].get("f:labels").is_none() && owned.get("f:spec").is_none());
}

/// The defaults of the first strategy stay, which causes an error that many users meet.
#[tokio::test]
async fn a_change_of_the_strategy_must_remove_the_rolling_update() {
    let client = ApiServer::new().client();
    send(&client, "POST", DEPLOYMENTS, &deployment()).await.ok();
    let path = format!("{DEPLOYMENTS}/a");
    let change = |rest: Value| json!({"spec": {"strategy": rest}});
    let rejected = patch(&client, &path, "merge", &change(json!({"type": "Recreate"}))).await;
    assert_eq!(
        rejected.rejected(422),
        "Deployment.apps \"a\" is invalid: spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy \
         `type` is 'Recreate'"
    );
    let whole = change(json!({"type": "Recreate", "rollingUpdate": null}));
    patch(&client, &path, "merge", &whole).await.ok();
}

/// In Go, every lease has a spec, so a manager that writes an empty one changes nothing and does not own it.
#[tokio::test]
async fn an_empty_spec_has_no_owner() {
    let client = ApiServer::new().client();
    let lease = |spec: Value| {
        json!({
            "apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "a"},
            "spec": spec,
        })
    };
    send(&client, "POST", LEASES, &lease(json!({}))).await.ok();
    let path = format!("{LEASES}/a?fieldManager=two");
    let applied =
        patch(&client, &path, "apply", &lease(json!({"holderIdentity": "you"}))).await.ok();
    let entries = applied["metadata"]["managedFields"].as_array().expect("managed fields");
    let managers: Vec<_> = entries.iter().map(|entry| &entry["manager"]).collect();
    assert_eq!(managers, ["two"]);
}

/// The order of the errors is that of the checks.
#[tokio::test]
async fn a_deployment_has_no_more_ready_replicas_than_replicas() {
    let client = ApiServer::new().client();
    send(&client, "POST", DEPLOYMENTS, &deployment()).await.ok();
    let path = format!("{DEPLOYMENTS}/a/status");
    let status = |status: Value| json!({"status": status});
    let counts = json!({"availableReplicas": 2, "readyReplicas": 2});
    let rejected = patch(&client, &path, "merge", &status(counts)).await;
    assert_eq!(
        rejected.rejected(422),
        "Deployment.apps \"a\" is invalid: [status.readyReplicas: Invalid value: 2: cannot be greater than \
         status.replicas, status.availableReplicas: Invalid value: 2: cannot be greater than status.replicas]"
    );
    let counts =
        json!({"replicas": 2, "availableReplicas": 2, "readyReplicas": 1, "updatedReplicas": -1});
    let rejected = patch(&client, &path, "merge", &status(counts)).await;
    assert_eq!(
        rejected.rejected(422),
        "Deployment.apps \"a\" is invalid: [status.updatedReplicas: Invalid value: -1: must be greater than or equal \
         to 0, status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas]"
    );
    patch(&client, &path, "merge", &status(json!({"collisionCount": 2}))).await.ok();
    let fewer = patch(&client, &path, "merge", &status(json!({"collisionCount": 1}))).await;
    assert_eq!(
        fewer.rejected(422),
        "Deployment.apps \"a\" is invalid: status.collisionCount: Invalid value: 1: cannot be decremented"
    );
    let counts = json!({"replicas": 2, "availableReplicas": 1, "readyReplicas": 2});
    patch(&client, &path, "merge", &status(counts)).await.ok();
}

#[tokio::test]
async fn a_scale_to_zero_omits_the_replicas() {
    let client = ApiServer::new().client();
    send(&client, "POST", DEPLOYMENTS, &deployment()).await.ok();
    let path = format!("{DEPLOYMENTS}/a/scale");
    let scale = patch(&client, &path, "merge", &json!({"spec": {"replicas": 0}})).await.ok();
    assert_eq!((&scale["spec"], &scale["status"]["replicas"]), (&json!({}), &json!(0)));
}

/// A known difference: the real server compares times with their location, so that it takes one in year 1 for set.
/// It rejects the first event and creates the second.
#[tokio::test]
async fn an_event_time_in_year_1_is_none() {
    let client = ApiServer::new().client();
    let mut old = event("a");
    old["eventTime"] = "0001-01-01T00:00:00.000000Z".into();
    send(&client, "POST", EVENTS, &old).await.ok();
    let new = json!({
        "apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": {"name": "b"},
        "regarding": {"kind": "Pod", "name": "p", "namespace": "default"}, "type": "Normal", "action": "Run",
        "reason": "Started", "reportingController": "example.com/c", "reportingInstance": "i",
        "eventTime": "0001-01-01T00:00:00.000000Z",
    });
    let path = "/apis/events.k8s.io/v1/namespaces/default/events";
    let rejected = send(&client, "POST", path, &new).await.rejected(422);
    assert_eq!(rejected, "Event \"b\" is invalid: eventTime: Required value");
}

/// A known difference: the real server warns of a session affinity that it ignores, and of two ports of one name.
#[tokio::test]
async fn suspicious_values_of_built_in_kinds_cause_no_warning() {
    let client = ApiServer::new().client();
    assert_eq!(send(&client, "POST", SERVICES, &headless()).await.warnings, [""; 0]);
    assert_eq!(send(&client, "POST", DEPLOYMENTS, &deployment()).await.warnings, [""; 0]);
}

/// A required key of a list that is not a pointer in Go has the zero value of its type.
#[tokio::test]
async fn keys_of_lists_have_the_zero_values_of_go() {
    let client = ApiServer::new().client();
    let mut config = deployment();
    config["spec"]["template"]["spec"]["containers"] = json!([{"image": "a"}, {"image": "b"}]);
    let path = format!("{DEPLOYMENTS}/a?fieldManager=me");
    assert_eq!(
        patch(&client, &path, "apply", &config).await.rejected(500),
        "failed to create typed patch object (/a; apps/v1, Kind=Deployment): .spec.template.spec.containers: duplicate \
         entries for key [name=\"\"]"
    );
    config["spec"]["template"]["spec"]["containers"] =
        json!([{"name": "one", "image": "a", "env": [{"value": "x"}]}]);
    let answer = patch(&client, &path, "apply", &config).await;
    assert!(!answer.body.to_string().contains("omits all key fields"), "{answer:?}");
}

#[tokio::test]
async fn controllers_of_replicas_orphan_their_pods_by_default() {
    let client = ApiServer::builder().without_controllers().start().client();
    let path = "/api/v1/namespaces/default/replicationcontrollers";
    let template = &deployment()["spec"]["template"];
    let controller = json!({
        "apiVersion": "v1", "kind": "ReplicationController", "metadata": {"name": "a"},
        "spec": {"selector": {"app": "x"}, "template": template},
    });
    send(&client, "POST", path, &controller).await.ok();
    let gone = delete(&client, &format!("{path}/a")).await;
    assert!(gone.warnings.is_empty(), "{:?}", gone.warnings);
    assert_eq!(gone.ok()["metadata"]["finalizers"], json!(["orphan"]));
    let selected = |selector: &str| get_path(path, selector);
    assert_eq!(
        get(&client, &selected("status.replicas=0")).await.ok()["items"].as_array().map(Vec::len),
        Some(1)
    );
    let why = get(&client, &selected("x=y")).await.rejected(400);
    assert_eq!(why, "field label not supported: x");
}

fn get_path(path: &str, selector: &str) -> String {
    format!("{path}?fieldSelector={selector}")
}

#[tokio::test]
async fn the_data_of_a_revision_is_owned_as_a_whole() {
    let client = ApiServer::new().client();
    let revision = json!({
        "apiVersion": "apps/v1", "kind": "ControllerRevision", "metadata": {"name": "a"},
        "data": {"a": {"b": 1}}, "revision": 1,
    });
    let path = "/apis/apps/v1/namespaces/default/controllerrevisions";
    let made = send(&client, "POST", path, &revision).await.ok();
    let owned = &made["metadata"]["managedFields"][0]["fieldsV1"];
    assert_eq!(*owned, json!({"f:data": {}, "f:revision": {}}));
}

#[tokio::test]
async fn the_first_update_of_some_kinds_stores_defaults() {
    let client = ApiServer::new().client();
    let template = |labels: Value| {
        json!({"metadata": {"labels": labels}, "spec": {
            "containers": [{"name": "main", "image": "app:1"}], "restartPolicy": "Never",
        }})
    };
    let claim =
        json!({"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}});
    let jobs = "/apis/batch/v1/namespaces/default/jobs";
    for (path, kind, spec, changes) in [
        (
            "/api/v1/namespaces/default/persistentvolumeclaims",
            "v1 PersistentVolumeClaim",
            claim,
            true,
        ),
        (jobs, "batch/v1 Job", json!({"template": template(Value::Null)}), true),
        (jobs, "batch/v1 Job", json!({"template": template(json!({"app": "x"}))}), false),
    ] {
        let (version, kind) = kind.split_once(' ').expect("a version and a kind");
        let name = if changes { "a" } else { "b" };
        let object =
            json!({"apiVersion": version, "kind": kind, "metadata": {"name": name}, "spec": spec});
        let revision = |object: Value| object["metadata"]["resourceVersion"].clone();
        let made = revision(send(&client, "POST", path, &object).await.ok());
        let named = format!("{path}/{name}");
        let first = revision(patch(&client, &named, "merge", &json!({})).await.ok());
        assert_eq!(first != made, changes, "{kind}");
        let second = revision(patch(&client, &named, "merge", &json!({})).await.ok());
        assert_eq!(second, first);
    }
}

#[tokio::test]
async fn endpoints_are_deprecated_since_1_33() {
    let path = "/api/v1/namespaces/default/endpoints/a";
    let client = ApiServer::new().client();
    let want =
        "299 - \"v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice\"";
    assert_eq!(get(&client, path).await.warnings, [want]);
    let client = ApiServer::builder().kubernetes("1.32".parse().expect("known")).start().client();
    assert!(get(&client, path).await.warnings.is_empty());
}

#[tokio::test]
async fn a_namespace_terminates_before_it_goes() {
    let client = ApiServer::builder().without_controllers().start().client();
    let spaces = "/api/v1/namespaces";
    let space = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a"}});
    send(&client, "POST", spaces, &space).await.ok();
    let path = format!("{spaces}/a");
    let finalize = format!("{path}/finalize");
    let mut next = space.clone();
    next["spec"]["finalizers"] = json!(["bad"]);
    let why = send(&client, "PUT", &finalize, &next).await.rejected(422);
    assert_eq!(
        why,
        "Namespace \"a\" is invalid: spec.finalizers[0]: Invalid value: \"bad\": name is neither a standard finalizer \
         name nor is it fully qualified"
    );
    let status = json!({"status": {"phase": "Terminating"}});
    let why = patch(&client, &format!("{path}/status"), "merge", &status).await.rejected(422);
    assert_eq!(
        why,
        "Namespace \"a\" is invalid: status.Phase: Invalid value: \"Terminating\": may only be 'Active' if \
         `deletionTimestamp` is empty"
    );
    let why = delete(&client, &format!("{path}?dryRun=Some")).await.code;
    assert_eq!(why, 422);
    next["spec"]["finalizers"] = json!([]);
    send(&client, "PUT", &finalize, &next).await.ok();
    let options = json!({"preconditions": {"resourceVersion": "1"}});
    let why = send(&client, "DELETE", &path, &options).await.rejected(409);
    assert!(
        why.starts_with(
            "Operation cannot be fulfilled on namespaces \"a\": Precondition failed: ResourceVersion in precondition: 1, \
             ResourceVersion in object meta: "
        ),
        "{why}"
    );
    // Nothing keeps the namespace, but the first request only begins its deletion.
    let begun = delete(&client, &path).await.ok();
    assert_eq!(begun["status"]["phase"], "Terminating");
    delete(&client, &path).await.ok();
    assert_eq!(get(&client, &path).await.code, 404);
}

#[tokio::test]
async fn a_namespace_that_orphans_nothing_goes_in_the_foreground() {
    let client = ApiServer::builder().without_controllers().start().client();
    let space = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a"}});
    send(&client, "POST", "/api/v1/namespaces", &space).await.ok();
    let gone = delete(&client, "/api/v1/namespaces/a?orphanDependents=false").await.ok();
    assert_eq!(gone["metadata"]["finalizers"], json!(["foregroundDeletion"]));
}

#[tokio::test]
async fn what_is_left_of_a_namespace_can_be_changed_since_1_37() {
    for (minor, code) in [("1.37", 200), ("1.36", 404)] {
        let server = ApiServer::builder().kubernetes(minor.parse().expect("known"));
        let client = server.without_controllers().start().client();
        let spaces = "/api/v1/namespaces";
        let space = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a"}});
        send(&client, "POST", spaces, &space).await.ok();
        let map = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "m"}});
        send(&client, "POST", &format!("{spaces}/a/configmaps"), &map).await.ok();
        delete(&client, &format!("{spaces}/a")).await.ok();
        let mut next = space.clone();
        next["spec"]["finalizers"] = json!([]);
        send(&client, "PUT", &format!("{spaces}/a/finalize"), &next).await.ok();
        assert_eq!(get(&client, &format!("{spaces}/a")).await.code, 404);
        let change = json!({"data": {"k": "v"}});
        let path = format!("{spaces}/a/configmaps/m");
        assert_eq!(patch(&client, &path, "merge", &change).await.code, code);
        assert_eq!(send(&client, "POST", &format!("{spaces}/a/configmaps"), &map).await.code, 404);
    }
}

#[tokio::test]
async fn partial_metadata_of_a_daemon_set_lacks_the_template_generation() {
    let client = ApiServer::new().client();
    let spec = deployment()["spec"].as_object().expect("a spec").clone();
    let spec: Value = spec.into_iter().filter(|(key, _)| key != "replicas").collect();
    let set = json!({
        "apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "a"}, "spec": spec,
    });
    let path = "/apis/apps/v1/namespaces/default/daemonsets";
    let made = send(&client, "POST", path, &set).await.ok();
    let name = "deprecated.daemonset.template.generation";
    assert_eq!(made["metadata"]["annotations"][name], "1");
    let partial = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
    let partial = get_as(&client, &format!("{path}/a"), partial).await.ok();
    assert_eq!(partial["metadata"]["annotations"], Value::Null);
    let table = "application/json;as=Table;v=v1;g=meta.k8s.io";
    let table = get_as(&client, path, table).await.ok();
    assert_eq!(table["rows"][0]["object"]["metadata"]["annotations"], Value::Null);
}

#[tokio::test]
async fn an_empty_table_with_default_columns_has_no_rows() {
    let client = ApiServer::new().client();
    let table = "application/json;as=Table;v=v1;g=meta.k8s.io";
    let rows = async |path: &str| get_as(&client, path, table).await.ok()["rows"].clone();
    assert_eq!(rows("/api/v1/namespaces/default/limitranges").await, Value::Null);
    assert_eq!(rows("/api/v1/namespaces/default/configmaps").await, json!([]));
}
