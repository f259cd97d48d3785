//! The constant functions, called as any others.

use std::panic::{self, AssertUnwindSafe};

use crd_cel::compile_time::{Declared, Field, Object, Program, Rule, Want, check};
use crd_cel::{escape, syntax};
use serde_json::Value;

use super::Case;

/// The text of the error that rustc would show.
pub fn verdict(case: &Case) -> Option<String> {
    let of = leak(declared(&case.schema, case.root));
    let message = case.message.as_deref().map(|message| (message, Want::Message));
    let mut expressions = std::iter::once((case.rule.as_str(), Want::Rule)).chain(message);
    expressions.find_map(|(source, want)| {
        let ast = match syntax::parse(source) {
            Ok(ast) => ast,
            Err(issues) => return Some(format!("does not parse as CEL:\n{issues}")),
        };
        let program = Program::write(&ast)?;
        let rule = Rule {
            of,
            optional_old_self: case.optional_old_self,
            want,
            source: source.to_owned().leak(),
            program: program.code.leak(),
        };
        let panic = panic::catch_unwind(AssertUnwindSafe(|| check(rule))).err()?;
        panic.downcast_ref::<String>().cloned().or_else(|| Some("no text".to_owned()))
    })
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// What the derives write for a type with this schema.
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
            let with_resource: &[Field] = leak([
                Field { name: "", of: &Declared::RESOURCE },
                Field { name: "", of: leak(own) },
            ]);
            own.embedded_resource(leak(Object { name: "resource", fields: with_resource }))
        }
        "object" => object(schema, root),
        "string" => Declared::String.with_format(schema["format"].as_str().unwrap_or_default()),
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
        if let Some(name) = escape::escape(name) {
            let of = leak(declared(property, false));
            fields.push(Field { name: name.into_owned().leak(), of });
        }
    }
    Declared::Object(leak(Object { name: "object", fields: fields.leak() }))
}
