//! Changes of CRDs with stored objects.

use crd_runtime::admit::{Operation, Write};
use crd_runtime::model::CustomResourceDefinition;
use crd_runtime::{Server, definition};
use crd_tests::differential;
use serde_json::{Value, json};

use crate::agreement::{causes, compare, differences, predicted};
use crate::cluster::{Cluster, DEFINITIONS, compares_texts, eventually};
use crate::definitions::{kind, version};
use crate::outcomes::collection_path;

fn job(group: &str, version: &str, name: &str, spec: &Value) -> Value {
    json!({"apiVersion": format!("{group}/{version}"), "kind": "Job",
        "metadata": {"name": name, "namespace": "default"}, "spec": spec})
}

pub(crate) async fn new_fields_and_versions(cluster: Cluster) {
    let group = "upgrade.example.com";
    let path = |version: &str| format!("/apis/{group}/{version}/namespaces/default/jobs");
    let a = json!({"a": {"type": "string"}});
    cluster.install(&kind(group, json!([version("v1", true, &a)]))).await;
    cluster
        .create(&path("v1"), &job(group, "v1", "j", &json!({"a": "x", "b": "dropped"})))
        .await
        .ok();

    // Stored objects get the default of a new field.
    let ab = json!({"a": {"type": "string"}, "b": {"type": "string", "default": "new"}});
    cluster.install(&kind(group, json!([version("v1", true, &ab)]))).await;
    let one = format!("{}/j", path("v1"));
    let read = eventually("the default", async || {
        let read = cluster.get(&one).await.ok();
        (read["spec"]["b"] == "new").then_some(read)
    })
    .await;
    assert_eq!(read["spec"], json!({"a": "x", "b": "new"}));

    // Adds a version, which becomes the storage version. The schemas are equal, so no webhook is needed.
    let both = json!([version("v2", true, &ab), version("v1", false, &ab)]);
    let answer = cluster.install(&kind(group, both)).await;
    assert_eq!(answer.warnings, [""; 0]);
    let one = format!("{}/j", path("v2"));
    let read = eventually("v2", async || {
        Some(cluster.get(&one).await).filter(crate::cluster::Answer::is_success)
    })
    .await
    .ok();
    assert_eq!(
        (&read["apiVersion"], &read["spec"]),
        (&json!("upgrade.example.com/v2"), &json!({"a": "x", "b": "new"}))
    );
    let crd = cluster.get(&format!("{DEFINITIONS}/jobs.{group}")).await.ok();
    assert_eq!(crd["status"]["storedVersions"], json!(["v1", "v2"]));
}

/// A change of a definition.
type Change = fn(&mut Value);

/// Sends changes of a CRD, of which the server rejects most, as dry runs.
pub(crate) async fn rejected_as_predicted(cluster: Cluster) {
    let group = "changes.example.com";
    let a = json!({"a": {"type": "string"}});
    let crd = kind(group, json!([version("v1", true, &a), version("v2", false, &a)]));
    cluster.install(&crd).await;
    let path = format!("{DEFINITIONS}/{}", crd.metadata.name);
    let stored = cluster.get(&path).await.ok();
    let old = definition::decode(&stored).expect("decodes").crd;
    let changes: [(&str, Change); 8] = [
        ("nothing", |_| {}),
        ("the stored version goes", |crd| {
            crd["spec"]["versions"].as_array_mut().expect("a list").remove(0);
            crd["spec"]["versions"][0]["storage"] = true.into();
        }),
        ("the other version goes", |crd| {
            crd["spec"]["versions"].as_array_mut().expect("a list").remove(1);
        }),
        ("the scope", |crd| crd["spec"]["scope"] = "Cluster".into()),
        ("the kind", |crd| crd["spec"]["names"]["kind"] = "Task".into()),
        ("the group", |crd| crd["spec"]["group"] = "example.com".into()),
        ("two are stored", |crd| crd["spec"]["versions"][1]["storage"] = true.into()),
        ("a rule that does not compile", |crd| {
            let spec = "/spec/versions/0/schema/openAPIV3Schema/properties/spec";
            crd.pointer_mut(spec).expect("a spec")["x-kubernetes-validations"] =
                json!([{"rule": "self.b == 1"}]);
        }),
    ];
    for (name, change) in changes {
        let mut changed = stored.clone();
        change(&mut changed);
        let new = definition::decode(&changed).expect("decodes").crd;
        let errors = Server::of(cluster.kubernetes).validate_update(&new, &old);
        let answer = cluster.replace(&format!("{path}?dryRun=All"), &changed).await;
        let got = if answer.is_success() { Vec::new() } else { causes(&answer) };
        let difference = differences(&predicted(&errors), &got);
        assert!(
            difference.is_none() || !compares_texts(cluster.kubernetes),
            "{name}: {difference:?}: {}",
            answer.body["message"]
        );
        assert_eq!(answer.is_success(), errors.is_empty(), "{name}: {}", answer.body);
    }
}

