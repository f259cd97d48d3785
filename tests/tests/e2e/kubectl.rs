//! Compares tables with those of the server, and what `crd get` and `crd explain` print with what `kubectl` prints.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;
use std::{env, fs};

use crd_cli::Registry;
use crd_runtime::json::stored;
use crd_runtime::model::CustomResourceDefinition;
use crd_runtime::{Server, openapi, table};
use crd_tests::kubectl::{KUBECTL, masked};
use serde_json::{Value, json};

use crate::cluster::{Cluster, eventually};
use crate::definitions::{examples, kind, version};

/// `kubectl` with a cache of its own.
struct Kubectl {
    program: PathBuf,
    kubeconfig: PathBuf,
    directory: tempfile::TempDir,
}

impl Kubectl {
    fn new(cluster: &Cluster) -> Self {
        let program = env::var_os(KUBECTL).unwrap_or_else(|| panic!("{KUBECTL} is not set")).into();
        let directory = tempfile::tempdir().expect("a directory");
        Self { program, kubeconfig: cluster.kubeconfig.clone(), directory }
    }

    fn run(&self, args: &[&str]) -> Result<String, String> {
        let output = Command::new(&self.program)
            .arg("--kubeconfig")
            .arg(&self.kubeconfig)
            .arg("--cache-dir")
            .arg(self.directory.path().join("cache"))
            .args(args)
            .output()
            .map_err(|error| error.to_string())?;
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
    }
}

/// A kind with columns of every type.
fn columns(group: &str) -> CustomResourceDefinition {
    let properties = json!({
        "text": {"type": "string"}, "count": {"type": "integer"}, "share": {"type": "number"},
        "on": {"type": "boolean"}, "when": {"type": "string", "format": "date-time"},
        "list": {"type": "array", "items": {"type": "string"}},
    });
    let mut crd =
        serde_json::to_value(kind(group, json!([version("v1", true, &properties)]))).expect("JSON");
    let column = |name: &str, type_: &str, path: &str, priority: i32| json!({"name": name, "type": type_, "jsonPath": path, "priority": priority});
    crd["spec"]["versions"][0]["additionalPrinterColumns"] = json!([
        column("Text", "string", ".spec.text", 0),
        column("Count", "integer", ".spec.count", 0),
        column("Share", "number", ".spec.share", 0),
        column("On", "boolean", ".spec.on", 0),
        column("When", "date", ".spec.when", 1),
        column("List", "string", ".spec.list[*]", 0),
        column("Label", "string", r".metadata.labels.example\.com/a", 1),
        column("Age", "date", ".metadata.creationTimestamp", 1),
    ]);
    serde_json::from_value(crd).expect("a CRD")
}

/// The number of objects that [`fill`] creates.
const OBJECTS: usize = 4;

/// Returns the path of the objects.
fn objects(group: &str) -> String {
    format!("/apis/{group}/v1/namespaces/default/jobs")
}

async fn fill(cluster: &Cluster, group: &str) {
    cluster.install(&columns(group)).await;
    for (number, spec) in [
        json!({"text": "a", "count": 1, "share": 0.5, "on": true, "when": "2000-01-01T00:00:00Z", "list": ["x", "y"]}),
        json!({"text": "two\nlines", "count": -7, "share": 3, "on": false, "when": "2999-01-01T00:00:00Z"}),
        json!({"text": "日本", "share": 1e21, "list": []}),
        json!({}),
    ]
    .iter()
    .enumerate()
    {
        let object = json!({"apiVersion": format!("{group}/v1"), "kind": "Job", "spec": spec,
            "metadata": {"name": format!("j{number}"), "namespace": "default", "labels": {"example.com/a": "l"}}});
        cluster.create(&objects(group), &object).await.ok();
    }
}

