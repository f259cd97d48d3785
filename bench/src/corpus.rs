//! The definitions and objects that are measured: those of the examples and, if the recorded verdicts are
//! present, real ones.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crd_examples::cleaner::Cleaner;
use crd_examples::cluster_profile::ClusterProfile;
use crd_examples::crontab::CronTab;
use crd_examples::shirt::Shirt;
use crd_runtime::CustomResource;
use crd_runtime::admit;
use crd_runtime::compiled::CompiledSchema;
use crd_runtime::model::CustomResourceDefinition;
use serde_json::{Value, json};

/// A version of a definition.
#[derive(Debug)]
pub struct Definition {
    /// The name in reports, such as its kind or the file name of its manifest.
    pub name: String,
    /// The definition as JSON.
    pub json: Value,
    /// The name of the version.
    pub version: String,
    /// Its compiled schema. Rules are compiled when they are first evaluated.
    pub schema: CompiledSchema,
}

/// An object that is created.
#[derive(Debug)]
pub struct Case {
    /// The name in reports.
    pub name: String,
    /// The index of its definition in [`Corpus::definitions`].
    pub definition: usize,
    /// The body of the request.
    pub body: Vec<u8>,
    /// The body as a tree.
    pub object: Value,
    /// The object after pruning and defaulting, as admission returns it.
    pub conformed: Value,
    /// Whether it is admitted.
    pub valid: bool,
}

/// Definitions and objects.
#[derive(Debug, Default)]
pub struct Corpus {
    /// The definitions.
    pub definitions: Vec<Definition>,
    /// The objects.
    pub cases: Vec<Case>,
}

/// Returns the directory of the recorded verdicts, which need not exist.
pub fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/vectors")
}

/// Compiles a version of a definition.
///
/// # Errors
/// If the definition cannot be read or does not compile.
pub fn compile(definition: &Value, version: &str) -> Result<CompiledSchema, String> {
    let crd: CustomResourceDefinition =
        serde_json::from_value(definition.clone()).map_err(|error| error.to_string())?;
    CompiledSchema::for_version(&crd, version).map_err(|error| error.to_string())
}

impl Corpus {
    /// Returns the definitions and objects of the examples.
    ///
    /// # Errors
    /// If the definition of an example does not compile.
    pub fn examples() -> Result<Self, String> {
        let mut corpus = Self::default();
        corpus.add_kind::<CronTab>(&[
            ("valid", json!({"cronSpec": "*/5 * * * *", "image": "backup:1", "replicas": 3})),
            ("defaulted", json!({"image": "backup:1"})),
            ("invalid", json!({"cronSpec": "* * *", "image": "backup:1", "replicas": 11})),
        ])?;
        corpus.add_kind::<Shirt>(&[("valid", json!({"color": "blue", "size": "M"}))])?;
        let selector = |kind| json!({"group": "apps", "version": "v1", "kind": kind});
        let selectors = ["Deployment", "StatefulSet", "DaemonSet"].map(selector);
        corpus.add_kind::<Cleaner>(&[
            ("valid", json!({"schedule": "0 * * * *", "resourceSelectors": selectors})),
            ("invalid", json!({"schedule": "", "resourceSelectors": [], "action": "Keep"})),
        ])?;
        let chart = |name| {
            json!({
                "repositoryURL": "https://charts.example.com", "chartName": name, "chartVersion": "1.2.3",
            })
        };
        let charts = ["ingress", "dns", "certificates", "metrics"].map(chart);
        let reference =
            |name: &str| json!({"identifier": name, "kind": "ConfigMap", "name": "settings"});
        let references = |names: [&str; 2]| names.map(reference);
        corpus.add_kind::<ClusterProfile>(&[
            (
                "valid",
                json!({"helmCharts": charts, "templateResourceRefs": references(["a", "b"])}),
            ),
            (
                "invalid",
                json!({"helmCharts": charts, "templateResourceRefs": references(["a", "a"])}),
            ),
        ])?;
        Ok(corpus)
    }

