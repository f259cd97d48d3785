//! How bodies are read and written: YAML, numbers, and objects that the server takes for lists.

use crd_apiserver::ApiServer;
use http::Request;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};

use crate::ask::{ask, patch, send};

const BAGS: &str = "/apis/example.com/v1/namespaces/default/bags";
const CONFIG_MAPS: &str = "/api/v1/namespaces/default/configmaps";

/// Serves `Bag`, a kind with a field for each case.
fn server() -> Client {
    let free = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let crd: CustomResourceDefinition = crd_fixtures::crd("example.com", "Bag")
        .version("v1", json!({"type": "object", "properties": {
            "items": {"x-kubernetes-preserve-unknown-fields": true},
            "data": free,
            "spec": {"type": "object", "properties": {
                "note": {"type": "string"},
                "set": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "number"}},
            }},
            "limit": {"type": "integer", "maximum": 5},
        }}))
        .read();
    ApiServer::builder().with(&crd).start().client()
}

fn bag(name: &str, rest: &Value) -> Value {
    let mut object =
        json!({"apiVersion": "example.com/v1", "kind": "Bag", "metadata": {"name": name}});
    for (key, value) in rest.as_object().into_iter().flatten() {
        object[key] = value.clone();
    }
    object
}

const YAML: [(&str, &str); 2] = [("content-type", "application/yaml"), ("", "")];

#[tokio::test]
async fn duplicate_keys_of_yaml_are_strict_errors() {
    let client = server();
    let head = "apiVersion: example.com/v1\nkind: Bag\nmetadata: {name: a}\n";
    let twice = format!("{head}data: {{x: 1,\n  x: 2}}\n");
    let strict = format!("{BAGS}?fieldValidation=Strict");
    let answer = ask(&client, "POST", &strict, YAML, twice.clone().into_bytes()).await;
    assert_eq!(
        answer.rejected(400),
        "Bag in version \"v1\" cannot be handled as a Bag: strict decoding error: yaml: unmarshal errors:\n  line 5: \
         key \"x\" already set in map"
    );
    let warned = ask(&client, "POST", BAGS, YAML, twice.into_bytes()).await;
    assert_eq!(warned.warnings, ["299 - \"line 5: key \\\"x\\\" already set in map\""]);
    assert_eq!(warned.ok()["data"], json!({"x": 2}));
    let merged = format!("{head}data:\n  base: &b {{x: 1}}\n  of: {{<<: *b, x: 2}}\n");
    let answer = ask(&client, "POST", &strict, YAML, merged.into_bytes()).await;
    assert!(answer.rejected(400).contains("line 6: key \"x\" already set in map"));
    let map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b, a: c}\n";
    let strict = format!("{CONFIG_MAPS}?fieldValidation=Strict");
    let answer = ask(&client, "POST", &strict, YAML, map.into()).await;
    assert!(answer.rejected(400).contains("line 4: key \"a\" already set in map"));
}

#[tokio::test]
async fn unreadable_yaml_is_answered_as_go_yaml_reports_it() {
    let client = server();
    let unreadable = "apiVersion: v1\nkind: {\n";
    assert_eq!(
        ask(&client, "POST", BAGS, YAML, unreadable.into()).await.rejected(400),
        "the object provided is unrecognized (must be of type Bag): yaml: line 2: did not find expected node content \
         (61706956657273696f6e3a2076310a6b696e643a207b0a)"
    );
    let two = "apiVersion: example.com/v1\nkind: Bag\nmetadata: {name: a}\n---\nnot: [read\n";
    ask(&client, "POST", BAGS, YAML, two.into()).await.ok();
}

