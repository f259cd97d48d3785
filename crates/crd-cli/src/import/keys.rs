//! Chooses the keys of `#[crd(..)]` for the keywords of a schema, and writes a patch for those that have none.

use serde_json::{Map, Value};

use super::code::Key;
use super::keywords::{Schema, same};

/// The greatest integer up to which each integer is exact as a double.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The keys of one type or place, and what the derive generates from them.
pub(super) struct Keys {
    wanted: Schema,
    pub(super) generated: Schema,
    written: Vec<Key>,
}

impl Keys {
    /// Starts with the keywords that have to be generated, and those that the Rust type has by itself.
    pub(super) fn new(wanted: &Schema, without: &[&str], generated: Value) -> Self {
        let wanted = wanted.iter().filter(|(name, _)| !without.contains(&name.as_str()));
        let wanted = wanted.map(|(name, value)| (name.clone(), value.clone())).collect();
        let generated = match generated {
            Value::Object(generated) => generated,
            _ => Map::new(),
        };
        Self { wanted, generated, written: Vec::new() }
    }

    /// Writes a keyword as a key, if `write` can.
    pub(super) fn take(&mut self, keyword: &str, write: impl FnOnce(&Value) -> Option<Key>) {
        let Some(value) = self.wanted.get(keyword) else { return };
        if self.generated.get(keyword).is_some_and(|generated| same(generated, value)) {
            return;
        }
        if let Some(key) = write(value) {
            self.generated.insert(keyword.to_owned(), value.clone());
            self.written.push(key);
        }
    }

    pub(super) fn text(&mut self, keyword: &str, name: &str) {
        self.take(keyword, |value| {
            Some(Key::text(name, value.as_str().filter(|text| !text.is_empty())?))
        });
    }

    pub(super) fn count(&mut self, keyword: &str, name: &str) {
        self.take(keyword, |value| Some(Key::code(name, value.as_u64()?)));
    }

    /// A bound that the type can hold, with its flag.
    fn bound(&mut self, keyword: &str, name: &str, flag: Option<(&str, &str)>, range: Range) {
        self.take(keyword, |value| Some(Key::code(name, range.literal(value)?)));
        let has_bound = self.generated.contains_key(keyword);
        if let Some((keyword, name)) = flag.filter(|_| has_bound) {
            self.take(keyword, |value| value.as_bool()?.then(|| Key::flag(name)));
        }
    }

    pub(super) fn number(&mut self, range: Range) {
        let exclusive = |name| {
            Some((
                name,
                if name == "exclusiveMinimum" { "exclusive_minimum" } else { "exclusive_maximum" },
            ))
        };
        self.bound("minimum", "minimum", exclusive("exclusiveMinimum"), range);
        self.bound("maximum", "maximum", exclusive("exclusiveMaximum"), range);
        self.take("multipleOf", |value| {
            let literal = range.literal(value)?;
            value.as_f64().filter(|step| *step > 0.0)?;
            Some(Key::code("multiple_of", literal))
        });
    }

    pub(super) fn rules(&mut self) {
        let Some(Value::Array(rules)) = self.wanted.get("x-kubernetes-validations") else { return };
        let Some(keys) = rules.iter().map(|value| rule("rule", value)).collect::<Option<Vec<_>>>()
        else {
            return;
        };
        self.generated.insert("x-kubernetes-validations".to_owned(), Value::Array(rules.clone()));
        self.written.extend(keys);
    }

    /// Returns the keys, the last of which is a patch if the derive would generate something else.
    pub(super) fn done(mut self) -> Vec<Key> {
        let mut patch = Map::new();
        for (name, value) in &self.wanted {
            if !self.generated.get(name).is_some_and(|generated| same(generated, value)) {
                patch.insert(name.clone(), value.clone());
            }
        }
        for name in self.generated.keys().filter(|name| !self.wanted.contains_key(*name)) {
            patch.insert(name.clone(), Value::Null);
        }
        if !patch.is_empty() {
            self.written.push(Key::patch(patch));
        }
        self.written
    }
}

/// Numbers that are literals of a type.
#[derive(Debug, Clone, Copy)]
pub(super) enum Range {
    Integer(f64, f64),
    Float,
}

impl Range {
    pub(super) const I32: Self = Self::Integer(-2_147_483_648.0, 2_147_483_647.0);
    pub(super) const I64: Self = Self::Integer(-EXACT, EXACT);

    /// Returns the number as a literal, if the type holds it.
    pub(super) fn literal(self, value: &Value) -> Option<String> {
        let number = value.as_f64()?;
        match self {
            Self::Integer(least, most) => {
                let fits = number.fract() == 0.0 && (least..=most).contains(&number);
                fits.then(|| format!("{number:.0}"))
            }
            Self::Float if number.fract() == 0.0 && number.abs() < EXACT => {
                Some(format!("{number:.0}"))
            }
            Self::Float => Some(format!("{number:?}")),
        }
    }
}

/// A rule as the key `rule` or `root_rule`, if it has only what the attribute takes.
pub(super) fn rule(key: &str, rule: &Value) -> Option<Key> {
    let rule = rule.as_object()?;
    let mut args = vec![Key::argument(rule.get("rule")?.as_str()?)];
    for (name, value) in rule {
        let name = match name.as_str() {
            "rule" => continue,
            "message" => "message",
            "messageExpression" => "message_expression",
            "reason" => "reason",
            "fieldPath" => "field_path",
            "optionalOldSelf" => {
                args.push(Key::code("optional_old_self", value.as_bool()?));
                continue;
            }
            _ => return None,
        };
        let text = value.as_str()?;
        if !text.is_empty() {
            args.push(Key::text(name, text));
        }
    }
    // What the server accepts is kept, also where the derive would advise another rule.
    args.push(Key::strings("unchecked", ["as imported"]));
    Some(Key::call(key, args))
}
