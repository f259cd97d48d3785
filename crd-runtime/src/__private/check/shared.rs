//! Checks that alternatives of an enum agree on the defaults and rules of the fields that they share: the schema has
//! one property for all of them.

use super::digests::{FieldDigests, MAX_DEPTH, is_metadata, structure_of_field};
use super::equal;
use super::message::Message;
use super::types::{ANY, NULL, types};
use super::walk::{FieldLookup, find};
use crate::crd_schema::{DefaultDigest, FieldShape, RuleDigest, Shape, ShapeKind};

/// The most alternatives that are compared. `definition::validate` compares all.
const MAX_ALTERNATIVES: usize = 1024;

/// The number of steps that are left for a comparison: rustc rejects a constant whose evaluation takes long. What
/// remains when no step is left is compared only by `definition::validate`.
struct Work(usize);

impl Work {
    const fn new() -> Self {
        Self(20_000)
    }

    /// Takes a step. Returns false if there is none left.
    const fn step(&mut self) -> bool {
        if self.0 == 0 {
            return false;
        }
        self.0 -= 1;
        true
    }
}

/// The shape of what an alternative may have in a field that it does not name.
const FREE: Shape = Shape::of(ShapeKind::Any);

/// Compares alternatives, of which the first `tagged` have a tag. Their own rules are not compared, only those of their
/// fields and elements.
///
/// # Panics
/// If two of them share a field and disagree about it.
#[track_caller]
pub(super) const fn alternatives(all: &[Shape], tagged: usize) {
    let mut digests = FieldDigests::NONE;
    let mut at = 0;
    while at < all.len() {
        digests.add(&all[at], 0);
        at += 1;
    }
    if !digests.any_differ() {
        return;
    }
    let (tagged, _) = all.split_at(tagged);
    let mut firsts = [false; MAX_ALTERNATIVES];
    at = 0;
    while at < all.len() && at < MAX_ALTERNATIVES {
        firsts[at] = digests.is_first(&all[at], 0);
        at += 1;
    }
    let mut work = Work::new();
    at = 0;
    while at < all.len() && at < MAX_ALTERNATIVES {
        // An enum of hundreds of variants has too many pairs for rustc.
        let may_differ = digests.may_differ(&all[at], 0);
        let peers = if at < tagged.len() { tagged } else { &[] };
        let mut other = 0;
        while may_differ && other < all.len() && other < MAX_ALTERNATIVES && work.step() {
            if at != other && (firsts[at] || firsts[other]) {
                compare(&all[at], &all[other], other < tagged.len(), peers, &mut work);
            }
            other += 1;
        }
        at += 1;
    }
}

/// Compares two alternatives of which at most one has a tag. `is_tagged` is whether it is `other`.
#[track_caller]
pub(super) const fn pair(one: &Shape, other: &Shape, is_tagged: bool) {
    compare(one, other, is_tagged, &[], &mut Work::new());
}

/// Compares `one` with `other`, which has a tag or not. Rules of `one` that not all `peers` have move to the enum,
/// where they test the tag.
#[track_caller]
const fn compare(one: &Shape, other: &Shape, is_tagged: bool, peers: &[Shape], work: &mut Work) {
    let root = SharedPath { step: SharedStep::Alternative(peers), above: None, depth: 0 };
    let is_readable = matches!(other.kind, ShapeKind::Any) && !is_tagged;
    below("", one, other, Place { path: Some(&root), depth: 0, is_readable }, work);
}

/// A place in one of two alternatives.
#[derive(Clone, Copy)]
struct Place<'a> {
    /// The path from the alternative; `None` in a list, from which no rule moves.
    path: Option<&'a SharedPath<'a>>,
    depth: usize,
    /// Whether serde reads the other alternative from any value that the schema admits.
    is_readable: bool,
}

impl<'a> Place<'a> {
    const fn at(self, path: Option<&'a SharedPath<'a>>) -> Self {
        Self { path, ..self }
    }
}

/// A path into alternatives: the last step, and those above it.
struct SharedPath<'a> {
    step: SharedStep<'a>,
    above: Option<&'a SharedPath<'a>>,
    depth: usize,
}

impl<'a> SharedPath<'a> {
    const fn new(step: SharedStep<'a>, above: Option<&'a Self>) -> Self {
        let depth = match above {
            Some(above) => above.depth + 1,
            None => 0,
        };
        Self { step, above, depth }
    }
}

