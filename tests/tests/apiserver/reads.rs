//! Reads: what a server returns has been decoded after it was stored, so defaults are set in it that admission did not
//! set, as kube-apiserver 1.37.2 answered the same requests.

use crd_apiserver::ApiServer;
use crd_runtime::admit;
use crd_runtime::compiled::CompiledSchema;
use crd_runtime::definition;
use fastrand::Rng;
use futures::{AsyncBufReadExt as _, TryStreamExt as _};
use http::Request;
use kube::Client;
use serde_json::{Map, Value, json};

use crate::ask::{Answer, get, get_as, patch, send};

const ENGINES: &str = "/apis/example.com/v1/namespaces/default/engines";
/// The number of generated definitions.
const DEFINITIONS: u64 = 100;
/// The number of writes for each of them.
const WRITES: usize = 12;

fn engines(spec: &Value, status: &Value) -> Value {
    let columns = json!([{"name": "Phase", "type": "string", "jsonPath": ".status.phase"}]);
    let subresources = json!({"status": {}, "scale": {
        "specReplicasPath": ".spec.group.size", "statusReplicasPath": ".status.replicas",
    }});
    crd_fixtures::crd("example.com", "Engine")
        .version("v1", json!({"type": "object", "properties": {"spec": spec, "status": status}}))
        .set("/spec/versions/0/selectableFields", json!([{"jsonPath": ".status.phase"}]))
        .set("/spec/versions/0/additionalPrinterColumns", columns)
        .set("/spec/versions/0/subresources", subresources)
        .json()
}

/// Definitions with a default of the status, and with defaults beside the replicas.
fn engine_client() -> Client {
    let group = json!({"type": "object", "properties": {
        "size": {"type": "integer"},
        "mode": {"type": "string", "default": "fast"},
        "deep": {"type": "object", "default": {}, "properties": {"z": {"type": "integer", "default": 7}}},
    }});
    let condition = json!({"type": "object", "required": ["type"], "properties": {
        "type": {"type": "string"}, "status": {"type": "string", "default": "Unknown"},
    }});
    let status = json!({
        "type": "object", "default": {"conditions": [{"type": "Ready"}]},
        "properties": {
            "phase": {"type": "string", "default": "Pending"},
            "replicas": {"type": "integer"},
            "conditions": {"type": "array", "items": condition},
        },
    });
    let spec = json!({"type": "object", "properties": {"group": group}});
    ApiServer::builder().with_object(&engines(&spec, &status)).start().client()
}

fn engine(name: &str, spec: &Value) -> Value {
    json!({"apiVersion": "example.com/v1", "kind": "Engine", "metadata": {"name": name}, "spec": spec})
}

#[tokio::test]
async fn every_read_sets_the_defaults_of_a_status_that_creation_has_dropped() {
    let client = engine_client();
    let want = json!({"phase": "Pending", "conditions": [{"type": "Ready", "status": "Unknown"}]});
    let body = engine("a", &json!({}));
    let dry_run = send(&client, "POST", &format!("{ENGINES}?dryRun=All"), &body).await.ok();
    assert_eq!(dry_run["status"], want);
    assert_eq!(send(&client, "POST", ENGINES, &body).await.ok()["status"], want);
    assert_eq!(get(&client, &format!("{ENGINES}/a")).await.ok()["status"], want);
    assert_eq!(get(&client, ENGINES).await.ok()["items"][0]["status"], want);
    assert_eq!(last_event(&client).await["status"], want);
    let table = "application/json;as=Table;v=v1;g=meta.k8s.io";
    let rows = get_as(&client, ENGINES, table).await.ok()["rows"].clone();
    assert_eq!(rows[0]["cells"], json!(["a", "Pending"]));
    for (selector, found) in [("status.phase=Pending", 1), ("status.phase!=Pending", 0)] {
        let list = get(&client, &format!("{ENGINES}?fieldSelector={selector}")).await.ok();
        assert_eq!(list["items"].as_array().map(Vec::len), Some(found), "{selector}");
    }
    let status = format!("{ENGINES}/a/status");
    let operations = json!([
        {"op": "test", "path": "/status/phase", "value": "Pending"},
        {"op": "replace", "path": "/status/conditions/0/status", "value": "True"},
    ]);
    let patched = patch(&client, &status, "json", &operations).await.ok();
    assert_eq!(patched["status"]["conditions"][0]["status"], "True");
    let patched = patch(&client, &status, "merge", &json!({"status": {"replicas": 1}})).await.ok();
    assert_eq!(
        (&patched["status"]["phase"], &patched["status"]["replicas"]),
        (&"Pending".into(), &1.into())
    );
}