    /// Returns the examples and the real definitions that are present, and the number of the latter. Each of
    /// these has up to two objects: the largest that is admitted, and the largest that is rejected.
    ///
    /// # Errors
    /// If a file is not JSON, or a definition is missing or does not compile.
    pub fn whole() -> Result<(Self, usize), String> {
        let mut corpus = Self::examples()?;
        let own = corpus.definitions.len();
        corpus.add_recorded(&vectors())?;
        let recorded = corpus.definitions.len() - own;
        Ok((corpus, recorded))
    }

    fn add_kind<T: CustomResource>(&mut self, specs: &[(&str, Value)]) -> Result<(), String> {
        let json = serde_json::to_value(T::definition()).map_err(|error| error.to_string())?;
        let definition = self.add_definition(T::KIND.to_owned(), json, T::VERSION)?;
        for (name, spec) in specs {
            let mut metadata = json!({"name": "example"});
            if T::NAMESPACED {
                metadata["namespace"] = "default".into();
            }
            let object = json!({
                "apiVersion": T::API_VERSION, "kind": T::KIND, "metadata": metadata, "spec": spec,
            });
            self.add_case(format!("{} {name}", T::KIND), definition, object);
        }
        Ok(())
    }

    fn add_definition(
        &mut self,
        name: String,
        json: Value,
        version: &str,
    ) -> Result<usize, String> {
        let schema = compile(&json, version).map_err(|error| format!("{name}: {error}"))?;
        self.definitions.push(Definition { name, json, version: version.to_owned(), schema });
        Ok(self.definitions.len() - 1)
    }

    fn add_case(&mut self, name: String, definition: usize, object: Value) {
        let schema = &self.definitions[definition].schema;
        let (conformed, valid) = match admit::create(schema, object.clone()) {
            Ok(admitted) => (admitted.object, true),
            Err(admit::Rejection::Invalid(invalid)) => (invalid.object, false),
            // The object does not decode, so the stages after decoding cannot be measured.
            Err(_) => return,
        };
        let body = object.to_string().into_bytes();
        self.cases.push(Case { name, definition, body, object, conformed, valid });
    }

    fn add_recorded(&mut self, dir: &Path) -> Result<(), String> {
        let (Ok(definitions), Ok(cases)) = (
            fs::read_to_string(dir.join("openshift-crds.json")),
            fs::read_to_string(dir.join("openshift.jsonl")),
        ) else {
            return Ok(());
        };
        let definitions: BTreeMap<String, Value> =
            serde_json::from_str(&definitions).map_err(|error| error.to_string())?;
        // The largest object by definition, version, and whether it is admitted.
        let mut largest: BTreeMap<(String, String, bool), (usize, String, Value)> = BTreeMap::new();
        for line in cases.lines() {
            let case: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
            if case.get("old").is_some() {
                continue;
            }
            let text = |key: &str| case.get(key).and_then(Value::as_str).unwrap_or_default();
            let errors = case.pointer("/expectObject/errors").and_then(Value::as_array);
            let valid = errors.is_some_and(Vec::is_empty);
            let Some(object) = case.get("object") else { continue };
            let version = if text("version").is_empty() { "v1" } else { text("version") };
            let size = object.to_string().len();
            let key = (text("crd").to_owned(), version.to_owned(), valid);
            let entry = largest.entry(key).or_default();
            if size > entry.0 {
                *entry = (size, text("id").to_owned(), object.clone());
            }
        }
        let mut known: BTreeMap<(String, String), usize> = BTreeMap::new();
        for ((path, version, _), (_, id, object)) in largest {
            let index = if let Some(index) = known.get(&(path.clone(), version.clone())) {
                *index
            } else {
                let json = definitions.get(&path).and_then(|entry| entry.get("crd"));
                let json = json.ok_or_else(|| format!("no definition {path}"))?.clone();
                let short = path.rsplit('/').next().unwrap_or(&path).to_owned();
                let index = self.add_definition(short, json, &version)?;
                known.insert((path, version), index);
                index
            };
            self.add_case(id, index, object);
        }
        Ok(())
    }
}
