//! From the events of one document to its JSON value: containers, keys, anchors and merges.
//!
//! Source: go.yaml.in/yaml v2.4.3 `decode.go` (`decoder.unmarshal`, `mapping`, `merge`, `alias`). A merge takes
//! effect where it stands, so a key before it is overridden and one behind it is not.

use std::collections::{BTreeSet, HashMap};

use saphyr_parser::{Event, Marker, ScalarStyle, Span, Tag as ParsedTag};
use serde_json::{Map, Value};

use super::scalar::{self, Tag};
use super::{Duplicate, Error, MAX_DEPTH};

/// Decoded nodes below which any share may come from aliases; upstream's `alias_ratio_range_low`.
const ALIAS_RANGE_LOW: usize = 400_000;
/// Decoded nodes above which the smallest share may; upstream's `alias_ratio_range_high`.
const ALIAS_RANGE_HIGH: usize = 4_000_000;
/// The share of nodes that may come from aliases in a small document.
const ALIAS_SHARE_SMALL: f64 = 0.99;
/// The share of nodes that may come from aliases in a large document.
const ALIAS_SHARE_LARGE: f64 = 0.10;

/// Builds the value of one document.
#[derive(Default)]
pub(super) struct Builder {
    stack: Vec<Frame>,
    root: Option<Value>,
    anchors: HashMap<usize, Anchored>,
    pub(super) duplicates: Vec<Duplicate>,
    nodes: usize,
    alias_nodes: usize,
}

/// A finished anchor.
struct Anchored {
    value: Value,
    nodes: usize,
}

/// A container that is being built.
struct Frame {
    anchor: usize,
    /// Nodes counted before this container began.
    nodes_before: usize,
    kind: Kind,
}

enum Kind {
    List(Vec<Value>),
    Map(Mapping),
}

#[derive(Default)]
struct Mapping {
    map: Map<String, Value>,
    /// Keys that only a merge has set.
    merged: BTreeSet<String>,
    key: Key,
}

#[derive(Default)]
enum Key {
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
    /// The finished value.
    pub(super) fn finish(self) -> (Option<Value>, Vec<Duplicate>) {
        (self.root, self.duplicates)
    }

