//! Replaces the attributes of an item.

use std::ops::Range;

use syn::Meta;

use super::edit::{Edits, indentation, line_start, whole_lines};
use super::keys::{Key, attribute};
use super::kind::Outcome;
use super::source::{Attr, Source, range};

/// The attributes of an item, with what their keys become.
#[derive(Debug, Default)]
pub(super) struct Item {
    pub attrs: Vec<(Attr, Vec<(Meta, Outcome)>)>,
    /// Further keys.
    pub added: Vec<Key>,
    /// Comments to keep, whose code goes.
    pub comments: Vec<String>,
}

/// Where a new attribute of an item is inserted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot<'a> {
    /// Where the item starts, after its attributes.
    pub start: usize,
    /// The condition of the derive that reads the attribute.
    pub condition: Option<&'a str>,
}

impl Item {
    /// Whether the new attributes set this keyword.
    pub(super) fn sets(&self, name: &str) -> bool {
        let start = format!("{name} = ");
        self.attrs.iter().flat_map(|(_, keys)| keys).any(|(_, outcome)| match outcome {
            Outcome::Keys(keys) => keys.iter().any(|key| key.on_one_line().starts_with(&start)),
            _ => false,
        })
    }

    /// Writes the attributes. `all` are all attributes of the item.
    pub(super) fn write(self, all: &[Attr], slot: Slot<'_>, source: &Source, edits: &mut Edits) {
        let Self { attrs, mut added, comments } = self;
        let at = all.iter().map(|attr| whole(attr).start).min().unwrap_or(slot.start);
        let place = insertion(source, at);
        for comment in comments {
            edits.insert(at, format!("{comment}{place}"));
        }
        let takes = |(attr, keys): &(Attr, Vec<(Meta, Outcome)>)| {
            let condition = attr.condition.as_ref().map(|it| &*it.text);
            condition == slot.condition && keys.iter().any(|(_, it)| writes_keys(it))
        };
        let taker = attrs.iter().position(takes);
        if taker.is_none() && !added.is_empty() {
            let keys = std::mem::take(&mut added);
            edits.insert(at, new(&keys, slot.condition, source, at));
        }
        for (index, (attr, keys)) in attrs.into_iter().enumerate() {
            let added = if taker == Some(index) { std::mem::take(&mut added) } else { Vec::new() };
            replace(&attr, &keys, added, source, edits);
        }
    }
}

fn writes_keys(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Keep => true,
        Outcome::Keys(keys) => !keys.is_empty(),
        Outcome::Unknown(_) => false,
    }
}

/// Returns the whole attribute, with the `cfg_attr` around it.
pub(super) fn whole(attr: &Attr) -> Range<usize> {
    attr.condition.as_ref().map_or_else(|| attr.range.clone(), |it| it.range.clone())
}

/// Returns what follows a new attribute: a line break, unless the item is within a line.
fn insertion(source: &Source, at: usize) -> String {
    match indentation(&source.text, at) {
        Some(indent) => format!("\n{indent}"),
        None => " ".to_owned(),
    }
}

/// Returns an attribute for an item that starts at `at`.
pub(super) fn new(keys: &[Key], condition: Option<&str>, source: &Source, at: usize) -> String {
    let (open, close) = match condition {
        Some(condition) => (format!("#[cfg_attr({condition}, crd("), "))]"),
        None => ("#[crd(".to_owned(), ")]"),
    };
    let text = attribute(&open, keys, close, indent(source, at));
    format!("{text}{}", insertion(source, at))
}

/// Returns the number of spaces at the start of a line.
fn indent(source: &Source, at: usize) -> usize {
    let line = source.text.get(line_start(&source.text, at)..).unwrap_or_default();
    line.len() - line.trim_start_matches(' ').len()
}