enum SharedStep<'a> {
    /// To one of these alternatives, whose rules move if the others have other ones.
    Alternative(&'a [Shape]),
    /// To the field of this name.
    Field(&'a str),
}

/// Compares what is below two values.
#[track_caller]
const fn below(name: &str, one: &Shape, other: &Shape, place: Place<'_>, work: &mut Work) {
    if place.depth >= MAX_DEPTH || !work.step() || matches!(other.kind, ShapeKind::Opaque) {
        return;
    }
    let place = Place { depth: place.depth + 1, ..place };
    let deeper = Place { path: None, is_readable: false, ..place };
    if let (ShapeKind::List | ShapeKind::Set, Some(items)) = (one.kind, one.items) {
        match (other.kind, other.items) {
            (ShapeKind::List | ShapeKind::Set, Some(others)) => {
                value(name, items, others, deeper, work);
            }
            (ShapeKind::Any, _) => value(name, items, &FREE, deeper, work),
            _ => {}
        }
    }
    let mut at = 0;
    while at < one.fields.len() {
        field_below(name, &one.fields[at], other, place, work);
        at += 1;
    }
    at = 0;
    while at < one.variants.len() {
        let path = SharedPath::new(SharedStep::Alternative(one.variants), place.path);
        below(name, &one.variants[at], other, place.at(Some(&path)), work);
        at += 1;
    }
}

#[track_caller]
const fn field_below(
    name: &str,
    field: &FieldShape,
    other: &Shape,
    place: Place<'_>,
    work: &mut Work,
) {
    if !is_metadata(field.name) && !has_any(field.shape, 0, work) {
        return;
    }
    if field.name.is_empty() {
        below(name, field.shape, other, place, work);
        return;
    }
    let path = SharedPath::new(SharedStep::Field(field.name), place.path);
    let is_readable = place.is_readable;
    let path = if place.path.is_some() { Some(&path) } else { None };
    let place = Place { path, is_readable: false, ..place };
    if !named(field, other, place, work) && work.step() && is_open(other, 0) {
        if is_metadata(field.name) && !is_readable {
            metadata(field, &FieldShape::optional("metadata", &FREE));
        }
        value(field.name, field.shape, &FREE, place, work);
    }
}

/// Compares a field with those of its name in `other`. Returns whether there are any.
#[track_caller]
const fn named(field: &FieldShape, other: &Shape, place: Place<'_>, work: &mut Work) -> bool {
    match (other.kind, other.items) {
        (ShapeKind::Map, Some(values)) if !matches!(values.kind, ShapeKind::Any) => {
            value(field.name, field.shape, values, place, work);
            return true;
        }
        (ShapeKind::Object | ShapeKind::Union, _) => {}
        _ => return false,
    }
    let (mut found, mut at) = (false, 0);
    while at < other.fields.len() && work.step() {
        let theirs = &other.fields[at];
        if theirs.name.is_empty() {
            found |= !matches!(theirs.shape.kind, ShapeKind::Map)
                && named(field, theirs.shape, place, work);
        } else if equal(theirs.name.as_bytes(), field.name.as_bytes()) {
            if is_metadata(field.name) {
                metadata(field, theirs);
            }
            value(field.name, field.shape, theirs.shape, place, work);
            found = true;
        }
        at += 1;
    }
    at = 0;
    while at < other.variants.len() && work.step() {
        found |= named(field, &other.variants[at], place, work);
        at += 1;
    }
    found
}

/// Whether an object of the type may have further fields with any values.
const fn is_open(shape: &Shape, depth: usize) -> bool {
    if shape.open || matches!(shape.kind, ShapeKind::Any | ShapeKind::Map) {
        return true;
    }
    let mut at = 0;
    while depth < MAX_DEPTH && at < shape.fields.len() {
        let field = &shape.fields[at];
        if field.name.is_empty() && is_open(field.shape, depth + 1) {
            return true;
        }
        at += 1;
    }
    at = 0;
    while depth < MAX_DEPTH && at < shape.variants.len() {
        if is_open(&shape.variants[at], depth + 1) {
            return true;
        }
        at += 1;
    }
    false
}

/// Compares the values that two alternatives have in the field `name`, or in a list there.
#[track_caller]
const fn value(name: &str, one: &Shape, other: &Shape, place: Place<'_>, work: &mut Work) {
    if matches!(other.kind, ShapeKind::Opaque) {
        return;
    }
    match (one.default, other.default) {
        (DefaultDigest::None, _) => {}
        (_, DefaultDigest::None) => missing_default(name),
        (DefaultDigest::Known(a), DefaultDigest::Known(b)) if a != b => another_default(name),
        _ => {}
    }
    if rules_differ(one, other, work) && !moves(one, place, work) && work.step() {
        lost_rule(name);
    }
    below(name, one, other, place, work);
}

/// Whether a rule of `one` is not one of `other`, or both have different types: the schema then has none of the rules.
const fn rules_differ(one: &Shape, other: &Shape, work: &mut Work) -> bool {
    let (rules, others) = (all_rules(one, work), all_rules(other, work));
    if rules.is_empty() {
        return false;
    }
    let (a, b) = (types(one) | NULL, types(other) | NULL);
    match other.kind {
        // The schema of a union with one alternative is that of the alternative, and has its rules.
        ShapeKind::Union if has_rule(other, 0) => false,
        _ => rules.differ(others) || (a | b) & ANY == 0 && a != b,
    }
}

/// Returns the rules of a type itself, with those that move to it from fields of its variants.
pub(super) const fn own_rules(shape: &Shape) -> RuleDigest {
    all_rules(shape, &mut Work::new())
}

const fn all_rules(shape: &Shape, work: &mut Work) -> RuleDigest {
    if moved_to(shape, 0, work) { shape.rules.then(RuleDigest::of(&[0])) } else { shape.rules }
}

/// Whether rules move to the type from fields of its variants.
const fn moved_to(shape: &Shape, depth: usize, work: &mut Work) -> bool {
    let mut at = 0;
    while depth < MAX_DEPTH && at < shape.fields.len() && work.step() {
        let field = &shape.fields[at];
        if field.name.is_empty() && moved_to(field.shape, depth + 1, work) {
            return true;
        }
        at += 1;
    }
    at = 0;
    let path = SharedPath::new(SharedStep::Alternative(shape.variants), None);
    let is_tagged = !shape.fields.is_empty() && shape.variants.len() > 1;
    while depth < MAX_DEPTH && at < shape.variants.len() && work.step() {
        let variant = &shape.variants[at];
        let place = Place { path: Some(&path), depth, is_readable: false };
        if is_tagged && any_moves(variant, place, work) || moved_to(variant, depth + 1, work) {
            return true;
        }
        at += 1;
    }
    false
}

/// Whether a rule of a field at or below a place moves.
const fn any_moves(shape: &Shape, place: Place<'_>, work: &mut Work) -> bool {
    let place = Place { depth: place.depth + 1, ..place };
    let mut at = 0;
    while place.depth < MAX_DEPTH && at < shape.fields.len() && work.step() {
        let field = &shape.fields[at];
        at += 1;
        let path = SharedPath::new(SharedStep::Field(field.name), place.path);
        let place = if field.name.is_empty() { place } else { place.at(Some(&path)) };
        if !field.name.is_empty()
            && !field.shape.rules.is_empty()
            && moves(field.shape, place, work)
            || any_moves(field.shape, place, work)
        {
            return true;
        }
    }
    at = 0;
    while place.depth < MAX_DEPTH && at < shape.variants.len() && work.step() {
        if any_moves(&shape.variants[at], place, work) {
            return true;
        }
        at += 1;
    }
    false
}

/// Whether the rules of a field move to the enum, because another variant with a tag has other ones.
const fn moves(one: &Shape, place: Place<'_>, work: &mut Work) -> bool {
    let Some(path) = place.path else { return false };
    if one.rules.is_fixed() {
        return false;
    }
    let mut step = path;
    loop {
        if let SharedStep::Alternative(peers) = step.step {
            let mut at = 0;
            while at < peers.len() && work.step() {
                if let Some(peer) = field_at(&peers[at], path, step.depth, work)
                    && (one.rules.differ(peer.rules) || types(one) | NULL != types(peer) | NULL)
                {
                    return true;
                }
                at += 1;
            }
        }
        match step.above {
            Some(above) => step = above,
            None => return false,
        }
    }
}

/// Returns the field at the end of a path, whose step at the depth `from` leads to `shape`.
const fn field_at<'a>(
    shape: &'a Shape,
    path: &SharedPath<'_>,
    from: usize,
    work: &mut Work,
) -> Option<&'a Shape> {
    let Some(above) = path.above else { return Some(shape) };
    if path.depth == from {
        return Some(shape);
    }
    let Some(shape) = field_at(shape, above, from, work) else { return None };
    work.0 = work.0.saturating_sub(shape.fields.len());
    match path.step {
        SharedStep::Alternative(_) => Some(shape),
        SharedStep::Field(name) => match (shape.kind, find(shape, name)) {
            (ShapeKind::Object | ShapeKind::Union, FieldLookup::One { shape, .. }) => Some(shape),
            _ => None,
        },
    }
}

