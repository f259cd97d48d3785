//! Converts the nodes of a document to JSON: types of scalars, keys, aliases and merges.
//!
//! Source: go.yaml.in/yaml v2.4.4 `decode.go` (`decoder`). A merge takes effect at its position: it overrides the keys
//! before it, and the keys after it override the merged ones.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::{Map, Value};

use super::compose::{Node, NodeId, NodeKind, Tree};
use super::go_value::GoValue;
use super::scalar::Scalar;
use super::scan::Mark;
use super::{Duplicate, Error, MAX_DEPTH};

/// The number of decoded nodes up to which a document is small; upstream's `alias_ratio_range_low`.
const ALIAS_RANGE_LOW: usize = 400_000;
/// The number of decoded nodes from which a document is large; upstream's `alias_ratio_range_high`.
const ALIAS_RANGE_HIGH: usize = 4_000_000;
/// The share of nodes that may come from aliases in a small document.
const ALIAS_SHARE_SMALL: f64 = 0.99;
/// The share of nodes that may come from aliases in a large document.
const ALIAS_SHARE_LARGE: f64 = 0.10;

/// The largest size that the aliases of a document may expand to, in bytes of memory. Upstream counts only nodes, so
/// that a few large strings can take far more.
const MAX_ALIAS_BYTES: usize = 32 << 20;
/// The memory of a node without its text, in bytes.
const NODE_BYTES: usize = size_of::<Value>();
/// The least memory of a map with entries, in bytes: a node of a B-tree has room for eleven entries.
const MAP_BYTES: usize = 11 * (size_of::<String>() + size_of::<Value>());

/// A document as JSON.
#[derive(Debug, Default)]
pub(super) struct Decoded {
    pub(super) value: Value,
    pub(super) duplicates: Vec<Duplicate>,
    /// What go-yaml's strict decoding reports.
    pub(super) strict: Vec<String>,
}

/// Converts a document to JSON.
///
/// # Errors
/// If a scalar is not of its tag's type, a key is not a scalar, or aliases expand to too much.
pub(super) fn decode(tree: &Tree<'_>) -> Result<Decoded, Error> {
    let mut decoder = Decoder {
        tree,
        frames: Vec::new(),
        depth: 0,
        expanding: HashSet::new(),
        decoded: 1,
        aliased: 0,
        aliased_bytes: 0,
        duplicates: Vec::new(),
        strict: Vec::new(),
        has_unsupported: false,
    };
    let Some(root) = tree.root else { return Ok(Decoded::default()) };
    let value = decoder.run(root)?;
    if decoder.has_unsupported {
        // Upstream converts what has been decoded, and thus no value that a later one has replaced.
        GoValue::of(tree, root)?.check()?;
    }
    Ok(Decoded { value, duplicates: decoder.duplicates, strict: decoder.strict })
}

struct Decoder<'a> {
    tree: &'a Tree<'a>,
    /// What the next node is in. There is no recursion, so that no text overflows the stack.
    frames: Vec<Frame<'a>>,
    /// The number of containers among the frames.
    depth: usize,
    /// The aliases that are being expanded.
    expanding: HashSet<NodeId>,
    /// The number of decoded nodes.
    decoded: usize,
    /// The number of them that come from aliases.
    aliased: usize,
    /// The memory of the values that come from aliases.
    aliased_bytes: usize,
    duplicates: Vec<Duplicate>,
    strict: Vec<String>,
    /// Whether a key or a value has been decoded that JSON does not have.
    has_unsupported: bool,
}

type Entries<'a> = std::slice::Iter<'a, (NodeId, NodeId)>;

/// A node whose content is being decoded.
enum Frame<'a> {
    List {
        items: std::slice::Iter<'a, NodeId>,
        values: Vec<Value>,
    },
    Map {
        entries: Entries<'a>,
        mapping: Mapping,
        key: Option<Key>,
    },
    /// A mapping that is merged into the map below.
    Merge {
        entries: Entries<'a>,
        key: Option<Key>,
    },
    /// Mappings that are merged into the map below.
    MergeList(std::slice::Iter<'a, NodeId>),
    Alias(NodeId),
}