#[tokio::test]
async fn numbers_are_written_as_go_writes_them() {
    let client = server();
    let numbers = "1e20,1e-6,1e21,1e-7,9223372036854775808,12345678901234567890,-0.0,2.50";
    let body = format!(
        r#"{{"apiVersion":"example.com/v1","kind":"Bag","metadata":{{"name":"n"}},"data":{{"n":[{numbers}]}}}}"#
    );
    let request = Request::post(BAGS).header("content-type", "application/json");
    let request = request.body(Body::from(body.into_bytes())).expect("a request");
    let answer = client.send(request).await.expect("an answer").into_body();
    let text = answer.collect_bytes().await.expect("a body");
    let text = String::from_utf8_lossy(&text).into_owned();
    let want = "[100000000000000000000,0.000001,1e+21,1e-7,9223372036854776000,12345678901234567000,0,2.5]";
    assert!(text.contains(want), "{text}");
}

/// Answers in YAML are JSON that go-yaml has read and written.
#[tokio::test]
async fn numbers_of_yaml_are_those_of_go_yaml() {
    let client = server();
    let numbers = "2.0,1e20,1e-6,1234567.5,9223372036854775808,2.50";
    let body = format!(
        r#"{{"apiVersion":"example.com/v1","kind":"Bag","metadata":{{"name":"n"}},"data":{{"n":[{numbers}]}}}}"#
    );
    let headers = [("content-type", "application/json"), ("accept", "application/yaml")];
    let answer = ask(&client, "POST", BAGS, headers, body.into_bytes()).await.ok();
    let text = answer.as_str().expect("YAML");
    let want = "  - 2\n  - 1e+20\n  - 1e-06\n  - 1.2345675e+06\n  - 9223372036854776000\n  - 2.5\n";
    assert!(text.contains(want), "{text}");
}

#[tokio::test]
async fn numbers_of_sets_are_written_as_go_writes_them() {
    let client = server();
    send(&client, "POST", BAGS, &bag("s", &json!({"spec": {"note": "x"}}))).await.ok();
    let set = json!([{"op": "add", "path": "/spec/set", "value": [1.0, 1e20, 1e-7]}]);
    let entries = patch(&client, &format!("{BAGS}/s"), "json", &set).await.ok();
    let entries = entries["metadata"]["managedFields"].to_string();
    for want in ["\"v:1\"", "\"v:100000000000000000000\"", "\"v:1e-07\""] {
        assert!(entries.contains(want), "{want} {entries}");
    }
}

#[tokio::test]
async fn objects_with_a_list_of_items_are_taken_for_lists() {
    let client = server();
    let no_list = "*unstructured.Unstructured is not a list: no Items field in this object";
    let listed = bag("l", &json!({"items": [{"a": 1}]}));
    assert_eq!(send(&client, "POST", BAGS, &listed).await.rejected(500), no_list);
    send(&client, "POST", BAGS, &bag("l", &json!({"items": {"a": 1}}))).await.ok();
    let path = format!("{BAGS}/l");
    assert_eq!(
        send(&client, "PUT", &path, &listed).await.rejected(400),
        "the API version in the data (v1) does not match the expected API version (example.com/v1)"
    );
    let change = json!({"items": []});
    assert_eq!(patch(&client, &path, "merge", &change).await.rejected(500), no_list);
}

#[tokio::test]
async fn warnings_of_ratcheted_rules_come_with_errors_too() {
    let client = server();
    send(&client, "POST", BAGS, &bag("r", &json!({"spec": {"note": "a"}}))).await.ok();
    let schema = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/x-kubernetes-validations";
    let rule = json!([{"op": "add", "path": schema, "value": [{"rule": "self.note != 'a'"}]}]);
    let crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/bags.example.com";
    patch(&client, crds, "json", &rule).await.ok();
    let change = |limit: u8| json!({"limit": limit});
    for (limit, code) in [(1, 200), (9, 422)] {
        let answer = patch(&client, &format!("{BAGS}/r"), "merge", &change(limit)).await;
        assert_eq!(answer.code, code);
        assert!(answer.warnings.iter().any(|it| it.contains("failed rule")), "{answer:?}");
    }
}

#[tokio::test]
async fn warnings_about_finalizers_come_with_valid_objects() {
    let client = server();
    for (name, limit, code, warnings) in [("v", 1, 201, 1), ("i", 9, 422, 0)] {
        let mut bag = bag(name, &json!({"limit": limit}));
        bag["metadata"]["finalizers"] = json!(["bad"]);
        let answer = send(&client, "POST", BAGS, &bag).await;
        assert_eq!((answer.code, answer.warnings.len()), (code, warnings), "{answer:?}");
    }
}

