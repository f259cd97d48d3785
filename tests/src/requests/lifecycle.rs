//! Sequences in which definitions are created, changed and deleted, with objects of their kinds.
//!
//! A real server processes definitions in the background. So after each write, the requests of [`settled`] are repeated
//! until the answers of both servers agree.

use fastrand::Rng;
use serde_json::{Value, json};

use super::generate::{AGGREGATED, TABLE, delete_options};
use super::objects::{MANAGERS, once_in, pick};
use super::step::{NAMESPACE, Reads, Step};

pub(super) const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
/// The group of the definitions of a run.
pub(super) const GROUP: &str = "{{group}}";
/// The definition with whose event the reading of a watch ends.
const LAST: &str = "lasts.{{group}}";
/// The domain of groups whose definitions have to be approved.
const PROTECTED: &str = "tests.k8s.io";

/// The number of requests between the beginning and the end of a sequence.
const LENGTH: std::ops::Range<u32> = 8..20;

/// Plurals with their kinds. Only the first two may want the same names: if two definitions waited for a name, chance
/// would decide which of them gets it when it becomes free.
const KINDS: [(&str, &str); 3] = [("things", "Thing"), ("parts", "Part"), ("doodads", "Doodad")];
const VERSIONS: [&str; 4] = ["v1", "v1beta1", "v2", "v1alpha1"];

pub(super) fn sequence(rng: &mut Rng) -> Vec<Step> {
    let namespace =
        json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}});
    let mut steps = vec![Step::new("POST", "/api/v1/namespaces").body(namespace)];
    let mut begin = Step::new("GET", DEFINITIONS);
    begin.reads = Reads::Uncompared;
    steps.push(begin);
    let (plural, kind) = pick(rng, &KINDS);
    steps.push(Step::new("POST", DEFINITIONS).body(definition(rng, plural, kind, 0)));
    for number in 1..rng.u32(LENGTH) {
        let (plural, kind) = pick(rng, &KINDS[..2]);
        let (plural, kind) = if once_in(rng, 6) { KINDS[2] } else { (plural, kind) };
        steps.push(request(rng, plural, kind, number));
    }
    // Two kinds of sequences have no watch, because chance decides which events a real server sends. While it deletes a
    // definition, it may fail to list the objects, report that in a condition, and retry. And it may judge the approval
    // of a definition before or after it accepts the names.
    let deletes = |step: &Step| step.method == "DELETE" && step.path.starts_with(DEFINITIONS);
    let is_protected = once_in(rng, 4);
    if !is_protected && !steps.iter().any(deletes) {
        steps.extend(watched(rng));
    }
    for step in &mut steps {
        step.settles = step.method != "GET";
        if is_protected {
            step.domain = PROTECTED;
            approve(rng, step);
        }
    }
    steps
}

/// Adds the annotation for the approval to most definitions that have no annotations. It is sometimes invalid.
fn approve(rng: &mut Rng, step: &mut Step) {
    let Ok(mut body) = serde_json::from_str::<Value>(&step.body) else { return };
    if body["kind"] != "CustomResourceDefinition" || !body["metadata"]["annotations"].is_null() {
        return;
    }
    let text = match rng.u32(..10) {
        0 => return,
        1 => "x",
        2 => "",
        3 => "unapproved, a test",
        4 => "https://example.com/other",
        _ => "https://github.com/kubernetes/enhancements/pull/1111",
    };
    body["metadata"]["annotations"] = json!({"api-approved.kubernetes.io": text});
    step.body = body.to_string();
}

/// Returns the request that creates a last definition, and a watch of definitions that ends with its event.
fn watched(rng: &mut Rng) -> [Step; 2] {
    let mut last = definition(rng, "lasts", "Last", 0);
    last["spec"]["names"] = json!({"plural": "lasts", "kind": "Last"});
    let mut last = Step::new("POST", DEFINITIONS).body(last);
    last.reads = Reads::Uncompared;
    let mut watch = Step::new("GET", DEFINITIONS)
        .with("watch", "true")
        .with("labelSelector", "run={{namespace}}")
        .with("resourceVersion", &format!("{{{{begin {DEFINITIONS}}}}}"))
        .with("timeoutSeconds", "3");
    watch.reads = Reads::EventsUntil(LAST);
    [last, watch]
}

