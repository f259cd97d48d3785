//! Rows by status. Source of the expected values: `printers_test.go` of `pkg/printers/internalversion`.

use std::slice;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::super::builtin::TABLE;
use super::{conditions, table};

/// 1970-01-31T00:00:00Z.
fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(30 * 24 * 60 * 60)
}

fn cells(kind: (&str, &str), object: &Value) -> Value {
    let built_in = TABLE.iter().find(|it| (it.group, it.kind) == kind).expect("a kind");
    let (_, rows) = table(built_in, slice::from_ref(object), now()).expect("the kind has columns");
    rows[0].clone().into()
}

/// Returns the cells of a pod up to `Restarts`, without its name.
fn pod(object: &Value) -> [String; 3] {
    let cells = cells(("", "Pod"), object);
    [1, 2, 3].map(|index| cells[index].as_str().unwrap_or_default().to_owned())
}

#[test]
fn endpoints_show_three_addresses() {
    let subset = json!({"addresses": [{"ip": "1.2.3.4"}, {"ip": "::1"}], "ports": [{"port": 80}, {"port": 81}]});
    let shown = |subsets: Value| cells(("", "Endpoints"), &json!({"subsets": subsets}))[1].clone();
    assert_eq!(shown(Value::Null), "<none>");
    assert_eq!(shown(json!([subset])), "1.2.3.4:80,[::1]:80,1.2.3.4:81 + 1 more...");
    assert_eq!(shown(json!([{"addresses": [{"ip": "1.2.3.4"}]}])), "1.2.3.4");
    let slice = json!({"addressType": "IPv4", "ports": [{"port": 80}, {"name": "web"}, {}], "endpoints": []});
    let cells = cells(("discovery.k8s.io", "EndpointSlice"), &slice);
    assert_eq!((&cells[2], &cells[3]), (&json!("80,web,*"), &json!("<unset>")));
}