/// A key whose value is being decoded.
struct Key {
    /// `None` if the key is a list or a map, which is an error once it has been decoded.
    scalar: Option<Scalar>,
    node: NodeId,
    mark: Mark,
    value: NodeId,
}

/// A mapping that is being decoded.
#[derive(Default)]
struct Mapping {
    map: Map<String, Value>,
    /// The keys that are not only strings, with the types they have been set with: upstream, `1` and `"1"` are two
    /// keys until they become JSON.
    types: BTreeMap<String, u8>,
    /// The keys that only a merge has set.
    merged: BTreeSet<String>,
}

/// The result of a step.
enum Progress {
    /// The next step goes on in the innermost frame.
    Opened,
    Value(Value),
    Merged,
}

impl<'a> Decoder<'a> {
    fn run(&mut self, root: NodeId) -> Result<Value, Error> {
        let mut progress = self.begin(root)?;
        loop {
            if !matches!(progress, Progress::Opened)
                && let Some(Frame::Alias(id)) = self.frames.last()
            {
                self.expanding.remove(id);
                self.frames.pop();
                continue;
            }
            if let Progress::Value(value) = progress {
                match self.frames.last_mut() {
                    None => return Ok(value),
                    Some(Frame::List { values, .. }) => values.push(value),
                    Some(Frame::Map { key, .. } | Frame::Merge { key, .. }) => {
                        let key = key.take();
                        self.set(key, value)?;
                    }
                    Some(Frame::MergeList(_) | Frame::Alias(_)) => {}
                }
            }
            progress = self.advance()?;
        }
    }

    /// Goes on in the innermost frame.
    fn advance(&mut self) -> Result<Progress, Error> {
        let Some(frame) = self.frames.last_mut() else {
            return Ok(Progress::Value(Value::Null));
        };
        let entry = match frame {
            Frame::List { items, .. } => match items.next() {
                Some(item) => return self.begin(*item),
                None => None,
            },
            Frame::MergeList(items) => match items.next_back() {
                // Upstream merges backwards, so that of several maps the first wins.
                Some(item) => return self.merge_map(*item),
                None => None,
            },
            Frame::Map { entries, .. } | Frame::Merge { entries, .. } => entries.next(),
            Frame::Alias(_) => None,
        };
        let Some((key, value)) = entry else { return Ok(self.close()) };
        let node = self.get(*key)?;
        if node.is_merge_key() {
            return self.merge(*value);
        }
        let scalar = self.scalar_key(*key, node)?;
        let next = if scalar.is_some() { *value } else { *key };
        let pending = Key { scalar, node: *key, mark: node.mark, value: *value };
        if let Some(Frame::Map { key, .. } | Frame::Merge { key, .. }) = self.frames.last_mut() {
            *key = Some(pending);
        }
        self.begin(next)
    }

    fn close(&mut self) -> Progress {
        if !matches!(self.frames.last(), Some(Frame::MergeList(_) | Frame::Alias(_))) {
            self.depth = self.depth.saturating_sub(1);
        }
        match self.frames.pop() {
            Some(Frame::List { values, .. }) => Progress::Value(Value::Array(values)),
            Some(Frame::Map { mapping, .. }) => Progress::Value(Value::Object(mapping.map)),
            Some(Frame::Merge { .. } | Frame::MergeList(_) | Frame::Alias(_)) | None => {
                Progress::Merged
            }
        }
    }

