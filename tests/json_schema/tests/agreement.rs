//! The schemas of `crd schema` and the engine have the same verdict, wherever JSON Schema can say it.
//!
//! Objects are recorded ones, if they are there, and generated ones. What the server refuses and a schema accepts has to
//! have one of the known reasons, which are found by asking the engine again without the keyword. A schema refuses nothing
//! that the server accepts.

#![expect(clippy::print_stdout, reason = "the counts are for readers of the log")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crd_cli::Registry;
use crd_engine::admit::{FieldValidation, Operation, Rejection, Write};
use crd_engine::compiled::CompiledSchema;
use crd_engine::definition;
use crd_engine::generate::{self, Options, Random};
use crd_engine::yaml;
use crd_model::model::CustomResourceDefinition;
use jsonschema::{Draft, Validator};
use serde_json::{Map, Value, json};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
/// Files with definitions that are always there.
const FILES: [&str; 3] = ["examples/crds", "fuzz/crds", "tests/kubectl/files/crontabs.yaml"];
/// Objects that are generated for each version.
const OBJECTS: usize = 100;

/// What a schema cannot say, with the keywords that the engine is asked without.
const UNSAID: [(&str, &[&str]); 5] = [
    ("rules", &["x-kubernetes-validations"]),
    ("formats", &["format"]),
    ("keys of lists", &["x-kubernetes-list-type", "x-kubernetes-list-map-keys"]),
    ("patterns of Go", &["pattern"]),
    // The server compares integers with the integer part of a bound: that of 0.1 is an error.
    ("fractions for integers", &["multipleOf"]),
];

/// A version of a definition, as both see it.
struct Kind {
    crd: Value,
    version: String,
    compiled: CompiledSchema,
    validator: Validator,
}

impl Kind {
    /// Returns `None` if the definition does not compile.
    fn of(crd: &Value, version: &str) -> Option<Self> {
        let compiled = compiled(crd, version)?;
        let args = ["crd", "schema", "--out", "-", "--version", version].map(Into::into);
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let status = Registry::new().manifest(crd).run_to(args, &mut out, &mut err);
        assert_eq!(status, 0, "{}", String::from_utf8_lossy(&err));
        let schema: Value = serde_json::from_slice(&out).expect("a schema");
        let validator = jsonschema::options().with_draft(Draft::Draft202012).build(&schema);
        let validator = validator.unwrap_or_else(|error| panic!("{error}: {schema:#}"));
        Some(Self { crd: crd.clone(), version: version.to_owned(), compiled, validator })
    }

    /// Compares the verdicts on an object.
    fn compare(&self, object: &Value, counts: &mut Counts) {
        let refused = refused(&self.compiled, object);
        let accepts = self.validator.is_valid(object);
        match refused {
            None if accepts => counts.add("accepted by both"),
            Some(_) if !accepts => counts.add("refused by both"),
            None => {
                let errors: Vec<String> = self
                    .validator
                    .iter_errors(object)
                    .map(|error| format!("{}: {error}", error.instance_path()))
                    .collect();
                counts.wrong.push(format!("only the schema refuses {object}: {errors:?}"));
            }
            Some(error) => match self.reason(object, &error) {
                Some(reason) => counts.add(reason),
                None => counts.wrong.push(format!("only the server refuses {object}: {error}")),
            },
        }
    }

    /// Returns why a schema cannot say an error.
    fn reason(&self, object: &Value, error: &str) -> Option<&'static str> {
        let mut without: Vec<&str> = Vec::new();
        for (reason, keywords) in UNSAID {
            without.extend(keywords);
            let mut crd = self.crd.clone();
            remove(&mut crd, &without);
            if compiled(&crd, &self.version)
                .is_some_and(|compiled| refused(&compiled, object).is_none())
            {
                return Some(reason);
            }
        }
        // Also those of embedded objects, whose kinds have a form too.
        if error.contains("metadata") || error.contains("may have mixed case") {
            return Some("metadata");
        }
        let crd: CustomResourceDefinition = serde_json::from_value(self.crd.clone()).ok()?;
        (!definition::validate(&crd).is_empty()).then_some("definitions that the server rejects")
    }
}

#[derive(Default)]
struct Counts {
    counts: BTreeMap<&'static str, usize>,
    wrong: Vec<String>,
}

