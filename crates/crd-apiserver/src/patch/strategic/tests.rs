use crd_cel::kubernetes::KubernetesVersion;
use serde_json::json;

use super::*;
use crate::catalog::KINDS;

const REFERENCE: u32 = KubernetesVersion::REFERENCE.minor();

fn type_of(kind: &str, minor: u32) -> Type {
    let kind = KINDS.iter().find(|found| found.names.kind == kind).expect("a kind");
    Type::of(kind, minor)
}

fn merged(kind: &str, object: &Value, patch: &Value) -> Result<Value, String> {
    merge(type_of(kind, REFERENCE), object, patch).map_err(|malformed| malformed.to_string())
}

#[track_caller]
fn check(kind: &str, object: &Value, patch: &Value, want: &Value) {
    assert_eq!(merged(kind, object, patch).as_ref(), Ok(want));
}

fn pod(spec: &Value) -> Value {
    json!({"spec": spec})
}

#[test]
fn lists_are_merged_by_their_keys() {
    let object = pod(&json!({"containers": [
        {"name": "a", "image": "1", "env": [{"name": "X", "value": "1"}]}, {"name": "b", "image": "1"},
    ], "tolerations": [{"key": "t"}]}));
    check(
        "Pod",
        &object,
        &pod(&json!({"containers": [
            {"name": "b", "image": "2"}, {"name": "c"}, {"name": "a", "env": [{"name": "Y"}]},
        ], "tolerations": []})),
        &pod(&json!({"containers": [
            {"name": "b", "image": "2"}, {"name": "c"},
            {"name": "a", "image": "1", "env": [{"name": "Y"}, {"name": "X", "value": "1"}]},
        ], "tolerations": []})),
    );
    check(
        "Pod",
        &object,
        &pod(&json!({"containers": [{"$patch": "delete", "name": "a"}], "tolerations": null})),
        &pod(&json!({"containers": [{"name": "b", "image": "1"}]})),
    );
    check(
        "Pod",
        &object,
        &pod(&json!({"containers": [{"name": "c"}, {"$patch": "replace"}], "tolerations": null})),
        &pod(&json!({"containers": [{"name": "c"}]})),
    );
}

/// An item that only the server has is put before the first item of the patch that follows it on the server:
/// `a, b, c, d` with the patch `d, b` becomes `a, c, d, b`.
#[test]
fn items_of_the_server_are_put_among_those_of_the_patch() {
    let names = |names: &[&str]| -> Value {
        names.iter().map(|name| json!({"name": name})).collect::<Vec<_>>().into()
    };
    let object = pod(&json!({"containers": names(&["a", "b", "c", "d"])}));
    for (patch, order, want) in [
        (&["d", "b"][..], None, &["a", "c", "d", "b"][..]),
        (&["b", "d"], None, &["a", "b", "c", "d"]),
        (&["e"], None, &["e", "a", "b", "c", "d"]),
        (&["e"], Some(&["c", "e", "a"][..]), &["b", "c", "e", "a", "d"]),
        (&[], Some(&["d", "c", "b", "a"]), &["d", "c", "b", "a"]),
    ] {
        let mut patch = json!({"containers": names(patch)});
        if let Some(order) = order {
            patch["$setElementOrder/containers"] = names(order);
        }
        check("Pod", &object, &pod(&patch), &pod(&json!({"containers": names(want)})));
    }
}

#[test]
fn scalars_are_merged_where_the_type_says_so() {
    let object = json!({"metadata": {"finalizers": ["a", "b"]}, "spec": {"finalizers": ["a"]}});
    check(
        "Namespace",
        &object,
        &json!({"metadata": {"finalizers": ["c", "b"]}, "spec": {"finalizers": ["b"]}}),
        &json!({"metadata": {"finalizers": ["c", "a", "b"]}, "spec": {"finalizers": ["b"]}}),
    );
    check(
        "Namespace",
        &object,
        &json!({"metadata": {"$setElementOrder/finalizers": ["b", "a"]}}),
        &json!({"metadata": {"finalizers": ["b", "a"]}, "spec": {"finalizers": ["a"]}}),
    );
    check(
        "Namespace",
        &object,
        &json!({"metadata": {"finalizers": ["c"], "$deleteFromPrimitiveList/finalizers": ["a"]}}),
        &json!({"metadata": {"finalizers": ["c", "b"]}, "spec": {"finalizers": ["a"]}}),
    );
}

#[test]
fn objects_with_directives() {
    let object = json!({"spec": {"strategy": {"type": "R", "x": 1}, "selector": {"matchLabels": {"a": "b"}}}});
    check(
        "Deployment",
        &object,
        &json!({"spec": {"strategy": {"$retainKeys": ["type"], "type": "S"}, "selector": null}}),
        &json!({"spec": {"strategy": {"type": "S"}}}),
    );
    check(
        "Deployment",
        &object,
        &json!({"spec": {"$patch": "replace", "replicas": 1}}),
        &json!({"spec": {"replicas": 1}}),
    );
    check("Deployment", &object, &json!({"spec": {"$patch": "delete"}}), &json!({"spec": {}}));
    let selector = json!({"spec": {"selector": {"matchLabels": {"c": "d"}}}});
    check(
        "PodDisruptionBudget",
        &object,
        &selector,
        &json!({"spec": {
            "strategy": {"type": "R", "x": 1}, "selector": {"matchLabels": {"c": "d"}},
        }}),
    );
}