/// Returns the requests that are sent to both servers after each write, until their answers agree.
pub(super) fn settled() -> Vec<Step> {
    let mut steps = Vec::new();
    for (plural, _) in KINDS {
        steps.push(Step::new("GET", definition_path(plural)));
    }
    let mut documents = vec!["/apis".to_owned(), format!("/apis/{GROUP}")];
    documents.extend(VERSIONS.map(|version| format!("/apis/{GROUP}/{version}")));
    for path in documents {
        let mut step = Step::new("GET", path);
        step.reads = Reads::Group;
        steps.push(step);
    }
    let mut aggregated = Step::new("GET", "/apis");
    (aggregated.reads, aggregated.accept) = (Reads::Group, AGGREGATED);
    steps.push(aggregated);
    let mut index = Step::new("GET", "/openapi/v3");
    index.reads = Reads::Group;
    steps.push(index);
    for version in VERSIONS {
        let mut step = Step::new("GET", format!("/openapi/v3/apis/{GROUP}/{version}"));
        step.reads = Reads::Document;
        steps.push(step);
    }
    // The columns show which state of its definition a resource is served by.
    for (plural, _) in KINDS {
        for version in VERSIONS {
            let mut step = Step::new("GET", format!("/apis/{GROUP}/{version}/{plural}"));
            step.accept = TABLE;
            steps.push(step);
        }
    }
    steps
}

/// Returns the path of a definition.
fn definition_path(plural: &str) -> String {
    format!("{DEFINITIONS}/{plural}.{GROUP}")
}

fn request(rng: &mut Rng, plural: &str, kind: &str, number: u32) -> Step {
    match rng.u32(..40) {
        0..7 => {
            let body = definition(rng, plural, kind, number);
            options(rng, Step::new("POST", DEFINITIONS).body(body))
        }
        7..10 => {
            let mut body = definition(rng, plural, kind, number);
            body["metadata"]["resourceVersion"] =
                format!("{{{{rv {}}}}}", definition_path(plural)).into();
            options(rng, Step::new("PUT", definition_path(plural)).body(body))
        }
        10..17 => patched(rng, plural, kind, number),
        17..19 => status(rng, plural),
        19..22 => {
            let path = definition_path(plural);
            delete_options(rng, Step::new("DELETE", &path), &path)
        }
        22 => {
            let mut step = Step::new("GET", definition_path(plural));
            step.path.push_str(pick(rng, &["", "/status", "/scale"]));
            step.accept = pick(rng, &["application/json", TABLE]);
            step
        }
        _ => object(rng, plural, kind),
    }
}

fn options(rng: &mut Rng, mut step: Step) -> Step {
    if rng.bool() {
        step = step.with("fieldManager", pick(rng, &MANAGERS));
    }
    if once_in(rng, 6) {
        step = step.with("fieldValidation", pick(rng, &["Strict", "Warn", "Ignore"]));
    }
    if once_in(rng, 12) {
        step = step.with("dryRun", "All");
    }
    step
}

/// Generates a definition. Its columns and defaults contain `number`, so that answers show by which state of the
/// definition they were made.
fn definition(rng: &mut Rng, plural: &str, kind: &str, number: u32) -> Value {
    let scope = if once_in(rng, 5) { "Cluster" } else { "Namespaced" };
    let mut definition = crd_fixtures::crd(GROUP, kind)
        .set("/metadata/name", format!("{plural}.{GROUP}"))
        .set("/metadata/labels", json!({"run": NAMESPACE}))
        .set("/spec/scope", scope)
        .set("/spec/names", names(rng, plural, kind))
        .set("/spec/versions", versions(rng, number))
        .json();
    if once_in(rng, 12) {
        definition["metadata"]["finalizers"] = json!(["example.com/wait"]);
    }
    if once_in(rng, 5) {
        spoil(rng, &mut definition);
    }
    definition
}

