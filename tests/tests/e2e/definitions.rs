//! The CRDs of the examples, and the server's errors and warnings about CRDs.

use crd_examples::cleaner::Cleaner;
use crd_examples::cluster_profile::ClusterProfile;
use crd_examples::crontab::CronTab;
use crd_examples::host_port::{v1, v1beta1};
use crd_examples::raw::Raw;
use crd_examples::shirt::Shirt;
use crd_runtime::CustomResource as _;
use crd_runtime::differences::Difference;
use crd_runtime::model::{CustomResourceDefinition, CustomResourceDefinitionVersion};
use crd_runtime::versions::Versions as _;
use crd_runtime::{Server, definition};
use crd_tests::differential;
use serde_json::{Value, json};

use crate::agreement::{causes, differences, predicted};
use crate::cluster::{Cluster, DEFINITIONS, compares_texts, eventually};
use crate::pair::Pair;

/// The number of generated definitions.
const GENERATED: u64 = 300;

/// Returns the CRDs of all examples.
pub(crate) fn examples() -> Vec<CustomResourceDefinition> {
    vec![
        CronTab::definition(),
        Shirt::definition(),
        Cleaner::definition(),
        ClusterProfile::definition(),
        Raw::definition(),
        <(v1beta1::Endpoint, v1::Endpoint)>::merged().expect("versions agree"),
    ]
}

/// Installs the examples, which other scenarios use.
pub(crate) async fn install(cluster: &Cluster) {
    for definition in examples() {
        let name = &definition.metadata.name;
        let answer = cluster.install(&definition).await;
        assert_eq!(answer.warnings, [""; 0], "{name}");
        // A second apply changes nothing.
        let again = cluster.apply(&definition).await;
        assert_eq!(again.warnings, [""; 0], "{name}");
        let again = again.ok();
        if keeps_all(&definition, cluster) {
            assert_eq!(again["metadata"]["generation"], 1, "{name}");
        }
    }
}

pub(crate) async fn established_and_complete(cluster: Cluster) {
    for definition in examples() {
        let name = &definition.metadata.name;
        let crd = cluster.get(&format!("{DEFINITIONS}/{name}")).await.ok();
        let conditions = crd["status"]["conditions"].as_array().expect("conditions");
        let seen: Vec<(&str, &str)> = conditions
            .iter()
            .map(|c| {
                (c["type"].as_str().unwrap_or_default(), c["status"].as_str().unwrap_or_default())
            })
            .collect();
        assert_eq!(seen, [("NamesAccepted", "True"), ("Established", "True")], "{name}");
        // The server has stored the whole definition, or all but its selectable fields.
        let installed = definition::decode(&crd).expect("decodes").crd;
        if keeps_all(&definition, &cluster) {
            assert_eq!(installed.spec.versions, definition.spec.versions, "{name}");
        } else {
            assert!(!installed.spec.versions.iter().any(has_selectable_fields), "{name}");
        }
    }
}

/// Whether the server stores all of a definition.
fn keeps_all(definition: &CustomResourceDefinition, cluster: &Cluster) -> bool {
    Difference::SelectableFields.is_in(cluster.kubernetes)
        || !definition.spec.versions.iter().any(has_selectable_fields)
}

fn has_selectable_fields(version: &CustomResourceDefinitionVersion) -> bool {
    version.selectable_fields.as_ref().is_some_and(|fields| !fields.is_empty())
}

/// Sends generated definitions, a third of them invalid, as dry runs.
pub(crate) async fn rejected_as_predicted(cluster: Cluster) {
    let path = format!("{DEFINITIONS}?dryRun=All");
    let (mut accepted, mut rejected) = (0, 0);
    let mut found = Vec::new();
    for number in 0..GENERATED {
        let mut crd = differential::generated_definition(number);
        crd["apiVersion"] = "apiextensions.k8s.io/v1".into();
        crd["kind"] = "CustomResourceDefinition".into();
        let answer = cluster.create(&path, &crd).await;
        let difference = match definition::decode(&crd) {
            Err(error) => {
                rejected += 1;
                let message = error.to_string();
                (answer.code != 400
                    || compares_texts(cluster.kubernetes) && !answer.message().ends_with(&message))
                .then(|| format!("{message}, not {}: {}", answer.code, answer.message()))
            }
            Ok(decoded) => {
                let errors = Server::of(cluster.kubernetes).validate(&decoded.crd);
                *(if errors.is_empty() { &mut accepted } else { &mut rejected }) += 1;
                if answer.is_success() == errors.is_empty() {
                    if !compares_texts(cluster.kubernetes) {
                        continue;
                    }
                    let got = if answer.is_success() { Vec::new() } else { causes(&answer) };
                    differences(&predicted(&errors), &got)
                } else {
                    let verdict = if errors.is_empty() { "accepted" } else { "rejected" };
                    Some(format!("{verdict} here, not {}: {}", answer.code, answer.message()))
                }
            }
        };
        found.extend(
            difference.map(|difference| format!("definition {number}: {difference}\n{crd}")),
        );
    }
    assert!(found.is_empty(), "{} of {GENERATED} differ:\n{}", found.len(), found.join("\n"));
    assert!(
        accepted > 50 && rejected > 50,
        "{accepted} of {GENERATED} were accepted, {rejected} rejected: the test says little"
    );
}

/// Returns a definition for a scenario that changes it.
pub(crate) fn kind(group: &str, versions: Value) -> CustomResourceDefinition {
    crd_fixtures::crd(group, "Job").set("/spec/versions", versions).read()
}

/// Returns a version whose spec has these properties.
pub(crate) fn version(name: &str, storage: bool, properties: &Value) -> Value {
    json!({"name": name, "served": true, "storage": storage, "schema": {"openAPIV3Schema": {
        "type": "object", "properties": {"spec": {"type": "object", "properties": properties}},
    }}})
}

/// Changes a definition that is being deleted.
pub(crate) async fn finalizers_of_a_deleted_one(cluster: Cluster) {
    let mut pair = Pair::of(cluster);
    let mut crd = json!(kind("finalized.example.com", json!([version("v1", true, &json!({}))])));
    crd["metadata"]["finalizers"] = json!(["example.com/a"]);
    let path = format!("{DEFINITIONS}/jobs.finalized.example.com");
    for cluster in [&pair.real, &pair.ours] {
        cluster.create(DEFINITIONS, &crd).await.ok();
        cluster
            .send("DELETE", &path, "application/json", "application/json", Vec::new())
            .await
            .ok();
        // The server removes its own finalizer when the objects are gone.
        eventually("cleaned up", async || {
            let live = cluster.get(&path).await.ok();
            (live["metadata"]["finalizers"] == json!(["example.com/a"])).then_some(())
        })
        .await;
    }
    let merge = "application/merge-patch+json";
    for finalizers in
        [json!(["example.com/a", "example.com/b"]), json!(["example.com/c"]), json!(["none"])]
    {
        let patch = json!({"metadata": {"finalizers": finalizers}});
        let what = format!("finalizers {finalizers}");
        let body = patch.to_string().into_bytes();
        pair.send(&what, "PATCH", &path, merge, body).await;
    }
    let patch = json!({"metadata": {"labels": {"a": "b c"}, "finalizers": ["example.com/b"]}});
    pair.send("and a label", "PATCH", &path, merge, patch.to_string().into_bytes()).await;
    for cluster in [&pair.real, &pair.ours] {
        cluster.merge(&path, &json!({"metadata": {"finalizers": null}})).await.ok();
    }
    pair.finish();
}
