use serde_json::{Value, json};

use super::{Decoding, TYPES, complete, decode, named};

const MINOR: u32 = 37;

fn of(kind: &str) -> &'static super::NamedType {
    named(kind).expect("a type of the table")
}

fn decoded(kind: &str, mut object: Value) -> (Value, Vec<String>) {
    let strict = decode(of(kind), &mut object, MINOR).expect("decodes");
    (object, strict)
}

fn rejected(kind: &str, mut object: Value) -> String {
    decode(of(kind), &mut object, MINOR).expect_err("is rejected")
}

#[test]
fn types_have_distinct_fields() {
    assert!(TYPES.len() > 250, "{}", TYPES.len());
    for type_ in TYPES.values() {
        let fields: Vec<&str> = type_.fields(MINOR).map(|field| field.name).collect();
        let mut once = fields.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), fields.len(), "{}", type_.name);
    }
    assert!(of("core.v1.Pod").fields(MINOR).any(|field| field.name == "spec"));
}

#[test]
fn fields_that_are_always_written_are_added() {
    let (pod, strict) = decoded("core.v1.Pod", json!({"spec": {"containers": [{"name": "a"}]}}));
    assert_eq!(strict, Vec::<String>::new());
    let expected = json!({
        "metadata": {}, "spec": {"containers": [{"name": "a", "resources": {}}]}, "status": {},
    });
    assert_eq!(pod, expected);
    let mut set = json!({"spec": {"selector": {}, "template": {}}});
    complete(of("apps.v1.ReplicaSet"), &mut set, MINOR);
    assert_eq!(set["status"], json!({"replicas": 0}));
    assert_eq!(set["spec"]["template"]["spec"], json!({"containers": null}));
}

#[test]
fn empty_values_are_left_out() {
    let spec = json!({
        "replicas": null, "paused": false, "minReadySeconds": 0, "selector": {"matchLabels": {}},
        "template": {"metadata": {"creationTimestamp": null, "labels": {"a": null}}},
    });
    let (found, _) = decoded("apps.v1.Deployment", json!({"spec": spec}));
    let expected = json!({
        "selector": {}, "strategy": {},
        "template": {"metadata": {"labels": {"a": ""}}, "spec": {"containers": null}},
    });
    assert_eq!(found["spec"], expected);
}

#[test]
fn unknown_fields_are_dropped_at_their_paths() {
    let spec =
        json!({"containers": [{"name": "a", "imagee": 1, "env": [{"name": "b", "x": 1}]}], "y": 1});
    let (pod, strict) = decoded("core.v1.Pod", json!({"spec": spec, "metadata": {"z": 1}}));
    let expected =
        ["metadata.z", "spec.containers[0].env[0].x", "spec.containers[0].imagee", "spec.y"];
    assert_eq!(strict, expected.map(|path| format!("unknown field {path:?}")));
    assert_eq!(pod["spec"]["containers"][0]["env"], json!([{"name": "b"}]));
}

