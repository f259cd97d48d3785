//! Calls at run time the functions that rustc evaluates in constants.

use std::panic::{self, AssertUnwindSafe};

use crd_cel::compile_time::{Declared, Field, Object, Program, Rule, Want, check};
use crd_cel::syntax::Issues;
use crd_cel::{escape, syntax};
use serde_json::Value;

use super::Case;

/// Returns the text of the error that rustc would report; `None` if the rule compiles.
pub fn verdict(case: &Case) -> Option<String> {
    expressions(case).into_iter().find_map(error)
}

/// Returns the text of the error for an expression that must have a type, with `self` of a declaration; `None` if the
/// expression has this type, or its type is unknown.
pub fn error_of(of: &'static Declared, source: &str, want: Want) -> Option<String> {
    error(rule(of, source, want))
}

fn error(rule: Result<Option<Rule>, Issues>) -> Option<String> {
    let rule = match rule {
        Ok(rule) => rule?,
        Err(issues) => return Some(format!("does not parse as CEL:\n{issues}")),
    };
    let panic = panic::catch_unwind(AssertUnwindSafe(|| check(rule))).err()?;
    panic.downcast_ref::<String>().cloned().or_else(|| Some("no text".to_owned()))
}

/// The rule and its message expression; `None` for one that is too large.
fn expressions(case: &Case) -> Vec<Result<Option<Rule>, Issues>> {
    let of = leak(declared(&case.schema, case.root));
    let message = case.message.as_deref().map(|message| (message, Want::Message));
    let expressions = std::iter::once((case.rule.as_str(), Want::Rule)).chain(message);
    let rules = expressions.map(|(source, want)| rule(of, source, want));
    let optional_old_self = case.optional_old_self;
    rules.map(|it| Ok(it?.map(|rule| Rule { optional_old_self, ..rule }))).collect()
}

/// An expression as a derive emits it; `None` if it is too large.
fn rule(of: &'static Declared, source: &str, want: Want) -> Result<Option<Rule>, Issues> {
    let program = Program::write(&syntax::parse(source)?);
    Ok(program.map(|program| Rule {
        of,
        optional_old_self: false,
        want,
        unchecked: true,
        source: source.to_owned().leak(),
        program: program.code.leak(),
        path: &[],
    }))
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// Returns the declaration that the derives write for a type with this schema.
fn declared(schema: &Value, root: bool) -> Declared {
    let is = |key: &str| schema[key] == Value::Bool(true);
    if is("x-kubernetes-int-or-string") {
        return Declared::Dyn;
    }
    match schema["type"].as_str().unwrap_or_default() {
        "array" => match &schema["items"] {
            Value::Object(_) => Declared::List(leak(declared(&schema["items"], false))),
            _ => Declared::Hidden,
        },
        "object" if schema["additionalProperties"].is_object() => {
            Declared::Map(leak(declared(&schema["additionalProperties"], false)))
        }
        "object" if is("x-kubernetes-embedded-resource") => {
            let own = object(schema, false);
            let fields = vec![
                Field { name: "", of: &Declared::RESOURCE },
                Field { name: "", of: leak(own) },
            ];
            own.embedded_resource(leak(Object { name: "resource", fields: fields.leak() }))
        }
        "object" => object(schema, root),
        "string" => {
            let text = Declared::String.with_format(schema["format"].as_str().unwrap_or_default());
            let values = schema["enum"].as_array().into_iter().flatten();
            let values = values.map(|value| value.as_str().map(|text| &*text.to_owned().leak()));
            match values.collect::<Option<Vec<_>>>() {
                Some(values) if !values.is_empty() => text.with_values_of(values.leak()),
                _ => text,
            }
        }
        "boolean" => Declared::Bool,
        "number" => Declared::Double,
        "integer" => Declared::Int,
        _ => Declared::Hidden,
    }
}

fn object(schema: &Value, resource: bool) -> Declared {
    let mut fields = Vec::new();
    if resource {
        fields.push(Field { name: "", of: &Declared::RESOURCE });
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        fields.push(match escape::escape(name) {
            Some(escaped) => {
                let name = escaped.into_owned().leak();
                Field { name, of: leak(declared(property, false)) }
            }
            None => Field { name: "", of: &Declared::Hidden },
        });
    }
    Declared::Object(leak(Object { name: "object", fields: fields.leak() }))
}
