//! Storage migration on the server.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use crd_runtime::convert::{Converter, StepError};
use crd_runtime::migrate::{Error, Migration};
use crd_runtime::model::CustomResourceDefinition;
use serde_json::{Value, json};

use crate::cluster::{Cluster, DEFINITIONS, eventually};
use crate::conversion::serve;
use crate::definitions::{kind, version};

const GROUP: &str = "migration.example.com";
const NAME: &str = "jobs.migration.example.com";
const V1: &str = "/apis/migration.example.com/v1/namespaces/default/jobs";
const V2: &str = "/apis/migration.example.com/v2/namespaces/default/jobs";

/// Whether the converter accepts every object.
static CONVERTS_ALL: AtomicBool = AtomicBool::new(false);

/// The number of objects that are stored in the old version.
const OLD: usize = 25;

fn renamed(from: &'static str, to: &'static str) -> impl Fn(Value) -> Result<Value, StepError> {
    move |mut object| {
        if object["spec"][from] == "bad" && !CONVERTS_ALL.load(Ordering::Relaxed) {
            return Err("bad does not convert".into());
        }
        let value = object["spec"][from].take();
        object["spec"] = json!({ to: value });
        Ok(object)
    }
}

fn object(version: &str, name: &str, spec: &Value) -> Value {
    json!({"apiVersion": format!("{GROUP}/{version}"), "kind": "Job",
        "metadata": {"name": name, "namespace": "default"}, "spec": spec})
}

async fn stored_versions(cluster: &Cluster) -> Value {
    cluster.get(&format!("{DEFINITIONS}/{NAME}")).await.ok()["status"]["storedVersions"].take()
}

async fn resource_versions(cluster: &Cluster) -> BTreeMap<String, String> {
    let list = cluster.get(V2).await.ok();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let items = list["items"].as_array().into_iter().flatten().map(|item| &item["metadata"]);
    items.map(|meta| (text(&meta["name"]), text(&meta["resourceVersion"]))).collect()
}

pub(crate) async fn rewrites_and_drops(cluster: Cluster) {
    let converter = Converter::new(GROUP, "Job").step("v1", "v2", renamed("a", "b")).step(
        "v2",
        "v1",
        renamed("b", "a"),
    );
    let conversion = serve(converter).await;
    let definition = |v1: bool, v2: bool| -> CustomResourceDefinition {
        let (a, b) = (json!({"a": {"type": "string"}}), json!({"b": {"type": "string"}}));
        let mut crd = kind(GROUP, json!([version("v1", v1, &a), version("v2", v2, &b)]));
        crd.spec.conversion = Some(conversion.clone());
        crd
    };
    cluster.install(&definition(true, false)).await;
    for number in 0..OLD {
        let spec = json!({"a": number.to_string()});
        cluster.create(V1, &object("v1", &format!("old-{number}"), &spec)).await.ok();
    }
    cluster.create(V1, &object("v1", "bad", &json!({"a": "bad"}))).await.ok();

    cluster.install(&definition(false, true)).await;
    // The server starts to use the new storage version in the background. Until then, it rejects this object, which
    // does not convert to v1.
    let probe = object("v2", "probe", &json!({"b": "bad"}));
    let path = format!("{V2}?dryRun=All");
    eventually("storage", async || cluster.create(&path, &probe).await.is_success().then_some(()))
        .await;
    cluster.create(V2, &object("v2", "new", &json!({"b": "new"}))).await.ok();
    assert_eq!(stored_versions(&cluster).await, json!(["v1", "v2"]));

    // An object that does not convert stays in the old version, and the error names it.
    let migration = Migration::new(cluster.client.clone(), NAME).page(10);
    let error = migration.clone().run(|_| {}).await.expect_err("one does not convert");
    assert!(matches!(error, Error::Request { .. }), "{error}");
    assert!(
        error.to_string().contains("Kind=Job default/bad: to `v2`: bad does not convert"),
        "{error}"
    );
    assert_eq!(stored_versions(&cluster).await, json!(["v1", "v2"]));
    // It cannot be deleted either, because the server converts an object that it deletes. So the converter must be
    // corrected.
    let json = "application/json";
    let delete = cluster.send("DELETE", &format!("{V1}/bad"), json, json, Vec::new()).await;
    assert_eq!(delete.code, 500, "{}", delete.body);
    CONVERTS_ALL.store(true, Ordering::Relaxed);

    let before = resource_versions(&cluster).await;
    let mut lines = Vec::new();
    let done =
        migration.clone().run(|progress| lines.push(progress.to_string())).await.expect("done");
    assert_eq!(done.dropped, ["v1"]);
    assert_eq!(done.progress.rewritten, u64::try_from(OLD + 2).expect("small"));
    assert_eq!(
        lines,
        ["10 rewritten, about 17 left", "20 rewritten, about 7 left", "27 rewritten"]
    );
    assert_eq!(stored_versions(&cluster).await, json!(["v2"]));
    let after = resource_versions(&cluster).await;
    for (name, version) in &before {
        let rewritten = after.get(name) != Some(version);
        assert_eq!(rewritten, name != "new", "{name}: only objects in the old version change");
    }
    let again = migration.run(|_| {}).await.expect("done").to_string();
    assert_eq!(again, "all objects were stored in v2 already");

    // The old version can be removed, and the objects stay.
    let mut crd = definition(false, true);
    crd.spec.versions.retain(|version| version.name == "v2");
    crd.spec.conversion = None;
    cluster.apply(&crd).await.ok();
    eventually("v1 gone", async || (cluster.get(V1).await.code == 404).then_some(())).await;
    let read = cluster.get(&format!("{V2}/old-7")).await.ok();
    assert_eq!(read["spec"], json!({"b": "7"}));
}