fn names(rng: &mut Rng, plural: &str, kind: &str) -> Value {
    let mut names = json!({"plural": plural, "kind": kind});
    if once_in(rng, 6) && plural == "parts" {
        names["kind"] = "Thing".into();
    }
    if once_in(rng, 6) {
        names["listKind"] = pick(rng, &["PartList", "ThingList", "Things"]).into();
    }
    if once_in(rng, 5) {
        names["singular"] = pick(rng, &["part", "thing", "item"]).into();
    }
    if once_in(rng, 3) {
        names["shortNames"] = short_names(rng);
    }
    if once_in(rng, 4) {
        names["categories"] = pick(rng, &[&["all"][..], &["all", "mine"]]).into();
    }
    if plural == "doodads" {
        for key in ["listKind", "singular", "shortNames"] {
            names.as_object_mut().map(|names| names.remove(key));
        }
    }
    names
}

fn short_names(rng: &mut Rng) -> Value {
    pick(rng, &[&["th"][..], &["pt"], &["pt", "th"], &["thing"], &["part", "it"]]).into()
}

fn versions(rng: &mut Rng, number: u32) -> Value {
    let count = rng.usize(1..4);
    let first = rng.usize(..VERSIONS.len());
    let storage = rng.usize(..count);
    let version = |at: usize| {
        let name = VERSIONS[(first + at) % VERSIONS.len()];
        version(rng, name, at == storage, number)
    };
    (0..count).map(version).collect::<Vec<_>>().into()
}

fn version(rng: &mut Rng, name: &str, is_storage: bool, number: u32) -> Value {
    let mut version = json!({
        "name": name, "served": !once_in(rng, 8), "storage": is_storage,
        "schema": {"openAPIV3Schema": schema(rng, number)},
        "additionalPrinterColumns": [
            {"name": format!("m{number}"), "type": "integer", "jsonPath": ".spec.mark"},
        ],
    });
    if once_in(rng, 3) {
        version["subresources"] = json!({"status": {}});
        if rng.bool() {
            version["subresources"]["scale"] = json!({
                "specReplicasPath": ".spec.size", "statusReplicasPath": ".status.size",
            });
        }
    }
    if once_in(rng, 6) {
        version["deprecated"] = true.into();
        if rng.bool() {
            version["deprecationWarning"] = "is old".into();
        }
    }
    if once_in(rng, 6) {
        version["selectableFields"] = json!([{"jsonPath": ".spec.color"}]);
    }
    version
}

fn schema(rng: &mut Rng, number: u32) -> Value {
    let mut spec = json!({
        "mark": {"type": "integer", "default": number},
        "color": {"type": "string"}, "size": {"type": "integer"},
    });
    match rng.u32(..8) {
        0 => spec["color"]["enum"] = json!(["red", "blue"]),
        1 => spec["color"]["default"] = "blue".into(),
        2 => spec["size"]["maximum"] = 3.into(),
        3 => {
            spec["extra"] = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        }
        4 => spec["color"]["x-kubernetes-validations"] = json!([{"rule": "self != 'green'"}]),
        5 => spec["size"]["format"] = pick(rng, &["int32", "int33"]).into(),
        _ => {}
    }
    let mut schema = json!({"type": "object", "properties": {
        "spec": {"type": "object", "properties": spec},
        "status": {"type": "object", "properties": {"size": {"type": "integer"}}},
    }});
    if once_in(rng, 8) {
        schema["properties"]["spec"]["required"] = json!(["color"]);
    }
    schema
}