/// Begins a message about the field `name`. It is empty for the elements of alternatives that are lists.
const fn about(name: &str) -> Message {
    if name.is_empty() {
        return Message::new().push("the type of the list's elements");
    }
    Message::new().push("`").push(name).push("`")
}

/// Compares two fields named `metadata`. The server allows no restriction of a property of this name in an alternative.
#[track_caller]
const fn metadata(one: &FieldShape, other: &FieldShape) {
    if matches!(one.shape.kind, ShapeKind::Opaque) || matches!(other.shape.kind, ShapeKind::Opaque)
    {
        return;
    }
    if structure_of_field(one) != structure_of_field(other) {
        Message::new()
            .push("the types of `metadata` in two variants differ, but Kubernetes rejects a schema with alternatives for a ")
            .push("property of this name; rename the field, as with `#[serde(rename = ..)]`, or tag the enum externally, ")
            .push("which is serde's default")
            .fail();
    }
}

#[track_caller]
const fn missing_default(name: &str) -> ! {
    about(name)
        .push(" has a default in one variant and none in another, but they share one schema; use ")
        .push("`#[serde(default = ..)]` instead")
        .fail()
}

#[track_caller]
const fn another_default(name: &str) -> ! {
    about(name)
        .push(" has different defaults in two variants, but they share one schema; use `#[serde(default = ..)]` instead")
        .fail()
}

