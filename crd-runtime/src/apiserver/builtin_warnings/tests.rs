use serde_json::json;

use super::*;

#[track_caller]
fn check(kind: (&str, &str), object: &Value, want: &[&str]) {
    assert_eq!(on_create(kind, object), want);
}

#[test]
fn ports_of_pods_are_distinguished() {
    let pod = json!({"metadata": {"name": "a"}, "spec": {"containers": [
        {"name": "x", "ports": [{"name": "web", "containerPort": 80, "protocol": "TCP"}]},
        {"name": "y", "ports": [
            {"name": "web", "containerPort": 80, "protocol": "TCP"},
            {"containerPort": 80, "protocol": "TCP", "hostPort": 8080},
            {"containerPort": 80, "protocol": "UDP"},
        ]},
    ]}});
    check(
        ("", "Pod"),
        &pod,
        &[
            "spec.containers[1].ports[0]: duplicate port definition with spec.containers[0].ports[0]",
            "spec.containers[1].ports[1]: overlapping port definition with spec.containers[0].ports[0]",
            "spec.containers[1].ports[1]: overlapping port definition with spec.containers[1].ports[0]",
            "spec.containers[1].ports[0]: duplicate port name \"web\" with spec.containers[0].ports[0], services and probes \
         that select ports by name will use spec.containers[0].ports[0]",
        ],
    );
}

#[test]
fn templates_are_warned_of_by_their_path() {
    let spec = json!({
        "nodeSelector": {"beta.kubernetes.io/os": "linux"},
        "volumes": [{"name": "v", "rbd": {}}],
        "containers": [{
            "name": "x", "env": [{"name": "A"}, {"name": "A", "value": "$(A)b"}, {"name": "A", "value": "c"}],
            "resources": {"limits": {"memory": "128m"}},
        }],
    });
    let deployment = json!({"metadata": {"name": "a.b"}, "spec": {"template": {"spec": spec}}});
    check(
        ("apps", "Deployment"),
        &deployment,
        &[
            "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is \
         recommended: [must not contain dots]",
            "spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use \"kubernetes.io/os\" instead",
            "spec.template.spec.volumes[0].rbd: deprecated in v1.28, non-functional in v1.31+",
            "spec.template.spec.containers[0].resources.limits[memory]: fractional byte value \"128m\" is invalid, must be \
         an integer",
            "spec.template.spec.containers[0].env[2]: hides previous definition of \"A\", which may be dropped when using \
         apply",
        ],
    );
    assert_eq!(on_update(("apps", "Deployment"), &deployment, &deployment), [""; 0]);
}

#[test]
fn services_are_warned_of() {
    let headless = json!({"spec": {
        "type": "ClusterIP", "clusterIP": "None", "sessionAffinity": "ClientIP", "externalIPs": ["1.2.3.4"],
    }});
    check(
        ("", "Service"),
        &headless,
        &[
            "spec.externalIPs is ignored for headless services",
            "spec.SessionAffinity is ignored for headless services",
        ],
    );
    let external =
        json!({"spec": {"type": "ClusterIP", "externalIPs": ["1.2.3.4"], "externalName": "a"}});
    check(
        ("", "Service"),
        &external,
        &[
            "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
            "spec.externalName is ignored when spec.type is not \"ExternalName\"",
        ],
    );
}