#[tokio::test]
async fn self_links_are_dropped() {
    let client = server();
    send(&client, "POST", BAGS, &bag("k", &json!({"data": {"x": 1}}))).await.ok();
    let link = json!({"metadata": {"selfLink": "/x"}, "data": {"x": 2}});
    let patched = patch(&client, &format!("{BAGS}/k"), "merge", &link).await.ok();
    assert_eq!(patched["metadata"].get("selfLink"), None);
}

#[tokio::test]
async fn strict_patches_list_all_that_is_unknown() {
    let client = server();
    send(&client, "POST", BAGS, &bag("p", &json!({"spec": {"note": "x"}}))).await.ok();
    let operations = json!([{"op": "add", "path": "/spec/colour", "value": "red", "extra": 1}]);
    let strict = format!("{BAGS}/p?fieldValidation=Strict");
    let rejected = patch(&client, &strict, "json", &operations).await.rejected(422);
    let want = "strict decoding error: json patch unknown field \"[0].extra\", unknown field \"spec.colour\"";
    assert!(rejected.contains(want), "{rejected}");
    let warned = patch(&client, &format!("{BAGS}/p"), "json", &operations).await;
    assert_eq!(warned.warnings.len(), 2, "{warned:?}");
}

/// The library decodes the operations once more than field validation does, and then the result is decoded.
#[tokio::test]
async fn patches_are_decoded_as_by_the_server() {
    let client = server();
    let path = format!("{BAGS}/d");
    send(&client, "POST", BAGS, &bag("d", &json!({"spec": {"note": "x"}}))).await.ok();
    let rejected = "the server rejected our request due to an error in our request";
    assert_eq!(patch(&client, &path, "json", &json!([null])).await.rejected(422), rejected);
    let ignoring = format!("{path}?fieldValidation=Ignore");
    for (operations, checked, unchecked) in [
        (json!([1]), "number into Go value of type handlers.jsonPatchOp", 400),
        (json!([{"op": 1}]), "number into Go struct field jsonPatchOp.op of type string", 422),
    ] {
        assert_eq!(
            patch(&client, &path, "json", &operations).await.rejected(400),
            format!("error decoding patch: json: cannot unmarshal {checked}")
        );
        assert_eq!(patch(&client, &ignoring, "json", &operations).await.code, unchecked);
    }
    let whole = json!([{"op": "replace", "path": "", "value": {}}]);
    let kind = json!({"kind": null});
    let empty = json!({"kind": ""});
    for (form, change) in [("json", &whole), ("merge", &kind), ("merge", &empty)] {
        let rejected = patch(&client, &path, form, change).await.rejected(422);
        assert!(rejected.contains("patch: Invalid value: \"{"), "{rejected}");
        assert!(rejected.contains("}\": Object 'Kind' is missing in '{"), "{rejected}");
    }
    let number = patch(&client, &path, "merge", &json!({"apiVersion": 5})).await.rejected(422);
    assert!(number.ends_with(
        "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .apiVersion \
         of type string"
    ), "{number}");
    assert_eq!(
        patch(&client, &path, "merge", &json!({"apiVersion": null})).await.rejected(500),
        "Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'"
    );
}

/// The library copies the text of a value, in which the decoder of the result finds the duplicate again.
#[tokio::test]
async fn duplicates_in_the_values_of_a_patch_are_reported_twice() {
    let client = server();
    send(&client, "POST", BAGS, &bag("e", &json!({"data": {"list": [0]}}))).await.ok();
    let body = br#"[{"op":"add","path":"/data/list/-","value":{"x":1,"x":2}}]"#.to_vec();
    let headers = [("content-type", "application/json-patch+json"), ("", "")];
    let answer = ask(&client, "PATCH", &format!("{BAGS}/e"), headers, body).await;
    assert_eq!(
        answer.warnings,
        [
            "299 - \"json patch duplicate field \\\"[0].value.x\\\"\"",
            "299 - \"duplicate field \\\"data.list[1].x\\\"\"",
        ]
    );
}

