//! Calls at run time the functions that rustc evaluates in constants.

use std::panic::{self, AssertUnwindSafe};

use crd_cel::compile_time::{
    CostCheck, Declared, Field, MaxElements, Object, Program, Rule, Want, check, least_cost,
    least_cost_on,
};
use crd_cel::kubernetes::KubernetesVersion;
use crd_cel::syntax::Issues;
use crd_cel::{escape, syntax};
use serde_json::Value;

use super::Case;

/// Returns the text of the error that rustc would report; `None` if the rule compiles.
pub fn verdict(case: &Case) -> Option<String> {
    expressions(case).into_iter().find_map(|rule| {
        let rule = match rule {
            Ok(rule) => rule?,
            Err(issues) => return Some(format!("does not parse as CEL:\n{issues}")),
        };
        let panic = panic::catch_unwind(AssertUnwindSafe(|| check(rule))).err()?;
        panic.downcast_ref::<String>().cloned().or_else(|| Some("no text".to_owned()))
    })
}

/// Returns rustc's lower estimates of the cost of the rule and of its message expression, in cost units; 0 if there is
/// no estimate.
pub fn least_costs(case: &Case) -> Vec<u64> {
    expressions(case).into_iter().map(|rule| rule.ok().flatten().map_or(0, least_cost)).collect()
}

/// As [`least_costs`], for a server of this minor.
pub fn least_costs_on(case: &Case, kubernetes: KubernetesVersion) -> Vec<u64> {
    let cost = |rule| least_cost_on(rule, kubernetes.minor());
    expressions(case).into_iter().map(|rule| rule.ok().flatten().map_or(0, cost)).collect()
}

/// The rule and its message expression; `None` for one that is too large.
fn expressions(case: &Case) -> Vec<Result<Option<Rule>, Issues>> {
    let of = leak(declared(&case.schema, case.root));
    let message = case.message.as_deref().map(|message| (message, Want::Message));
    let expressions = std::iter::once((case.rule.as_str(), Want::Rule)).chain(message);
    expressions
        .map(|(source, want)| {
            let program = Program::write(&syntax::parse(source)?);
            Ok(program.map(|program| Rule {
                of,
                optional_old_self: case.optional_old_self,
                want,
                cost_check: CostCheck::Here,
                unchecked: true,
                source: source.to_owned().leak(),
                program: program.code.leak(),
            }))
        })
        .collect()
}

pub(super) fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// Returns the declaration that the derives write for a type with this schema.
pub(super) fn declared(schema: &Value, root: bool) -> Declared {
    let is = |key: &str| schema[key] == Value::Bool(true);
    let bound = |key: &str| schema[key].as_i64().map(|bound| u64::try_from(bound).unwrap_or(0));
    let bounded_length =
        |text: Declared| bound("maxLength").map_or(text, |most| text.with_max_length(most));
    if is("x-kubernetes-int-or-string") {
        return bounded_length(Declared::INT_OR_STRING);
    }
    match schema["type"].as_str().unwrap_or_default() {
        "array" => match &schema["items"] {
            Value::Object(_) => {
                let list =
                    Declared::List(leak(declared(&schema["items"], false)), MaxElements::Fitting);
                bound("maxItems").map_or(list, |most| list.with_max_items(most))
            }
            _ => Declared::Hidden,
        },
        "object" if schema["additionalProperties"].is_object() => {
            let values = leak(declared(&schema["additionalProperties"], false));
            let map = Declared::Map(values, MaxElements::Fitting);
            bound("maxProperties").map_or(map, |most| map.with_max_properties(most))
        }
        "object" if is("x-kubernetes-embedded-resource") => {
            let own = object(schema, false);
            let with_resource: &[Field] =
                leak([Field::required("", &Declared::RESOURCE), Field::required("", leak(own))]);
            own.embedded_resource(leak(Object { name: "resource", fields: with_resource }))
        }
        "object" => object(schema, root),
        "string" => {
            let text = Declared::TEXT.with_format(schema["format"].as_str().unwrap_or_default());
            let text = bounded_length(text);
            match schema["enum"].as_array() {
                Some(values) => {
                    let values = values
                        .iter()
                        .map(|value| value.as_str().map(|text| &*text.to_owned().leak()));
                    match values.collect::<Option<Vec<_>>>() {
                        Some(values) => text.with_values_of(values.leak()),
                        None => text.with_longest(0),
                    }
                }
                None => text,
            }
        }
        "boolean" => Declared::Bool,
        "number" => Declared::Double,
        "integer" => Declared::Int,
        _ => Declared::Hidden,
    }
}

/// The declaration of a resource without sizes, in place of [`Declared::RESOURCE`] for a schema that bounds
/// `metadata.name` or `metadata.generateName`. Derives cannot write such bounds.
const WITHOUT_SIZES: &Declared = &Declared::Object(&Object {
    name: "Resource",
    fields: &[
        Field::required("apiVersion", &Declared::String),
        Field::required("kind", &Declared::String),
        Field::required(
            "metadata",
            &Declared::Object(&Object {
                name: "ObjectMeta",
                fields: &[
                    Field::required("name", &Declared::String),
                    Field::required("generateName", &Declared::String),
                ],
            }),
        ),
    ],
});

fn bounds_names(schema: &Value) -> bool {
    let names = &schema["properties"]["metadata"]["properties"];
    ["name", "generateName"].iter().any(|name| !names[name]["maxLength"].is_null())
}

fn object(schema: &Value, resource: bool) -> Declared {
    let mut fields = Vec::new();
    if resource {
        fields.push(Field::required(
            "",
            if bounds_names(schema) { WITHOUT_SIZES } else { &Declared::RESOURCE },
        ));
    }
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        fields.push(match escape::escape(name) {
            Some(escaped) => {
                let of = leak(declared(property, false));
                let is_required = required.iter().any(|required| required == name);
                let optional = !is_required || !property["default"].is_null();
                Field { name: escaped.into_owned().leak(), of, optional }
            }
            None => Field::required("", &Declared::Hidden),
        });
    }
    Declared::Object(leak(Object { name: "object", fields: fields.leak() }))
}
