//! Documented outcomes of writes of example objects, which both the engine and a real server are tested with.

use crd_examples::cleaner::Cleaner;
use crd_examples::cluster_profile::ClusterProfile;
use crd_examples::crontab::CronTab;
use crd_examples::raw::Raw;
use crd_examples::shirt::Shirt;
use crd_runtime::CustomResource;
use crd_runtime::model::CustomResourceDefinition;
use serde_json::{Value, json};

/// A write whose outcome is documented.
#[derive(Debug)]
pub struct DocumentedWrite {
    /// The behaviour that the write shows.
    pub name: &'static str,
    /// The kind, in one version.
    pub definition: CustomResourceDefinition,
    /// The version.
    pub version: &'static str,
    /// The spec, and the status if the written object has one.
    pub object: Value,
    /// The stored spec before the write; `None` for a new object.
    pub old: Option<Value>,
    /// Whether the write is one of the subresource `status`.
    pub writes_status: bool,
    /// The outcome.
    pub outcome: WriteOutcome,
}

/// The outcome of a write.
#[derive(Debug)]
pub enum WriteOutcome {
    /// The object is stored with this spec and status, and these fields are pruned.
    Stored(Value, Vec<&'static str>),
    /// The write is rejected with these errors, in any order.
    Rejected(Vec<&'static str>),
}

/// Returns the case that creates an object with this spec.
#[expect(clippy::needless_pass_by_value, reason = "cases are written with `json!`")]
fn creation<T: CustomResource>(
    name: &'static str,
    spec: Value,
    outcome: WriteOutcome,
) -> DocumentedWrite {
    DocumentedWrite {
        name,
        definition: T::definition(),
        version: T::VERSION,
        object: json!({ "spec": spec }),
        old: None,
        writes_status: false,
        outcome,
    }
}

/// Returns the outcome that an object with this spec is stored, and no field is pruned.
#[expect(clippy::needless_pass_by_value, reason = "cases are written with `json!`")]
fn stored(spec: Value) -> WriteOutcome {
    WriteOutcome::Stored(json!({ "spec": spec }), Vec::new())
}

/// Turns the case into a replacement of an object with the spec `old`.
fn replacing(old: Value, case: DocumentedWrite) -> DocumentedWrite {
    DocumentedWrite { old: Some(old), ..case }
}

/// Turns the case into a write of the subresource `status`, with this status.
fn with_status(status: Value, mut case: DocumentedWrite) -> DocumentedWrite {
    case.object["status"] = status;
    DocumentedWrite { writes_status: true, ..case }
}

impl DocumentedWrite {
    /// Returns a whole object of this name, with the members of `content`.
    pub fn whole(&self, name: &str, content: &Value) -> Value {
        let spec = &self.definition.spec;
        let mut object = content.clone();
        object["apiVersion"] = format!("{}/{}", spec.group, self.version).into();
        object["kind"] = spec.names.kind.clone().into();
        object["metadata"] = json!({ "name": name });
        if spec.scope == "Namespaced" {
            object["metadata"]["namespace"] = "default".into();
        }
        object
    }
}

/// Returns all documented writes.
pub fn documented() -> Vec<DocumentedWrite> {
    let mut all = crontabs();
    all.extend(others());
    all.extend(cluster_profiles());
    all.extend(raws());
    all
}

fn crontabs() -> Vec<DocumentedWrite> {
    let spec = json!({"cronSpec": "* * * * */5", "image": "my-image", "replicas": 2});
    let mut unknown = spec.clone();
    unknown["someRandomField"] = 42.into();
    let running = json!({"replicas": 1, "labelSelector": "app=x"});
    let was = json!({"cronSpec": "* * * * *", "replicas": 1});
    vec![
        creation::<CronTab>(
            "unknown fields are dropped",
            unknown,
            WriteOutcome::Stored(json!({ "spec": spec }), vec!["spec.someRandomField"]),
        ),
        creation::<CronTab>(
            "a bad schedule and too many replicas",
            json!({"cronSpec": "* * * *", "image": "my-image", "replicas": 15}),
            WriteOutcome::Rejected(vec![
                r#"spec.cronSpec: Invalid value: "* * * *": spec.cronSpec in body should match '^(\d+|\*)(/\d+)?(\s+(\d+|\*)(/\d+)?){4}$'"#,
                "spec.replicas: Invalid value: 15: spec.replicas in body should be less than or equal to 10",
            ]),
        ),
        creation::<CronTab>(
            "defaults",
            json!({"image": "my-image"}),
            stored(json!({"cronSpec": "5 0 * * *", "image": "my-image", "replicas": 1})),
        ),
        DocumentedWrite {
            object: json!({ "spec": was, "status": running }),
            ..creation::<CronTab>("a new object has no status", Value::Null, stored(was.clone()))
        },
        replacing(
            was.clone(),
            with_status(
                running.clone(),
                creation::<CronTab>(
                    "a status is written on its own",
                    json!({"cronSpec": "* * * * *", "replicas": 5}),
                    WriteOutcome::Stored(json!({ "spec": was, "status": running }), Vec::new()),
                ),
            ),
        ),
    ]
}

fn others() -> Vec<DocumentedWrite> {
    let shirt = json!({"color": "blue", "size": "S"});
    let cleaner =
        |schedule: &str| json!({"schedule": schedule, "resourceSelectors": [], "action": "Scan"});
    vec![
        creation::<Shirt>("a shirt", shirt.clone(), stored(shirt)),
        replacing(
            cleaner("0 * * * *"),
            creation::<Cleaner>(
                "a replacement by the same spec",
                cleaner("0 * * * *"),
                stored(cleaner("0 * * * *")),
            ),
        ),
        replacing(
            cleaner("0 * * * *"),
            creation::<Cleaner>(
                "an immutable field changes",
                cleaner("1 * * * *"),
                WriteOutcome::Rejected(vec![
                    r#"spec.schedule: Invalid value: "1 * * * *": field is immutable"#,
                ]),
            ),
        ),
        replacing(
            cleaner("0 * * * *"),
            with_status(
                json!({"lastRunTime": "yesterday"}),
                creation::<Cleaner>(
                    "a text that is no time",
                    cleaner("0 * * * *"),
                    WriteOutcome::Rejected(vec![
                        r#"status.lastRunTime: Invalid value: "yesterday": lastRunTime in body must be of type date-time: "yesterday""#,
                        "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
                    ]),
                ),
            ),
        ),
    ]
}

fn cluster_profiles() -> Vec<DocumentedWrite> {
    let chart = |key: &str, value: &str| {
        let mut chart = json!({"repositoryURL": "https://charts.example.com", "chartName": "c", "chartVersion": "1"});
        if !key.is_empty() {
            chart[key] = value.into();
        }
        json!({ "helmCharts": [chart] })
    };
    let mut installed = chart("helmChartAction", "Install");
    installed["tier"] = 100.into();
    let rejected = |name, spec, error| {
        creation::<ClusterProfile>(name, spec, WriteOutcome::Rejected(vec![error]))
    };
    vec![
        creation::<ClusterProfile>("a default tier", json!({}), stored(json!({"tier": 100}))),
        creation::<ClusterProfile>("a default in a list", chart("", ""), stored(installed)),
        rejected(
            "a value that is not in the enum",
            chart("helmChartAction", "Deploy"),
            r#"spec.helmCharts[0].helmChartAction: Unsupported value: "Deploy": supported values: "Install", "Uninstall""#,
        ),
        rejected(
            "a text that is too short",
            chart("repositoryURL", ""),
            r#"spec.helmCharts[0].repositoryURL: Invalid value: "": spec.helmCharts[0].repositoryURL in body should be at least 1 chars long"#,
        ),
        rejected(
            "a number that is too small",
            json!({"tier": 0}),
            "spec.tier: Invalid value: 0: spec.tier in body should be greater than or equal to 1",
        ),
        rejected(
            "two items with the same key",
            json!({"templateResourceRefs": [
                {"identifier": "a", "kind": "Secret", "name": "x"},
                {"identifier": "a", "kind": "Secret", "name": "y"},
            ]}),
            r#"spec.templateResourceRefs[1]: Duplicate value: {"identifier":"a"}"#,
        ),
    ]
}

fn raws() -> Vec<DocumentedWrite> {
    let kept = json!({
        "bar": "x",
        "foo": "y",
        "template": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "anything": {"goes": [1]}},
        "port": "http",
        "json": {"spec": {"foo": "abc", "bar": "def"}, "status": {"something": "x"}},
    });
    let by_number = json!({"bar": "x", "foo": "y", "port": 80});
    vec![
        creation::<Raw>("fields that the schema preserves", kept.clone(), stored(kept)),
        creation::<Raw>(
            "an unknown field below a preserved one",
            json!({"bar": "x", "json": {"spec": {"foo": "abc", "bar": "def", "zoo": 1}, "status": {"something": "x"}}}),
            WriteOutcome::Stored(
                json!({"spec": {"bar": "x", "foo": "default",
                    "json": {"spec": {"foo": "abc", "bar": "def"}, "status": {"something": "x"}}}}),
                vec!["spec.json.spec.zoo"],
            ),
        ),
        creation::<Raw>(
            "nulls of fields with and without defaults",
            json!({"foo": null, "bar": null, "baz": null}),
            stored(json!({"foo": "default", "bar": null})),
        ),
        creation::<Raw>("a port by number", by_number.clone(), stored(by_number)),
        creation::<Raw>(
            "a port of a wrong type",
            json!({"bar": "x", "port": true}),
            WriteOutcome::Rejected(vec![
                r#"spec.port: Invalid value: "boolean": spec.port in body must be of type integer,string: "boolean""#,
            ]),
        ),
    ]
}
