//! The documented outcomes, on the server.

use crd_runtime::differences::Difference;
use crd_tests::outcomes::{self, DocumentedWrite, WriteOutcome};
use serde_json::{Value, json};

use crate::agreement::causes;
use crate::cluster::{Answer, Cluster, compares_texts};

pub(crate) async fn documented(cluster: Cluster) {
    for (number, case) in outcomes::documented().iter().enumerate() {
        let name = format!("documented-{number}");
        let answer = write(&cluster, case, &name).await;
        // The documented texts are those of the reference version.
        let shows_values = Difference::ValuesOfRules.is_in(cluster.kubernetes);
        judge(case, answer, compares_texts(cluster.kubernetes) && shows_values);
    }
}

/// Returns the path of a kind's objects.
pub(crate) fn collection_path(
    definition: &crd_runtime::model::CustomResourceDefinition,
    version: &str,
) -> String {
    let spec = &definition.spec;
    let namespace = if spec.scope == "Namespaced" { "namespaces/default/" } else { "" };
    format!("/apis/{}/{version}/{namespace}{}", spec.group, spec.names.plural)
}

async fn write(cluster: &Cluster, case: &DocumentedWrite, name: &str) -> Answer {
    let path = collection_path(&case.definition, case.version);
    let mut object = case.whole(name, &case.object);
    let Some(old) = &case.old else { return cluster.create(&path, &object).await };
    let old = cluster.create(&path, &case.whole(name, &json!({ "spec": old }))).await.ok();
    object["metadata"]["resourceVersion"] = old["metadata"]["resourceVersion"].clone();
    let status = if case.writes_status { "/status" } else { "" };
    cluster.replace(&format!("{path}/{name}{status}"), &object).await
}

#[track_caller]
fn judge(case: &DocumentedWrite, answer: Answer, every_word: bool) {
    let name = case.name;
    match &case.outcome {
        WriteOutcome::Stored(want, unknown) => {
            let warnings: Vec<String> =
                unknown.iter().map(|field| format!("unknown field {field:?}")).collect();
            assert_eq!(answer.warnings, warnings, "{name}");
            let object = answer.ok();
            for key in ["spec", "status"] {
                assert_eq!(object.get(key), want.get(key), "{name}");
            }
        }
        WriteOutcome::Rejected(want) => {
            assert_eq!(answer.code, 422, "{name}: {}", answer.body);
            if !every_word {
                return;
            }
            let mut want: Vec<String> = want.iter().map(|&error| error.to_owned()).collect();
            want.sort_unstable();
            assert_eq!(causes(&answer), want, "{name}");
            if let [error] = want.as_slice() {
                let kind = &case.definition.spec.names.kind;
                let group = &case.definition.spec.group;
                let object =
                    answer.body["details"]["name"].as_str().map_or(Value::Null, Value::from);
                assert_eq!(
                    answer.message(),
                    format!("{kind}.{group} {object} is invalid: {error}")
                );
            }
        }
    }
}