#[test]
fn values_of_the_wrong_type_have_the_messages_of_go() {
    let mismatch =
        |found: &str, at: &str| format!("json: cannot unmarshal {found} into Go struct field {at}");
    for (kind, object, expected) in [
        (
            "apps.v1.Deployment",
            json!({"spec": "x"}),
            mismatch("string", "Deployment.spec of type v1.DeploymentSpec"),
        ),
        (
            "apps.v1.Deployment",
            json!({"spec": {"replicas": "1"}}),
            mismatch("string", "DeploymentSpec.spec.replicas of type int32"),
        ),
        (
            "apps.v1.Deployment",
            json!({"spec": {"replicas": 1.5}}),
            mismatch("number 1.5", "DeploymentSpec.spec.replicas of type int32"),
        ),
        (
            "core.v1.Pod",
            json!({"spec": {"containers": [{"env": [{"value": 1}]}]}}),
            mismatch("number", "EnvVar.spec.containers.env.value of type string"),
        ),
        (
            "core.v1.Pod",
            json!({"spec": {"containers": ["x"]}}),
            mismatch("string", "PodSpec.spec.containers of type v1.Container"),
        ),
        (
            "core.v1.Pod",
            json!({"spec": {"volumes": [{"secret": 1}]}}),
            mismatch(
                "number",
                "Volume.spec.volumes.VolumeSource.secret of type v1.SecretVolumeSource",
            ),
        ),
        (
            "core.v1.Pod",
            json!({"spec": {"restartPolicy": 1}}),
            mismatch("number", "PodSpec.spec.restartPolicy of type v1.RestartPolicy"),
        ),
        (
            "core.v1.Service",
            json!({"spec": {"ports": [{"targetPort": true}]}}),
            mismatch("bool", "ServicePort.spec.ports.targetPort of type int32"),
        ),
        (
            "core.v1.ConfigMap",
            json!({"data": {"a": 1}}),
            mismatch("number", "ConfigMap.data of type string"),
        ),
        (
            "core.v1.Secret",
            json!({"data": {"a": "?"}}),
            "illegal base64 data at input byte 0".to_owned(),
        ),
    ] {
        assert_eq!(rejected(kind, object), expected);
    }
}

#[test]
fn quantities_are_written_in_their_canonical_form() {
    let resources = json!({"limits": {"cpu": 1, "memory": "1024Mi"}, "requests": {"cpu": "0.5"}});
    let (pod, _) = decoded(
        "core.v1.Pod",
        json!({"spec": {"containers": [{"name": "a", "resources": resources}]}}),
    );
    assert_eq!(
        pod["spec"]["containers"][0]["resources"],
        json!({"limits": {"cpu": "1", "memory": "1Gi"}, "requests": {"cpu": "500m"}})
    );
}

#[test]
fn times_are_written_in_utc() {
    let spec = json!({"acquireTime": "2024-01-01T01:00:00.000000+01:00"});
    let (lease, _) = decoded("coordination.v1.Lease", json!({"spec": spec}));
    assert_eq!(lease["spec"]["acquireTime"], "2024-01-01T00:00:00.000000Z");
}

#[test]
fn bytes_can_be_a_list_of_numbers() {
    let (secret, _) = decoded("core.v1.Secret", json!({"data": {"a": [104, 105], "b": "aGk="}}));
    assert_eq!(secret["data"], json!({"a": "aGk=", "b": "aGk="}));
    assert_eq!(
        rejected("core.v1.Secret", json!({"data": {"a": [256]}})),
        "json: cannot unmarshal number 256 into Go struct field Secret.data of type uint8",
    );
}

#[test]
fn a_pointer_to_a_zero_time_is_written_as_null() {
    let times = json!({"deletionTimestamp": "0001-01-01T00:00:00Z", "creationTimestamp": "0001-01-01T00:00:00Z"});
    let (pod, _) = decoded("core.v1.Pod", json!({"metadata": times}));
    assert_eq!(pod["metadata"], json!({"deletionTimestamp": null}));
}

/// Source: `fromUnstructured` of apimachinery `pkg/runtime/converter.go`.
#[test]
fn integers_of_merged_objects_are_converted_as_go_converts_them() {
    let merged = |replicas: Value| {
        let mut object = json!({"spec": {"replicas": replicas}});
        let decoded = Decoding::Merged.decode(of("apps.v1.Deployment"), &mut object, MINOR);
        decoded.map(|_| object["spec"]["replicas"].take())
    };
    for (given, want) in [
        (json!(5_000_000_000_i64), json!(705_032_704)),
        (json!(-5_000_000_000_i64), json!(-705_032_704)),
        (json!(1e10), json!(1_410_065_408)),
        (json!(1.0), json!(1)),
        (json!(1e21), json!(0)),
    ] {
        assert_eq!(merged(given), Ok(want));
    }
    assert_eq!(merged(json!(1.5)), Err("cannot convert float64 to int32".to_owned()));
}
