//! Generates CEL rules from a grammar, with expressions of the types in the schema.

use crd_fixtures::cel::{Place, expression};
use fastrand::Rng;
use serde_json::Value;

#[derive(Debug, Clone, PartialEq)]
enum Type {
    Bool,
    Int,
    Double,
    Str,
    Bytes,
    Duration,
    Timestamp,
    Dyn,
    List(Box<Type>),
    Map(Box<Type>),
    Object(Vec<(String, Type)>),
}

/// Generates a rule for values of a schema, as a member of `x-kubernetes-validations`. `root` is whether it is the
/// schema of a whole object, whose rules can read `metadata.name`.
pub(crate) fn rule(rng: &mut Rng, schema: &Value, root: bool) -> Value {
    let mut places = Vec::new();
    let type_ = type_of(schema, root);
    collect_places(&mut places, "self", &type_, 0);
    let transition = rng.u8(..8) == 0;
    let mut rule = serde_json::Map::new();
    if transition {
        let optional = rng.u8(..3) == 0 && rng.u8(..8) != 0;
        if optional {
            rule.insert("optionalOldSelf".into(), true.into());
            places.push(('b', "oldSelf.hasValue()".into()));
        } else {
            collect_places(&mut places, "oldSelf", &type_, 0);
        }
    }
    let mut text = expression(rng, 'b', &places, 0);
    if transition && !text.contains("oldSelf") {
        let is_optional = rule.get("optionalOldSelf") == Some(&Value::Bool(true));
        let same = if is_optional { "oldSelf.orValue(self) == self" } else { "self == oldSelf" };
        text = format!("({text}) || {same}");
    }
    rule.insert("rule".into(), text.into());
    match rng.u8(..6) {
        0 => {
            rule.insert("message".into(), "must hold".into());
        }
        1 => {
            rule.insert("messageExpression".into(), expression(rng, 's', &places, 1).into());
        }
        _ => {}
    }
    if rng.u8(..8) == 0 {
        let reasons = [
            "FieldValueInvalid",
            "FieldValueForbidden",
            "FieldValueRequired",
            "FieldValueDuplicate",
            "Bogus",
        ];
        rule.insert("reason".into(), (*rng.choice(&reasons).unwrap_or(&"")).into());
    }
    if rng.u8(..8) == 0
        && let Type::Object(fields) = &type_
        && let Some((name, _)) = rng.choice(fields)
    {
        rule.insert("fieldPath".into(), format!(".{name}").into());
    }
    Value::Object(rule)
}

/// The letter of a type in the grammar; `-` for a type without one.
fn letter_of(type_: &Type) -> char {
    match type_ {
        Type::Bool => 'b',
        Type::Int => 'i',
        Type::Double => 'd',
        Type::Str => 's',
        Type::Bytes => 'y',
        Type::Duration => 'u',
        Type::Timestamp => 't',
        Type::List(inner) if **inner == Type::Str => 'l',
        Type::List(inner) if **inner == Type::Int => 'n',
        Type::Map(inner) if **inner == Type::Str => 'm',
        _ => '-',
    }
}

/// Collects the places that an expression can read, presence tests of fields, sizes, and macros over lists.
fn collect_places(places: &mut Vec<Place>, text: &str, type_: &Type, depth: u32) {
    places.push((letter_of(type_), text.to_owned()));
    if depth > 3 || places.len() > 60 {
        return;
    }
    match type_ {
        Type::Object(fields) => {
            for (name, field) in fields {
                let inner = format!("{text}.{name}");
                let optional = format!("{text}.?{name}.hasValue()");
                places.push(('b', format!("has({inner})")));
                places.push(('b', optional));
                collect_places(places, &inner, field, depth + 1);
            }
        }
        Type::List(inner) => {
            places.push(('i', format!("{text}.size()")));
            collect_places(places, &format!("{text}[0]"), inner, depth + 1);
            places.push(('b', format!("{text}.all(x, {text}.exists_one(y, x == y))")));
            if let Type::Object(fields) = &**inner {
                for (name, field) in fields {
                    let test = format!("{text}.all(x, has(x.{name}))");
                    places.push(('b', test));
                    if *field == Type::Str {
                        places.push(('l', format!("{text}.map(x, x.{name})")));
                    }
                }
            }
        }
        Type::Map(inner) => {
            places.push(('i', format!("{text}.size()")));
            collect_places(places, &format!("{text}['a']"), inner, depth + 1);
        }
        _ => {}
    }
}

fn type_of(schema: &Value, root: bool) -> Type {
    let flag = |key: &str| schema.get(key).and_then(Value::as_bool).unwrap_or(false);
    if flag("x-kubernetes-int-or-string") {
        return Type::Dyn;
    }
    let format = schema.get("format").and_then(Value::as_str).unwrap_or("");
    match schema.get("type").and_then(Value::as_str).unwrap_or("") {
        "boolean" => Type::Bool,
        "integer" => Type::Int,
        "number" => Type::Double,
        "string" => match format {
            "byte" => Type::Bytes,
            "duration" => Type::Duration,
            "date" | "date-time" => Type::Timestamp,
            _ => Type::Str,
        },
        "array" => {
            Type::List(Box::new(schema.get("items").map_or(Type::Dyn, |s| type_of(s, false))))
        }
        "object" => {
            if let Some(values @ Value::Object(_)) = schema.get("additionalProperties") {
                Type::Map(Box::new(type_of(values, false)))
            } else {
                let mut fields: Vec<(String, Type)> = schema
                    .get("properties")
                    .and_then(Value::as_object)
                    .into_iter()
                    .flatten()
                    .filter_map(|(name, field)| Some((escape(name)?, type_of(field, false))))
                    .collect();
                if root || flag("x-kubernetes-embedded-resource") {
                    fields.retain(|(name, _)| name != "metadata");
                    fields.push((
                        "metadata".to_owned(),
                        Type::Object(vec![("name".to_owned(), Type::Str)]),
                    ));
                }
                Type::Object(fields)
            }
        }
        _ => Type::Dyn,
    }
}

/// Escapes most field names as rules require. A wrong name is an error of the type checker on both sides.
fn escape(name: &str) -> Option<String> {
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let text = name
        .replace("__", "__underscores__")
        .replace('.', "__dot__")
        .replace('-', "__dash__")
        .replace('/', "__slash__");
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_').then_some(text)
}
