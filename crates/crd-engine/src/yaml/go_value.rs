//! The values that go-yaml decodes, before they become JSON: their maps have keys of any scalar type.
//!
//! They are built only when a document has a value that JSON does not have, to say what upstream says of it.
//!
//! Source: sigs.k8s.io/yaml v1.6.0 `yaml.go` (`convertToJSONableObject`), Go's `internal/fmtsort`.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use super::Error;
use super::compose::{NodeId, NodeKind, Tree};
use super::scalar::Scalar;
use super::scan::Mark;

/// A value with its place.
#[derive(Debug)]
pub(super) struct GoValue {
    mark: Mark,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Scalar(Scalar),
    List(Vec<GoValue>),
    Map(Entries),
}

/// The entries of a map, each with the place of its key, in the order in which Go prints them.
type Entries = BTreeMap<Key, (Mark, GoValue)>;

/// A key of a map.
#[derive(Debug)]
struct Key {
    scalar: Scalar,
    /// Distinguishes keys that are NaN, each of which is another key.
    nan: usize,
}

impl Key {
    /// Orders keys of different types. Upstream: by the addresses of the types in the program, which are in this order
    /// in kube-apiserver and kubectl.
    fn rank(&self) -> u8 {
        match self.scalar {
            Scalar::Null => 0,
            Scalar::Text(_) => 1,
            Scalar::Uint(_) => 2,
            Scalar::Int(_) => 3,
            Scalar::Float(_) => 4,
            Scalar::Bool(_) => 5,
        }
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        let ordering = match (&self.scalar, &other.scalar) {
            (Scalar::Text(a), Scalar::Text(b)) => a.cmp(b),
            (Scalar::Uint(a), Scalar::Uint(b)) => a.cmp(b),
            (Scalar::Int(a), Scalar::Int(b)) => a.cmp(b),
            (Scalar::Bool(a), Scalar::Bool(b)) => a.cmp(b),
            // NaN is before the other numbers, and 0 equals -0.
            (Scalar::Float(a), Scalar::Float(b)) => {
                a.partial_cmp(b).unwrap_or_else(|| b.is_nan().cmp(&a.is_nan()))
            }
            _ => self.rank().cmp(&other.rank()),
        };
        ordering.then(self.nan.cmp(&other.nan))
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Key {}

impl GoValue {
    /// Builds the value of a node that can be decoded, so that neither its depth nor its aliases are without bound.
    ///
    /// # Errors
    /// If it cannot be decoded.
    pub(super) fn of(tree: &Tree<'_>, id: NodeId) -> Result<Self, Error> {
        let Some(node) = tree.target(id) else { return Ok(Self::null()) };
        let kind = match &node.kind {
            NodeKind::Scalar { .. } | NodeKind::Alias { .. } => Kind::Scalar(Scalar::of(node)?),
            NodeKind::Sequence(items) => {
                let items = items.iter().map(|item| Self::of(tree, *item));
                Kind::List(items.collect::<Result<_, _>>()?)
            }
            NodeKind::Mapping(entries) => {
                let mut map = Entries::new();
                insert(&mut map, tree, entries)?;
                Kind::Map(map)
            }
        };
        Ok(Self { mark: node.mark, kind })
    }

    fn null() -> Self {
        Self { mark: Mark::default(), kind: Kind::Scalar(Scalar::Null) }
    }

    /// Checks that JSON has the value.
    ///
    /// # Errors
    /// Upstream's error. Of several, upstream finds one at random, but those of keys before those of numbers.
    pub(super) fn check(&self) -> Result<(), Error> {
        self.check_keys()?;
        self.check_numbers()
    }

    fn check_keys(&self) -> Result<(), Error> {
        match &self.kind {
            Kind::Scalar(_) => Ok(()),
            Kind::List(items) => items.iter().try_for_each(Self::check_keys),
            Kind::Map(entries) => entries.iter().try_for_each(|(key, (mark, value))| {
                let Some(type_) = key.scalar.unsupported_key() else { return value.check_keys() };
                let shown = key.scalar.go_syntax();
                let message =
                    format!("unsupported map key of type: {type_}, key: {shown}, value: {value}");
                Err(Error::converting(*mark, message))
            }),
        }
    }

    fn check_numbers(&self) -> Result<(), Error> {
        match &self.kind {
            Kind::Scalar(scalar) => {
                let value = scalar.clone().into_value();
                value.map(drop).map_err(|message| Error::converting(self.mark, message))
            }
            Kind::List(items) => items.iter().try_for_each(Self::check_numbers),
            Kind::Map(entries) => {
                // JSON is written in the order of its keys.
                let mut entries: Vec<_> = entries
                    .iter()
                    .map(|(key, (_, value))| (key.scalar.clone().into_key(), value))
                    .collect();
                entries.sort_by(|(a, _), (b, _)| a.cmp(b));
                entries.into_iter().try_for_each(|(_, value)| value.check_numbers())
            }
        }
    }

    fn write(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Scalar(scalar) => write_nested(scalar, out),
            Kind::List(items) => {
                out.write_str("[]interface {}{")?;
                for (index, item) in items.iter().enumerate() {
                    out.write_str(if index == 0 { "" } else { ", " })?;
                    item.write(out)?;
                }
                out.write_char('}')
            }
            Kind::Map(entries) => {
                out.write_str("map[interface {}]interface {}{")?;
                for (index, (key, (_, value))) in entries.iter().enumerate() {
                    out.write_str(if index == 0 { "" } else { ", " })?;
                    write_nested(&key.scalar, out)?;
                    out.write_char(':')?;
                    value.write(out)?;
                }
                out.write_char('}')
            }
        }
    }
}

/// Formats the value in Go's syntax (`%#v`).
impl fmt::Display for GoValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Scalar(scalar) => f.write_str(&scalar.go_syntax()),
            Kind::List(_) | Kind::Map(_) => self.write(f),
        }
    }
}

/// Writes a scalar of a container, where null has a type.
fn write_nested(scalar: &Scalar, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    match scalar {
        Scalar::Null => out.write_str("interface {}(nil)"),
        _ => out.write_str(&scalar.go_syntax()),
    }
}

/// Sets the entries of a mapping, and at their position those that it merges.
fn insert(map: &mut Entries, tree: &Tree<'_>, entries: &[(NodeId, NodeId)]) -> Result<(), Error> {
    for (key, value) in entries {
        let (Some(node), Some(target)) = (tree.node(*key), tree.target(*key)) else { continue };
        if node.is_merge_key() {
            merge(map, tree, *value)?;
            continue;
        }
        let scalar = Scalar::of(target)?;
        let is_nan = matches!(scalar, Scalar::Float(float) if float.is_nan());
        let key = Key { scalar, nan: if is_nan { map.len() } else { 0 } };
        let value = GoValue::of(tree, *value)?;
        // Go replaces the key too, so that 0 becomes -0.
        map.remove(&key);
        map.insert(key, (node.mark, value));
    }
    Ok(())
}

/// Sets the entries of the mappings that are the value of `<<`. Of several the first wins.
fn merge(map: &mut Entries, tree: &Tree<'_>, id: NodeId) -> Result<(), Error> {
    match tree.target(id).map(|node| &node.kind) {
        Some(NodeKind::Sequence(items)) => {
            items.iter().rev().try_for_each(|item| merge(map, tree, *item))
        }
        Some(NodeKind::Mapping(entries)) => insert(map, tree, entries),
        _ => Ok(()),
    }
}
