//! Checks the definitions of probes that compile, and two laws of their types: a type reads each object that the server
//! admits, and the server admits what a type writes, without pruning it. `admit` stands for the server here.

use std::io;
use std::path::Path;

use crd_runtime::compiled::CompiledSchema;
use crd_runtime::model::CustomResourceDefinition;
use crd_runtime::{admit, definition, json as crd_json};
use serde_json::{Value, json};

use crate::differential::{generated_object, root_schema};
use crate::zoo::{ask, definition_of, is_beyond_rust, object_of};

/// Objects generated for each definition.
const OBJECTS: u64 = 40;

/// The outcome of a probe that compiles.
pub(super) struct Judged {
    pub number: usize,
    pub definition: Value,
    /// The errors of the definition, by the checks of this workspace.
    pub errors: Vec<String>,
    /// The law that does not hold, with the object; or the panic of `schema()`.
    pub broken: Option<String>,
    /// The outcome of each object in the probe.
    pub objects: Vec<String>,
}

/// Gets the definitions of probes from their program, and checks the laws and the probes' objects.
pub(super) fn judge(
    program: &Path,
    numbers: &[usize],
    objects: &dyn Fn(usize) -> Vec<Value>,
) -> io::Result<Vec<Judged>> {
    let requests: Vec<_> = numbers.iter().map(|number| json!([number, "schema", null])).collect();
    let answers = ask(program, &[], &requests)?;
    let mut types: Vec<_> = numbers
        .iter()
        .zip(answers)
        .map(|(number, answer)| Type::new(*number, &answer, objects(*number)))
        .collect();
    let requests: Vec<_> = types.iter().flat_map(Type::read_requests).collect();
    let mut answers = ask(program, &[], &requests)?.into_iter();
    for type_ in &mut types {
        for index in 0..type_.cases.len() {
            type_.record_answer(index, &answers.next().unwrap_or_default());
        }
    }
    Ok(types.into_iter().map(|type_| type_.judged).collect())
}

/// A definition, with the values that its type is given to read.
struct Type {
    judged: Judged,
    schema: Option<CompiledSchema>,
    /// Whether the type is that of whole objects, not of a value in them.
    whole: bool,
    cases: Vec<ReadCase>,
}

/// A value for the type to read.
struct ReadCase {
    /// The value that the server stores or rejects.
    value: Value,
    /// The server's error.
    rejected: Option<String>,
    /// Whether it is an object in the probe, whose outcome is recorded.
    is_recorded: bool,
}

impl Type {
    fn new(number: usize, answer: &Value, objects: Vec<Value>) -> Self {
        let whole = answer.get("definition").is_some();
        let panic = answer["panic"].as_str().map(|text| format!("schema() panics: {text}"));
        let definition = if whole { answer["definition"].clone() } else { definition_of(answer) };
        let judged =
            Judged { number, definition, errors: Vec::new(), broken: panic, objects: Vec::new() };
        let mut type_ = Self { judged, schema: None, whole, cases: Vec::new() };
        if type_.judged.broken.is_none() {
            type_.prepare(objects);
        }
        type_
    }

    fn prepare(&mut self, objects: Vec<Value>) {
        let definition = self.judged.definition.clone();
        let crd = match serde_json::from_value::<CustomResourceDefinition>(definition.clone()) {
            Ok(crd) => crd,
            Err(error) => {
                self.judged.errors.push(error.to_string());
                return;
            }
        };
        self.judged.errors = errors_of(&crd);
        if !self.judged.errors.is_empty() {
            return;
        }
        let version =
            crd.spec.versions.first().map(|version| version.name.clone()).unwrap_or_default();
        self.schema = CompiledSchema::for_version(&crd, &version).ok();
        for object in objects {
            let object = if self.whole { object } else { object_of(&object) };
            self.add_case(object, true);
        }
        for number in 0..OBJECTS {
            let object = generated_object(number, &definition);
            if !is_beyond_rust(root_schema(&definition), &object) {
                self.add_case(object, false);
            }
        }
    }

    /// Adds a value for the type to read: this object or the value in it, as the server stores it. If the server
    /// rejects the object, it is unchanged.
    fn add_case(&mut self, object: Value, is_recorded: bool) {
        let Some(schema) = &self.schema else { return };
        let (object, rejected) = match admit::create(schema, object.clone()) {
            Ok(admitted) => (admitted.object, None),
            Err(rejection) => (object, Some(rejection.to_string())),
        };
        let value = if self.whole { Some(&object) } else { object["spec"].get("value") };
        if let Some(value) = value {
            let value = crd_json::stored(value.clone());
            self.cases.push(ReadCase { value, rejected, is_recorded });
        }
    }

    fn read_requests(&self) -> impl Iterator<Item = Value> + '_ {
        self.cases.iter().map(|case| json!([self.judged.number, "read", case.value]))
    }

    /// Records the program's answer about the value of this index.
    fn record_answer(&mut self, index: usize, answer: &Value) {
        if answer.is_null() {
            return;
        }
        let case = &self.cases[index];
        let error = answer["error"].as_str();
        if case.is_recorded {
            let outcome = match &case.rejected {
                None => "admitted".to_owned(),
                Some(rejection) => {
                    format!("rejected: {}", rejection.lines().collect::<Vec<_>>().join(" "))
                }
            };
            let read = if error.is_none() { "read" } else { "not read" };
            self.judged.objects.push(format!("{read}, {outcome}"));
        }
        let broken = match (error, &case.rejected) {
            (Some(error), None) => Some(format!("admitted, and not read: {}: {error}", case.value)),
            (None, _) => self.check_written(answer),
            _ => None,
        };
        if self.judged.broken.is_none() {
            self.judged.broken = broken;
        }
    }

    /// Checks that the server admits what the type writes, except for limits that a Rust type does not have.
    fn check_written(&self, answer: &Value) -> Option<String> {
        if let Some(error) = answer["stuck"].as_str() {
            return Some(format!("serde reads it and does not write it: {error}"));
        }
        let written = answer.get("written")?;
        let object = if self.whole { written.clone() } else { object_of(written) };
        match admit::create(self.schema.as_ref()?, object) {
            Ok(admitted) if admitted.unknown_fields.is_empty() => None,
            Ok(admitted) => {
                Some(format!("{written} is written and pruned: {:?}", admitted.unknown_fields))
            }
            Err(rejection) => {
                let text = rejection.to_string();
                // Errors of a whole object are ignored: its metadata may be invalid.
                (!self.whole && is_type_error(&text))
                    .then(|| format!("{written} is written and rejected: {text}"))
            }
        }
    }
}

/// Whether an object is rejected because a value is absent or of a wrong type, not because of a limit that the author
/// has set.
fn is_type_error(text: &str) -> bool {
    const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];
    let of_type = |rest: &str| TYPES.iter().any(|ty| rest.starts_with(&format!("{ty}:")));
    text.contains("Required value") || text.split("must be of type ").skip(1).any(of_type)
}

/// Returns the texts of the errors of a definition.
pub(super) fn errors_of(crd: &CustomResourceDefinition) -> Vec<String> {
    definition::validate(crd)
        .iter()
        .map(|error| crate::oracle::without_numbers(&error.to_string()))
        .collect()
}
