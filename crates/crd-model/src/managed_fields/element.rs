//! One element of a path in an object, as `fieldsV1` writes it.
//!
//! Source: structured-merge-diff `fieldpath/element.go`, `fieldpath/serialize-pe.go`, and `value/value.go` for
//! the equality and order of values.

use std::cmp::Ordering;
use std::fmt;

use serde_json::{Map, Value};

use super::Error;
use crate::json;

/// One element of a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Element {
    /// `f:name`: a field of an object.
    Field(String),
    /// `k:{"name":"a"}`: the item of a `map` list with these keys, in the order of their names.
    Key(Vec<(String, Literal)>),
    /// `v:"a"`: the item of a `set`.
    Value(Literal),
    /// `i:0`: an item by its index.
    Index(i64),
}

/// A value in a path. Numbers are compared by value, so that `1.0` equals `1`.
#[derive(Debug, Clone)]
pub(super) struct Literal(Value);

impl Element {
    /// Reads an element, such as `f:spec`; `None` for one of an unknown kind. `at` is where it is in `fieldsV1`, for
    /// errors.
    pub(super) fn parse(text: &str, at: &str) -> Result<Option<Self>, Error> {
        let Some((kind, rest)) = text.split_once(':').filter(|(kind, _)| kind.len() == 1) else {
            let why = "must be one letter, a colon and what it names, such as `f:spec`";
            return Err(Error::malformed(at, why));
        };
        let json = |rest: &str| -> Result<Value, Error> {
            let mut value = serde_json::from_str::<Value>(rest)
                .map_err(|error| Error::malformed(at, error.to_string()))?;
            match &mut value {
                Value::Object(keys) => keys.values_mut().for_each(to_float),
                other => to_float(other),
            }
            Ok(value)
        };
        Ok(Some(match kind {
            "f" => Self::Field(rest.to_owned()),
            "v" => Self::Value(Literal(json(rest)?)),
            "k" => match json(rest)? {
                Value::Object(keys) => Self::key(keys),
                _ => return Err(Error::malformed(at, "the keys of an item must be an object")),
            },
            "i" => Self::Index(
                rest.parse().map_err(|_| Error::malformed(at, "an index must be an integer"))?,
            ),
            _ => return Ok(None),
        }))
    }

    /// Returns the item of a `map` list with these keys.
    pub(super) fn key(keys: Map<String, Value>) -> Self {
        let mut keys: Vec<_> = keys.into_iter().map(|(name, key)| (name, Literal(key))).collect();
        keys.sort();
        Self::Key(keys)
    }

    /// Returns the element as `fieldsV1` writes it: `f:spec`. Source: `SerializePathElement`.
    pub(super) fn to_key(&self) -> String {
        match self {
            Self::Field(name) => format!("f:{name}"),
            Self::Key(keys) => {
                let keys = keys.iter().map(|(name, Literal(key))| (name.clone(), key.clone()));
                format!("k:{}", json::to_path_string(&Value::Object(keys.collect())))
            }
            Self::Value(Literal(value)) => format!("v:{}", json::to_path_string(value)),
            Self::Index(index) => format!("i:{index}"),
        }
    }

    /// Returns the item of a set.
    pub(super) fn item(value: &Value) -> Self {
        Self::Value(Literal(value.clone()))
    }
}

impl fmt::Display for Element {
    /// Prints the element as in `.spec.ports[name="http"]`. Source: `PathElement.String`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => write!(f, ".{name}"),
            Self::Key(keys) => {
                for (index, (name, key)) in keys.iter().enumerate() {
                    let separator = if index == 0 { "[" } else { "," };
                    write!(f, "{separator}{name}={key}")?;
                }
                f.write_str("]")
            }
            Self::Value(value) => write!(f, "[={value}]"),
            Self::Index(index) => write!(f, "[{index}]"),
        }
    }
}

impl fmt::Display for Literal {
    /// Source: `ToString`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Value::String(text) => f.write_str(&crd_cel::gofmt::quote(text)),
            Value::Number(_) => f.write_str(&json::to_go_v(&self.0)),
            other => write!(f, "{other}"),
        }
    }
}

impl Ord for Literal {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(&self.0, &other.0)
    }
}

impl PartialOrd for Literal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Literal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Literal {}

