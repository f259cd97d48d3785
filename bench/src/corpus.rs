//! What is measured: the kinds of the examples, and real definitions where the recorded verdicts are present.

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
    /// Its name, or the path of its manifest.
    pub name: String,
    /// As JSON.
    pub json: Value,
    /// The version measured.
    pub version: String,
    /// Made ready, rules included once they have been evaluated.
    pub schema: CompiledSchema,
}

/// An object that is created.
#[derive(Debug)]
pub struct Case {
    /// For a person.
    pub name: String,
    /// Which of the definitions.
    pub definition: usize,
    /// The body of the request.
    pub body: Vec<u8>,
    /// The same as a tree.
    pub object: Value,
    /// What admission makes of it: pruned and defaulted.
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

/// The recorded verdicts, where they are.
pub fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/vectors")
}

/// Compiles a version of a definition.
///
/// # Errors
/// What is wrong with the definition.
pub fn compile(definition: &Value, version: &str) -> Result<CompiledSchema, String> {
    let crd: CustomResourceDefinition =
        serde_json::from_value(definition.clone()).map_err(|error| error.to_string())?;
    CompiledSchema::for_version(&crd, version).map_err(|error| error.to_string())
}

impl Corpus {
    /// The examples alone.
    ///
    /// # Errors
    /// An example that cannot be measured, with the reason.
    pub fn examples() -> Result<Self, String> {
        let mut corpus = Self::default();
        corpus.kind::<CronTab>(&[
            ("valid", json!({"cronSpec": "*/5 * * * *", "image": "backup:1", "replicas": 3})),
            ("defaulted", json!({"image": "backup:1"})),
            ("invalid", json!({"cronSpec": "* * *", "image": "backup:1", "replicas": 11})),
        ])?;
        corpus.kind::<Shirt>(&[("valid", json!({"color": "blue", "size": "M"}))])?;
        let selector = |kind| json!({"group": "apps", "version": "v1", "kind": kind});
        let selectors = ["Deployment", "StatefulSet", "DaemonSet"].map(selector);
        corpus.kind::<Cleaner>(&[
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
        corpus.kind::<ClusterProfile>(&[
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

    /// The examples, and of each real definition that is present the largest object that is admitted and
    /// the largest that is not. Says how many real definitions there are.
    ///
    /// # Errors
    /// A definition or an object that cannot be measured, with the reason.
    pub fn whole() -> Result<(Self, usize), String> {
        let mut corpus = Self::examples()?;
        let own = corpus.definitions.len();
        corpus.add_recorded(&vectors())?;
        let recorded = corpus.definitions.len() - own;
        Ok((corpus, recorded))
    }

    fn kind<T: CustomResource>(&mut self, specs: &[(&str, Value)]) -> Result<(), String> {
        let json = serde_json::to_value(T::definition()).map_err(|error| error.to_string())?;
        let definition = self.definition(T::KIND.to_owned(), json, T::VERSION)?;
        for (name, spec) in specs {
            let mut metadata = json!({"name": "example"});
            if T::NAMESPACED {
                metadata["namespace"] = "default".into();
            }
            let object = json!({
                "apiVersion": T::API_VERSION, "kind": T::KIND, "metadata": metadata, "spec": spec,
            });
            self.case(format!("{} {name}", T::KIND), definition, object);
        }
        Ok(())
    }

    fn definition(&mut self, name: String, json: Value, version: &str) -> Result<usize, String> {
        let schema = compile(&json, version).map_err(|error| format!("{name}: {error}"))?;
        self.definitions.push(Definition { name, json, version: version.to_owned(), schema });
        Ok(self.definitions.len() - 1)
    }

    fn case(&mut self, name: String, definition: usize, object: Value) {
        let schema = &self.definitions[definition].schema;
        let (conformed, valid) = match admit::create(schema, object.clone()) {
            Ok(admitted) => (admitted.object, true),
            Err(admit::Rejection::Invalid(invalid)) => (invalid.object, false),
            // It does not decode: there is nothing behind decoding to measure.
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
                let index = self.definition(short, json, &version)?;
                known.insert((path, version), index);
                index
            };
            self.case(id, index, object);
        }
        Ok(())
    }
}
