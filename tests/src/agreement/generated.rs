//! Generates rules from grammars, over schemas of records, lists and maps, for combinations that are rare in recorded
//! rules.

use std::fmt::Write as _;

use crd_cel::syntax;
use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::{Case, GENERATED};
use crate::differential::rule;

/// The deepest nesting of schemas, in levels.
const MAX_NESTING: u32 = 4;
/// The deepest nesting of macros, in levels.
const MAX_MACROS: u32 = 4;
/// The names of fields.
const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

/// Generates `count` rules: half from the grammar of all functions, half with nested macros over parts of their
/// variables.
pub fn generated(count: usize, seed: u64) -> Vec<Case> {
    let mut rng = Rng::with_seed(seed);
    let mut out = Vec::new();
    while out.len() < count {
        let schema = if rng.u8(..5) == 0 { node(&mut rng, 1) } else { record(&mut rng, 0) };
        let rule = if rng.bool() {
            Macros { rng: &mut rng, scope: vec![("self".to_owned(), schema.clone())], count: 0 }
                .bool(0)
        } else {
            let rule = rule(&mut rng, &schema, false);
            if rule.get("optionalOldSelf").is_some() {
                continue;
            }
            rule["rule"].as_str().unwrap_or_default().to_owned()
        };
        if syntax::parse(&rule).is_ok() {
            let change = GENERATED;
            let (root, message, optional_old_self) = (false, None, false);
            out.push(Case { schema, root, rule, message, optional_old_self, change });
        }
    }
    out
}

fn record(rng: &mut Rng, depth: u32) -> Value {
    let mut properties = Map::new();
    for name in NAMES.iter().take(rng.usize(2..=NAMES.len())) {
        properties.insert((*name).to_owned(), node(rng, depth + 1));
    }
    let required: Vec<_> = properties.keys().filter(|_| rng.bool()).cloned().collect();
    json!({"type": "object", "properties": properties, "required": required})
}

fn node(rng: &mut Rng, depth: u32) -> Value {
    let bound = rng.choice([None, Some(0), Some(1), Some(7), Some(1_000), Some(100_000)]).flatten();
    let (mut schema, key) = match rng.u8(if depth < MAX_NESTING { 0..10 } else { 6..10 }) {
        0..3 => (json!({"type": "array", "items": node(rng, depth + 1)}), "maxItems"),
        3 => {
            let values = node(rng, depth + 1);
            (json!({"type": "object", "additionalProperties": values}), "maxProperties")
        }
        4 | 5 => return record(rng, depth),
        6 => return json!({"type": "integer"}),
        _ => (json!({"type": "string"}), "maxLength"),
    };
    if let Some(bound) = bound {
        schema[key] = bound.into();
    }
    schema
}

/// Writes macros whose bodies read parts of the variables in scope.
struct Macros<'r> {
    rng: &'r mut Rng,
    scope: Vec<(String, Value)>,
    count: u32,
}

impl Macros<'_> {
    /// Generates one to three conditions, joined by `&&` or `||`.
    fn bool(&mut self, depth: u32) -> String {
        let parts = self.rng.usize(1..=3);
        let parts: Vec<_> = (0..parts).map(|_| self.condition(depth)).collect();
        parts.join(if self.rng.bool() { " && " } else { " || " })
    }

    fn condition(&mut self, depth: u32) -> String {
        let (place, schema) = self.place();
        let kind = schema["type"].as_str().unwrap_or_default();
        if kind == "array" && depth < MAX_MACROS {
            return self.fold(&place, &schema["items"], &json!({"type": "integer"}), depth);
        }
        if schema["additionalProperties"].is_object() && depth < MAX_MACROS {
            let keys = json!({"type": "string"});
            return self.fold(&place, &schema["additionalProperties"], &keys, depth);
        }
        match kind {
            "string" => {
                let other = self.text();
                let forms = [
                    format!("{place} == {other}"),
                    format!("{place} != {other}"),
                    format!("{place}.contains({other})"),
                    format!("{other}.startsWith({place})"),
                    format!("{place}.matches('^[a-z0-9]+$')"),
                    format!("{place} + {other} == {other}"),
                    format!("{place}.replace('a', {other}) < {other}"),
                    format!("{place}.split(',').exists(w, w == {other})"),
                ];
                forms[self.rng.usize(..forms.len())].clone()
            }
            "integer" => format!("{place} > 1"),
            _ => format!("{place} == {place}"),
        }
    }

    /// Writes a macro over a map or a list. `keys` is the schema of the map's keys or of the list's indices.
    fn fold(&mut self, place: &str, values: &Value, keys: &Value, depth: u32) -> String {
        self.count += 1;
        let (one, two) = (format!("v{}", self.count), format!("w{}", self.count));
        let single = if keys["type"] == "integer" { values } else { keys };
        let around = self.scope.len();
        let has_two = self.rng.u8(..4) == 0;
        if has_two {
            self.scope.push((one.clone(), keys.clone()));
            self.scope.push((two.clone(), values.clone()));
        } else {
            self.scope.push((one.clone(), single.clone()));
        }
        let text = match self.rng.u8(..6) {
            _ if has_two => format!("{place}.all({one}, {two}, {})", self.bool(depth + 1)),
            0 => format!("{place}.filter({one}, {}).size() > 0", self.bool(depth + 1)),
            1 => {
                let (part, _) = self.place();
                format!("{place}.map({one}, {part}).all(y, y == y)")
            }
            2 => format!("{place}.exists_one({one}, {})", self.bool(depth + 1)),
            3 => format!("{place}.exists({one}, {})", self.bool(depth + 1)),
            _ => format!("{place}.all({one}, {})", self.bool(depth + 1)),
        };
        self.scope.truncate(around);
        text
    }

    /// Writes a string: a part of a variable if one is found, and a literal otherwise.
    fn text(&mut self) -> String {
        for _ in 0..8 {
            let (place, schema) = self.place();
            if schema["type"] == "string" {
                return place;
            }
        }
        "'abc'".to_owned()
    }

    /// Chooses a variable, most often the last one, or a part of it.
    fn place(&mut self) -> (String, Value) {
        let last = self.scope.len() - 1;
        let at = if self.rng.u8(..3) == 0 { self.rng.usize(..=last) } else { last };
        let (mut text, mut schema) = self.scope[at].clone();
        for _ in 0..self.rng.u8(1..4) {
            let next = if let Some(properties) = schema["properties"].as_object() {
                let names: Vec<_> = properties.keys().cloned().collect();
                let Some(name) = self.rng.choice(&names) else { break };
                let optional = self.rng.u8(..12) == 0 && properties[name]["type"] == "string";
                let _ = if optional {
                    write!(text, ".?{name}.orValue('')")
                } else {
                    write!(text, ".{name}")
                };
                properties[name].clone()
            } else if schema["items"].is_object() && self.rng.u8(..3) == 0 {
                let index = if self.rng.bool() { "0".to_owned() } else { format!("size({text})") };
                let _ = write!(text, "[{index}]");
                schema["items"].clone()
            } else if schema["additionalProperties"].is_object() && self.rng.u8(..2) == 0 {
                text.push_str(if self.rng.bool() { "['k']" } else { ".k" });
                schema["additionalProperties"].clone()
            } else {
                break;
            };
            schema = next;
        }
        (text, schema)
    }
}