    /// Counts a node. Fails if too many of them come from aliases.
    fn count(&mut self, node: &Node<'_>) -> Result<(), Error> {
        self.decoded += 1;
        if self.expanding.is_empty() {
            return Ok(());
        }
        self.aliased += 1;
        self.aliased_bytes += match &node.kind {
            NodeKind::Scalar { text, .. } => NODE_BYTES + text.len(),
            NodeKind::Sequence(_) | NodeKind::Alias { .. } => NODE_BYTES,
            NodeKind::Mapping(_) => NODE_BYTES + MAP_BYTES,
        };
        if is_excessive(self.aliased, self.decoded) {
            let message = "document contains excessive aliasing".to_owned();
            return Err(Error::decoding(node.mark, message));
        }
        if self.aliased_bytes > MAX_ALIAS_BYTES {
            let limit = MAX_ALIAS_BYTES >> 20;
            let message = format!(
                "document contains excessive aliasing: aliases expand to more than {limit} MiB"
            );
            return Err(Error::decoding(node.mark, message));
        }
        Ok(())
    }

    fn get(&self, id: NodeId) -> Result<&'a Node<'a>, Error> {
        let missing = || Error::decoding(Mark::default(), "missing node".to_owned());
        self.tree.node(id).ok_or_else(missing)
    }

    /// Enters a container. The nesting includes what aliases expand to.
    fn open(&mut self, mark: Mark, frame: Frame<'a>) -> Result<Progress, Error> {
        if self.depth >= MAX_DEPTH {
            return Err(Error::decoding(mark, format!("exceeded max depth of {MAX_DEPTH}")));
        }
        self.depth += 1;
        self.frames.push(frame);
        Ok(Progress::Opened)
    }

    /// Decodes a scalar, or begins to decode another node.
    fn begin(&mut self, id: NodeId) -> Result<Progress, Error> {
        let node = self.get(id)?;
        let node = if let NodeKind::Alias { of, .. } = &node.kind {
            self.count(node)?;
            self.begin_alias(id, node)?;
            self.frames.push(Frame::Alias(id));
            self.get(*of)?
        } else {
            node
        };
        self.count(node)?;
        match &node.kind {
            NodeKind::Scalar { .. } | NodeKind::Alias { .. } => {
                let value = Scalar::of(node)?.into_value();
                self.has_unsupported |= value.is_err();
                Ok(Progress::Value(value.unwrap_or_default()))
            }
            NodeKind::Sequence(items) => {
                let values = Vec::with_capacity(items.len());
                self.open(node.mark, Frame::List { items: items.iter(), values })
            }
            NodeKind::Mapping(entries) => {
                let (entries, mapping) = (entries.iter(), Mapping::default());
                self.open(node.mark, Frame::Map { entries, mapping, key: None })
            }
        }
    }

    fn begin_alias(&mut self, id: NodeId, node: &Node<'_>) -> Result<(), Error> {
        match &node.kind {
            NodeKind::Alias { name, .. } if !self.expanding.insert(id) => {
                Err(Error::decoding(node.mark, format!("anchor '{name}' value contains itself")))
            }
            _ => Ok(()),
        }
    }

    /// Decodes a key, which may be an alias of a scalar; `None` if it is a list or a map.
    fn scalar_key(&mut self, id: NodeId, node: &Node<'_>) -> Result<Option<Scalar>, Error> {
        let target = self.tree.target(id).unwrap_or(node);
        if !matches!(target.kind, NodeKind::Scalar { .. }) {
            return Ok(None);
        }
        self.count(node)?;
        if matches!(node.kind, NodeKind::Alias { .. }) {
            self.begin_alias(id, node)?;
            self.count(target)?;
            self.expanding.remove(&id);
        }
        Scalar::of(target).map(Some)
    }