/// Returns a CRD; if `tight` is set, its fields have constraints.
fn ratcheting_crd(tight: bool) -> CustomResourceDefinition {
    let mut properties = json!({
        "name": {"type": "string"},
        "count": {"type": "integer"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "ports": {"type": "array", "items": {"type": "object", "required": ["name"], "properties": {
            "name": {"type": "string"}, "port": {"type": "integer"},
        }}, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]},
        "limits": {"type": "object", "additionalProperties": {"type": "integer"}},
    });
    if tight {
        for (pointer, key, value) in [
            ("/name", "maxLength", json!(3)),
            (
                "/name",
                "x-kubernetes-validations",
                json!([{"rule": "self != 'no'", "message": "must not be no"}]),
            ),
            ("/count", "maximum", json!(5)),
            ("/tags", "maxItems", json!(2)),
            ("/tags/items", "enum", json!(["a", "b"])),
            ("/ports/items/properties/port", "minimum", json!(1)),
            ("/ports", "maxItems", json!(4)),
            (
                "/ports/items",
                "x-kubernetes-validations",
                json!([{"rule": "self.name != 'x' || self.port > 100"}]),
            ),
            ("/limits/additionalProperties", "minimum", json!(0)),
        ] {
            properties.pointer_mut(pointer).expect(pointer)[key] = value;
        }
    }
    kind("ratcheting.example.com", json!([version("v1", true, &properties)]))
}

/// Values that become invalid because a CRD becomes stricter are accepted as long as they do not change.
pub(crate) async fn ratcheting(cluster: Cluster) {
    let loose = ratcheting_crd(false);
    cluster.install(&loose).await;
    let path = collection_path(&loose, "v1");
    let group = &loose.spec.group;
    let mut stored = Vec::new();
    for (number, spec) in [
        json!({"name": "longer than three", "count": 9, "tags": ["a", "z", "z"], "limits": {"a": -1, "b": 2},
            "ports": [{"name": "x", "port": 0}, {"name": "y", "port": -5}, {"name": "z", "port": 9}]}),
        json!({"name": "no", "count": 1, "tags": ["c"], "ports": [{"name": "x", "port": 50}]}),
        json!({"name": "ok", "count": 5, "tags": ["a"], "limits": {"a": 1}}),
    ]
    .iter()
    .enumerate()
    {
        stored.push(cluster.create(&path, &job(group, "v1", &format!("j{number}"), spec)).await.ok());
    }

    let tight = ratcheting_crd(true);
    cluster.install(&tight).await;
    let probe = job(group, "v1", "probe", &json!({"count": 6}));
    let dry = format!("{path}?dryRun=All");
    eventually("strictness", async || {
        (cluster.create(&dry, &probe).await.code == 422).then_some(())
    })
    .await;

    let schema = Server::of(cluster.kubernetes).compile(&tight, "v1").expect("compiles");
    let crd = serde_json::to_value(&tight).expect("JSON");
    let (mut found, mut admitted, mut rejected) = (Vec::new(), 0, 0);
    for number in 0..300_u64 {
        let old = &stored[usize::try_from(number % 3).expect("small")];
        let name = old["metadata"]["name"].as_str().expect("a name");
        let mut object = differential::generated_write(number, &crd, old);
        if number < 3 {
            object = old.clone();
        }
        let body = object.to_string();
        let (json, path) = ("application/json", format!("{path}/{name}?dryRun=All"));
        let answer = cluster.send("PUT", &path, json, json, body.clone().into_bytes()).await;
        let ours = Write::new(Operation::Update(old)).admit_slice(&schema, body.as_bytes());
        assert!(number >= 3 || ours.is_ok(), "errors of unchanged values are ratcheted");
        *(if ours.is_ok() { &mut admitted } else { &mut rejected }) += 1;
        found.extend(
            compare(&schema, &answer, ours).map(|found| format!("{number}: {found}\n  {body}")),
        );
    }
    assert!(found.is_empty(), "{} differ:\n{}", found.len(), found.join("\n"));
    assert!(admitted > 50 && rejected > 50, "{admitted} admitted, {rejected} rejected");
}
