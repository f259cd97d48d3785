//! Writes objects of built-in kinds to the real server and to the API server of tests: both must return the same
//! objects.

use std::collections::BTreeMap;

use crd_apiserver::ApiServer;
use crd_runtime::yaml;
use serde_json::{Value, json};

use crate::cluster::{Answer, Cluster, kubernetes};

/// Objects that a server accepts.
const OBJECTS: &str = include_str!("built_in.yaml");
/// Objects with values of the wrong type, and with fields that do not exist.
const MALFORMED: &str = include_str!("built_in_malformed.yaml");

/// Fields that each server writes with values of its own.
const OWN: [&str; 10] = [
    "uid",
    "resourceVersion",
    "creationTimestamp",
    "time",
    "lastTransitionTime",
    "lastPhaseTransitionTime",
    "clusterIP",
    "clusterIPs",
    "nodePort",
    "healthCheckNodePort",
];

/// Two servers that get the same requests.
struct Pair {
    real: Cluster,
    ours: Cluster,
    /// The differences found: each names the request and has both answers.
    differences: Vec<String>,
}

impl Pair {
    fn of(real: Cluster) -> Self {
        let server = ApiServer::new().kubernetes(real.kubernetes).without_controllers();
        let ours = Cluster { client: server.client(), ..real.clone() };
        Self { real, ours, differences: Vec::new() }
    }

    /// Sends a request to both servers, compares the answers, and returns that of the real one.
    async fn ask(&mut self, what: &str, method: &str, path: &str, body: &Value) -> Answer {
        let bytes = || if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        let json = "application/json";
        let real = self.real.send(method, path, json, json, bytes()).await;
        let ours = self.ours.send(method, path, json, json, bytes()).await;
        self.compare(what, &real, &ours);
        real
    }

    fn compare(&mut self, what: &str, real: &Answer, ours: &Answer) {
        let (wanted, found) = (shown(real), shown(ours));
        for (place, value) in &wanted {
            if found.get(place) != Some(value) {
                let other = found.get(place).map_or("nothing", String::as_str);
                self.differences.push(format!("{what}: {place} is {value}, here {other}"));
            }
        }
        for (place, value) in &found {
            if !wanted.contains_key(place) {
                self.differences.push(format!("{what}: {place} is nothing, here {value}"));
            }
        }
    }

    #[track_caller]
    fn finish(self) {
        assert!(
            self.differences.is_empty(),
            "{} differences:\n{}",
            self.differences.len(),
            self.differences.join("\n")
        );
    }
}

/// Returns the values of an answer that are compared, by their places.
fn shown(answer: &Answer) -> BTreeMap<String, String> {
    let mut places = BTreeMap::new();
    places.insert("code".to_owned(), answer.code.to_string());
    // 1.32 and 1.33 also warn that a path overlaps itself.
    let is_compared =
        |text: &&String| kubernetes().minor() >= 34 || !text.contains(": overlapping paths: ");
    let warnings = answer.warnings.iter().filter(is_compared);
    places.insert("warnings".to_owned(), format!("{:?}", warnings.collect::<Vec<_>>()));
    let uid = answer.body["metadata"]["uid"].as_str().unwrap_or_default();
    collect(&answer.body, "", uid, &mut places);
    places
}

fn collect(value: &Value, place: &str, uid: &str, places: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (key, value) in map {
                let place = format!("{place}.{key}");
                if OWN.contains(&key.as_str()) && *value != "None" && *value != json!(["None"]) {
                    let shape = match value {
                        Value::Null => "null".to_owned(),
                        Value::Array(items) => format!("{} of its own", items.len()),
                        _ => "its own".to_owned(),
                    };
                    places.insert(place, shape);
                } else {
                    collect(value, &place, uid, places);
                }
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (index, value) in items.iter().enumerate() {
                collect(value, &format!("{place}[{index}]"), uid, places);
            }
        }
        Value::String(text) if !uid.is_empty() && text == uid => {
            places.insert(place.to_owned(), "the uid".to_owned());
        }
        other => {
            places.insert(place.to_owned(), other.to_string());
        }
    }
}

