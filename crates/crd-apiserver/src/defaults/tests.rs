use serde_json::{Value, json};

use super::rows::ROWS;
use super::set;
use crate::go_types::{decode, named};

const MINOR: u32 = 37;

fn defaulted(kind: &str, mut object: Value) -> Value {
    let type_ = named(kind).expect("a type of the table");
    decode(type_, &mut object, MINOR).expect("decodes");
    set(type_, &mut object, MINOR);
    object
}

#[test]
fn rows_name_types_and_fields() {
    for row in ROWS {
        let type_ = named(row.type_).unwrap_or_else(|| panic!("{}", row.type_));
        let first = row.path.split('.').next().unwrap_or_default();
        assert!(type_.fields(MINOR).any(|field| field.name == first), "{}.{first}", row.type_);
    }
}

#[test]
fn a_minimal_deployment() {
    let found = defaulted(
        "apps.v1.Deployment",
        json!({"spec": {"template": {"spec": {"containers": [{"name": "a", "image": "b"}]}}}}),
    );
    let expected = json!({
        "replicas": 1, "selector": null, "revisionHistoryLimit": 10, "progressDeadlineSeconds": 600,
        "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": "25%", "maxSurge": "25%"}},
        "template": {"metadata": {}, "spec": {
            "containers": [{
                "name": "a", "image": "b", "imagePullPolicy": "Always", "resources": {},
                "terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File",
            }],
            "dnsPolicy": "ClusterFirst", "restartPolicy": "Always", "schedulerName": "default-scheduler",
            "securityContext": {}, "terminationGracePeriodSeconds": 30,
        }},
    });
    assert_eq!(found["spec"], expected);
}

#[test]
fn pull_policies_follow_tags() {
    for (image, policy) in [
        ("a", "Always"),
        ("a:latest", "Always"),
        ("a:1", "IfNotPresent"),
        ("localhost:5000/a", "Always"),
        ("localhost:5000/a:1", "IfNotPresent"),
        ("a@sha256:b", "IfNotPresent"),
    ] {
        let pod = defaulted(
            "core.v1.Pod",
            json!({"spec": {"containers": [{"name": "a", "image": image}]}}),
        );
        assert_eq!(pod["spec"]["containers"][0]["imagePullPolicy"], policy, "{image}");
    }
}

#[test]
fn features_that_are_disabled_have_no_defaults() {
    let has_default = |kind: &str, object: &Value, path: &str| -> Vec<bool> {
        let type_ = named(kind).expect("a type of the table");
        let on = |minor| {
            let mut object = object.clone();
            set(type_, &mut object, minor);
            object.pointer(path).is_some()
        };
        (32..=37).map(on).collect()
    };
    let stateful_set =
        json!({"spec": {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {}}}});
    let path = "/spec/updateStrategy/rollingUpdate/maxUnavailable";
    let since_37 = [false, false, false, false, false, true];
    assert_eq!(has_default("apps.v1.StatefulSet", &stateful_set, path), since_37);
    let pod =
        json!({"spec": {"volumes": [{"name": "g", "image": {"reference": "example.com/g:1"}}]}});
    let since_35 = [false, false, false, true, true, true];
    assert_eq!(has_default("core.v1.Pod", &pod, "/spec/volumes/0/image/pullPolicy"), since_35);
}

#[test]
fn limits_follow_from_each_other() {
    let range = json!({"spec": {"limits": [
        {"type": "Container", "max": {"cpu": "2"}, "min": {"cpu": "1", "memory": "1Gi"}, "default": {"pods": "3"}},
        {"type": "Pod", "max": {"cpu": "2"}},
    ]}});
    let found = defaulted("core.v1.LimitRange", range);
    let limits = &found["spec"]["limits"];
    assert_eq!(limits[0]["default"], json!({"cpu": "2", "pods": "3"}));
    assert_eq!(limits[0]["defaultRequest"], json!({"cpu": "2", "pods": "3", "memory": "1Gi"}));
    assert_eq!(limits[1], json!({"type": "Pod", "max": {"cpu": "2"}}));
}
