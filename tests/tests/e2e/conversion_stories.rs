//! Stories of conversion, told to the real server and to the in-process API server: both have to answer alike, and to
//! ask the webhook for the same conversions.

use std::collections::BTreeSet;

use crd_examples::gate;
use crd_runtime::convert::Converter;
use crd_runtime::model::{Conversion, CustomResourceDefinition};
use crd_runtime::versions::Versions as _;
use crd_tests::https::Reply;
use serde_json::{Value, json};

use crate::cluster::{Answer, Cluster, DEFINITIONS, eventually};
use crate::definitions::{kind, version};
use crate::pair::{Pair, SIDES};
use crate::webhook::Webhook;

const MERGE: &str = "application/merge-patch+json";
const JSON_PATCH: &str = "application/json-patch+json";
const APPLY: &str = "application/apply-patch+yaml";
/// The group of the example's kind, which other scenarios use too.
const OF_EXAMPLE: &str = "gates.example.com";

/// Returns the CRD of the gates in a group of its own.
fn gates(group: &str, conversion: Conversion) -> CustomResourceDefinition {
    let crd = <(gate::v1beta1::Gate, gate::v1::Gate)>::merged_with(conversion);
    let mut crd = crd.expect("versions agree");
    group.clone_into(&mut crd.spec.group);
    crd.metadata.name = format!("gates.{group}");
    crd
}

/// Converts as the example's webhook does, in another group.
fn convert(converter: &Converter, group: &str, review: &Value) -> Reply {
    let review = review.to_string().replace(group, OF_EXAMPLE);
    let answer = converter.review(review.as_bytes()).expect("a review");
    Reply::ok(String::from_utf8(answer).expect("text").replace(OF_EXAMPLE, group))
}

/// Two servers with a kind that the same webhook converts.
struct Told {
    pair: Pair,
    webhook: Webhook,
    group: &'static str,
}

impl Told {
    async fn begin(cluster: Cluster, group: &'static str) -> Self {
        let converter = gate::converter();
        let respond = move |review: &Value| convert(&converter, group, review);
        let webhook = Webhook::serve(respond).await;
        let pair = Pair::of(cluster);
        for (cluster, side) in [&pair.real, &pair.ours].into_iter().zip(SIDES) {
            cluster.install(&gates(group, webhook.conversion(side))).await;
            let probe = object(group, "v1beta1", "probe", &json!({"ports": [], "routes": []}));
            let path = format!("/apis/{group}/v1beta1/namespaces/default/gates?dryRun=All");
            eventually("conversion", async || {
                cluster.create(&path, &probe).await.is_success().then_some(())
            })
            .await;
        }
        webhook.take_calls();
        Self { pair, webhook, group }
    }

    fn path(&self, version: &str) -> String {
        format!("/apis/{}/{version}/namespaces/default/gates", self.group)
    }

    async fn create(&mut self, version: &str, name: &str, spec: &Value) -> Answer {
        let object = object(self.group, version, name, spec);
        let path = self.path(version);
        self.pair.ask(&format!("creates {name} in {version}: {spec}"), "POST", &path, &object).await
    }

    async fn read(&mut self, name: &str) {
        for version in ["v1", "v1beta1"] {
            let path = format!("{}/{name}", self.path(version));
            self.pair.ask(&format!("reads {name} in {version}"), "GET", &path, &Value::Null).await;
        }
    }

    async fn patch(&mut self, version: &str, name: &str, content_type: &str, patch: &Value) {
        let path = format!("{}/{name}", self.path(version));
        let what = format!("patches {name} in {version}: {patch}");
        let body = patch.to_string().into_bytes();
        self.pair.send(&what, "PATCH", &path, content_type, body).await;
        self.read(name).await;
    }

    async fn apply(&mut self, version: &str, name: &str, manager: &str, spec: &Value) {
        let config = object(self.group, version, name, spec);
        let path = format!("{}/{name}?fieldManager={manager}&force=true", self.path(version));
        let what = format!("{manager} applies {name} in {version}: {spec}");
        let body = config.to_string().into_bytes();
        self.pair.send(&what, "PATCH", &path, APPLY, body).await;
        self.read(name).await;
    }