#[tokio::test]
async fn a_status_that_equals_its_defaults_has_no_manager() {
    let client = engine_client();
    send(&client, "POST", ENGINES, &engine("a", &json!({}))).await.ok();
    let written = send(&client, "PUT", &format!("{ENGINES}/a/status"), &{
        let mut object = engine("a", &json!({}));
        object["metadata"]["resourceVersion"] =
            get(&client, &format!("{ENGINES}/a")).await.ok()["metadata"]["resourceVersion"].clone();
        object
    })
    .await
    .ok();
    let entries = written["metadata"]["managedFields"].as_array().expect("entries");
    assert!(entries.iter().all(|entry| entry.get("subresource").is_none()), "{entries:?}");
}

#[tokio::test]
async fn a_scale_that_adds_the_replicas_adds_the_defaults_beside_them() {
    let client = engine_client();
    send(&client, "POST", ENGINES, &engine("a", &json!({}))).await.ok();
    let (path, scale) = (format!("{ENGINES}/a"), format!("{ENGINES}/a/scale"));
    let body = json!({
        "apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "a"}, "spec": {"replicas": 3},
    });
    send(&client, "PUT", &scale, &body).await.ok();
    let read = get(&client, &path).await.ok();
    assert_eq!(read["spec"]["group"], json!({"size": 3, "mode": "fast", "deep": {"z": 7}}));
    assert_eq!(read["metadata"]["generation"], 2);
    let labelled =
        patch(&client, &path, "merge", &json!({"metadata": {"labels": {"a": "b"}}})).await;
    assert_eq!(labelled.ok()["metadata"]["generation"], 2);
}

#[tokio::test]
async fn a_patch_of_a_scale_adds_the_replicas() {
    let client = engine_client();
    send(&client, "POST", ENGINES, &engine("a", &json!({}))).await.ok();
    let scale = format!("{ENGINES}/a/scale");
    assert_eq!(
        get(&client, &scale).await.rejected(500),
        "Internal error occurred: the spec replicas field \".spec.group.size\" does not exist"
    );
    let without = json!({"metadata": {"labels": {"a": "b"}}});
    assert_eq!(
        patch(&client, &scale, "merge", &without).await.rejected(400),
        "the spec replicas field \".spec.group.size\" cannot be empty"
    );
    let three = json!({"spec": {"replicas": 3}});
    assert_eq!(patch(&client, &scale, "merge", &three).await.ok()["spec"], json!({"replicas": 3}));
    let read = get(&client, &format!("{ENGINES}/a")).await.ok();
    assert_eq!(
        (&read["spec"]["group"]["size"], &read["metadata"]["generation"]),
        (&3.into(), &2.into())
    );
}

#[tokio::test]
async fn a_scale_has_its_own_kind() {
    let client = engine_client();
    send(&client, "POST", ENGINES, &engine("a", &json!({"group": {"size": 1}}))).await.ok();
    let scale = format!("{ENGINES}/a/scale");
    let undecodable =
        "no kind is registered for the type v1.Scale in scheme \"pkg/runtime/scheme.go:111\"";
    for (api_version, kind) in
        [("autoscaling/v2", "Scale"), ("autoscaling/v1", "Widget"), ("v1", "Pod")]
    {
        let mut body = json!({"metadata": {"name": "a"}, "spec": {"replicas": 2}});
        body["apiVersion"] = api_version.into();
        body["kind"] = kind.into();
        assert_eq!(send(&client, "PUT", &scale, &body).await.rejected(400), undecodable);
    }
    let strict = format!("{scale}?fieldValidation=Strict");
    let body = json!({"metadata": {"name": "a"}, "spec": {"replicas": 2, "x": 1}});
    assert_eq!(send(&client, "PUT", &strict, &body).await.rejected(400), undecodable);
    let body = json!({"kind": "", "metadata": {"name": "a"}, "spec": {"replicas": 2}});
    send(&client, "PUT", &scale, &body).await.ok();
    for (change, of) in [
        (json!({"kind": "Widget"}), "\"Widget\" is registered for version \"autoscaling/v1\""),
        (
            json!({"apiVersion": "autoscaling/v2"}),
            "\"Scale\" is registered for version \"autoscaling/v2\"",
        ),
    ] {
        let rejected = patch(&client, &scale, "merge", &change).await.rejected(422);
        let want = format!("no kind {of} in scheme \"pkg/runtime/scheme.go:111\"");
        assert!(rejected.ends_with(&want), "{rejected}");
    }
    patch(&client, &scale, "merge", &json!({"kind": null})).await.ok();
}

/// Returns the object of the newest event.
async fn last_event(client: &Client) -> Value {
    let watch = format!("{ENGINES}?watch=true&resourceVersion=0&timeoutSeconds=1");
    let request = Request::get(watch).body(Vec::new()).expect("a request");
    let mut lines = client.request_stream(request).await.expect("a watch").lines();
    let line = lines.try_next().await.expect("a line").expect("an event");
    let mut event: Value = serde_json::from_str(&line).expect("JSON");
    event["object"].take()
}