/// Makes one mistake in a definition.
fn spoil(rng: &mut Rng, definition: &mut Value) {
    let spec = &mut definition["spec"];
    let version = &mut spec["versions"][0];
    match rng.u32(..18) {
        0 => version["schema"]["openAPIV3Schema"]["type"] = Value::Null,
        1 => version["schema"] = Value::Null,
        2 => version["storage"] = (!version["storage"].as_bool().unwrap_or_default()).into(),
        3 => version["name"] = pick(rng, &["V1", "", "v1"]).into(),
        4 => {
            version["additionalPrinterColumns"][0]["jsonPath"] = pick(rng, &["spec", ".a["]).into();
        }
        5 => {
            version["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["mark"]["default"] =
                "x".into();
        }
        6 => {
            version["schema"]["openAPIV3Schema"]["x-kubernetes-validations"] =
                json!([{"rule": pick(rng, &["self.", "self.nothing == 1", "1"])}]);
        }
        7 => version["selectableFields"] = json!([{"jsonPath": ".spec.nothing"}]),
        8 => version["deprecationWarning"] = "but is not deprecated".into(),
        9 => version["unknown"] = 1.into(),
        10 => spec["preserveUnknownFields"] = true.into(),
        11 => spec["scope"] = pick(rng, &["namespaced", ""]).into(),
        12 => spec["group"] = "other.example.com".into(),
        13 => spec["names"]["plural"] = "others".into(),
        14 => spec["names"]["kind"] = pick(rng, &["thing", "", "A_B"]).into(),
        // An empty list is not generated: the API server of tests prints it as null, which is a known difference.
        15 => spec["versions"] = Value::Null,
        16 => spec["conversion"] = json!({"strategy": pick(rng, &["Webhook", "Magic"])}),
        _ => definition["metadata"]["annotations"] = json!({"api-approved.kubernetes.io": "x"}),
    }
}

fn patched(rng: &mut Rng, plural: &str, kind: &str, number: u32) -> Step {
    let at = "/spec/versions/0";
    let marked = |mut operations: Vec<Value>| {
        let path = format!("{at}/additionalPrinterColumns/0/name");
        operations.push(json!({"op": "replace", "path": path, "value": format!("m{number}")}));
        ("application/json-patch+json", Value::from(operations))
    };
    let merge = |value: Value| ("application/merge-patch+json", value);
    let (content_type, body) = match rng.u32(..16) {
        0 => marked(vec![
            json!({"op": "replace", "path": format!("{at}/served"), "value": rng.bool()}),
        ]),
        1 => {
            let path = format!("{at}/schema/openAPIV3Schema/properties/spec/properties/color");
            marked(vec![
                json!({"op": pick(rng, &["remove", "test"]), "path": path, "value": {"type": "string"}}),
            ])
        }
        2 => marked(vec![
            json!({"op": "replace", "path": format!("{at}/storage"), "value": false}),
            json!({"op": "replace", "path": "/spec/versions/1/storage", "value": true}),
        ]),
        3 => marked(vec![json!({"op": "remove", "path": pick(rng, &["/spec/versions/1", at])})]),
        4 => {
            let subresources = json!({"status": {}});
            marked(vec![
                json!({"op": "add", "path": format!("{at}/subresources"), "value": subresources}),
            ])
        }
        5 => merge(json!({"spec": {"versions": versions(rng, number)}})),
        6 => merge(json!({"spec": {"names": {"shortNames": short_names(rng)}}})),
        7 => merge(json!({"spec": {"names": {"categories": pick(rng, &[&["all"][..], &[]])}}})),
        8 => merge(json!({"spec": {"names": names(rng, plural, kind)}})),
        9 => merge(json!({"spec": {"scope": pick(rng, &["Cluster", "Namespaced"])}})),
        10 => merge(
            json!({"metadata": {"finalizers": pick(rng, &[None, Some(["example.com/wait"])])}}),
        ),
        11 => merge(json!({"metadata": {"labels": {"run": pick(rng, &[NAMESPACE, "other"])}}})),
        12 if rng.bool() => {
            let text =
                pick(rng, &[None, Some(""), Some("unapproved"), Some("https://example.com")]);
            merge(json!({"metadata": {"annotations": {"api-approved.kubernetes.io": text}}}))
        }
        12 => (
            "application/strategic-merge-patch+json",
            json!({"spec": {"versions": versions(rng, number)}}),
        ),
        _ => ("application/apply-patch+yaml", definition(rng, plural, kind, number)),
    };
    let mut step = Step::new("PATCH", definition_path(plural)).body(body);
    step.content_type = content_type;
    if content_type == "application/apply-patch+yaml" {
        step = step.with("fieldManager", pick(rng, &MANAGERS));
        return if rng.bool() { step.with("force", "true") } else { step };
    }
    options(rng, step)
}

fn status(rng: &mut Rng, plural: &str) -> Step {
    let body = match rng.u32(..8) {
        0..4 => json!({"status": {"storedVersions": [pick(rng, &VERSIONS)]}}),
        4 => json!({"status": {"storedVersions": []}}),
        5 => {
            json!({"metadata": {"labels": {"more": "x"}, "annotations": {"example.com/note": "y"}}})
        }
        6 => json!({"spec": {"scope": "Cluster"}, "status": {"observedGeneration": 1}}),
        _ => json!({"status": {"conditions": []}}),
    };
    let mut step = Step::new("PATCH", format!("{}/status", definition_path(plural))).body(body);
    step.content_type = "application/merge-patch+json";
    options(rng, step)
}

/// Generates a request for objects of a kind, whose definition may exist or not.
fn object(rng: &mut Rng, plural: &str, kind: &str) -> Step {
    let version = pick(rng, &["v1", "v1", "v1beta1", "v2", "v1alpha1"]);
    let namespace = if once_in(rng, 4) { "" } else { "namespaces/{{namespace}}/" };
    let path = format!("/apis/{GROUP}/{version}/{namespace}{plural}");
    let name = pick(rng, &["a", "b"]);
    let named = format!("{path}/{name}");
    let mut object = json!({
        "apiVersion": format!("{GROUP}/{version}"), "kind": kind, "metadata": {"name": name},
        "spec": {"color": pick(rng, &["red", "green"]), "size": rng.u32(..6)},
    });
    if once_in(rng, 12) {
        object["metadata"]["finalizers"] = json!(["example.com/wait"]);
    }
    if once_in(rng, 4) {
        object["spec"]["extra"] = json!({"a": 1});
        object["status"] = json!({"size": 1});
    }
    match rng.u32(..16) {
        0..5 => {
            let mut step = Step::new("PATCH", named).body(object);
            step.content_type = "application/apply-patch+yaml";
            step.with("fieldManager", pick(rng, &MANAGERS)).with("force", "true")
        }
        5 => options(rng, Step::new("POST", path).body(object)),
        6..9 => Step::new("GET", named),
        9..11 => {
            let mut step = Step::new("GET", path);
            step.accept = pick(rng, &["application/json", TABLE]);
            if once_in(rng, 3) { step.with("fieldSelector", "spec.color=red") } else { step }
        }
        11..13 => {
            let part = pick(rng, &["", "", "/status", "/scale"]);
            let body = match part {
                "/scale" => json!({"spec": {"replicas": 2}}),
                "/status" => json!({"status": {"size": 2}}),
                _ => json!({"spec": {"size": 1}, "metadata": {"finalizers": null}}),
            };
            let mut step = Step::new("PATCH", format!("{named}{part}")).body(body);
            step.content_type = "application/merge-patch+json";
            options(rng, step)
        }
        13 => {
            object["metadata"]["resourceVersion"] = format!("{{{{rv {named}}}}}").into();
            options(rng, Step::new("PUT", named).body(object))
        }
        14 => Step::new("DELETE", named),
        _ => Step::new("DELETE", path),
    }
}