/// Compares the table that the server renders with ours, except for the last column, the age.
pub(crate) async fn table(cluster: Cluster) {
    fill(&cluster, "tables.example.com").await;
    let (definition, path) = (columns("tables.example.com"), objects("tables.example.com"));
    let schema = Server::of(cluster.kubernetes).compile(&definition, "v1").expect("compiles");
    let list = cluster.get(&path).await.ok();
    let accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    let server = cluster.send("GET", &path, "application/json", accept, Vec::new()).await.ok();
    let objects = list["items"].as_array().expect("a list");
    let ours = table::render(&schema, objects, SystemTime::now());
    let columns = ours.columns.iter();
    let columns: Vec<Value> =
        columns.map(|c| json!([c.name, c.type_, c.format, c.description, c.priority])).collect();
    let served = server["columnDefinitions"].as_array().expect("columns").iter();
    let served: Vec<Value> = served
        .map(|c| json!([c["name"], c["type"], c["format"], c["description"], c["priority"]]))
        .collect();
    assert_eq!(columns, served);
    let without_ages = |rows: Value| {
        let mut rows: Vec<Vec<Value>> = serde_json::from_value(rows).expect("rows");
        assert_eq!(rows.len(), OBJECTS);
        let ages: Vec<_> = rows.iter_mut().filter_map(Vec::pop).collect();
        assert!(ages.iter().all(|age| age.as_str().is_some_and(|age| age != "<unknown>")));
        rows
    };
    let rows = server["rows"].as_array().expect("rows").iter();
    let served = rows.map(|row| row["cells"].clone()).collect();
    assert_eq!(without_ages(stored(json!(ours.rows))), without_ages(served));
}

/// Compares what `crd get` and `kubectl get` print, except for ages.
pub(crate) async fn get(cluster: Cluster) {
    fill(&cluster, "columns.example.com").await;
    let definition = columns("columns.example.com");
    let kubectl = Kubectl::new(&cluster);
    let (files, registry) = (kubectl.directory.path(), Registry::new().manifest(&definition));
    let list = cluster.get(&objects("columns.example.com")).await.ok();
    for args in [&[][..], &["-o", "wide"], &["--no-headers"]] {
        let args_of_kubectl = [&["get", "jobs.columns.example.com"], args].concat();
        let theirs = kubectl.run(&args_of_kubectl).expect("prints");
        assert_eq!(masked(&ours(&registry, files, &list, args)), masked(&theirs));
    }
}

/// Returns what `crd get` prints for a list.
fn ours(registry: &Registry, directory: &Path, list: &Value, args: &[&str]) -> String {
    let file = directory.join("objects.json");
    fs::write(&file, list.to_string()).expect("writes");
    let file = file.to_string_lossy().into_owned();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let line = [&["crd", "get", "-f", &file], args].concat();
    let status = registry.run_to(line.iter().map(Into::into), &mut out, &mut err);
    assert_eq!(status, 0, "{}", String::from_utf8_lossy(&err));
    String::from_utf8(out).expect("text")
}

/// Compares what `crd explain` and `kubectl explain` print for every example, also with all fields at once.
pub(crate) async fn explain(cluster: Cluster) {
    let kubectl = Kubectl::new(&cluster);
    for definition in examples() {
        let plural = &definition.spec.names.plural;
        for version in &definition.spec.versions {
            let api_version = format!("--api-version={}/{}", definition.spec.group, version.name);
            let mut paths: Vec<Vec<&str>> = vec![vec![]];
            let schema =
                version.schema.as_ref().and_then(|schema| schema.open_api_v3_schema.as_ref());
            let properties = schema.and_then(|schema| schema.properties.as_ref());
            for (name, below) in properties.into_iter().flatten() {
                paths.push(vec![name]);
                let below = below.properties.iter().flatten();
                paths.extend(below.map(|(below, _)| vec![&**name, &**below]));
            }
            for path in paths {
                for recursive in [false, true] {
                    let ours = openapi::explain(&definition, &version.name, &path, recursive);
                    let ours = ours.unwrap_or_else(|error| panic!("{plural} {path:?}: {error}"));
                    let what = [&[&**plural], &*path].concat().join(".");
                    let mut args = vec!["explain", &what, &api_version];
                    args.extend(recursive.then_some("--recursive"));
                    // The server publishes a schema some time after it stores the CRD.
                    let published = format!("{what} published");
                    let theirs = eventually(&published, async || kubectl.run(&args).ok()).await;
                    assert_eq!(ours, theirs, "{what}");
                }
            }
        }
    }
}