/// Decoding an object that a server returns changes nothing, whatever has written it.
#[tokio::test]
async fn what_is_returned_is_a_fixed_point_of_decoding() {
    let mut admitted = 0;
    for seed in 0..DEFINITIONS {
        let mut rng = Rng::with_seed(seed);
        let (spec, status) = (spec_schema(&mut rng), status_schema(&mut rng));
        let definition = engines(&spec, &status);
        let Ok(crd) = definition::decode(&definition) else { continue };
        if !definition::validate(&crd.crd).is_empty() {
            continue;
        }
        let schema = CompiledSchema::for_version(&crd.crd, "v1").expect("a structural schema");
        let client = ApiServer::builder().with_object(&definition).start().client();
        for step in 0..WRITES {
            let answer = write(&client, &mut rng, step, &spec, &status).await;
            if answer.code >= 300 {
                continue;
            }
            admitted += 1;
            let object = get(&client, &format!("{ENGINES}/a")).await.ok();
            let at = format!("seed {seed}, step {step}");
            if answer.body["kind"] == "Engine" {
                assert_eq!(answer.body, object, "{at}");
            }
            let decoded = admit::read(&schema, object.clone()).expect("an object");
            assert_eq!(decoded, object, "{at} of {definition}");
            assert_eq!(get(&client, ENGINES).await.ok()["items"][0], object, "{at}");
            assert_eq!(last_event(&client).await, object, "{at}");
            let label = json!({"metadata": {"labels": {"step": step.to_string()}}});
            let labelled = patch(&client, &format!("{ENGINES}/a"), "merge", &label).await;
            // A value that is invalid only now prevents the patch.
            if labelled.code < 300 {
                let generation = &labelled.body["metadata"]["generation"];
                assert_eq!(*generation, object["metadata"]["generation"], "{at}");
            }
        }
    }
    assert!(admitted > DEFINITIONS, "only {admitted} writes");
}

async fn write(
    client: &Client,
    rng: &mut Rng,
    step: usize,
    spec: &Value,
    status: &Value,
) -> Answer {
    let path = format!("{ENGINES}/a");
    let mut object = engine("a", &value(rng, spec));
    if step == 0 {
        return send(client, "POST", ENGINES, &object).await;
    }
    if rng.bool() {
        object["status"] = value(rng, status);
    }
    let scale = json!({"spec": {"replicas": rng.u8(..4)}});
    match rng.u8(..8) {
        0 | 1 => {
            let current = get(client, &path).await.body;
            object["metadata"]["resourceVersion"] = current["metadata"]["resourceVersion"].clone();
            let part = if rng.bool() { "" } else { "/status" };
            send(client, "PUT", &format!("{path}{part}"), &object).await
        }
        2 => patch(client, &path, "merge", &json!({"spec": object["spec"]})).await,
        3 => {
            patch(client, &format!("{path}/status"), "merge", &json!({"status": object["status"]}))
                .await
        }
        4 => {
            let part = if rng.bool() { "" } else { "/status" };
            patch(client, &format!("{path}{part}?fieldManager=me&force=true"), "apply", &object)
                .await
        }
        5 => patch(client, &format!("{path}/scale"), "merge", &scale).await,
        6 => {
            let mut body = scale;
            body["metadata"] = json!({"name": "a"});
            send(client, "PUT", &format!("{path}/scale"), &body).await
        }
        _ => {
            let removed = ["/spec", "/spec/group", "/status"][rng.usize(..3)];
            let remove = json!([{"op": "remove", "path": removed}]);
            let part = if rng.bool() { "" } else { "/status" };
            patch(client, &format!("{path}{part}"), "json", &remove).await
        }
    }
}

/// Generates the schema of a spec, with defaults beside the replicas.
fn spec_schema(rng: &mut Rng) -> Value {
    let mut group = object_schema(rng, 2);
    group["properties"]["size"] = with_default(rng, json!({"type": "integer"}), &json!(1));
    let group = with_default(rng, group, &json!({}));
    with_default(rng, json!({"type": "object", "properties": {"group": group}}), &json!({}))
}

fn status_schema(rng: &mut Rng) -> Value {
    let mut status = object_schema(rng, 2);
    status["properties"]["replicas"] = with_default(rng, json!({"type": "integer"}), &json!(2));
    status["properties"]["phase"] = with_default(rng, json!({"type": "string"}), &json!("Pending"));
    with_default(rng, status, &json!({}))
}