#[test]
fn new_fields_have_no_nulls_and_no_directives() {
    check(
        "Deployment",
        &json!({"metadata": {}}),
        &json!({"spec": {"a": null, "b": [{"c": null}, {"$patch": "delete", "d": 1}], "e": {"$patch": "merge"}}}),
        &json!({"metadata": {}, "spec": {"b": [{}]}}),
    );
}

#[test]
fn malformed_patches() {
    let object = json!({
        "metadata": {"finalizers": ["a"]},
        "spec": {"containers": [{"name": "a"}], "securityContext": {"runAsUser": 1}},
    });
    for (patch, want) in [
        (json!({"$patch": "x"}), "unknown patch type: x in map: map[$patch:x]"),
        (
            pod(&json!({"containers": [{"image": "b"}]})),
            "map: map[image:b] does not contain declared merge key: name",
        ),
        (
            pod(&json!({"containers": [{"$patch": "merge"}]})),
            "merging lists cannot yet be specified in the patch",
        ),
        (
            pod(&json!({"containers": [{"name": "a"}, "b"]})),
            "list element types are not identical: [[map[name:a]] [map[name:a] b]]",
        ),
        (
            pod(&json!({"containers": [[]]})),
            "list element types are not identical: [[map[name:a]] [[]]]",
        ),
        (
            pod(&json!({"$setElementOrder/containers": {}})),
            "expected a []interface {}, but received a map[string]interface {}",
        ),
        (
            pod(&json!({"$setElementOrder/x": []})),
            "unable to find api field in struct PodSpec for the json field \"x\"",
        ),
        (
            pod(&json!({"$setElementOrder/hostNetwork": []})),
            "expected slice or array type, but got: struct",
        ),
        (pod(&json!({"$setElementOrder": []})), "invalid patch format of setElementOrder list"),
        (
            json!({"metadata": {"finalizers": ["b", "a"], "$setElementOrder/finalizers": ["a", "b"]}}),
            "The order in patch list:\n[b a]\n doesn't match $setElementOrder list:\n[a b]\n",
        ),
        (
            json!({"metadata": {"$deleteFromPrimitiveList": ["a"]}}),
            "invalid patch format of primitive list",
        ),
        (
            pod(
                &json!({"securityContext": {"$retainKeys": ["runAsUser"], "runAsUser": 2, "fsGroup": 1}}),
            ),
            "invalid patch format of retainKeys",
        ),
    ] {
        assert_eq!(merged("Pod", &object, &patch), Err(want.to_owned()), "{patch}");
    }
}

#[test]
fn the_tags_of_types_state_which_lists_are_merged() {
    use Merging::{Default, Merge};
    for (kind, path, want) in [
        ("Pod", "spec containers", (Merge, Some("name"))),
        ("Pod", "spec containers [] ports", (Merge, Some("containerPort"))),
        ("Pod", "spec containers [] resources claims", (Default, None)),
        ("Pod", "spec volumes", (Merge, Some("name"))),
        ("Pod", "spec topologySpreadConstraints", (Merge, Some("topologyKey"))),
        ("Pod", "spec tolerations", (Default, None)),
        ("Pod", "status hostIPs", (Merge, Some("ip"))),
        ("Pod", "metadata ownerReferences", (Merge, Some("uid"))),
        ("Pod", "metadata finalizers", (Merge, None)),
        ("Namespace", "spec finalizers", (Default, None)),
        ("Job", "status conditions", (Merge, Some("type"))),
        ("Deployment", "status conditions", (Merge, Some("type"))),
        ("Service", "spec ports", (Merge, Some("port"))),
        ("NetworkPolicy", "spec ingress [] ports", (Default, None)),
        ("ServiceAccount", "secrets", (Merge, Some("name"))),
        ("ServiceAccount", "imagePullSecrets", (Default, None)),
        ("CustomResourceDefinition", "metadata finalizers", (Merge, None)),
        ("CustomResourceDefinition", "spec versions", (Default, None)),
    ] {
        let found = list(type_of(kind, REFERENCE), path).expect("a list");
        assert_eq!((found.merging, found.key), want, "{kind} {path}");
    }
}

#[test]
fn the_tags_are_those_of_the_minor() {
    let path = "status nodeAllocatableResourceClaimStatuses";
    assert_eq!(list(type_of("Pod", 36), path).expect("a list").merging, Merging::Default);
    let found = list(type_of("Pod", 37), path).expect("a list");
    assert_eq!((found.merging, found.key), (Merging::Merge, Some("resourceClaimName")));
    let missing = list(type_of("Pod", 35), path).expect_err("no such field");
    let text = "unable to find api field in struct PodStatus for the json field \
                \"nodeAllocatableResourceClaimStatuses\"";
    assert_eq!(missing.to_string(), text);
}

/// Returns the type of a list. `[]` leads from a list to its items.
fn list(mut type_: Type, path: &str) -> Result<FieldType, Malformed> {
    let mut steps = path.split(' ').peekable();
    while let Some(step) = steps.next() {
        let is_list = steps.next_if_eq(&"[]").is_some();
        if steps.peek().is_none() {
            return type_.list(step);
        }
        type_ = if is_list { type_.list(step)? } else { type_.field(step)? }.type_;
    }
    unreachable!("a path has steps")
}
