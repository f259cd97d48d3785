//! `fieldsV1`: a set of paths in an object.
//!
//! Source: structured-merge-diff `fieldpath/serialize.go`, `readIterV1`, and `fieldpath/serialize-pe.go`,
//! `DeserializePathElement`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::Error;
use crate::json::MAX_DEPTH;

/// A set of paths in an object, as `fieldsV1` of a managed-fields entry writes it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FieldSet {
    nodes: BTreeMap<Element, Node>,
}

/// What is known of one element of a path.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    /// Whether the path that ends here is a member of the set.
    pub owned: bool,
    /// The paths that go on.
    pub children: FieldSet,
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Element {
    /// `f:name`: a field of an object.
    Field(String),
    /// `k:{"name":"a"}`: the item of a `map` list with these keys, in canonical JSON.
    Key(String),
    /// `v:"a"`: the item of a `set`, in canonical JSON.
    Value(String),
    /// `i:0`: an item by its place.
    Index(i64),
}

impl FieldSet {
    /// Reads `fieldsV1`. Elements of kinds that a later version may bring are passed over, as the server does.
    ///
    /// # Errors
    /// [`Error::Malformed`] at the key that is no path element, or where something else than an object stands.
    pub fn parse(fields_v1: &Value) -> Result<Self, Error> {
        Ok(Self::read(fields_v1, "", 0)?.0)
    }

    /// Whether no path is in the set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The members that no other member goes on from, such as `.spec.ports[name="http"].port`, in order.
    #[must_use]
    pub fn leaves(&self) -> Vec<String> {
        let mut leaves = Vec::new();
        self.add_leaves("", &mut leaves);
        leaves
    }

    fn add_leaves(&self, at: &str, into: &mut Vec<String>) {
        for (element, node) in &self.nodes {
            let at = format!("{at}{element}");
            if node.is_leaf() {
                into.push(at);
            } else {
                node.children.add_leaves(&at, into);
            }
        }
    }

    /// The set, and whether the path to it is a member of the set above.
    fn read(value: &Value, at: &str, depth: usize) -> Result<(Self, bool), Error> {
        if depth > MAX_DEPTH {
            return Err(Error::malformed(at, format!("nests deeper than {MAX_DEPTH} levels")));
        }
        let mut set = Self::default();
        let mut member = false;
        let entries = match value {
            Value::Object(entries) => entries,
            Value::Null => return Ok((set, true)),
            _ => return Err(Error::malformed(at, "must be an object")),
        };
        for (key, value) in entries {
            if key == "." {
                member = true;
                continue;
            }
            let at = format!("{at}/{key}");
            let Some(element) = Element::parse(key, &at)? else { continue };
            let (children, owned) = Self::read(value, &at, depth + 1)?;
            set.nodes.insert(element, Node { owned, children });
        }
        let alone = set.nodes.is_empty();
        Ok((set, member || alone))
    }

    pub(super) fn get(&self, element: &Element) -> Option<&Node> {
        self.nodes.get(element)
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = (&Element, &Node)> {
        self.nodes.iter()
    }
}

impl Node {
    /// Whether the path is a member and none goes on from it. Source: `fieldpath/set.go`, `Set.Leaves`.
    pub(super) fn is_leaf(&self) -> bool {
        self.owned && self.children.is_empty()
    }
}

impl Element {
    /// `None` for an element of an unknown kind.
    fn parse(text: &str, at: &str) -> Result<Option<Self>, Error> {
        let Some((kind, rest)) = text.split_once(':').filter(|(kind, _)| kind.len() == 1) else {
            let why = "must be one letter, a colon and what it names, such as `f:spec`";
            return Err(Error::malformed(at, why));
        };
        let json = |rest: &str| {
            serde_json::from_str::<Value>(rest)
                .map_err(|error| Error::malformed(at, error.to_string()))
        };
        Ok(Some(match kind {
            "f" => Self::Field(rest.to_owned()),
            "v" => Self::item(&json(rest)?),
            "k" => match json(rest)? {
                Value::Object(keys) => Self::key(&keys),
                _ => return Err(Error::malformed(at, "the keys of an item must be an object")),
            },
            "i" => Self::Index(
                rest.parse().map_err(|_| Error::malformed(at, "an index must be an integer"))?,
            ),
            _ => return Ok(None),
        }))
    }

    /// The item of a `map` list with these keys.
    pub(super) fn key(keys: &Map<String, Value>) -> Self {
        let sorted: BTreeMap<_, _> = keys.iter().collect();
        let mut text = String::new();
        for (name, value) in sorted {
            let separator = if text.is_empty() { "" } else { "," };
            let _ = write!(text, "{separator}{name}={}", canonical(value));
        }
        Self::Key(text)
    }

    /// The item of a set.
    pub(super) fn item(value: &Value) -> Self {
        Self::Value(canonical(value))
    }
}

/// JSON in which equal values have equal texts: `1.0` is `1`.
///
/// Source: structured-merge-diff `value/value.go`, `Equals`.
fn canonical(value: &Value) -> String {
    /// Whole doubles below this are integers to the last digit.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value.as_f64() {
        Some(float) if value.is_f64() && float.fract() == 0.0 && float.abs() < EXACT => {
            format!("{float:.0}")
        }
        _ => value.to_string(),
    }
}

impl std::fmt::Display for Element {
    /// As structured-merge-diff prints it. Source: `fieldpath/element.go`, `PathElement.String`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Field(name) => write!(f, ".{name}"),
            Self::Key(keys) => write!(f, "[{keys}]"),
            Self::Value(value) => write!(f, "[={value}]"),
            Self::Index(index) => write!(f, "[{index}]"),
        }
    }
}
