//! Builds the JSON value of a document from its events: containers, keys, anchors and merges.
//!
//! Source: go.yaml.in/yaml v2.4.3 `decode.go` (`decoder.unmarshal`, `mapping`, `merge`, `alias`). A merge takes effect
//! at its position: it overrides the keys before it, and the keys after it override the merged ones.

use std::collections::{BTreeSet, HashMap};

use saphyr_parser::{Event, Marker, ScalarStyle, Span, Tag as ParsedTag};
use serde_json::{Map, Value};

use super::scalar::{self, Scalar, Tag};
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

/// Builds the value of one document.
#[derive(Default)]
pub(super) struct Builder {
    stack: Vec<Frame>,
    root: Option<Value>,
    anchors: HashMap<usize, Anchored>,
    /// The events inside anchors, which aliases repeat. An event inside several anchors is stored once.
    log: Vec<ResolvedEvent>,
    /// The number of containers with an anchor that are being built.
    open_anchors: usize,
    /// The number of nested aliases that are being expanded.
    repeating: usize,
    pub(super) duplicates: Vec<Duplicate>,
    /// The size so far, including expanded aliases.
    total: Size,
    /// The part of `total` that comes from aliases.
    aliased: Size,
}

/// A size: nodes and bytes.
#[derive(Debug, Default, Clone, Copy)]
struct Size {
    nodes: usize,
    bytes: usize,
}

impl Size {
    fn plus(self, other: Self) -> Self {
        Self { nodes: self.nodes + other.nodes, bytes: self.bytes + other.bytes }
    }

    fn minus(self, other: Self) -> Self {
        Self { nodes: self.nodes - other.nodes, bytes: self.bytes - other.bytes }
    }
}

/// A finished anchor: the events that build its value, as a range of the log.
#[derive(Clone, Copy)]
struct Anchored {
    start: usize,
    end: usize,
    size: Size,
}

/// An event with its scalar resolved.
#[derive(Debug, Clone)]
enum ResolvedEvent {
    Scalar(Scalar),
    /// `<<` without quotes, which is a merge if a key is expected.
    MergeKey,
    List,
    Map,
    Close,
    Alias(usize),
}

impl ResolvedEvent {
    fn size(&self) -> Size {
        let bytes = match self {
            Self::Scalar(Scalar::Text(text)) => NODE_BYTES + text.len(),
            Self::Scalar(_) | Self::MergeKey | Self::List => NODE_BYTES,
            Self::Map => NODE_BYTES + MAP_BYTES,
            Self::Close | Self::Alias(_) => return Size::default(),
        };
        Size { nodes: 1, bytes }
    }
}

/// A container that is being built.
struct Frame {
    /// Its anchor, and the index in the log at which its events begin.
    anchor: Option<(usize, usize)>,
    /// The total size before this container was opened, if it has an anchor.
    before: Size,
    kind: ContainerKind,
}

enum ContainerKind {
    List(Vec<Value>),
    Map(Mapping),
}

#[derive(Default)]
struct Mapping {
    map: Map<String, Value>,
    /// Keys that only a merge has set.
    merged: BTreeSet<String>,
    key: KeyState,
}

#[derive(Default)]
enum KeyState {
    /// The next node is a key.
    #[default]
    Awaited,
    Named {
        key: String,
        at: Marker,
    },
    /// `<<`
    Merge,
}

impl Builder {
    /// Returns the finished value and the duplicate keys.
    pub(super) fn finish(self) -> (Option<Value>, Vec<Duplicate>) {
        (self.root, self.duplicates)
    }