    /// Sets a key of the innermost map, and reports it if it has been set before.
    fn set(&mut self, key: Option<Key>, decoded: Value) -> Result<(), Error> {
        let is_merge = matches!(self.frames.last(), Some(Frame::Merge { .. }));
        let into = self.frames.iter_mut().rev().find_map(|frame| match frame {
            Frame::Map { mapping, .. } => Some(mapping),
            _ => None,
        });
        let (Some(Key { scalar, node, mark, value }), Some(into)) = (key, into) else {
            return Ok(());
        };
        let Some(scalar) = scalar else {
            let message = format!("invalid map key: {}", GoValue::of(self.tree, node)?);
            return Err(Error::decoding(mark, message));
        };
        let kind = scalar.type_bit();
        let is_supported = scalar.unsupported_key().is_none();
        let shown = scalar.clone();
        let name = scalar.into_key();
        let known = into.types_of(&name) | into.take_other_zero(&shown, &name);
        if known & kind != 0 {
            let line = self.tree.node(value).map_or(0, |node| node.mark.line) + 1;
            let shown = shown.go_syntax();
            self.strict.push(format!("line {line}: key {shown} already set in map"));
            // What is set by a merge may be set again, and what an anchor repeats was reported there.
            if !is_merge && !into.merged.contains(&name) && self.expanding.is_empty() {
                let (line, column) = (mark.line + 1, mark.column + 1);
                self.duplicates.push(Duplicate { line, column, key: name.clone() });
            }
        }
        if known | kind != Scalar::TEXT_BIT {
            into.types.insert(name.clone(), known | kind);
        }
        if !is_merge {
            into.merged.remove(&name);
        } else if known == 0 {
            into.merged.insert(name.clone());
        }
        if is_supported {
            into.map.insert(name, decoded);
        }
        self.has_unsupported |= !is_supported;
        Ok(())
    }

    /// Begins to decode the value of `<<` into the mapping that has it.
    fn merge(&mut self, id: NodeId) -> Result<Progress, Error> {
        match &self.get(id)?.kind {
            NodeKind::Sequence(items) => {
                self.frames.push(Frame::MergeList(items.iter()));
                Ok(Progress::Opened)
            }
            _ => self.merge_map(id),
        }
    }

    fn merge_map(&mut self, id: NodeId) -> Result<Progress, Error> {
        let node = self.get(id)?;
        let target = self.tree.target(id).unwrap_or(node);
        let NodeKind::Mapping(entries) = &target.kind else {
            let message = "map merge requires map or sequence of maps as the value".to_owned();
            return Err(Error::decoding(node.mark, message));
        };
        self.count(node)?;
        if matches!(node.kind, NodeKind::Alias { .. }) {
            self.begin_alias(id, node)?;
            self.frames.push(Frame::Alias(id));
            self.count(target)?;
        }
        self.open(target.mark, Frame::Merge { entries: entries.iter(), key: None })
    }
}

impl Mapping {
    /// Returns the bits of the types with which a key has been set.
    fn types_of(&self, name: &str) -> u8 {
        match self.types.get(name) {
            Some(types) => *types,
            None if self.map.contains_key(name) => Scalar::TEXT_BIT,
            None => 0,
        }
    }

    /// Removes the key -0.0 when 0.0 is set, and the other way round: both are one key. Returns its type.
    fn take_other_zero(&mut self, key: &Scalar, name: &str) -> u8 {
        let other = if name == "0" { "-0" } else { "0" };
        let is_zero = matches!(key, Scalar::Float(float) if *float == 0.0);
        if !is_zero || self.types.get(other) != Some(&key.type_bit()) {
            return 0;
        }
        self.map.remove(other);
        self.types.remove(other).unwrap_or_default()
    }
}

/// Returns whether too large a share of a document comes from aliases.
///
/// Source: go.yaml.in/yaml v2.4.4 `decode.go` (`allowedAliasRatio`, `decoder.unmarshal`).
#[expect(clippy::cast_precision_loss, reason = "a share of counts far below 2^52")]
fn is_excessive(alias_nodes: usize, nodes: usize) -> bool {
    if alias_nodes <= 100 || nodes <= 1000 {
        return false;
    }
    let range = (ALIAS_RANGE_HIGH - ALIAS_RANGE_LOW) as f64;
    let beyond = nodes.clamp(ALIAS_RANGE_LOW, ALIAS_RANGE_HIGH) - ALIAS_RANGE_LOW;
    let allowed =
        ALIAS_SHARE_SMALL - (ALIAS_SHARE_SMALL - ALIAS_SHARE_LARGE) * (beyond as f64 / range);
    alias_nodes as f64 / nodes as f64 > allowed
}