    /// Notes conversions that only one of the servers has asked for. The caches of the real server convert each
    /// stored object once more, which is the same conversion again.
    fn compare_calls(&mut self) {
        let mut asked = [BTreeSet::new(), BTreeSet::new()];
        for (path, review) in self.webhook.take_calls() {
            let Some(side) = SIDES.iter().position(|side| *side == path) else { continue };
            for object in review["request"]["objects"].as_array().into_iter().flatten() {
                let metadata = &object["metadata"];
                asked[side].insert(format!(
                    "{} of {} {} {} {} to {}",
                    metadata["name"],
                    object["apiVersion"],
                    object["spec"],
                    metadata["annotations"],
                    metadata["labels"],
                    review["request"]["desiredAPIVersion"],
                ));
            }
        }
        let [real, ours] = asked;
        for call in real.difference(&ours) {
            self.pair.differences.push(format!("only the real server converts {call}"));
        }
        for call in ours.difference(&real) {
            self.pair.differences.push(format!("only the in-process server converts {call}"));
        }
    }

    async fn end(self) {
        for cluster in [&self.pair.real, &self.pair.ours] {
            let path = format!("{DEFINITIONS}/gates.{}", self.group);
            cluster.send("DELETE", &path, "application/json", "application/json", Vec::new()).await;
        }
        self.pair.finish();
    }
}

fn object(group: &str, version: &str, name: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": format!("{group}/{version}"), "kind": "Gate",
        "metadata": {"name": name, "namespace": "default"}, "spec": spec,
    })
}

/// Writes in both versions, of which one has fields that the other has not.
pub(crate) async fn fields_are_kept(cluster: Cluster) {
    let mut told = Told::begin(cluster, "stories.example.com").await;
    let web = json!({"name": "web", "number": 80});
    let db = json!({"name": "db", "number": 1, "protocol": "TCP"});
    let of_beta = json!({"ports": [web], "routes": []});

    // One manager applies in both versions, and another one gives up what it owned in the other version.
    told.apply("v1beta1", "a", "flux", &of_beta).await;
    told.apply("v1", "a", "flux", &json!({"ports": [db], "routes": []})).await;
    told.apply("v1beta1", "a", "flux", &of_beta).await;
    told.apply("v1beta1", "b", "kub", &of_beta).await;
    told.apply("v1", "b", "flux", &json!({"ports": [db]})).await;
    told.apply("v1beta1", "b", "kub", &json!({"ports": [], "routes": []})).await;
    told.apply("v1beta1", "b", "kub", &json!({"routes": [{"to": "x"}]})).await;
    told.apply("v1", "b", "flux", &json!({"weights": [1, 0.5]})).await;

    // Changes of items, and of the list, in the version with fewer fields.
    let ports = json!([{"name": "web", "number": 80, "protocol": "HTTP"}, {"name": "db", "number": 5432, "protocol": "TCP"}]);
    let spec = json!({"ports": ports, "routes": [{"to": "x"}], "weights": [1.0, 1e20, 0.000_001]});
    told.create("v1", "c", &spec).await;
    told.read("c").await;
    let label = json!({"metadata": {"labels": {"a": "b"}}});
    told.patch("v1beta1", "c", MERGE, &label).await;
    let number = json!([{"op": "replace", "path": "/spec/ports/0/number", "value": 81}]);
    told.patch("v1beta1", "c", JSON_PATCH, &number).await;
    let more =
        json!([{"op": "add", "path": "/spec/ports/0", "value": {"name": "new", "number": 1}}]);
    told.patch("v1beta1", "c", JSON_PATCH, &more).await;
    let swap = json!([{"op": "move", "from": "/spec/ports/0", "path": "/spec/ports/2"}]);
    told.patch("v1beta1", "c", JSON_PATCH, &swap).await;
    let less = json!([{"op": "remove", "path": "/spec/ports/0"}]);
    told.patch("v1beta1", "c", JSON_PATCH, &less).await;
    let rename = json!([{"op": "replace", "path": "/spec/ports/0/name", "value": "renamed"}]);
    told.patch("v1beta1", "c", JSON_PATCH, &rename).await;
    told.patch("v1beta1", "c", MERGE, &json!({"spec": {"routes": []}})).await;
    told.patch("v1beta1", "c", MERGE, &json!({"metadata": {"annotations": null}})).await;

    // Nothing is lost: no annotation. And too much for one.
    told.create("v1", "d", &json!({"ports": [], "routes": [], "weights": []})).await;
    told.read("d").await;
    let long = json!([{"name": "web", "number": 80, "protocol": "x".repeat(300_000)}]);
    told.create("v1", "e", &json!({"ports": long, "routes": []})).await;
    let path = format!("{}/e", told.path("v1beta1"));
    told.pair.ask("reads e", "GET", &path, &Value::Null).await;

    // The annotation is what a client sends.
    let key = format!("{}/e", told.path("v1"));
    told.pair.ask("deletes e", "DELETE", &key, &Value::Null).await;
    for annotation in [
        "{}",
        "[]",
        "text",
        "{\"spec\": {\"weights\": [3]}}",
        "{\"version\": \"v1\", \"object\": {\"spec\": {\"weights\": [3]}}}",
    ] {
        let mut object = object(told.group, "v1beta1", "f", &of_beta);
        object["metadata"]["annotations"] =
            json!({"conversion.stories.example.com/v1": annotation});
        let path = format!("{}?dryRun=All", told.path("v1beta1"));
        told.pair.ask(&format!("with {annotation}"), "POST", &path, &object).await;
    }
    told.compare_calls();
    told.end().await;
}