    /// Handles the next event.
    pub(super) fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), Error> {
        let at = span.start;
        let (resolved, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let resolved = scalar(&text, style, tag.as_deref());
                (resolved.map_err(|message| error(at, message))?, anchor)
            }
            Event::SequenceStart(anchor, _) => (ResolvedEvent::List, anchor),
            Event::MappingStart(anchor, _) => (ResolvedEvent::Map, anchor),
            Event::SequenceEnd | Event::MappingEnd => (ResolvedEvent::Close, 0),
            Event::Alias(anchor) => (ResolvedEvent::Alias(anchor), 0),
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => return Ok(()),
        };
        let before = self.total;
        self.total = self.total.plus(resolved.size());
        let start = self.log.len();
        if anchor > 0 || self.open_anchors > 0 {
            self.log.push(resolved.clone());
        }
        match resolved {
            ResolvedEvent::Scalar(_) | ResolvedEvent::MergeKey if anchor > 0 => {
                let size = self.total.minus(before);
                self.anchors.insert(anchor, Anchored { start, end: start + 1, size });
                self.apply(resolved, at)
            }
            ResolvedEvent::List | ResolvedEvent::Map if anchor > 0 => {
                self.apply(resolved, at)?;
                self.open_anchors += 1;
                if let Some(frame) = self.stack.last_mut() {
                    frame.anchor = Some((anchor, start));
                    frame.before = before;
                }
                Ok(())
            }
            ResolvedEvent::Close => {
                if let Some(Frame { anchor: Some((anchor, start)), before, .. }) = self.stack.last()
                {
                    let size = self.total.minus(*before);
                    let anchored = Anchored { start: *start, end: self.log.len(), size };
                    self.anchors.insert(*anchor, anchored);
                    self.open_anchors -= 1;
                }
                self.apply(ResolvedEvent::Close, at)
            }
            ResolvedEvent::Alias(anchor) => {
                self.charge(anchor, at)?;
                self.repeat(anchor, at)
            }
            resolved => self.apply(resolved, at),
        }
    }

    /// Adds the size of an alias before it is expanded. Fails if the aliases of the document expand to too much.
    fn charge(&mut self, anchor: usize, at: Marker) -> Result<(), Error> {
        let size = self.anchored(anchor, at)?.size;
        self.total = self.total.plus(size).plus(Size { nodes: 1, bytes: 0 });
        self.aliased = self.aliased.plus(size);
        if is_excessive(self.aliased.nodes, self.total.nodes) {
            return Err(error(at, "document contains excessive aliasing".to_owned()));
        }
        if self.aliased.bytes > MAX_ALIAS_BYTES {
            let limit = MAX_ALIAS_BYTES >> 20;
            let message = format!(
                "document contains excessive aliasing: aliases expand to more than {limit} MiB"
            );
            return Err(error(at, message));
        }
        Ok(())
    }

    fn anchored(&self, anchor: usize, at: Marker) -> Result<Anchored, Error> {
        let anchored = self.anchors.get(&anchor).copied();
        anchored.ok_or_else(|| error(at, "an anchor's value contains itself".to_owned()))
    }

    /// Builds the value of an anchor again. The caller has added the size of all of it, including the aliases in it.
    ///
    /// An alias inside an anchor is at least one container deeper than the anchor, so the recursion is at most
    /// [`MAX_DEPTH`] deep.
    fn repeat(&mut self, anchor: usize, at: Marker) -> Result<(), Error> {
        let Anchored { start, end, .. } = self.anchored(anchor, at)?;
        self.repeating += 1;
        for index in start..end {
            match self.log.get(index).cloned() {
                // An alias of `<<` is a string, not a merge key.
                Some(ResolvedEvent::MergeKey) if end - start == 1 => {
                    self.apply(ResolvedEvent::Scalar(Scalar::Text("<<".to_owned())), at)?;
                }
                Some(resolved) => self.apply(resolved, at)?,
                None => {}
            }
        }
        self.repeating -= 1;
        Ok(())
    }

    /// Applies an event.
    fn apply(&mut self, resolved: ResolvedEvent, at: Marker) -> Result<(), Error> {
        match resolved {
            ResolvedEvent::Scalar(scalar) => self.scalar(scalar, at),
            ResolvedEvent::MergeKey => match self.awaiting_key() {
                Some(mapping) => {
                    mapping.key = KeyState::Merge;
                    Ok(())
                }
                None => self.add(Value::from("<<"), at),
            },
            ResolvedEvent::List => self.open(ContainerKind::List(Vec::new()), at),
            ResolvedEvent::Map => self.open(ContainerKind::Map(Mapping::default()), at),
            ResolvedEvent::Close => match self.stack.pop().map(|frame| frame.kind) {
                Some(ContainerKind::List(items)) => self.add(Value::Array(items), at),
                Some(ContainerKind::Map(mapping)) => self.add(Value::Object(mapping.map), at),
                None => Ok(()),
            },
            ResolvedEvent::Alias(anchor) => self.repeat(anchor, at),
        }
    }

    fn scalar(&mut self, scalar: Scalar, at: Marker) -> Result<(), Error> {
        if let Some(mapping) = self.awaiting_key() {
            let key = scalar.into_key().map_err(|message| error(at, message))?;
            mapping.key = KeyState::Named { key, at };
            return Ok(());
        }
        let value = scalar.into_value().map_err(|message| error(at, message))?;
        self.add(value, at)
    }

    fn awaiting_key(&mut self) -> Option<&mut Mapping> {
        match self.stack.last_mut() {
            Some(Frame { kind: ContainerKind::Map(mapping), .. })
                if matches!(mapping.key, KeyState::Awaited) =>
            {
                Some(mapping)
            }
            _ => None,
        }
    }

    fn open(&mut self, kind: ContainerKind, at: Marker) -> Result<(), Error> {
        if self.awaiting_key().is_some() {
            return Err(error(at, "invalid map key: a list or a map".to_owned()));
        }
        if self.stack.len() >= MAX_DEPTH {
            return Err(error(at, format!("exceeded max depth of {MAX_DEPTH}")));
        }
        self.stack.push(Frame { anchor: None, before: Size::default(), kind });
        Ok(())
    }

    /// Adds a finished value to the container that is being built.
    fn add(&mut self, value: Value, at: Marker) -> Result<(), Error> {
        let Some(frame) = self.stack.last_mut() else {
            self.root = Some(value);
            return Ok(());
        };
        let mapping = match &mut frame.kind {
            ContainerKind::List(items) => {
                items.push(value);
                return Ok(());
            }
            ContainerKind::Map(mapping) => mapping,
        };
        match std::mem::take(&mut mapping.key) {
            KeyState::Named { key, at } => {
                let by_merge = mapping.merged.remove(&key);
                // Duplicates in an aliased value were reported at the anchor.
                if mapping.map.contains_key(&key) && !by_merge && self.repeating == 0 {
                    self.duplicates.push(Duplicate {
                        line: at.line(),
                        column: at.col() + 1,
                        key: key.clone(),
                    });
                }
                mapping.map.insert(key, value);
                Ok(())
            }
            KeyState::Merge => mapping.merge(value).map_err(|message| error(at, message)),
            KeyState::Awaited => Err(error(at, "invalid map key".to_owned())),
        }
    }
}

