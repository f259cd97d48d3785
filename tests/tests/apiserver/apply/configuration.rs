//! The JSON of apply configurations.

use std::collections::{BTreeMap, BTreeSet};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{OwnerReference, Time};
use k8s_openapi::jiff::Timestamp;
use serde_json::{Value, json};

use super::kinds::{
    Action, ActionApply, Endpoint, EndpointApply, Pairs, PairsApply, Point, Pool, PoolApply, Port,
    PortApply, Protocol, Widget, WidgetApply, WidgetSpec, WidgetSpecApply, WidgetStatus,
    WidgetStatusApply, Window, WindowApply,
};

fn json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}

#[test]
fn a_default_configuration_has_only_kind_and_version() {
    let types = json!({"apiVersion": "example.com/v1", "kind": "Widget"});
    assert_eq!(json(&WidgetApply::default()), types);
    assert_eq!(json(&WidgetApply::new()), types);
    assert_eq!(json(&WidgetSpecApply::default()), json!({}));
    assert_eq!(json(&WidgetApply::new().spec(WidgetSpecApply::new()))["spec"], json!({}));
}

#[test]
fn setters_use_the_names_of_serde() {
    let config = WidgetApply::new()
        .name("w")
        .namespace("n")
        .label("a", "b")
        .labels([("c", "d")])
        .annotation("e", "f")
        .finalizers(["example.com/gone"])
        .owner_references([OwnerReference { uid: "u".into(), ..OwnerReference::default() }])
        .spec(
            WidgetSpecApply::new()
                .replicas(3)
                .image("i")
                .ports([PortApply::new(80, Protocol::Tcp).name("http")])
                .ports([PortApply::new(53, Protocol::Udp).host_port(53)])
                .hosts(["b", "a"])
                .args(["-v"])
                .limits([("cpu", 2)])
                .pools([("one", PoolApply::new().size(1))])
                .main(PoolApply::new().zone("z"))
                .point(Point { x: 1, y: 2 })
                .action(ActionApply::Call { url: Some("u".into()), retries: None })
                .extra(json!({"any": null}))
                .limit(None)
                .token(*b"abc")
                .window(WindowApply::new().from("yesterday")),
        )
        .status(WidgetStatusApply::new().ready_replicas(0));
    let want = json!({
        "apiVersion": "example.com/v1",
        "kind": "Widget",
        "metadata": {
            "name": "w",
            "namespace": "n",
            "labels": {"a": "b", "c": "d"},
            "annotations": {"e": "f"},
            "finalizers": ["example.com/gone"],
            "ownerReferences": [{"apiVersion": "", "kind": "", "name": "", "uid": "u"}],
        },
        "spec": {
            "replicas": 3,
            "image": "i",
            "ports": [
                {"containerPort": 80, "protocol": "TCP", "name": "http"},
                {"containerPort": 53, "protocol": "UDP", "hostPort": 53},
            ],
            "hosts": ["a", "b"],
            "args": ["-v"],
            "limits": {"cpu": 2},
            "pools": {"one": {"size": 1}},
            "main": {"zone": "z"},
            "point": {"x": 1, "y": 2},
            "action": {"call": {"url": "u"}},
            "extra": {"any": null},
            "limit": null,
            "token": "YWJj",
            "notBefore": "yesterday",
        },
        "status": {"readyReplicas": 0},
    });
    assert_eq!(json(&config), want);
    let read: WidgetApply = serde_json::from_value(want).unwrap();
    assert_eq!(read, config);
}

/// A widget with everything set.
pub(crate) fn full() -> Widget {
    let mut widget = Widget::new(
        "w",
        WidgetSpec {
            replicas: 3,
            image: None,
            ports: vec![Port {
                container_port: 80,
                protocol: Protocol::Tcp,
                name: Some("http".into()),
                host_port: None,
            }],
            hosts: BTreeSet::new(),
            args: vec!["-v".into()],
            limits: BTreeMap::new(),
            pools: BTreeMap::from([("one".into(), Pool { size: 1, zone: None })]),
            main: Some(Box::new(Pool { size: 2, zone: Some("z".into()) })),
            point: Some(Point { x: 1, y: 2 }),
            action: Some(Action::Scale(Pool { size: 3, zone: None })),
            extra: Some(json!({"any": [1]})),
            env: Vec::new(),
            limit: None,
            token: b"abc".to_vec(),
            window: Window { from: None, to: Some("tomorrow".into()) },
        },
    );
    widget.status = Some(WidgetStatus { ready_replicas: Some(1), conditions: Vec::new() });
    widget.metadata.creation_timestamp = Some(Time(Timestamp::UNIX_EPOCH));
    widget.metadata.managed_fields = Some(Vec::new());
    widget
}

#[test]
fn a_configuration_of_an_object_has_its_fields() {
    let mut want = json(&full());
    want["metadata"].as_object_mut().unwrap().remove("managedFields");
    // In a nullable field, `null` is a value.
    assert_eq!(want["spec"]["limit"], Value::Null);
    assert_eq!(json(&WidgetApply::from(full())), want);
}

#[test]
fn setters_accept_full_types() {
    let spec = WidgetSpecApply::new().main(Pool { size: 1, zone: None }).ports(full().spec.ports);
    assert_eq!(json(&WidgetApply::new().spec(full().spec))["spec"], json(&full().spec));
    assert_eq!(
        json(&spec),
        json!({
            "main": {"size": 1},
            "ports": [{"containerPort": 80, "protocol": "TCP", "name": "http"}],
        }),
    );
}

#[test]
fn another_kind_is_rejected() {
    for other in [
        json!({"apiVersion": "example.com/v2", "kind": "Widget"}),
        json!({"apiVersion": "example.com/v1", "kind": "Gadget"}),
    ] {
        serde_json::from_value::<WidgetApply>(other).unwrap_err();
    }
}

#[test]
fn an_empty_container_is_applied() {
    let spec = WidgetSpecApply::new().args([""; 0]).limits([("", 0); 0]);
    assert_eq!(json(&spec), json!({"args": [], "limits": {}}));
}

#[test]
fn a_struct_that_is_the_root_itself() {
    let types = json!({"apiVersion": "example.com/v1", "kind": "Endpoint"});
    assert_eq!(json(&EndpointApply::default()), types);
    // `labels` is the struct's own field; those of the metadata are in `metadata`.
    let mut config = EndpointApply::new().name("e").host("h").labels(PairsApply::new().list([1u8]));
    config.metadata = config.metadata.label("a", "b");
    let want = json!({
        "apiVersion": "example.com/v1",
        "kind": "Endpoint",
        "metadata": {"name": "e", "labels": {"a": "b"}},
        "host": "h",
        "labels": {"list": [1]},
    });
    assert_eq!(json(&config), want);
    let labels = Pairs { list: vec![1], named: [("a".to_owned(), 2)].into(), new: Some(3) };
    let full: Endpoint = serde_json::from_value(json!({
        "apiVersion": "example.com/v1", "kind": "Endpoint", "metadata": {"name": "e"},
        "host": "h", "labels": json(&labels),
    }))
    .unwrap();
    assert_eq!(json(&EndpointApply::from(full.clone())), json(&full));
}