/// Server-side apply in two versions of a kind that converts by changing `apiVersion`, so that fields are pruned.
pub(crate) async fn nothing_to_convert(cluster: Cluster) {
    let mut pair = Pair::of(cluster);
    let (text, both) = (
        json!({"a": {"type": "string"}}),
        json!({"a": {"type": "string"}, "onlyV1": {"type": "string"}}),
    );
    let crd = kind(
        "pruned.example.com",
        json!([version("v1", true, &both), version("v1beta1", false, &text)]),
    );
    for cluster in [&pair.real, &pair.ours] {
        cluster.install(&crd).await;
    }
    let steps = [
        ("v1", "me", json!({"a": "x", "onlyV1": "y"})),
        ("v1beta1", "me", json!({"a": "x"})),
        ("v1", "other", json!({"onlyV1": "z"})),
        ("v1beta1", "me", json!({"a": "y"})),
        ("v1beta1", "me", json!({"a": "y", "onlyV1": "w"})),
        ("v1beta1", "me", json!({})),
        ("v1", "other", json!({})),
    ];
    for (version, manager, spec) in steps {
        let path = format!(
            "/apis/pruned.example.com/{version}/namespaces/default/jobs/j?fieldManager={manager}&force=true"
        );
        let config = json!({"apiVersion": format!("pruned.example.com/{version}"), "kind": "Job", "spec": spec});
        let what = format!("{manager} applies in {version}: {spec}");
        pair.send(&what, "PATCH", &path, APPLY, config.to_string().into_bytes()).await;
    }
    for cluster in [&pair.real, &pair.ours] {
        let path = format!("{DEFINITIONS}/jobs.pruned.example.com");
        cluster.send("DELETE", &path, "application/json", "application/json", Vec::new()).await;
    }
    pair.finish();
}