#[track_caller]
const fn lost_rule(name: &str) -> ! {
    about(name)
        .push(" has a rule in one variant, and another type or no such rule in another, but they share one schema; rename ")
        .push("one of the fields, remove the rule, or tag the enum externally, which is serde's default")
        .fail()
}

/// Whether a type or what is in it has a default, a rule or a field named `metadata`, as far as the steps suffice.
const fn has_any(shape: &Shape, depth: usize, work: &mut Work) -> bool {
    if !matches!(shape.default, DefaultDigest::None) || !shape.rules.is_empty() {
        return true;
    }
    let mut at = 0;
    while depth < MAX_DEPTH && at < shape.fields.len() && work.step() {
        let field = &shape.fields[at];
        if is_metadata(field.name) || has_any(field.shape, depth + 1, work) {
            return true;
        }
        at += 1;
    }
    at = 0;
    while depth < MAX_DEPTH && at < shape.variants.len() && work.step() {
        if has_any(&shape.variants[at], depth + 1, work) {
            return true;
        }
        at += 1;
    }
    match (shape.kind, shape.items) {
        (ShapeKind::List | ShapeKind::Set, Some(items)) if depth < MAX_DEPTH => {
            has_any(items, depth + 1, work)
        }
        _ => false,
    }
}

/// Whether a type or what is in it has a rule. The values of maps do not count: they have no schema in such an enum.
pub(super) const fn has_rule(shape: &Shape, depth: usize) -> bool {
    if !shape.rules.is_empty() || depth == MAX_DEPTH {
        return !shape.rules.is_empty();
    }
    let mut at = 0;
    while at < shape.fields.len() {
        if has_rule(shape.fields[at].shape, depth + 1) {
            return true;
        }
        at += 1;
    }
    at = 0;
    while at < shape.variants.len() {
        if has_rule(&shape.variants[at], depth + 1) {
            return true;
        }
        at += 1;
    }
    match (shape.kind, shape.items) {
        (ShapeKind::List | ShapeKind::Set, Some(items)) => has_rule(items, depth + 1),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: Shape = Shape::of(ShapeKind::String);
    const A: Shape =
        Shape::object(&[FieldShape::optional("a", &TEXT.defaulted(DefaultDigest::Known(7)))]);
    const A_WITHOUT: Shape = Shape::object(&[FieldShape::optional("a", &TEXT)]);

    #[test]
    #[should_panic(expected = "has a default in one variant and none in another")]
    fn a_default_that_is_missing_is_found() {
        alternatives(&[A, A_WITHOUT], 0);
    }
}
