//! Checks the laws of derived types, which `docs/design/derive.md` lists, with a program that has the types.

use std::collections::BTreeMap;
use std::io::{self, Seek as _, Write as _};
use std::path::Path;
use std::process::Command;

use crd_runtime::compiled::CompiledSchema;
use crd_runtime::model::CustomResourceDefinition;
use crd_runtime::{admit, definition, json as crd_json};
use serde_json::{Value, json};

use super::Report;
use crate::differential::{generated_object, root_schema};

/// Values of each type that are serialized and admitted.
const VALUES: u64 = 24;
/// Objects generated from each type's schema; those that the server admits are deserialized.
const OBJECTS: u64 = 60;

/// So many values of a variant, none of which comes back, show that it never does.
const ENOUGH: u64 = 5;

/// Checks the laws for each type.
pub(super) fn check(types: &[u64], program: &Path, report: &mut Report) -> io::Result<()> {
    let mut requests = Vec::new();
    for number in types {
        requests.push(json!([number, "schema", 0, null]));
        requests.extend((0..VALUES).map(|seed| json!([number, "write", seed, null])));
    }
    let answers = ask(program, &[], &requests)?;
    let each = usize::try_from(VALUES).unwrap_or(usize::MAX) + 1;
    let mut readings = Vec::new();
    for (number, answers) in types.iter().zip(answers.chunks(each)) {
        let [schema, written @ ..] = answers else { continue };
        let mut type_ = Type { number: *number, readings: Vec::new() };
        match type_.admit(schema, written) {
            Ok(()) => readings.append(&mut type_.readings),
            Err(disagreement) => report.disagreements.push((*number, disagreement)),
        }
    }
    let answers = ask(program, &[], &readings)?;
    let mut failed = None;
    // How often each variant of an enum has been written, and how often it came back.
    let mut variants = BTreeMap::<_, (u64, u64)>::new();
    for (request, answer) in readings.iter().zip(&answers) {
        let number = request[0].as_u64().unwrap_or_default();
        let same = request[1] == "same";
        if let Some(variant) = answer["variant"].as_str() {
            let (written, read) = variants.entry((number, variant)).or_default();
            *written += 1;
            *read += u64::from(answer["same"] == true);
        }
        *(if same { &mut report.written } else { &mut report.read }) += 1;
        if let Some(error) = answer["error"].as_str()
            // Only the first failure of a type is reported.
            && failed.replace(number) != Some(number)
        {
            let what =
                if same { "what is written does not come back" } else { "admitted, and not read" };
            report.disagreements.push((number, format!("{what}: {}: {error}", request[3])));
        }
    }
    for ((number, variant), (written, read)) in variants {
        if written >= ENOUGH && read == 0 {
            let text = format!("{written} values of one variant are read as others: {variant}");
            report.disagreements.push((number, text));
        }
    }
    Ok(())
}

/// A type, and the values that it must read back.
struct Type {
    number: u64,
    /// Requests to read values.
    readings: Vec<Value>,
}

impl Type {
    /// Checks that the server accepts the definition and what the type writes.
    fn admit(&mut self, schema: &Value, written: &[Value]) -> Result<(), String> {
        let text = definition_of(schema);
        let definition: CustomResourceDefinition =
            serde_json::from_value(text.clone()).map_err(|error| error.to_string())?;
        let errors = definition::validate(&definition);
        if errors.iter().any(|error| is_left_to_the_test(&error.to_string())) {
            return Ok(());
        }
        if !errors.is_empty() {
            return Err(format!("the definition is rejected: {errors}"));
        }
        let schema =
            CompiledSchema::for_version(&definition, "v1").map_err(|error| error.to_string())?;
        // serde cannot flatten a `Value` that is not an object, nor write a tag into it.
        let needs_object = |error: &str| {
            error.starts_with("can only flatten structs and maps")
                || error.starts_with("cannot serialize tagged newtype variant")
        };
        let some_written = written.iter().any(|answer| answer["error"].is_null());
        for (seed, answer) in written.iter().enumerate() {
            if let Some(error) = answer["error"].as_str() {
                if some_written && needs_object(error) {
                    continue;
                }
                return Err(format!("serde does not write a value: {error}"));
            }
            let value = &answer["value"];
            let stored = written_is_stored(&schema, object_of(value))
                .map_err(|error| format!("{value} is written and {error}"))?;
            self.readings.push(json!([self.number, "same", seed, stored]));
        }
        for number in 0..OBJECTS {
            if let Some(value) = admitted(&schema, &text, number) {
                self.readings.push(json!([self.number, "read", 0, value]));
            }
        }
        Ok(())
    }
}

/// Whether an error of a definition is one that the derives leave to the test of a kind: what variants of an enum that
/// disagree lose, and rules about old items that the server does not find.
fn is_left_to_the_test(error: &str) -> bool {
    let parts = [
        "variants of the enum differ here",
        "the types of `metadata` in two variants differ",
        "the uncorrelatable portion of the schema",
    ];
    parts.iter().any(|part| error.contains(part))
}

