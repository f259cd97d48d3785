//! Generated objects of each example, written to the server and to the engine, which must answer the same.
//!
//! Writes have `dryRun=All`, so that only the objects are stored that updates need.

use std::env;

use crd_examples::cleaner::Cleaner;
use crd_examples::cluster_profile::ClusterProfile;
use crd_examples::crontab::CronTab;
use crd_examples::host_port::v1;
use crd_examples::raw::Raw;
use crd_examples::shirt::Shirt;
use crd_runtime::admit::{Admitted, Operation, Rejection, Write};
use crd_runtime::compiled::CompiledSchema;
use crd_runtime::field::ErrorList;
use crd_runtime::json;
use crd_runtime::{CustomResource, Server};
use crd_tests::apiserver::KUBECONFIG;
use crd_tests::differential;
use crd_tests::oracle::without_numbers;
use serde_json::{Map, Value, json};

use crate::cluster::{Answer, Cluster, compares_texts};
use crate::outcomes::collection_path;

/// The number of writes for each example to a real server. The in-process one decides by the same code, so fewer do.
const WRITES: u64 = 400;
const WRITES_IN_PROCESS: u64 = 40;
/// The number of differences that are shown.
const SHOWN: usize = 5;

pub(crate) async fn crontab(cluster: Cluster) {
    let full = json!({"spec": {"cronSpec": "* * * * */5", "image": "my-image", "replicas": 2}});
    let bare = json!({"spec": {}});
    agrees::<CronTab>(&cluster, &[full, bare], true).await;
}

pub(crate) async fn shirt(cluster: Cluster) {
    let full = json!({"spec": {"color": "blue", "size": "S"}});
    agrees::<Shirt>(&cluster, &[full], false).await;
}

pub(crate) async fn cleaner(cluster: Cluster) {
    let selector =
        json!({"group": "apps", "version": "v1", "kind": "Deployment", "namespace": "x"});
    let full = json!({"spec": {"schedule": "0 * * * *", "action": "Scan",
        "resourceSelectors": [selector, {"version": "v1", "kind": "Pod"}]}});
    agrees::<Cleaner>(&cluster, &[full], true).await;
}

pub(crate) async fn cluster_profile(cluster: Cluster) {
    let chart = json!({"repositoryURL": "https://a", "chartName": "b", "chartVersion": "1"});
    let reference = |id: &str| json!({"identifier": id, "kind": "Secret", "name": "s"});
    let full = json!({"spec": {"tier": 5, "helmCharts": [chart],
        "templateResourceRefs": [reference("a"), reference("b")]}});
    agrees::<ClusterProfile>(&cluster, &[full], true).await;
}

pub(crate) async fn raw(cluster: Cluster) {
    let full = json!({"spec": {
        "bar": null, "foo": "y", "port": "http",
        "template": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"a": [1]}},
        "json": {"spec": {"foo": "abc", "bar": "def"}, "status": {"something": "x"}},
    }});
    agrees::<Raw>(&cluster, &[full], false).await;
}

pub(crate) async fn endpoint(cluster: Cluster) {
    agrees::<v1::Endpoint>(&cluster, &[json!({"host": "localhost", "port": "80"})], false).await;
}

async fn agrees<T: CustomResource>(cluster: &Cluster, bases: &[Value], has_status: bool) {
    let definition = T::definition();
    let schema = Server::of(cluster.kubernetes).compile(&definition, T::VERSION).expect("compiles");
    let path = collection_path(&definition, T::VERSION);
    let crd = serde_json::to_value(&definition).expect("JSON");
    let kind = T::KIND.to_lowercase();
    let mut stored = Vec::new();
    for (number, base) in bases.iter().enumerate() {
        let mut object = base.clone();
        object["apiVersion"] = T::API_VERSION.into();
        object["kind"] = T::KIND.into();
        object["metadata"] = json!({"name": format!("agreement-{kind}-{number}")});
        if T::NAMESPACED {
            object["metadata"]["namespace"] = "default".into();
        }
        let old = cluster.create(&path, &object).await.ok();
        // Creations use a name that is not taken.
        object["metadata"]["name"] = "agreement-new".into();
        stored.push((object, old));
    }
    let mut found = Vec::new();
    let (mut admitted, mut rejected) = (0, 0);
    let real = env::var_os(KUBECONFIG).is_some();
    let writes = if real { WRITES } else { WRITES_IN_PROCESS };
    for number in 0..writes {
        let (new, old) = &stored[usize::try_from(number).expect("small") % stored.len()];
        let choice = number / u64::try_from(stored.len()).expect("small") % 3;
        let base = if choice == 0 { new } else { old };
        let object = differential::generated_write(number, &crd, base);
        let body = object.to_string();
        let name = old["metadata"]["name"].as_str().expect("a name");
        let (method, path, operation) = match choice {
            0 => ("POST", path.clone(), Operation::Create),
            1 if has_status => {
                ("PUT", format!("{path}/{name}/status"), Operation::UpdateStatus(old))
            }
            _ => ("PUT", format!("{path}/{name}"), Operation::Update(old)),
        };
        let json = "application/json";
        let path = format!("{path}?dryRun=All");
        let answer = cluster.send(method, &path, json, json, body.clone().into_bytes()).await;
        let ours = Write::new(operation).admit_slice(&schema, body.as_bytes());
        *(if ours.is_ok() { &mut admitted } else { &mut rejected }) += 1;
        if let Some(difference) = compare(&schema, &answer, ours) {
            found.push(format!("{method} {number}: {difference}\n  {body}"));
        }
    }
    let shown = found.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("\n");
    assert!(found.is_empty(), "{} of {writes} differ:\n{shown}", found.len());
    let least = writes / 10;
    assert!(
        admitted > least && rejected > least,
        "{admitted} admitted, {rejected} rejected: the test says little"
    );
}