impl Counts {
    fn add(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    #[track_caller]
    fn finish(self, least: usize) {
        println!("{:#?}", self.counts);
        assert!(
            self.wrong.is_empty(),
            "{} differ:\n{}",
            self.wrong.len(),
            self.wrong[..self.wrong.len().min(20)].join("\n")
        );
        let agreed = ["accepted by both", "refused by both"]
            .map(|what| self.counts.get(what).copied().unwrap_or_default());
        assert!(agreed.iter().all(|count| *count >= least), "{agreed:?}");
    }
}

fn compiled(crd: &Value, version: &str) -> Option<CompiledSchema> {
    let crd: CustomResourceDefinition = serde_json::from_value(crd.clone()).ok()?;
    CompiledSchema::for_version(&crd, version).ok()
}

/// Returns the error with which the server refuses an object as a new one.
fn refused(compiled: &CompiledSchema, object: &Value) -> Option<String> {
    let write = Write::new(Operation::Create).field_validation(FieldValidation::Strict);
    match write.admit(compiled, object.clone()) {
        Ok(_) => None,
        Err(Rejection::Invalid(invalid)) => {
            Some(invalid.errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
        }
        Err(other) => Some(other.to_string()),
    }
}

/// Removes keywords from all schemas of a definition.
fn remove(value: &mut Value, keywords: &[&str]) {
    match value {
        Value::Object(map) => {
            let is_schema = |map: &Map<String, Value>| {
                map.contains_key("type") || map.contains_key("x-kubernetes-int-or-string")
            };
            if is_schema(map) {
                map.retain(|keyword, _| !keywords.contains(&keyword.as_str()));
            }
            map.values_mut().for_each(|below| remove(below, keywords));
        }
        Value::Array(items) => items.iter_mut().for_each(|below| remove(below, keywords)),
        _ => {}
    }
}

/// Returns the served versions of a definition that compile.
fn kinds(crd: &Value) -> Vec<Kind> {
    let versions = crd["spec"]["versions"].as_array().into_iter().flatten();
    let served = versions.filter(|version| version["served"] == true);
    served.filter_map(|version| Kind::of(crd, version["name"].as_str()?)).collect()
}

/// Compares the verdicts on generated objects.
fn compare_generated(kind: &Kind, counts: &mut Counts) {
    let versions = kind.crd["spec"]["versions"].as_array().expect("versions");
    let version = versions
        .iter()
        .find(|version| version["name"] == kind.version.as_str())
        .expect("a version");
    let root =
        serde_json::from_value(version["schema"]["openAPIV3Schema"].clone()).expect("a schema");
    let (group, name) = (&kind.crd["spec"]["group"], &kind.crd["spec"]["names"]["kind"]);
    let api_version = format!("{}/{}", group.as_str().expect("a group"), kind.version);
    let names = (api_version.as_str(), name.as_str().expect("a kind"));
    let is_namespaced = kind.crd["spec"]["scope"] == "Namespaced";
    let mut random = Random::new(0);
    for number in 0..OBJECTS {
        let options = Options { is_sparse: number % 2 == 0, ..Options::default() };
        let mut content = generate::content(&generate::value(&mut random, &root, &options, 0));
        if random.one_in(8) {
            content["unknown"] = json!(1);
        }
        let object =
            generate::whole_object(content, names, &json!({"name": "example"}), is_namespaced);
        kind.compare(&object, counts);
    }
}

#[test]
fn schemas_and_the_engine_agree_on_generated_objects() {
    let mut counts = Counts::default();
    for file in FILES {
        let path = Path::new(ROOT).join(file);
        let files: Vec<_> = if path.is_dir() {
            fs::read_dir(path)
                .expect("a directory")
                .map(|entry| entry.expect("an entry").path())
                .collect()
        } else {
            vec![path]
        };
        for file in files {
            let text = fs::read_to_string(&file).expect("a file");
            for document in yaml::documents(&text) {
                let crd = document.expect("YAML").value;
                if crd["kind"] == "CustomResourceDefinition" {
                    for kind in &kinds(&crd) {
                        compare_generated(kind, &mut counts);
                    }
                }
            }
        }
    }
    counts.finish(100);
}

/// Returns the lines of a file of recorded verdicts; none if it is not there.
fn recorded(file: &str) -> Vec<Value> {
    let path = Path::new(ROOT).join("../shared/vectors").join(file);
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn schemas_and_the_engine_agree_on_recorded_objects() {
    let mut counts = Counts::default();
    let definitions = recorded("openshift-crds.json").into_iter().next().unwrap_or_default();
    let mut known: BTreeMap<(String, String), Option<Kind>> = BTreeMap::new();
    for case in recorded("openshift.jsonl").into_iter().chain(recorded("kubernetes.jsonl")) {
        let is_new = ["old", "oldCrd", "subresource"].iter().all(|key| case.get(*key).is_none());
        let Some(object) = case.get("object").filter(|object| is_new && object.is_object()) else {
            continue;
        };
        let name = case["crd"].as_str().map_or_else(|| case["crd"].to_string(), str::to_owned);
        let version = case["version"].as_str().unwrap_or("v1").to_owned();
        let crd = case["crd"].as_str().map_or(&case["crd"], |name| &definitions[name]["crd"]);
        let kind = known.entry((name, version.clone())).or_insert_with(|| {
            let kind = Kind::of(crd, &version);
            if let Some(kind) = &kind {
                compare_generated(kind, &mut counts);
            }
            kind
        });
        if let Some(kind) = kind {
            kind.compare(object, &mut counts);
        }
    }
    if counts.counts.is_empty() {
        println!("no recorded objects are there");
        return;
    }
    counts.finish(300);
}