/// Answers that are no reviews, or not those that were asked for.
pub(crate) async fn wrong_answers(cluster: Cluster) {
    let mut told = Told::begin(cluster, "wrong.example.com").await;
    let good = gate::converter();
    let answered = move |change: fn(Value) -> Value| {
        let good = good.clone();
        move |review: &Value| {
            let reply = convert(&good, "wrong.example.com", review);
            let answer = serde_json::from_slice(&reply.body).expect("JSON");
            Reply::ok(change(answer).to_string())
        }
    };
    let spec = json!({"ports": [], "routes": []});
    let changes: [fn(Value) -> Value; 22] = [
        |_| json!({}),
        |_| json!(null),
        |_| json!([]),
        |mut it| put(&mut it, "/kind", json!("Review")),
        |mut it| put(&mut it, "/apiVersion", json!("apiextensions.k8s.io/v1beta1")),
        |mut it| put(&mut it, "/apiVersion", json!("v1")),
        |mut it| put(&mut it, "/response", json!(null)),
        |mut it| put(&mut it, "/response/uid", json!("other")),
        |mut it| put(&mut it, "/response/result", json!({"status": "Failed", "message": "no"})),
        |mut it| put(&mut it, "/response/result", json!({"status": "Failed"})),
        |mut it| put(&mut it, "/response/result", json!({})),
        |mut it| put(&mut it, "/response/convertedObjects", json!([])),
        |mut it| put(&mut it, "/response/convertedObjects", json!(null)),
        |mut it| put(&mut it, "/response/convertedObjects/0", json!(null)),
        |mut it| put(&mut it, "/response/convertedObjects/0", json!("text")),
        |mut it| put(&mut it, "/response/convertedObjects/0", json!([])),
        |mut it| put(&mut it, "/response/convertedObjects/0/kind", json!("Other")),
        |mut it| put(&mut it, "/response/convertedObjects/0/apiVersion", json!("v1")),
        |mut it| put(&mut it, "/response/convertedObjects/0/metadata/name", json!("other")),
        |mut it| put(&mut it, "/response/convertedObjects/0/metadata/uid", json!("other")),
        |mut it| {
            put(&mut it, "/response/convertedObjects/0/metadata/labels", json!({"bad key": "v v"}))
        },
        |mut it| put(&mut it, "/response/convertedObjects/0/metadata/finalizers", json!(["other"])),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        told.webhook.answer_with(answered(change));
        told.create("v1beta1", &format!("a-{number}"), &spec).await;
    }
    let yaml = |review: &Value| {
        let reply = convert(&gate::converter(), "wrong.example.com", review);
        let answer = serde_json::from_slice(&reply.body).expect("JSON");
        Reply::ok(crd_runtime::yaml::to_string(&answer))
    };
    told.webhook.answer_with(yaml);
    told.create("v1beta1", "yaml", &spec).await;
    let heads = [
        "200 OK",
        "201 Created",
        "204 No Content",
        "404 Not Found",
        "500 Internal Server Error",
        "503 Service Unavailable\r\nretry-after: 0",
        "302 Found\r\nlocation: /moved",
        "307 Temporary Redirect\r\nlocation: /moved",
        "308 Permanent Redirect",
        "302 Found\r\nlocation: http://[",
        "304 Not Modified",
    ];
    for (number, head) in heads.into_iter().enumerate() {
        for body in [
            "",
            "text",
            "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"status\": \"Failure\", \"message\": \"no\", \"code\": 500}",
        ] {
            if matches!(head, "204 No Content" | "304 Not Modified") && !body.is_empty() {
                continue;
            }
            told.webhook.answer_with(move |_| Reply { head: head.to_owned(), body: body.into() });
            let answer = told.create("v1beta1", &format!("b-{number}"), &spec).await;
            assert!(!answer.is_success(), "{head}: {}", answer.body);
        }
    }
    told.end().await;
}

/// Replaces a value of an answer.
fn put(answer: &mut Value, pointer: &str, value: Value) -> Value {
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    match answer.pointer_mut(parent) {
        Some(Value::Object(map)) => drop(map.insert(key.to_owned(), value)),
        Some(Value::Array(items)) => items[0] = value,
        _ => panic!("no {parent} in {answer}"),
    }
    answer.take()
}

/// Reads and writes a stored object that does not convert.
pub(crate) async fn undecodable(cluster: Cluster) {
    const GROUP: &str = "undecodable.example.com";
    let mut told = Told::begin(cluster, GROUP).await;
    let converter = gate::converter();
    told.webhook.answer_with(move |review| {
        let request = &review["request"];
        if request["objects"][0]["spec"]["routes"] != json!([{"to": "nowhere"}]) {
            return convert(&converter, GROUP, review);
        }
        let result = json!({"status": "Failed", "message": "nowhere to go"});
        let response = json!({"uid": request["uid"], "result": result});
        let kind = &review["kind"];
        Reply::ok(
            json!({"apiVersion": review["apiVersion"], "kind": kind, "response": response})
                .to_string(),
        )
    });
    let spec = json!({"ports": [], "routes": [{"to": "nowhere"}]});
    told.create("v1", "a", &spec).await;
    let path = format!("{}/a", told.path("v1beta1"));
    told.pair.ask("reads", "GET", &path, &Value::Null).await;
    told.pair.ask("deletes", "DELETE", &path, &Value::Null).await;
    let label = json!({"metadata": {"labels": {"a": "b"}}}).to_string().into_bytes();
    told.pair.send("patches", "PATCH", &path, MERGE, label).await;
    let good = object(GROUP, "v1beta1", "a", &json!({"ports": [], "routes": []}));
    told.pair.ask("replaces", "PUT", &path, &good).await;
    let apply = format!("{path}?fieldManager=me&force=true");
    told.pair.send("applies", "PATCH", &apply, APPLY, good.to_string().into_bytes()).await;
    let path = told.path("v1");
    told.pair.ask("reads all in v1", "GET", &path, &Value::Null).await;
    told.pair.ask("deletes in v1", "DELETE", &format!("{path}/a"), &Value::Null).await;
    told.end().await;
}
