//! What becomes of a probe that compiles: its definition, and whether objects are as its types say.

use std::io;
use std::path::Path;

use crd_runtime::compiled::CompiledSchema;
use crd_runtime::model::CustomResourceDefinition;
use crd_runtime::{admit, definition, json as crd_json};
use serde_json::{Value, json};

use crate::differential::{generated_object, root_schema};
use crate::zoo::{ask, definition_of, is_beyond_rust, object_of};

/// Objects made from each definition.
const OBJECTS: u64 = 40;

/// A probe that compiles, and what it is asked.
pub(super) struct Judged {
    pub number: usize,
    pub definition: Value,
    /// Errors of the definition, as said here.
    pub errors: Vec<String>,
    /// The law that does not hold, and the object.
    pub broken: Option<String>,
    /// What becomes of each object that the probe has.
    pub objects: Vec<String>,
}

/// Asks for the definitions of probes, holds them to the laws and writes their objects.
pub(super) fn judge(
    program: &Path,
    numbers: &[usize],
    objects: &dyn Fn(usize) -> Vec<Value>,
) -> io::Result<Vec<Judged>> {
    let requests: Vec<_> = numbers.iter().map(|number| json!([number, "schema", null])).collect();
    let answers = ask(program, &requests)?;
    let mut types: Vec<_> = numbers
        .iter()
        .zip(answers)
        .map(|(number, answer)| Type::new(*number, &answer, objects(*number)))
        .collect();
    let requests: Vec<_> = types.iter().flat_map(Type::readings).collect();
    let mut answers = ask(program, &requests)?.into_iter();
    for type_ in &mut types {
        for index in 0..type_.asked.len() {
            type_.hear(index, &answers.next().unwrap_or_default());
        }
    }
    Ok(types.into_iter().map(|type_| type_.judged).collect())
}

/// A definition with what is asked of objects.
struct Type {
    judged: Judged,
    schema: Option<CompiledSchema>,
    /// Whether objects are of the type, not values in one.
    whole: bool,
    asked: Vec<Asked>,
}

/// A value that the type is to read.
struct Asked {
    /// What the server stores, or what it refuses.
    value: Value,
    /// What the server says of it.
    refused: Option<String>,
    /// Whether it is an object of the probe, of which more is told.
    told: bool,
}

impl Type {
    fn new(number: usize, answer: &Value, objects: Vec<Value>) -> Self {
        let whole = answer.get("definition").is_some();
        let panic = answer["panic"].as_str().map(|text| format!("schema() panics: {text}"));
        let definition = if whole { answer["definition"].clone() } else { definition_of(answer) };
        let judged =
            Judged { number, definition, errors: Vec::new(), broken: panic, objects: Vec::new() };
        let mut type_ = Self { judged, schema: None, whole, asked: Vec::new() };
        if type_.judged.broken.is_none() {
            type_.prepare(objects);
        }
        type_
    }

    fn prepare(&mut self, objects: Vec<Value>) {
        let text = &self.judged.definition;
        let crd = match serde_json::from_value::<CustomResourceDefinition>(text.clone()) {
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
            self.ask(object, true);
        }
        let text = self.judged.definition.clone();
        for number in 0..OBJECTS {
            let object = generated_object(number, &text);
            if !is_beyond_rust(root_schema(&text), &object) {
                self.ask(object, false);
            }
        }
    }

    fn ask(&mut self, object: Value, told: bool) {
        let Some(schema) = &self.schema else { return };
        let (object, refused) = match admit::create(schema, object.clone()) {
            Ok(admitted) => (admitted.object, None),
            Err(rejection) => (object, Some(rejection.to_string())),
        };
        let value = if self.whole { Some(&object) } else { object["spec"].get("value") };
        if let Some(value) = value {
            let value = crd_json::stored(value.clone());
            self.asked.push(Asked { value, refused, told });
        }
    }

    fn readings(&self) -> impl Iterator<Item = Value> + '_ {
        self.asked.iter().map(|asked| json!([self.judged.number, "read", asked.value]))
    }

    /// What the type made of the value of this index.
    fn hear(&mut self, index: usize, answer: &Value) {
        if answer.is_null() {
            return;
        }
        let asked = &self.asked[index];
        let error = answer["error"].as_str();
        if asked.told {
            let said = match &asked.refused {
                None => "admitted".to_owned(),
                Some(refusal) => {
                    format!("refused: {}", refusal.lines().collect::<Vec<_>>().join(" "))
                }
            };
            let read = if error.is_none() { "read" } else { "not read" };
            self.judged.objects.push(format!("{read}, {said}"));
        }
        let broken = match (error, &asked.refused) {
            (Some(error), None) => {
                Some(format!("admitted, and not read: {}: {error}", asked.value))
            }
            (None, _) => self.written(answer),
            _ => None,
        };
        if self.judged.broken.is_none() {
            self.judged.broken = broken;
        }
    }

    /// What is written must be admitted, but for limits that a Rust type does not have.
    fn written(&self, answer: &Value) -> Option<String> {
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
                // What a root type writes of metadata is the caller's.
                (!self.whole && is_of_types(&text))
                    .then(|| format!("{written} is written and refused: {text}"))
            }
        }
    }
}

/// Whether an object is refused for the type of a value or an absent one, not for a limit that the author wants.
fn is_of_types(text: &str) -> bool {
    const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];
    let of_type = |rest: &str| TYPES.iter().any(|ty| rest.starts_with(&format!("{ty}:")));
    text.contains("Required value") || text.split("must be of type ").skip(1).any(of_type)
}

/// The texts of the errors of a definition.
pub(super) fn errors_of(crd: &CustomResourceDefinition) -> Vec<String> {
    definition::validate(crd)
        .iter()
        .map(|error| crate::oracle::without_numbers(&error.to_string()))
        .collect()
}