#[tokio::test]
async fn micro_times_are_read_as_go_reads_them() {
    let client = server();
    let leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    let lease = |name: &str, time: &str| {
        json!({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": name},
            "spec": {"renewTime": time}})
    };
    for (name, time) in [("a", "2026-01-02T03:04:05,123456Z"), ("b", "2026-01-02T3:04:05.123456Z")]
    {
        let made = send(&client, "POST", leases, &lease(name, time)).await.ok();
        assert_eq!(made["spec"]["renewTime"], "2026-01-02T03:04:05.123456Z");
    }
    let rejected =
        send(&client, "POST", leases, &lease("c", "2026-01-02T03:04:05.123456789Z")).await;
    let rejected = rejected.rejected(400);
    assert!(rejected.contains("cannot parse \"789Z\" as \"Z07:00\""), "{rejected}");
}

/// A pointer to a zero time is one that is there, and is written as null.
#[tokio::test]
async fn zero_times_are_owned() {
    let client = server();
    let leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    let lease = json!({
        "apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "z"},
        "spec": {"holderIdentity": "a", "renewTime": "0001-01-01T00:00:00.000000Z"},
    });
    send(&client, "POST", leases, &lease).await.ok();
    let path = format!("{leases}/z");
    let stored = ask(&client, "GET", &path, [("", ""); 2], Vec::new()).await.ok();
    assert_eq!(stored["spec"], json!({"holderIdentity": "a", "renewTime": null}));
    let owned = &stored["metadata"]["managedFields"][0]["fieldsV1"]["f:spec"];
    assert_eq!(*owned, json!({"f:holderIdentity": {}, "f:renewTime": {}}));
    let none = json!({"spec": {"renewTime": null}});
    let without = patch(&client, &path, "merge", &none).await.ok();
    assert_eq!(without["spec"], json!({"holderIdentity": "a"}));
}

