use crd_cel::kubernetes::KubernetesVersion;
use serde_json::json;

use super::super::target::Part;
use super::{create, update};

const KUBERNETES: KubernetesVersion = KubernetesVersion::REFERENCE;

#[test]
fn a_service_has_an_address_and_keeps_it() {
    let kind = ("", "Service");
    let spec =
        json!({"type": "NodePort", "ports": [{"name": "a", "port": 1}, {"name": "b", "port": 2}]});
    let mut service = json!({"metadata": {"uid": "u"}, "spec": spec});
    create(kind, &mut service, KUBERNETES);
    let found = service["spec"].clone();
    assert_eq!(found["clusterIPs"], json!([found["clusterIP"]]));
    assert_eq!(found["ipFamilies"], json!(["IPv4"]));
    assert_eq!(found["ipFamilyPolicy"], "SingleStack");
    assert_ne!(found["ports"][0]["nodePort"], found["ports"][1]["nodePort"]);
    let mut next = json!({"metadata": {"uid": "u"}, "spec": spec});
    update(kind, &mut next, &service, Part::Object);
    assert_eq!(next["spec"], found);
    next["spec"]["type"] = "ExternalName".into();
    let old = service;
    update(kind, &mut next, &old, Part::Object);
    assert_eq!(next["spec"], json!({"type": "ExternalName", "ports": spec["ports"]}));
}

#[test]
fn ports_beyond_the_number_of_node_ports_have_none() {
    let ports: Vec<_> = (0..2_800).map(|port| json!({"port": port})).collect();
    let spec = json!({"type": "NodePort", "ports": ports});
    let mut service = json!({"metadata": {"uid": "u"}, "spec": spec});
    create(("", "Service"), &mut service, KUBERNETES);
    let ports = service["spec"]["ports"].as_array().unwrap();
    let mut numbers: Vec<_> = ports.iter().filter_map(|port| port["nodePort"].as_i64()).collect();
    numbers.sort_unstable();
    assert!(numbers.is_sorted_by(|a, b| a < b) && numbers.len() == 2_768, "{}", numbers.len());
}

#[test]
fn a_job_selects_its_own_pods() {
    let mut job = json!({"metadata": {"name": "n", "uid": "u"}, "spec": {"selector": null}});
    create(("batch", "Job"), &mut job, KUBERNETES);
    let labels = json!({
        "job-name": "n", "batch.kubernetes.io/job-name": "n",
        "controller-uid": "u", "batch.kubernetes.io/controller-uid": "u",
    });
    assert_eq!(job["spec"]["template"]["metadata"]["labels"], labels);
    let selected = json!({"batch.kubernetes.io/controller-uid": "u"});
    assert_eq!(job["spec"]["selector"]["matchLabels"], selected);
}

#[test]
fn pods_have_classes_and_tolerations() {
    let class = |resources| {
        let mut pod = json!({"metadata": {}, "spec": {"containers": [{"resources": resources}]}});
        create(("", "Pod"), &mut pod, KUBERNETES);
        assert_eq!(pod["spec"]["tolerations"].as_array().map(Vec::len), Some(2));
        pod["status"]["qosClass"].clone()
    };
    assert_eq!(class(json!({})), "BestEffort");
    assert_eq!(class(json!({"requests": {"cpu": "1"}})), "Burstable");
    let all = json!({"cpu": "1", "memory": "1Gi"});
    assert_eq!(class(json!({"limits": all, "requests": all})), "Guaranteed");
}

#[test]
fn volumes_of_images_are_dropped_while_the_feature_is_off() {
    let spec = json!({
        "containers": [{"name": "a", "volumeMounts": [{"name": "g", "mountPath": "/g"}]}],
        "volumes": [{"name": "e", "emptyDir": {}}, {"name": "g", "image": {"reference": "a"}}],
    });
    for (minor, is_kept) in [(31, false), (34, false), (35, true)] {
        let kubernetes = KubernetesVersion::of_minor(minor).expect("a known minor");
        let mut set = json!({"spec": {"template": {"spec": spec}}});
        create(("apps", "ReplicaSet"), &mut set, kubernetes);
        let left = &set["spec"]["template"]["spec"];
        assert_eq!(left["volumes"].as_array().map(Vec::len), Some(if is_kept { 2 } else { 1 }));
        assert_eq!(left["containers"][0].get("volumeMounts").is_some(), is_kept, "{minor}");
    }
}
