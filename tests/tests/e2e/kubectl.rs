//! Compares the output of `kubectl` with the predicted output.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::time::{Duration, Instant, SystemTime};
use std::{env, fs};

use crd_cli::Registry;
use crd_runtime::compiled::CompiledSchema;
use crd_runtime::json::stored;
use crd_runtime::model::CustomResourceDefinition;
use crd_runtime::{openapi, table};
use serde_json::{Value, json};

use crate::cluster::{Cluster, eventually};
use crate::definitions::{examples, kind, version};

/// `kubectl` with a cache of its own.
struct Kubectl {
    kubeconfig: PathBuf,
    directory: PathBuf,
}

impl Kubectl {
    fn new(cluster: &Cluster, name: &str) -> Option<Self> {
        let version = Command::new("kubectl").args(["version", "--client"]).output();
        if !version.is_ok_and(|version| version.status.success()) {
            // Not captured, so that the reader of a successful run also sees what was skipped.
            let _ = writeln!(io::stderr(), "kubectl is not here: what it prints is not compared");
            return None;
        }
        let directory = env::temp_dir().join(format!("crd-e2e-{name}-{}", process::id()));
        fs::create_dir_all(&directory).expect("a directory");
        Some(Self { kubeconfig: cluster.kubeconfig.clone(), directory })
    }

    fn run(&self, args: &[&str]) -> Result<String, String> {
        let output = Command::new("kubectl")
            .arg("--kubeconfig")
            .arg(&self.kubeconfig)
            .arg("--cache-dir")
            .arg(self.directory.join("cache"))
            .args(args)
            .output()
            .map_err(|error| error.to_string())?;
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
    }
}

impl Drop for Kubectl {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.directory);
    }
}

/// A kind with columns of every type.
fn columns() -> CustomResourceDefinition {
    let properties = json!({
        "text": {"type": "string"}, "count": {"type": "integer"}, "share": {"type": "number"},
        "on": {"type": "boolean"}, "when": {"type": "string", "format": "date-time"},
        "list": {"type": "array", "items": {"type": "string"}},
    });
    let mut crd = serde_json::to_value(kind(
        "columns.example.com",
        json!([version("v1", true, &properties)]),
    ))
    .expect("JSON");
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

const COLUMNS: &str = "/apis/columns.example.com/v1/namespaces/default/jobs";

async fn fill(cluster: &Cluster) {
    cluster.install(&columns()).await;
    for (number, spec) in [
        json!({"text": "a", "count": 1, "share": 0.5, "on": true, "when": "2020-01-01T00:00:00Z", "list": ["x", "y"]}),
        json!({"text": "two\nlines", "count": -7, "share": 3, "on": false, "when": "2999-01-01T00:00:00Z"}),
        json!({"text": "日本", "share": 1e21, "list": []}),
        json!({}),
    ]
    .iter()
    .enumerate()
    {
        let object = json!({"apiVersion": "columns.example.com/v1", "kind": "Job", "spec": spec,
            "metadata": {"name": format!("j{number}"), "namespace": "default", "labels": {"example.com/a": "l"}}});
        cluster.create(COLUMNS, &object).await.ok();
    }
}

/// Compares the table that the server renders, and the text that `kubectl` prints for it.
pub(crate) async fn get(cluster: Cluster) {
    fill(&cluster).await;
    let definition = columns();
    let schema =
        CompiledSchema::for_version_on(&definition, "v1", cluster.kubernetes).expect("compiles");
    same(async || {
        let list = cluster.get(COLUMNS).await.ok();
        let objects = list["items"].as_array().expect("a list").clone();
        let accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
        let server =
            cluster.send("GET", COLUMNS, "application/json", accept, Vec::new()).await.ok();
        let ours = table::render(&schema, &objects, SystemTime::now());
        let names: Vec<Value> = ours
            .columns
            .iter()
            .map(|column| {
                json!([
                    column.name,
                    column.type_,
                    column.format,
                    column.description,
                    column.priority
                ])
            })
            .collect();
        let served = server["columnDefinitions"].as_array().expect("columns").iter();
        let served: Vec<Value> = served
            .map(|c| json!([c["name"], c["type"], c["format"], c["description"], c["priority"]]))
            .collect();
        assert_eq!(names, served);
        let rows: Vec<Value> = server["rows"]
            .as_array()
            .expect("rows")
            .iter()
            .map(|row| row["cells"].clone())
            .collect();
        (stored(json!(ours.rows)), json!(rows))
    })
    .await;

    let Some(kubectl) = Kubectl::new(&cluster, "get") else { return };
    let (files, registry) = (&kubectl.directory, Registry::new().manifest(&definition));
    for args in [&[][..], &["-o", "wide"], &["--no-headers"]] {
        same(async || {
            let list = cluster.get(COLUMNS).await.ok();
            let ours = ours(&registry, files, &list, args);
            let theirs = kubectl
                .run(&[&["get", "jobs.columns.example.com"], args].concat())
                .expect("prints");
            (ours, theirs)
        })
        .await;
    }
}

/// Asks both sides until their outputs are equal: ages grow between two calls.
async fn same<T: PartialEq + std::fmt::Debug>(mut ask: impl AsyncFnMut() -> (T, T)) {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let (ours, theirs) = ask().await;
        if ours == theirs || Instant::now() > end {
            assert_eq!(ours, theirs);
            return;
        }
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

/// Compares `kubectl explain` for every example, also with all fields at once.
pub(crate) async fn explain(cluster: Cluster) {
    let Some(kubectl) = Kubectl::new(&cluster, "explain") else { return };
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