impl Mapping {
    fn merge(&mut self, value: Value) -> Result<(), String> {
        let maps = match value {
            Value::Object(map) => vec![map],
            // Upstream merges backwards, so that of several maps the first wins.
            Value::Array(items) => {
                items.into_iter().rev().map(into_map).collect::<Result<_, _>>()?
            }
            other => vec![into_map(other)?],
        };
        for (key, value) in maps.into_iter().flatten() {
            if !self.map.contains_key(&key) {
                self.merged.insert(key.clone());
            }
            self.map.insert(key, value);
        }
        Ok(())
    }
}

fn into_map(value: Value) -> Result<Map<String, Value>, String> {
    match value {
        Value::Object(map) => Ok(map),
        _ => Err("map merge requires map or sequence of maps as the value".to_owned()),
    }
}

/// Resolves a scalar: by its tag, or by its text if it is plain.
fn scalar(
    text: &str,
    style: ScalarStyle,
    tag: Option<&ParsedTag>,
) -> Result<ResolvedEvent, String> {
    let plain = style == ScalarStyle::Plain;
    Ok(ResolvedEvent::Scalar(match tag {
        Some(tag) if tag.is_yaml_core_schema() && tag.suffix == "merge" && text == "<<" => {
            return Ok(ResolvedEvent::MergeKey);
        }
        Some(tag) if tag.is_yaml_core_schema() => {
            scalar::resolve_tagged(&Tag::of_core(&tag.suffix), text)?
        }
        None if plain && text == "<<" => return Ok(ResolvedEvent::MergeKey),
        None if plain => scalar::resolve(text),
        Some(_) | None => Scalar::Text(text.to_owned()),
    }))
}

/// Returns whether too large a share of a document comes from aliases.
///
/// Source: go.yaml.in/yaml v2.4.3 `decode.go` (`allowedAliasRatio`, `decoder.unmarshal`).
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

fn error(at: Marker, message: String) -> Error {
    Error { line: at.line(), column: at.col() + 1, message }
}