/// Returns the objects of a file, each with a name of its own, and the collection that it belongs to.
fn objects(text: &str, prefix: &str) -> Vec<(String, String, Value)> {
    let documents = yaml::documents(text).enumerate();
    documents
        .map(|(index, document)| {
            let mut object = document.expect("YAML").value;
            let kind = object["kind"].as_str().expect("a kind").to_owned();
            let name = format!("{prefix}-{index}-{}", kind.to_lowercase());
            let is_namespaced = !matches!(&*kind, "Namespace" | "PersistentVolume")
                && !kind.starts_with("Cluster")
                && !kind.ends_with("Configuration");
            if object.get("metadata").is_none() {
                object["metadata"] = json!({});
            }
            object["metadata"]["name"] = name.as_str().into();
            (name, collection(&object, &kind, is_namespaced), object)
        })
        .collect()
}

fn collection(object: &Value, kind: &str, is_namespaced: bool) -> String {
    let version = object["apiVersion"].as_str().expect("a version");
    let root = if version == "v1" { "/api/v1".to_owned() } else { format!("/apis/{version}") };
    let namespace = if is_namespaced { "/namespaces/default" } else { "" };
    let lower = kind.to_lowercase();
    let plural = match lower.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None if lower.ends_with('s') => format!("{lower}es"),
        None => format!("{lower}s"),
    };
    format!("{root}{namespace}/{plural}")
}

/// Creates and reads objects of all kinds, and replaces most of them by objects with one more label.
pub(crate) async fn read_back(cluster: Cluster) {
    let mut pair = Pair::of(cluster);
    for (name, collection, object) in objects(OBJECTS, "built-in") {
        let path = format!("{collection}/{name}");
        let created = pair.ask(&format!("{name} created"), "POST", &collection, &object).await;
        if !created.is_success() {
            pair.differences.push(format!("{name} is rejected: {}", created.message()));
            continue;
        }
        pair.ask(&format!("{name} read"), "GET", &path, &Value::Null).await;
        let mut labelled = object.clone();
        labelled["metadata"]["labels"]["changed"] = "yes".into();
        // A job, a pod, a persistent volume or a claim can only be replaced by an object with the fields that the
        // server has set.
        if !name.ends_with("-job") && !name.ends_with("-pod") && !name.contains("-persistentvolume")
        {
            let sent = with_version(&pair, &path, &labelled).await;
            let what = format!("{name} replaced");
            let (real, ours) = (
                pair.real.replace(&path, &sent[0]).await,
                pair.ours.replace(&path, &sent[1]).await,
            );
            pair.compare(&what, &real, &ours);
        }
        // Other scenarios must not find the object.
        for cluster in [&pair.real, &pair.ours] {
            cluster.send("DELETE", &path, "application/json", "application/json", Vec::new()).await;
        }
    }
    pair.finish();
}

/// Returns an object twice: with the resource version of each server.
async fn with_version(pair: &Pair, path: &str, object: &Value) -> [Value; 2] {
    let mut both = [object.clone(), object.clone()];
    for (cluster, object) in [&pair.real, &pair.ours].into_iter().zip(&mut both) {
        let live = cluster.get(path).await.body;
        object["metadata"]["resourceVersion"] = live["metadata"]["resourceVersion"].clone();
    }
    both
}

/// Creates malformed objects, as dry runs, with each value of `fieldValidation`.
pub(crate) async fn malformed(cluster: Cluster) {
    let mut pair = Pair::of(cluster);
    for (name, collection, object) in objects(MALFORMED, "malformed") {
        for validation in ["Ignore", "Warn", "Strict"] {
            let path = format!("{collection}?dryRun=All&fieldValidation={validation}");
            pair.ask(&format!("{name} with {validation}"), "POST", &path, &object).await;
        }
    }
    pair.finish();
}
