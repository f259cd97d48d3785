use serde_json::json;

use super::*;

#[track_caller]
fn check(kind: (&str, &str), object: &Value, want: &[&str]) {
    assert_eq!(on_create(kind, object, 37), want);
}

/// Checks the warnings by the first minor that gives them, from 1.30 on.
#[track_caller]
fn check_minors(kind: (&str, &str), object: &Value, want: &[(u32, &[&str])]) {
    for minor in 30..=37 {
        let warnings = want.iter().rev().find(|(since, _)| *since <= minor).unwrap().1;
        assert_eq!(on_create(kind, object, minor), warnings, "1.{minor}");
    }
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
    assert_eq!(on_update(("apps", "Deployment"), &deployment, &deployment, 37), [""; 0]);
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

#[test]
fn older_minors_warn_of_less() {
    let key = "kubernetes.io/enforce-mountable-secrets";
    let account = json!({"metadata": {"annotations": {key: "true"}}});
    let text = "metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+; prefer separate \
                namespaces to isolate access to mounted secrets";
    check_minors(("", "ServiceAccount"), &account, &[(30, &[]), (32, &[text])]);
    let set = json!({"spec": {"revisionHistoryLimit": -1}});
    let text = "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended";
    check_minors(("apps", "StatefulSet"), &set, &[(30, &[]), (33, &[text])]);
    let headless =
        json!({"spec": {"type": "ClusterIP", "clusterIP": "None", "sessionAffinity": "ClientIP"}});
    let text = "spec.SessionAffinity is ignored for headless services";
    check_minors(("", "Service"), &headless, &[(30, &[]), (34, &[text])]);
    let service = json!({"spec": {"type": "ClusterIP", "externalIPs": ["1.2.3.4"], "trafficDistribution": "PreferClose"}});
    let close = "spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"";
    let external =
        "spec.externalIPs is deprecated and may no longer be implemented in some clusters";
    check_minors(("", "Service"), &service, &[(30, &[]), (35, &[close]), (36, &[external, close])]);
}

#[test]
fn older_minors_warn_of_less_in_pods() {
    let pod = json!({"metadata": {"name": "a"}, "spec": {
        "nodeSelector": {"node-role.kubernetes.io/master": ""},
        "volumes": [{"name": "v", "gitRepo": {}}],
        "containers": [{"name": "x", "ports": [
            {"name": "web", "containerPort": 80}, {"name": "web", "containerPort": 81},
        ]}],
    }});
    let label = "spec.nodeSelector[node-role.kubernetes.io/master]: use \"node-role.kubernetes.io/control-plane\" instead";
    let old_git = "spec.volumes[0].gitRepo: deprecated in v1.11";
    let git = "spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+";
    let port = "spec.containers[0].ports[1]: duplicate port name \"web\" with spec.containers[0].ports[0], services and \
                probes that select ports by name will use spec.containers[0].ports[0]";
    check_minors(
        ("", "Pod"),
        &pod,
        &[(30, &[old_git]), (31, &[label, old_git]), (33, &[label, git, port])],
    );
}

#[test]
fn paths_of_volumes_that_overlap_are_warned_of() {
    let files = |paths: &[&str]| {
        let items = paths.iter().map(|path| json!({"key": "k", "path": path}));
        items.collect::<Vec<_>>()
    };
    let pod = json!({"metadata": {"name": "a"}, "spec": {"volumes": [
        {"name": "c", "configMap": {"name": "m", "items": files(&["a", "a/b", "ab", "a/"])}},
        {"name": "s", "secret": {"secretName": "n", "items": files(&["x", "y"])}},
        {"name": "p", "projected": {"sources": [
            {"secret": {"name": "n", "items": files(&["t"])}}, {},
            {"serviceAccountToken": {"path": "t/u"}}, {"downwardAPI": {"items": [{"path": "t"}]}},
        ]}},
    ]}});
    check(
        ("", "Pod"),
        &pod,
        &[
            "volume \"c\" (ConfigMap \"m\"): overlapping paths: \"a/b\" with \"a\"",
            "volume \"c\" (ConfigMap \"m\"): overlapping paths: \"a\" with \"a\"",
            "volume \"c\" (ConfigMap \"m\"): overlapping paths: \"a\" with \"a/b\"",
            "volume \"p\" (Projected) has no sources provided",
            "volume \"p\" (Projected): overlapping paths: \"t/u\" (ServiceAccountToken) with \"t\" (Secret \"n\")",
            "volume \"p\" (Projected): overlapping paths: \"t\" (DownwardAPI) with \"t\" (Secret \"n\")",
            "volume \"p\" (Projected): overlapping paths: \"t\" (DownwardAPI) with \"t/u\" (ServiceAccountToken)",
        ],
    );
}

#[test]
fn annotations_for_profiles_are_warned_of_without_the_fields() {
    let template = json!({
        "metadata": {"annotations": {
            "seccomp.security.alpha.kubernetes.io/pod": "x",
            "container.seccomp.security.alpha.kubernetes.io/a": "x",
            "container.apparmor.security.beta.kubernetes.io/a": "runtime/default",
            "container.apparmor.security.beta.kubernetes.io/b": "localhost/p",
        }},
        "spec": {
            "securityContext": {"appArmorProfile": {"type": "RuntimeDefault"}},
            "containers": [{"name": "a"}, {"name": "b"}],
        },
    });
    let at = "spec.template.metadata.annotations";
    check(
        ("apps", "DaemonSet"),
        &json!({"spec": {"template": template}}),
        &[
            &format!(
                "{at}[seccomp.security.alpha.kubernetes.io/pod]: non-functional in v1.27+; use the \"seccompProfile\" field \
                 instead"
            ),
            &format!(
                "{at}[container.seccomp.security.alpha.kubernetes.io/a]: non-functional in v1.27+; use the \
                 \"seccompProfile\" field instead"
            ),
            &format!(
                "{at}[container.apparmor.security.beta.kubernetes.io/b]: deprecated since v1.30; use the \
                 \"appArmorProfile\" field instead"
            ),
        ],
    );
}

#[test]
fn addresses_and_claims_and_terms_are_warned_of() {
    let service = json!({"spec": {
        "type": "LoadBalancer", "clusterIP": "10.0.0.01", "clusterIPs": ["10.0.0.01"], "sessionAffinity": "None",
        "loadBalancerSourceRanges": ["10.0.0.1/8"],
    }});
    check(
        ("", "Service"),
        &service,
        &[
            "spec.clusterIPs[0]: non-standard IP address \"10.0.0.01\" is invalid: use \"10.0.0.1\"",
            "spec.loadBalancerSourceRanges[0]: CIDR value \"10.0.0.1/8\" is ambiguous in this context (should be \
             \"10.0.0.0/8\" or \"10.0.0.1/32\"?)",
        ],
    );
    assert_eq!(
        on_status(
            ("", "Service"),
            &json!({"status": {"loadBalancer": {"ingress": [{"ip": "01.2.3.4"}]}}}),
            37
        ),
        [
            "status.loadBalancer.ingress[0]: non-standard IP address \"01.2.3.4\" is invalid: use \"1.2.3.4\""
        ]
    );
    let claim = json!({"spec": {"resources": {"requests": {"storage": "100m"}}}});
    let set = json!({"spec": {"volumeClaimTemplates": [claim]}});
    let why = "resources.requests[storage]: fractional byte value \"100m\" is invalid, must be an integer";
    check(("apps", "StatefulSet"), &set, &[&format!("spec.volumeClaimTemplates[0].{why}")]);
    assert_eq!(
        on_update(("apps", "StatefulSet"), &set, &set, 37),
        [format!("spec.volumeClaimTemplates[0].Spec.{why}")]
    );
    let expression = json!({"key": "beta.kubernetes.io/os", "operator": "In", "values": ["a b"]});
    let affinity = json!({"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [
        {"preference": {"matchExpressions": [expression]}},
    ]}});
    let warnings = on_create(
        ("", "Pod"),
        &json!({"metadata": {"name": "a"}, "spec": {"affinity": affinity}}),
        37,
    );
    let at = "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0]";
    assert_eq!(
        warnings[0],
        format!(
            "{at}.key: beta.kubernetes.io/os is deprecated since v1.14; use \"kubernetes.io/os\" instead"
        )
    );
    assert!(
        warnings[1].starts_with(&format!("{at}.values[0]: a b is invalid, a valid label must be"))
    );
}
