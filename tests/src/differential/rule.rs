//! Generates CEL rules from a grammar, with expressions of the types in the schema.

use fastrand::Rng;
use serde_json::Value;

use super::grammar::{GRAMMAR, LITERALS};

/// A variable or an expression that reads a part of it, with its type.
#[derive(Debug, Clone)]
struct Place {
    text: String,
    type_: Type,
}

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
    Ip,
    Cidr,
    Quantity,
    Semver,
    Url,
    Uint,
}

/// The deepest nesting of productions, in levels. Below it, only literals and places are used.
const MAX_DEPTH: u32 = 3;
/// One of this many placeholders gets an expression of a random type.
const WRONG_TYPE: u8 = 200;
/// The length of a placeholder, such as `{x}`, in bytes.
const HOLE: usize = 3;

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
            places.push(Place { text: "oldSelf.hasValue()".into(), type_: Type::Bool });
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

fn expression(rng: &mut Rng, letter: char, places: &[Place], depth: u32) -> String {
    // Uses another type now and then, so that the type checker has errors to find.
    let letter =
        if rng.u8(..WRONG_TYPE) == 0 { GRAMMAR[rng.usize(..GRAMMAR.len())].0 } else { letter };
    let fitting: Vec<&Place> =
        places.iter().filter(|place| letter == 'x' || fits(&place.type_, letter)).collect();
    if !fitting.is_empty() && (depth >= MAX_DEPTH || rng.u8(..10) < 4) {
        return fitting[rng.usize(..fitting.len())].text.clone();
    }
    let productions: Vec<&str> =
        GRAMMAR.iter().filter(|(made, _)| *made == letter).map(|(_, text)| *text).collect();
    if depth >= MAX_DEPTH || productions.is_empty() || rng.u8(..10) < 3 {
        let literals =
            LITERALS.iter().find(|(made, _)| *made == letter).map_or(&["true"][..], |(_, all)| all);
        return literals[rng.usize(..literals.len())].to_owned();
    }
    let production = productions[rng.usize(..productions.len())];
    let mut out = String::new();
    let mut rest = production;
    while let Some(at) = rest.find('{') {
        let (before, hole) = rest.split_at(at);
        out.push_str(before);
        let mut chars = hole.chars();
        if let (Some(letter), Some('}')) = (chars.nth(1), chars.next()) {
            let filled = expression(rng, letter, places, depth + 1);
            let compound = filled.contains([' ', '-', '!']) && !filled.starts_with('\'');
            let (open, close) = if compound { ("(", ")") } else { ("", "") };
            out.extend([open, &filled, close]);
            rest = &hole[HOLE..];
        } else {
            out.push('{');
            rest = &hole[1..];
        }
    }
    out.push_str(rest);
    out
}

fn fits(type_: &Type, letter: char) -> bool {
    match letter {
        'b' => *type_ == Type::Bool,
        'i' => *type_ == Type::Int,
        'd' => *type_ == Type::Double,
        's' => *type_ == Type::Str,
        'y' => *type_ == Type::Bytes,
        'u' => *type_ == Type::Duration,
        't' => *type_ == Type::Timestamp,
        'l' => matches!(type_, Type::List(inner) if **inner == Type::Str),
        'n' => matches!(type_, Type::List(inner) if **inner == Type::Int),
        'm' => matches!(type_, Type::Map(inner) if **inner == Type::Str),
        'p' => *type_ == Type::Ip,
        'c' => *type_ == Type::Cidr,
        'q' => *type_ == Type::Quantity,
        'v' => *type_ == Type::Semver,
        'r' => *type_ == Type::Url,
        'z' => *type_ == Type::Uint,
        _ => false,
    }
}

/// Collects the places that an expression can read, presence tests of fields, sizes, and macros over lists.
fn collect_places(places: &mut Vec<Place>, text: &str, type_: &Type, depth: u32) {
    places.push(Place { text: text.to_owned(), type_: type_.clone() });
    if depth > 3 || places.len() > 60 {
        return;
    }
    match type_ {
        Type::Object(fields) => {
            for (name, field) in fields {
                let inner = format!("{text}.{name}");
                let optional = format!("{text}.?{name}.hasValue()");
                places.push(Place { text: format!("has({inner})"), type_: Type::Bool });
                places.push(Place { text: optional, type_: Type::Bool });
                collect_places(places, &inner, field, depth + 1);
            }
        }
        Type::List(inner) => {
            places.push(Place { text: format!("{text}.size()"), type_: Type::Int });
            collect_places(places, &format!("{text}[0]"), inner, depth + 1);
            places.push(Place {
                text: format!("{text}.all(x, {text}.exists_one(y, x == y))"),
                type_: Type::Bool,
            });
            if let Type::Object(fields) = &**inner {
                for (name, field) in fields {
                    let test = format!("{text}.all(x, has(x.{name}))");
                    places.push(Place { text: test, type_: Type::Bool });
                    if *field == Type::Str {
                        places.push(Place {
                            text: format!("{text}.map(x, x.{name})"),
                            type_: Type::List(Box::new(Type::Str)),
                        });
                    }
                }
            }
        }
        Type::Map(inner) => {
            places.push(Place { text: format!("{text}.size()"), type_: Type::Int });
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