/// Returns what the server stores as `spec.value` of an object that a type has written.
///
/// # Errors
/// If the server rejects the object or prunes a field.
pub fn written_is_stored(schema: &CompiledSchema, object: Value) -> Result<Value, String> {
    let admitted =
        admit::create(schema, object).map_err(|rejection| format!("rejected: {rejection}"))?;
    if !admitted.unknown_fields.is_empty() {
        return Err(format!("pruned: {:?}", admitted.unknown_fields));
    }
    Ok(crd_json::stored(admitted.object["spec"]["value"].clone()))
}

/// Returns what the server stores as `spec.value` of a generated object, which the type must be able to read; `None` if
/// the object is rejected, or no Rust type could read it.
#[must_use]
pub fn admitted(schema: &CompiledSchema, definition: &Value, number: u64) -> Option<Value> {
    let object = generated_object(number, definition);
    if is_beyond_rust(root_schema(definition), &object) {
        return None;
    }
    let stored = admit::create(schema, object).ok()?;
    stored.object["spec"].get("value").map(|value| crd_json::stored(value.clone()))
}

/// Runs a program on requests, and returns its answers, one for each.
pub(crate) fn ask(program: &Path, args: &[&str], requests: &[Value]) -> io::Result<Vec<Value>> {
    if requests.is_empty() {
        return Ok(Vec::new());
    }
    // Uses files instead of pipes, so that neither side waits for the other.
    let (mut input, mut output) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let lines: Vec<_> = requests.iter().map(Value::to_string).collect();
    input.write_all(lines.join("\n").as_bytes())?;
    input.rewind()?;
    let status =
        Command::new(program).args(args).stdin(input).stdout(output.try_clone()?).status()?;
    output.rewind()?;
    let answers = io::read_to_string(output)?;
    let answers: Vec<Value> =
        answers.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    if !status.success() || answers.len() != requests.len() {
        let request = requests.get(answers.len()).unwrap_or(&Value::Null);
        return Err(io::Error::other(format!("the program ends at {request}: {status}")));
    }
    Ok(answers)
}

/// Returns a definition whose objects have a value with this schema as `spec.value`.
#[must_use]
pub fn definition_of(schema: &Value) -> Value {
    let spec = json!({"type": "object", "properties": {"value": schema}});
    crd_fixtures::crd("example.com", "Widget").spec("v1", spec).json()
}

/// Returns an object of that definition.
#[must_use]
pub fn object_of(value: &Value) -> Value {
    json!({
        "apiVersion": "example.com/v1",
        "kind": "Widget",
        "metadata": {"name": "w", "namespace": "default"},
        "spec": {"value": value},
    })
}

/// Whether an object has a value that the server admits and no Rust type reads: a number that is almost an integer, a
/// list instead of a string with a format, or a time with digits below nanoseconds.
pub(crate) fn is_beyond_rust(schema: &Value, object: &Value) -> bool {
    almost_whole(object) || list_for_text(schema, object) || finer_than_nanoseconds(object)
}

/// Whether a value has a time with more than nine digits after the dot: Go ignores the digits beyond, and jiff rejects
/// the text.
fn finer_than_nanoseconds(value: &Value) -> bool {
    /// The digits of a fraction in nanoseconds.
    const DIGITS: usize = 9;
    match value {
        Value::String(text) => text.split_once('.').is_some_and(|(before, fraction)| {
            let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
            before.contains('T') && digits > DIGITS
        }),
        Value::Array(items) => items.iter().any(finer_than_nanoseconds),
        Value::Object(map) => map.values().any(finer_than_nanoseconds),
        _ => false,
    }
}

/// Whether a value has a number that the server takes for an integer although it is not one, such as 3.0000000001. No
/// Rust integer reads it.
fn almost_whole(value: &Value) -> bool {
    match value {
        Value::Number(number) => number
            .as_f64()
            .is_some_and(|n| n.fract() != 0.0 && (n - n.round()).abs() < 1e-9 * n.abs().max(1.0)),
        Value::Array(items) => items.iter().any(almost_whole),
        Value::Object(map) => map.values().any(almost_whole),
        _ => false,
    }
}

/// Whether a value has a list instead of a string with a format: the server does not check the type of a list if the
/// schema has a format, and no Rust string reads a list.
fn list_for_text(schema: &Value, value: &Value) -> bool {
    match value {
        Value::Array(items) => {
            schema.get("format").is_some()
                || items.iter().any(|item| list_for_text(&schema["items"], item))
        }
        Value::Object(map) => map.iter().any(|(key, value)| {
            let property = &schema["properties"][key];
            let schema =
                if property.is_null() { &schema["additionalProperties"] } else { property };
            list_for_text(schema, value)
        }),
        _ => false,
    }
}