/// Orders two values. Values that compare as equal, such as `1` and `1.0`, are the same path element. Source:
/// `CompareUsing`.
pub(super) fn compare(a: &Value, b: &Value) -> Ordering {
    const fn rank(value: &Value) -> u8 {
        match value {
            Value::Number(_) => 0,
            Value::String(_) => 1,
            Value::Bool(_) => 2,
            Value::Array(_) => 3,
            Value::Object(_) => 4,
            Value::Null => 5,
        }
    }
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => match (json::Num::of(a), json::Num::of(b)) {
            (json::Num::Int(a), json::Num::Int(b)) => a.cmp(&b),
            (a, b) => a.as_f64().partial_cmp(&b.as_f64()).unwrap_or(Ordering::Equal),
        },
        (Value::String(a), Value::String(b)) => a.cmp(b),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Array(a), Value::Array(b)) => {
            let pairs = a.iter().zip(b).map(|(a, b)| compare(a, b));
            pairs.into_iter().find(|order| order.is_ne()).unwrap_or(a.len().cmp(&b.len()))
        }
        (Value::Object(a), Value::Object(b)) => {
            let (a, b) = (sorted(a), sorted(b));
            let pairs = a
                .iter()
                .zip(&b)
                .map(|((a_key, a), (b_key, b))| a_key.cmp(b_key).then_with(|| compare(a, b)));
            pairs.into_iter().find(|order| order.is_ne()).unwrap_or(a.len().cmp(&b.len()))
        }
        _ => rank(a).cmp(&rank(b)),
    }
}

/// Turns a number into a float, which [`fmt::Display`] prints with an exponent from a million on. Upstream: json-iterator
/// reads each number of an element as a float.
fn to_float(value: &mut Value) {
    if value.is_number() {
        *value = value.as_f64().into();
    }
}

fn sorted(map: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_by_key(|(name, _)| *name);
    entries
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn elements_are_ordered_and_printed_as_upstream_does() {
        let mut keys: Vec<_> =
            ["k:{\"port\":443}", "k:{\"port\":80}", "v:\"\\u0001\"", "f:b", "v:1.0", "i:3"]
                .into_iter()
                .map(|text| Element::parse(text, "").expect("an element").expect("a known kind"))
                .collect();
        keys.sort();
        let texts: Vec<_> = keys.iter().map(Element::to_string).collect();
        assert_eq!(texts, [".b", "[port=80]", "[port=443]", "[=1]", "[=\"\\x01\"]", "[3]"]);
    }

    #[test]
    fn text_after_a_value_or_key_is_malformed() {
        for text in ["v:1 2", "v:\"a\"x", "k:{\"name\":\"a\"}}", "k:{\"name\":\"a\"} {}"] {
            assert!(Element::parse(text, "").is_err(), "{text}");
        }
        assert!(Element::parse("v:1 ", "").is_ok());
    }

    #[test]
    fn numbers_are_read_as_floats() {
        for (text, want) in [
            ("v:9007199254740992", "v:9007199254740992"),
            ("v:123456789012345678", "v:123456789012345680"),
            ("v:-123456789012345678", "v:-123456789012345680"),
            ("k:{\"id\":123456789012345678}", "k:{\"id\":123456789012345680}"),
            ("v:\"123456789012345678\"", "v:\"123456789012345678\""),
        ] {
            let element = Element::parse(text, "").expect("an element").expect("a known kind");
            assert_eq!(element.to_key(), want);
        }
        for (text, want) in [
            ("k:{\"id\":80}", "[id=80]"),
            ("k:{\"id\":1000000}", "[id=1e+06]"),
            ("v:7654321", "[=7.654321e+06]"),
        ] {
            let element = Element::parse(text, "").expect("an element").expect("a known kind");
            assert_eq!(element.to_string(), want);
        }
    }

    #[test]
    fn numbers_are_compared_by_value() {
        assert_eq!(Element::item(&json!(1.0)), Element::item(&json!(1)));
        assert_ne!(Element::item(&json!(1)), Element::item(&json!("1")));
        assert!(compare(&json!({"b": 1, "a": [1.0]}), &json!({"a": [1], "b": 1.0})).is_eq());
        assert!(compare(&json!([1, 2]), &json!([1])).is_gt());
    }
}