#[test]
fn revisions_show_their_controller() {
    let owners = json!([
        {"apiVersion": "v1", "kind": "ConfigMap", "name": "a"},
        {"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "b", "controller": true},
    ]);
    let revision = json!({"metadata": {"name": "r", "ownerReferences": owners}, "revision": 7});
    let cells = cells(("apps", "ControllerRevision"), &revision);
    assert_eq!((&cells[1], &cells[2]), (&json!("daemonset.apps/b"), &json!(7)));
}

#[test]
fn classes_show_their_defaults() {
    let name = |value: &str| {
        let annotations = json!({"ingressclass.kubernetes.io/is-default-class": value});
        let spec =
            json!({"controller": "c", "parameters": {"apiGroup": "g", "kind": "K", "name": "p"}});
        let class = json!({"metadata": {"name": "i", "annotations": annotations}, "spec": spec});
        let cells = cells(("networking.k8s.io", "IngressClass"), &class);
        assert_eq!(cells[2], "K.g/p");
        cells[0].clone()
    };
    assert_eq!((name("true"), name("false")), (json!("i (default)"), json!("i")));
    let driver = cells(("storage.k8s.io", "CSIDriver"), &json!({"spec": {}}));
    assert_eq!(
        driver.as_array().expect("cells")[1..7],
        [json!(true), json!(false), json!(false), json!("<unset>"), json!(false), json!("<none>"),]
    );
}

#[test]
fn autoscalers_show_two_metrics() {
    let targets = |metrics: Value, statuses: Value| {
        let object = json!({
            "spec": {"scaleTargetRef": {"kind": "Deployment", "name": "web"}, "maxReplicas": 5, "metrics": metrics},
            "status": {"currentReplicas": 4, "currentMetrics": statuses},
        });
        let cells = cells(("autoscaling", "HorizontalPodAutoscaler"), &object);
        assert_eq!((&cells[1], &cells[3]), (&json!("Deployment/web"), &json!("<unset>")));
        assert_eq!((&cells[4], &cells[5]), (&json!(5), &json!(4)));
        cells[2].as_str().unwrap_or_default().to_owned()
    };
    let none = Value::Null;
    assert_eq!(targets(none.clone(), none.clone()), "<none>");
    let pods = json!({"type": "Pods", "pods": {"target": {"averageValue": "100"}}});
    assert_eq!(targets(json!([pods]), none.clone()), "<unknown>/100");
    let current = json!([{"type": "Pods", "pods": {"current": {"averageValue": "50"}}}]);
    assert_eq!(targets(json!([pods]), current), "50/100");
    let external = json!({"type": "External", "external": {"target": {"averageValue": "200m"}}});
    assert_eq!(targets(json!([external]), none.clone()), "<unknown>/200m (avg)");
    let of = |type_: &str, target: Value| {
        let key = format!("{}{}", type_[..1].to_lowercase(), &type_[1..]);
        json!({"type": type_, (key): {"name": "cpu", "target": target}})
    };
    let cpu = of("Resource", json!({"averageUtilization": 80}));
    let current =
        json!([{"type": "Resource", "resource": {"current": {"averageUtilization": 50}}}]);
    assert_eq!(targets(json!([cpu]), current), "cpu: 50%/80%");
    let container = of("ContainerResource", json!({"averageValue": "40m"}));
    let object = of("Object", json!({"value": "100m"}));
    assert_eq!(
        targets(json!([container, object, cpu]), none.clone()),
        "cpu: <unknown>/40m, <unknown>/100m + 1 more..."
    );
    assert_eq!(targets(json!([of("Resource", json!({}))]), none), "cpu: <unknown>/<auto>");
}

fn running(restarts: u32, is_ready: bool) -> Value {
    json!({"ready": is_ready, "restartCount": restarts, "state": {"running": {}}})
}

fn restarted(restarts: u32, is_ready: bool, at: &str) -> Value {
    let mut status = running(restarts, is_ready);
    status["lastState"] = json!({"terminated": {"finishedAt": at}});
    status
}

fn waiting(reason: &str) -> Value {
    json!({"restartCount": 3, "state": {"waiting": {"reason": reason}}})
}

fn terminated(reason: &str, exit_code: i32) -> Value {
    json!({"restartCount": 0, "state": {"terminated": {"reason": reason, "exitCode": exit_code}}})
}

#[test]
fn pods_by_their_containers() {
    let ready = json!([{"type": "Ready", "status": "True"}]);
    for (phase, statuses, conditions, want) in [
        ("P", vec![running(3, true), json!({"restartCount": 3})], json!([]), ["1/2", "P", "6"]),
        (
            "P",
            vec![running(3, true), waiting("CrashLoopBackOff")],
            json!([]),
            ["1/2", "CrashLoopBackOff", "6"],
        ),
        ("P", vec![waiting("W"), terminated("T", 0)], json!([]), ["0/2", "W", "3"]),
        ("P", vec![terminated("", 7), terminated("T", 0)], json!([]), ["0/2", "ExitCode:7", "0"]),
        (
            "Running",
            vec![terminated("Completed", 0), running(6, true)],
            json!([]),
            ["1/2", "NotReady", "6"],
        ),
        (
            "Running",
            vec![terminated("Completed", 0), running(6, true)],
            ready,
            ["1/2", "Running", "6"],
        ),
        (
            "Failed",
            vec![terminated("Completed", 0), terminated("Error", 1)],
            json!([]),
            ["0/2", "Error", "0"],
        ),
        (
            "Running",
            vec![
                restarted(6, true, "1970-01-26T00:00:00Z"),
                restarted(3, true, "1970-01-11T00:00:00Z"),
            ],
            json!([]),
            ["2/2", "Running", "9 (5d ago)"],
        ),
        (
            "P",
            vec![],
            json!([{"type": "PodScheduled", "status": "False", "reason": "SchedulingGated"}]),
            ["0/2", "SchedulingGated", "0"],
        ),
    ] {
        let object = json!({
            "spec": {"containers": [{}, {}]},
            "status": {"phase": phase, "containerStatuses": statuses, "conditions": conditions},
        });
        assert_eq!(pod(&object), want, "{object}");
    }
}

#[test]
fn pods_by_their_init_containers() {
    let seconds_ago = "1970-01-30T23:59:50Z";
    let done =
        |restarts: u32| json!({"restartCount": restarts, "state": {"terminated": {"exitCode": 0}}});
    let sidecar = json!({"name": "s", "restartPolicy": "Always"});
    let started = json!({
        "name": "s", "ready": true, "started": true, "restartCount": 2, "state": {"running": {}},
    });
    for (specs, statuses, own, want) in [
        (
            json!([{}]),
            json!([restarted(3, false, seconds_ago)]),
            running(0, false),
            ["0/1", "Init:0/1", "3 (10s ago)"],
        ),
        (
            json!([{}, {}]),
            json!([done(2), restarted(3, false, seconds_ago)]),
            running(0, false),
            ["0/1", "Init:1/2", "5 (10s ago)"],
        ),
        (
            json!([{}]),
            json!([done(2)]),
            restarted(4, false, seconds_ago),
            ["0/1", "Running", "4 (10s ago)"],
        ),
        (
            json!([{}]),
            json!([waiting("ImagePullBackOff")]),
            running(0, false),
            ["0/1", "Init:ImagePullBackOff", "3"],
        ),
        (
            json!([{}]),
            json!([waiting("PodInitializing")]),
            running(0, false),
            ["0/1", "Init:0/1", "3"],
        ),
        (
            json!([{}]),
            json!([terminated("", 1)]),
            running(0, false),
            ["0/1", "Init:ExitCode:1", "0"],
        ),
        (json!([sidecar]), json!([started]), running(1, true), ["2/2", "Running", "3"]),
    ] {
        let object = json!({
            "spec": {"containers": [{}], "initContainers": specs},
            "status": {
                "phase": "Running", "initContainerStatuses": statuses, "containerStatuses": [own],
            },
        });
        assert_eq!(pod(&object), want, "{object}");
    }
}

#[test]
fn pods_that_end() {
    for (phase, reason, want, row_reason) in [
        ("Succeeded", "", "Succeeded", Some("Succeeded")),
        ("Failed", "", "Failed", Some("Failed")),
        ("Failed", "Evicted", "Evicted", Some("Failed")),
        ("Running", "", "Terminating", None),
        ("Pending", "", "Terminating", None),
        ("Running", "NodeLost", "Unknown", None),
    ] {
        let object = json!({
            "metadata": {"deletionTimestamp": "1970-01-31T00:00:00Z"},
            "spec": {"containers": [{}]}, "status": {"phase": phase, "reason": reason},
        });
        assert_eq!(pod(&object)[1], want, "{phase} {reason}");
        let row = conditions(("", "Pod"), &object);
        assert_eq!(row.as_ref().and_then(|it| it[0]["reason"].as_str()), row_reason, "{phase}");
    }
}

#[test]
fn wide_cells_of_pods() {
    let object = json!({
        "metadata": {"name": "a"},
        "spec": {
            "containers": [{}], "nodeName": "n",
            "readinessGates": [{"conditionType": "A"}, {"conditionType": "B"}],
        },
        "status": {
            "podIPs": [{"ip": "1.1.1.1"}, {"ip": "2001:db8::"}],
            "conditions": [{"type": "A", "status": "False"}, {"type": "B", "status": "True"}],
        },
    });
    let want = json!(["a", "0/1", "", "0", "<unknown>", "1.1.1.1", "n", "<none>", "1/2"]);
    assert_eq!(cells(("", "Pod"), &object), want);
}

#[test]
fn jobs() {
    let deleted = json!({"deletionTimestamp": "1970-01-31T00:00:00Z"});
    let is = |type_: &str| json!({"conditions": [{"type": type_, "status": "True"}]});
    let times =
        json!({"startTime": "1970-01-30T23:00:00Z", "completionTime": "1970-01-30T23:30:00Z"});
    for (metadata, spec, status, want) in [
        (json!({}), json!({"completions": 2}), json!({"succeeded": 1}), ["Running", "1/2", ""]),
        (json!({}), json!({"parallelism": 3}), json!({}), ["Running", "0/1 of 3", ""]),
        (json!({}), json!({"parallelism": 1}), times, ["Running", "0/1", "30m"]),
        (
            json!({}),
            json!({}),
            json!({"startTime": "1970-01-30T23:40:00Z"}),
            ["Running", "0/1", "20m"],
        ),
        (deleted.clone(), json!({}), is("Complete"), ["Complete", "0/1", ""]),
        (deleted.clone(), json!({}), is("Failed"), ["Failed", "0/1", ""]),
        (deleted, json!({}), is("Suspended"), ["Terminating", "0/1", ""]),
        (json!({}), json!({}), is("Suspended"), ["Suspended", "0/1", ""]),
        (json!({}), json!({}), is("FailureTarget"), ["FailureTarget", "0/1", ""]),
        (json!({}), json!({}), is("SuccessCriteriaMet"), ["SuccessCriteriaMet", "0/1", ""]),
    ] {
        let object = json!({"metadata": metadata, "spec": spec, "status": status});
        let cells = cells(("batch", "Job"), &object);
        assert_eq!(json!([cells[1], cells[2], cells[3]]), json!(want), "{object}");
    }
}

#[test]
fn services() {
    for (spec, ingress, want) in [
        (
            json!({
                "type": "ClusterIP", "clusterIPs": ["10.9.8.7"],
                "ports": [{"port": 2233, "protocol": "TCP"}],
            }),
            json!([]),
            ["ClusterIP", "10.9.8.7", "<none>", "2233/TCP"],
        ),
        (
            json!({
                "type": "NodePort", "clusterIPs": ["10.9.8.7"], "externalIPs": ["1.1.1.1", "2.2.2.2"],
                "ports": [
                    {"port": 8888, "nodePort": 9999, "protocol": "TCP"}, {"port": 53, "protocol": "UDP"},
                ],
            }),
            json!([]),
            ["NodePort", "10.9.8.7", "1.1.1.1,2.2.2.2", "8888:9999/TCP,53/UDP"],
        ),
        (
            json!({"type": "LoadBalancer"}),
            json!([]),
            ["LoadBalancer", "<none>", "<pending>", "<none>"],
        ),
        (
            json!({"type": "LoadBalancer", "externalIPs": ["1.1.1.1"]}),
            json!([{"ip": "3.4.5.6"}, {"hostname": "host"}, {"ip": "2.3.4.5"}]),
            ["LoadBalancer", "<none>", "2.3.4.5,3.4.5.6,host,1.1.1.1", "<none>"],
        ),
        (
            json!({"type": "ExternalName", "externalName": "my.db"}),
            json!([]),
            ["ExternalName", "<none>", "my.db", "<none>"],
        ),
    ] {
        let object = json!({"spec": spec, "status": {"loadBalancer": {"ingress": ingress}}});
        let cells = cells(("", "Service"), &object);
        assert_eq!(json!([cells[1], cells[2], cells[3], cells[4]]), json!(want), "{object}");
    }
}

#[test]
fn labels_are_sorted_as_text() {
    // `.` and `-` sort before `=`.
    let selector = json!({"app": "a", "app.kubernetes.io/name": "b", "app-2": "c"});
    let service = json!({"spec": {"selector": selector}});
    let want = "app-2=c,app.kubernetes.io/name=b,app=a";
    assert_eq!(cells(("", "Service"), &service)[6], want);
    assert_eq!(cells(("", "Service"), &json!({"spec": {}}))[6], "<none>");
}

#[test]
fn hosts_of_ingresses() {
    for (hosts, want) in [
        (vec![], "*"),
        (vec![""], "*"),
        (vec!["a", "", "b"], "a,b"),
        (vec!["a", "b", "c"], "a,b,c"),
        (vec!["a", "b", "c", ""], "a,b,c + 1 more..."),
        (vec!["a", "", "b", "c", "d"], "a,b,c + 2 more..."),
    ] {
        let rules: Vec<Value> = hosts.iter().map(|host| json!({"host": host})).collect();
        let object = json!({"spec": {"rules": rules, "tls": [{}]}});
        let cells = cells(("networking.k8s.io", "Ingress"), &object);
        assert_eq!((&cells[2], &cells[4]), (&json!(want), &json!("80, 443")), "{hosts:?}");
    }
}

#[test]
fn events_of_both_groups() {
    let core = json!({
        "apiVersion": "v1", "metadata": {"name": "e"}, "type": "Normal", "reason": "R",
        "involvedObject": {"kind": "Pod", "name": "p", "fieldPath": "spec"}, "message": " m\n",
        "source": {"component": "kubelet", "host": "n"}, "firstTimestamp": "1970-01-30T23:00:00Z",
        "lastTimestamp": null, "count": 6,
    });
    let new = json!({
        "apiVersion": "events.k8s.io/v1", "metadata": {"name": "e"}, "type": "Normal", "reason": "R",
        "regarding": {"kind": "Pod", "name": "p"}, "note": "m", "eventTime": "1970-01-30T23:00:00.000000Z",
        "reportingController": "c", "reportingInstance": "",
    });
    let want = json!(["60m", "Normal", "R", "pod/p", "spec", "kubelet, n", "m", "60m", 6, "e"]);
    assert_eq!(cells(("", "Event"), &core), want);
    let want = json!(["60m", "Normal", "R", "pod/p", "", "c", "m", "60m", 1, "e"]);
    assert_eq!(cells(("events.k8s.io", "Event"), &new), want);
    let mut series = new;
    series["series"] = json!({"count": 2, "lastObservedTime": "1970-01-30T23:59:50.000000Z"});
    let cells = cells(("events.k8s.io", "Event"), &series);
    assert_eq!((&cells[0], &cells[7], &cells[8]), (&json!("10s"), &json!("60m"), &json!(2)));
}

#[test]
fn nodes_and_volumes() {
    let object = json!({
        "metadata": {"labels": {
            "node-role.kubernetes.io/b": "", "kubernetes.io/role": "a", "node-role.kubernetes.io/": "c",
        }},
        "spec": {"unschedulable": true},
        "status": {
            "conditions": [{"type": "Ready", "status": "False"}],
            "nodeInfo": {"kernelVersion": "6.1", "architecture": "arm64"},
            "addresses": [{"type": "ExternalIP", "address": "1.1.1.1"}],
        },
    });
    let want = json!([
        "",
        "NotReady,SchedulingDisabled",
        "a,b",
        "<unknown>",
        "",
        "<none>",
        "1.1.1.1",
        "<unknown>",
        "6.1 (arm64)",
        "<unknown>",
    ]);
    assert_eq!(cells(("", "Node"), &object), want);
    let modes = json!(["ReadWriteMany", "ReadOnlyMany", "ReadWriteMany"]);
    let mut claim = json!({
        "metadata": {"name": "c"}, "spec": {"volumeMode": "Filesystem"},
        "status": {"phase": "Bound", "accessModes": modes, "capacity": {"storage": "10Gi"}},
    });
    let kind = ("", "PersistentVolumeClaim");
    let unbound = json!(["c", "Bound", "", "", "", "", "<unset>", "<unknown>", "Filesystem"]);
    assert_eq!(cells(kind, &claim), unbound);
    claim["spec"]["volumeName"] = json!("v");
    claim["spec"]["storageClassName"] = json!("s");
    let bound =
        json!(["c", "Bound", "v", "10Gi", "ROX,RWX", "s", "<unset>", "<unknown>", "Filesystem"]);
    assert_eq!(cells(kind, &claim), bound);
}

#[test]
fn quotas_by_requests_and_limits() {
    let quota = json!({
        "metadata": {"name": "q"}, "spec": {"hard": {"cpu": "9"}},
        "status": {
            "hard": {"limits.cpu": "2", "pods": "3", "requests.cpu": "1"},
            "used": {"limits.cpu": "500m", "pods": "2"},
        },
    });
    let found = cells(("", "ResourceQuota"), &quota);
    assert_eq!(found[1], "pods: 2/3, requests.cpu: 0/1");
    assert_eq!(found[2], "limits.cpu: 500m/2");
}

#[test]
fn requests_to_sign_show_their_status() {
    let cells = |seconds: Value, conditions: &[&str], certificate: &str| {
        let conditions: Vec<Value> =
            conditions.iter().map(|type_| json!({"type": type_})).collect();
        let spec =
            json!({"signerName": "example.com/s", "username": "jo", "expirationSeconds": seconds});
        let status = json!({"conditions": conditions, "certificate": certificate});
        let object = json!({
            "metadata": {"name": "a", "creationTimestamp": "1970-01-30T23:59:50Z"}, "spec": spec, "status": status,
        });
        cells(("certificates.k8s.io", "CertificateSigningRequest"), &object)
    };
    let want = json!(["a", "10s", "example.com/s", "jo", "<none>", "Pending"]);
    assert_eq!(cells(Value::Null, &[], ""), want);
    let approved = cells(json!(3_600), &["Approved"], "eA==");
    assert_eq!((&approved[4], &approved[5]), (&json!("60m"), &json!("Approved,Issued")));
    assert_eq!(cells(Value::Null, &["Approved", "Denied", "Failed"], "")[5], "Denied,Failed");
}

#[test]
fn policies_show_their_parameters() {
    let group = "admissionregistration.k8s.io";
    let policy = json!({"spec": {"mutations": [{}], "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"}}});
    let shown = cells((group, "MutatingAdmissionPolicy"), &policy);
    assert_eq!((&shown[1], &shown[2]), (&json!(1), &json!("v1/ConfigMap")));
    let params = |params: Value| {
        let binding = json!({"spec": {"policyName": "p", "paramRef": params}});
        cells((group, "ValidatingAdmissionPolicyBinding"), &binding)[2].clone()
    };
    assert_eq!(params(json!({"name": "a"})), "*/a");
    assert_eq!(params(json!({"name": "a", "namespace": "n"})), "n/a");
    let expression = json!({"key": "k", "operator": "In", "values": ["x", "y"]});
    assert_eq!(
        params(json!({"selector": {"matchLabels": {"b": "c"}, "matchExpressions": [expression]}})),
        "&LabelSelector{MatchLabels:map[string]string{b: c,},MatchExpressions:[]LabelSelectorRequirement{\
         LabelSelectorRequirement{Key:k,Operator:In,Values:[x y],},},}"
    );
    let without = json!({"spec": {"validations": []}});
    assert_eq!(cells((group, "ValidatingAdmissionPolicy"), &without)[2], "<unset>");
}