fn object_schema(rng: &mut Rng, depth: usize) -> Value {
    let mut properties = Map::new();
    for name in ["a", "b", "c"] {
        if rng.bool() {
            properties.insert(name.to_owned(), any_schema(rng, depth));
        }
    }
    json!({"type": "object", "properties": properties})
}

fn any_schema(rng: &mut Rng, depth: usize) -> Value {
    let (mut schema, example) = match rng.u8(..if depth == 0 { 2 } else { 5 }) {
        0 => (json!({"type": "string"}), json!("x")),
        1 => (json!({"x-kubernetes-preserve-unknown-fields": true}), json!({"a": null})),
        2 => {
            let items = object_schema(rng, depth - 1);
            (json!({"type": "array", "items": items}), json!([{}]))
        }
        3 => (object_schema(rng, depth - 1), json!({"a": null})),
        _ => (object_schema(rng, depth - 1), json!({})),
    };
    if rng.u8(..4) == 0 {
        schema["nullable"] = true.into();
    }
    with_default(rng, schema, &example)
}

/// Adds a default to one in two schemas.
fn with_default(rng: &mut Rng, mut schema: Value, default: &Value) -> Value {
    if rng.bool() {
        schema["default"] = default.clone();
    }
    schema
}

/// Generates a value for a schema; parts may be absent or null.
fn value(rng: &mut Rng, schema: &Value) -> Value {
    if rng.u8(..8) == 0 {
        return Value::Null;
    }
    match schema["type"].as_str() {
        Some("string") => "y".into(),
        Some("integer") => rng.u8(..4).into(),
        Some("array") => json!([value(rng, &schema["items"])]),
        Some(_) => {
            let properties = schema["properties"].as_object().into_iter().flatten();
            let present = properties.filter(|_| rng.u8(..3) > 0).collect::<Vec<_>>();
            present.into_iter().map(|(name, below)| (name.clone(), value(rng, below))).collect()
        }
        None => json!({"a": null, "b": 1}),
    }
}

#[tokio::test]
async fn paths_and_timeouts_are_those_of_the_server() {
    let client = ApiServer::new().client();
    let code = async |path: &str| get(&client, path).await.code;
    assert_eq!(code("/api/v1//configmaps").await, 404);
    assert_eq!(code("/api/v1/namespaces/default%2Fconfigmaps").await, 200);
    assert_eq!(code("/api/v1/watch/configmaps?timeoutSeconds=1").await, 200);
    assert_eq!(code("/api/v1/configmaps?timeout=5s").await, 200);
    assert_eq!(
        get(&client, "/api/v1/configmaps?timeout=foo").await.rejected(400),
        "invalid timeout specified in the request URL - time: invalid duration \"foo\""
    );
    let paths = get(&client, "/").await.ok()["paths"].clone();
    assert!(paths.as_array().is_some_and(|all| all.contains(&json!("/apis/apps/v1"))), "{paths}");
}

#[tokio::test]
async fn large_answers_are_compressed_for_clients_that_accept_it() {
    let client = ApiServer::new().client();
    let path = "/api/v1/namespaces/default/configmaps";
    for (name, length) in [("small", 100_000), ("large", 140_000)] {
        let object = json!({
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name},
            "data": {"k": "x".repeat(length)},
        });
        send(&client, "POST", path, &object).await.ok();
    }
    let encoding = async |path: &str, accept: &str| {
        let request = Request::get(path).header("accept-encoding", accept);
        let request = request.body(kube::client::Body::empty()).expect("a request");
        let answer = client.send(request).await.expect("an answer");
        let header = |name: &str| answer.headers().get(name).cloned();
        let headers = [header("content-encoding"), header("vary"), header("content-type")];
        (headers.map(|it| it.map(|it| it.to_str().expect("text").to_owned())), answer.into_body())
    };
    let text = |text: &str| Some(text.to_owned());
    let json = text("application/json");
    let (headers, body) = encoding(&format!("{path}/large"), "deflate, gzip").await;
    assert_eq!(headers, [text("gzip"), text("Accept-Encoding"), json.clone()]);
    let bytes = body.collect_bytes().await.expect("a body");
    assert!(bytes.len() < 4_000, "{} bytes", bytes.len());
    let read = serde_json::from_reader::<_, Value>(flate2::read::GzDecoder::new(&*bytes));
    assert_eq!(read.expect("JSON")["metadata"]["name"], "large");
    for (path, accept) in [("large", "deflate"), ("small", "gzip")] {
        let (headers, body) =
            encoding(&format!("/api/v1/namespaces/default/configmaps/{path}"), accept).await;
        assert_eq!(headers, [None, None, json.clone()]);
        let bytes = body.collect_bytes().await.expect("a body");
        assert!(serde_json::from_slice::<Value>(&bytes).is_ok());
    }
}