/// Go's decoder goes on after a number that no float64 holds: the type of its field decides whether it is an error.
#[tokio::test]
async fn numbers_out_of_range_are_errors_of_their_fields() {
    let client = server();
    let json = [("content-type", "application/json"), ("", "")];
    let any = "json: cannot unmarshal number 1e400 into Go value of type float64";
    let bag = r#"{"apiVersion":"example.com/v1","kind":"Bag","metadata":{"name":"o"},"data":{"a":1e400}}"#;
    let cannot = |kind: &str, why: &str| {
        format!("{kind} in version \"v1\" cannot be handled as a {kind}: {why}")
    };
    let answer = ask(&client, "POST", BAGS, json, bag.into()).await.rejected(400);
    assert_eq!(answer, cannot("Bag", any));
    let untyped = bag.replace(r#""kind":"Bag","#, "");
    let answer = ask(&client, "POST", BAGS, json, untyped.into()).await.rejected(400);
    assert_eq!(answer, cannot("Bag", any));
    let number = bag.replace("\"Bag\"", "1e400");
    let answer = ask(&client, "POST", BAGS, json, number.into()).await.rejected(400);
    let kind = "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of \
                type string";
    assert!(answer.contains(kind), "{answer}");
    // In YAML it is a string.
    let yaml = bag.replace("{\"a\"", "{\"b\"");
    let made = ask(&client, "POST", BAGS, YAML, yaml.into()).await.ok();
    assert_eq!(made["data"], json!({"b": "1e400"}));

    let map = |rest: &str| {
        format!(r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"o"}},{rest}}}"#)
    };
    for (rest, why) in [
        (r#""data":{"a":1e400}"#, "number into Go struct field ConfigMap.data of type string"),
        (r#""immutable":1e400"#, "number into Go struct field ConfigMap.immutable of type bool"),
        (
            r#""metadata":{"name":"o","generation":-1e400}"#,
            "number -1e400 into Go struct field ObjectMeta.metadata.generation of type int64",
        ),
    ] {
        let answer = ask(&client, "POST", CONFIG_MAPS, json, map(rest).into()).await.rejected(400);
        assert_eq!(answer, cannot("ConfigMap", &format!("json: cannot unmarshal {why}")));
    }
    let unknown = map(r#""other":[1e400]"#);
    assert_eq!(
        ask(&client, "POST", CONFIG_MAPS, json, unknown.into()).await.warnings,
        ["299 - \"unknown field \\\"other\\\"\""]
    );

    let patches = [("content-type", "application/json-patch+json"), ("", "")];
    let path = format!("{BAGS}/o");
    let answer = ask(
        &client,
        "PATCH",
        &path,
        patches,
        br#"[{"op":"add","path":"/data/a","value":{"x":1e400},"other":1e400}]"#.to_vec(),
    );
    assert_eq!(
        answer.await.rejected(400),
        "error decoding patch: json: cannot unmarshal number 1e400 into Go struct field jsonPatchOp.value of type float64"
    );
    let merge = [("content-type", "application/merge-patch+json"), ("", "")];
    let answer = ask(&client, "PATCH", &path, merge, br#"{"data":{"a":1e400}}"#.to_vec()).await;
    assert_eq!(answer.rejected(400), format!("error decoding patch: {any}"));

    let crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    let definition = |schema: &str| {
        let crd = serde_json::to_string(&json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "hats.example.com"},
            "spec": {"group": "example.com", "scope": "Cluster", "names": {"plural": "hats", "kind": "Hat"}, "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"size": "?"}}},
            }]},
        }));
        crd.expect("JSON").replace("\"?\"", schema)
    };
    for (schema, why) in [
        (
            r#"{"type":"number","maximum":1e400}"#,
            "number 1e400 into Go struct field \
             JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.maximum of type float64",
        ),
        (r#"{"type":"number","default":1e400}"#, "number 1e400 into Go value of type float64"),
    ] {
        let answer = ask(&client, "POST", crds, json, definition(schema).into()).await;
        let want = cannot("CustomResourceDefinition", &format!("json: cannot unmarshal {why}"));
        assert_eq!(answer.rejected(400), want);
    }
}

#[tokio::test]
async fn keys_have_the_order_of_go_and_people_get_indented_json() {
    let client = ApiServer::new().client();
    let path = "/api/v1/namespaces/default";
    let text = async |method: &str, path: &str, agent: &str| {
        let request = Request::builder().method(method).uri(path).header("user-agent", agent);
        let request = request.body(Body::empty()).expect("a request");
        let response = client.send(request).await.expect("an answer");
        let code = response.status().as_u16();
        let body = response.into_body().collect_bytes().await.expect("a body");
        (code, String::from_utf8(body.to_vec()).expect("text"))
    };
    let start =
        "{\"kind\":\"Namespace\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"default\",\"uid\":";
    let (_, namespace) = text("GET", path, "kube/1").await;
    assert!(namespace.starts_with(start), "{namespace}");
    let (_, list) = text("GET", "/api/v1/namespaces", "kube/1").await;
    assert!(
        list.starts_with("{\"kind\":\"NamespaceList\",\"apiVersion\":\"v1\",\"metadata\":{"),
        "{list}"
    );
    let start =
        "{\n  \"kind\": \"Namespace\",\n  \"apiVersion\": \"v1\",\n  \"metadata\": {\n    \"name\"";
    for (path, agent) in [(path, "curl/8"), ("/api/v1/namespaces/default?pretty=true", "kube/1")] {
        let (_, indented) = text("GET", path, agent).await;
        assert!(indented.starts_with(start) && indented.ends_with("\n}"), "{indented}");
    }
    let (code, none) = text("GET", "/api/v1/namespaces/none", "curl/8").await;
    assert_eq!((code, none.lines().nth(1)), (404, Some("  \"kind\": \"Status\",")));
    assert_eq!(text("HEAD", path, "kube/1").await, (405, String::new()));
}