fn replace(
    attr: &Attr,
    keys: &[(Meta, Outcome)],
    added: Vec<Key>,
    source: &Source,
    edits: &mut Edits,
) {
    let unknown: Vec<_> = keys.iter().filter(|(_, it)| matches!(it, Outcome::Unknown(_))).collect();
    let mut written: Vec<Key> = Vec::new();
    for (meta, outcome) in keys {
        match outcome {
            Outcome::Keep => written.push(Key::Plain(source.of(meta).to_owned())),
            Outcome::Keys(keys) => written.extend(keys.iter().cloned()),
            Outcome::Unknown(_) => {}
        }
    }
    if has_comments(attr, keys, source) {
        return in_place(attr, keys, &added, source, edits);
    }
    written.extend(added);
    if written.is_empty() {
        if unknown.is_empty() {
            remove(attr, source, edits);
        }
        return;
    }
    let (open, close) = attr.around("crd");
    let indent = indent(source, attr.range.start);
    let mut text = attribute(&open, &written, close, indent);
    if !unknown.is_empty() {
        let kept: Vec<_> =
            unknown.iter().map(|(meta, _)| Key::Plain(source.of(meta).to_owned())).collect();
        let (open, close) = attr.around(&attr.name);
        let between = match attr.condition {
            Some(_) => ", ".to_owned(),
            None => insertion(source, attr.range.start),
        };
        text = format!("{text}{between}{}", attribute(&open, &kept, close, indent));
    }
    edits.replace(attr.range.clone(), text);
}

/// Removes an attribute, and the `cfg_attr` around it if nothing else is in it.
pub(super) fn remove(attr: &Attr, source: &Source, edits: &mut Edits) {
    match &attr.condition {
        Some(condition) if condition.len > 1 => {
            let rest = source.text.get(attr.range.end..).unwrap_or_default();
            let comma = rest.trim_start().starts_with(',');
            let end = if comma {
                let after = rest.find(',').map_or(0, |at| at + 1);
                let spaces = rest[after..].len() - rest[after..].trim_start().len();
                attr.range.end + after + spaces
            } else {
                attr.range.end
            };
            edits.replace(attr.range.start..end, "");
        }
        _ => edits.replace(whole_lines(&source.text, &whole(attr)), ""),
    }
}

/// Whether there are comments between the keys.
fn has_comments(attr: &Attr, keys: &[(Meta, Outcome)], source: &Source) -> bool {
    let mut at = attr.range.start;
    let mut gaps = Vec::new();
    for (meta, _) in keys {
        let key = range(meta);
        gaps.push(source.at(&(at..key.start)));
        at = key.end;
    }
    gaps.push(source.at(&(at..attr.range.end)));
    gaps.iter().any(|gap| gap.contains("//") || gap.contains("/*"))
}

/// Replaces keys where they are, so that what is between them stays.
fn in_place(
    attr: &Attr,
    keys: &[(Meta, Outcome)],
    added: &[Key],
    source: &Source,
    edits: &mut Edits,
) {
    edits.replace(range(attr.meta.path()), "crd");
    for (index, (meta, outcome)) in keys.iter().enumerate() {
        let key = range(meta);
        let separator = format!(",{}", insertion(source, key.start));
        let text =
            |keys: &[Key]| keys.iter().map(Key::on_one_line).collect::<Vec<_>>().join(&separator);
        match outcome {
            Outcome::Keep | Outcome::Unknown(_) => {}
            Outcome::Keys(own) if own.is_empty() => {
                let rest = source.text.get(key.end..).unwrap_or_default();
                let has_comma = rest.trim_start().starts_with(',');
                let end =
                    key.end + if has_comma { rest.find(',').map_or(0, |at| at + 1) } else { 0 };
                edits.replace(whole_lines(&source.text, &(key.start..end)), "");
            }
            Outcome::Keys(own) => edits.replace(key.clone(), text(own)),
        }
        if index + 1 == keys.len() && !added.is_empty() {
            edits.insert(key.end, format!("{separator}{}", text(added)));
        }
    }
}