/// Describes how the server's answer differs from the engine's.
pub(crate) fn compare(
    schema: &CompiledSchema,
    answer: &Answer,
    ours: Result<Admitted, Rejection>,
) -> Option<String> {
    match ours {
        Ok(admitted) if answer.is_success() => {
            let (ours, server) = (
                without_server_fields(&json::stored(admitted.object)),
                without_server_fields(&answer.body),
            );
            let (ours, server) = (json::to_go_string(&ours), json::to_go_string(&server));
            if ours != server {
                return Some(format!("stored {ours}\n  server {server}"));
            }
            if !compares_texts(schema.kubernetes()) {
                return None;
            }
            // The order of the warnings about ratcheted errors is random.
            let (mut ours, mut server) = (admitted.warnings, answer.warnings.clone());
            ours.sort_unstable();
            server.sort_unstable();
            differences(&ours, &server)
        }
        Ok(_) => Some(format!("admitted; server: {} {}", answer.code, answer.message())),
        Err(rejection) if answer.is_success() => Some(format!("{rejection}; the server admits it")),
        Err(rejection) if !compares_texts(schema.kubernetes()) => (answer.code != rejection.code())
            .then(|| format!("{rejection}\n  server {} {}", answer.code, answer.message())),
        Err(rejection) => {
            let message = rejection.message(schema);
            if let Some(errors) = rejection.errors() {
                if answer.code != 422 {
                    return Some(format!(
                        "{message}\n  server {} {}",
                        answer.code,
                        answer.message()
                    ));
                }
                // The server reports several errors in random order.
                return differences(&predicted(errors), &causes(answer)).or_else(|| {
                    (errors.len() == 1 && answer.message() != message)
                        .then(|| format!("{message}\n  server {}", answer.message()))
                });
            }
            (answer.code != 400 || answer.message() != message)
                .then(|| format!("{message}\n  server {} {}", answer.code, answer.message()))
        }
    }
}

/// Returns the errors as the server lists them in the causes of a status, sorted.
pub(crate) fn predicted(errors: &ErrorList) -> Vec<String> {
    let mut all: Vec<String> =
        errors.iter().map(|error| without_numbers(&error.to_string())).collect();
    all.sort_unstable();
    // On an update, the server validates metadata twice.
    all.dedup();
    all
}

/// Returns the causes of a status, sorted.
pub(crate) fn causes(answer: &Answer) -> Vec<String> {
    let text = |cause: &Value, key: &str| cause[key].as_str().unwrap_or_default().to_owned();
    let mut all: Vec<String> = answer.body["details"]["causes"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|cause| {
            without_numbers(&format!("{}: {}", text(cause, "field"), text(cause, "message")))
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Describes the texts that only one side has.
pub(crate) fn differences(ours: &[String], server: &[String]) -> Option<String> {
    if ours == server {
        return None;
    }
    let only = |these: &[String], others: &[String]| -> Vec<String> {
        these.iter().filter(|text| !others.contains(text)).cloned().collect()
    };
    Some(format!("here {:?}\n  server {:?}", only(ours, server), only(server, ours)))
}

/// Returns an object without the fields that the server sets outside of the strategy.
fn without_server_fields(object: &Value) -> Value {
    let mut object = object.clone();
    let metadata = object["metadata"].take();
    let kept: Map<String, Value> = ["name", "namespace", "labels", "annotations", "finalizers"]
        .iter()
        .filter_map(|&key| Some((key.to_owned(), metadata.get(key)?.clone())))
        .collect();
    object["metadata"] = kept.into();
    object
}