    /// Takes the next event.
    pub(super) fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), Error> {
        let at = span.start;
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.nodes += 1;
                self.scalar(&text, style, anchor, tag.as_deref(), at)
            }
            Event::SequenceStart(anchor, _) => self.open(anchor, Kind::List(Vec::new()), at),
            Event::MappingStart(anchor, _) => self.open(anchor, Kind::Map(Mapping::default()), at),
            Event::SequenceEnd | Event::MappingEnd => self.close(at),
            Event::Alias(anchor) => self.alias(anchor, at),
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => Ok(()),
        }
    }

    fn scalar(
        &mut self,
        text: &str,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<&ParsedTag>,
        at: Marker,
    ) -> Result<(), Error> {
        let plain = style == ScalarStyle::Plain;
        let scalar = match tag {
            Some(tag) if tag.is_yaml_core_schema() && tag.suffix == "merge" && text == "<<" => {
                return self.merge_key(text, at);
            }
            Some(tag) if tag.is_yaml_core_schema() => {
                scalar::resolve_tagged(&Tag::of_core(&tag.suffix), text)
                    .map_err(|message| error(at, message))?
            }
            None if plain && text == "<<" => return self.merge_key(text, at),
            None if plain => scalar::resolve(text),
            Some(_) | None => scalar::Scalar::Text(text.to_owned()),
        };
        if let Some(mapping) = self.awaiting_key() {
            let key = scalar.clone().into_key().map_err(|message| error(at, message))?;
            mapping.key = Key::Named { key, at };
            if anchor > 0 {
                let value = scalar.into_value().map_err(|message| error(at, message))?;
                self.anchors.insert(anchor, Anchored { value, nodes: 1 });
            }
            return Ok(());
        }
        let value = scalar.into_value().map_err(|message| error(at, message))?;
        if anchor > 0 {
            self.anchors.insert(anchor, Anchored { value: value.clone(), nodes: 1 });
        }
        self.add(value, at)
    }

    /// `<<`: a merge where a key is awaited, text elsewhere.
    fn merge_key(&mut self, text: &str, at: Marker) -> Result<(), Error> {
        match self.awaiting_key() {
            Some(mapping) => {
                mapping.key = Key::Merge;
                Ok(())
            }
            None => self.add(Value::from(text), at),
        }
    }

    fn awaiting_key(&mut self) -> Option<&mut Mapping> {
        match self.stack.last_mut() {
            Some(Frame { kind: Kind::Map(mapping), .. }) if matches!(mapping.key, Key::Awaited) => {
                Some(mapping)
            }
            _ => None,
        }
    }

    fn open(&mut self, anchor: usize, kind: Kind, at: Marker) -> Result<(), Error> {
        if self.awaiting_key().is_some() {
            return Err(error(at, "invalid map key: a list or a map".to_owned()));
        }
        if self.stack.len() >= MAX_DEPTH {
            return Err(error(at, format!("exceeded max depth of {MAX_DEPTH}")));
        }
        self.stack.push(Frame { anchor, nodes_before: self.nodes, kind });
        self.nodes += 1;
        Ok(())
    }

    fn close(&mut self, at: Marker) -> Result<(), Error> {
        let Some(frame) = self.stack.pop() else { return Ok(()) };
        let value = match frame.kind {
            Kind::List(items) => Value::Array(items),
            Kind::Map(mapping) => Value::Object(mapping.map),
        };
        if frame.anchor > 0 {
            let nodes = self.nodes - frame.nodes_before;
            self.anchors.insert(frame.anchor, Anchored { value: value.clone(), nodes });
        }
        self.add(value, at)
    }

    fn alias(&mut self, anchor: usize, at: Marker) -> Result<(), Error> {
        let Some(anchored) = self.anchors.get(&anchor) else {
            return Err(error(at, "an anchor's value contains itself".to_owned()));
        };
        self.nodes += 1 + anchored.nodes;
        self.alias_nodes += anchored.nodes;
        if is_excessive(self.alias_nodes, self.nodes) {
            return Err(error(at, "document contains excessive aliasing".to_owned()));
        }
        // An alias can nest what is already deep, time and again.
        if self.stack.len() + depth(&anchored.value) > MAX_DEPTH {
            return Err(error(at, format!("exceeded max depth of {MAX_DEPTH}")));
        }
        let value = anchored.value.clone();
        if let Some(mapping) = self.awaiting_key() {
            let key = key_of(&value)
                .ok_or_else(|| error(at, "invalid map key: not a scalar".to_owned()))?;
            mapping.key = Key::Named { key, at };
            return Ok(());
        }
        self.add(value, at)
    }

    /// Adds a finished value to the container that is being built.
    fn add(&mut self, value: Value, at: Marker) -> Result<(), Error> {
        let Some(frame) = self.stack.last_mut() else {
            self.root = Some(value);
            return Ok(());
        };
        let mapping = match &mut frame.kind {
            Kind::List(items) => {
                items.push(value);
                return Ok(());
            }
            Kind::Map(mapping) => mapping,
        };
        match std::mem::take(&mut mapping.key) {
            Key::Named { key, at } => {
                let by_merge = mapping.merged.remove(&key);
                if mapping.map.contains_key(&key) && !by_merge {
                    self.duplicates.push(Duplicate {
                        line: at.line(),
                        column: at.col() + 1,
                        key: key.clone(),
                    });
                }
                mapping.map.insert(key, value);
                Ok(())
            }
            Key::Merge => mapping.merge(value).map_err(|message| error(at, message)),
            Key::Awaited => Err(error(at, "invalid map key".to_owned())),
        }
    }
}

impl Mapping {
    fn merge(&mut self, value: Value) -> Result<(), String> {
        let maps = match value {
            Value::Object(map) => vec![map],
            // Upstream steps backwards: of several maps the first wins.
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

/// The key that an alias of a scalar stands for.
fn key_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Levels of containers in a value that [`MAX_DEPTH`] already bounds.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(map) => 1 + map.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// Whether too large a share of a document comes from aliases.
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
