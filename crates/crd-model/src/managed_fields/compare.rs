//! Compares two objects field by field, at the granularity of ownership.
//!
//! Source: structured-merge-diff `typed/compare.go`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::element::{self, Element};
use super::field_set::{FieldSet, FieldSetNode};
use super::granularity::{Ownership, PlaceType};

/// The fields that differ, as paths.
#[derive(Debug, Default)]
pub(super) struct FieldComparison {
    /// Only in the first.
    pub removed: FieldSet,
    /// In both, with other values.
    pub modified: FieldSet,
    /// Only in the second.
    pub added: FieldSet,
}

impl FieldComparison {
    /// Compares two [valid](super::valid) objects.
    pub(super) fn of(ty: PlaceType<'_>, old: &Value, new: &Value) -> Self {
        let found = Differences::of(ty, Some(old), Some(new));
        // Nobody owns the whole object.
        let [removed, modified, added] =
            [found.removed, found.modified, found.added].map(|node| node.children);
        Self { removed, modified, added }
    }

    /// Returns the fields that the second object has with another value, or that the first does not have.
    pub(super) fn changed(&self) -> FieldSet {
        self.modified.clone().union(&self.added)
    }

    /// Returns [`FieldComparison::changed`], and drops the other fields.
    pub(super) fn into_changed(self) -> FieldSet {
        if self.modified.is_empty() { self.added } else { self.modified.union(&self.added) }
    }
}

/// The differences of two values, and of their parts.
#[derive(Default)]
struct Differences {
    removed: FieldSetNode,
    modified: FieldSetNode,
    added: FieldSetNode,
}

impl Differences {
    fn of(ty: PlaceType<'_>, old: Option<&Value>, new: Option<&Value>) -> Self {
        let mut found = Self::default();
        // `null` is compared in the form of the other value. If the forms differ, as those of a map and a scalar, the
        // values are compared in both: the fields of the map are removed or added, and the place itself is modified.
        let form = |value: Option<&Value>| {
            value.filter(|value| !value.is_null()).map(|value| ty.ownership(value))
        };
        let is_leaf = match (form(old), form(new)) {
            (None, None) => found.compare_as(Ownership::Whole, ty, old, new),
            (Some(form), None) | (None, Some(form)) => found.compare_as(form, ty, old, new),
            (Some(before), Some(after)) => {
                if std::mem::discriminant(&before) != std::mem::discriminant(&after) {
                    found.compare_as(before, ty, old, new);
                }
                found.compare_as(after, ty, old, new)
            }
        };
        if !is_leaf && old.is_none() {
            found.added.owned = true;
        } else if !is_leaf && new.is_none() {
            found.removed.owned = true;
        }
        found
    }

    /// Compares two values of one form. Returns whether they have no parts.
    fn compare_as(
        &mut self,
        form: Ownership<'_>,
        ty: PlaceType<'_>,
        old: Option<&Value>,
        new: Option<&Value>,
    ) -> bool {
        match form {
            Ownership::Whole => {}
            Ownership::Fields => {
                let (old, new) = (map(old), map(new));
                if old.is_some() || new.is_some() {
                    self.fields(ty, old, new);
                    return false;
                }
            }
            Ownership::Set(items) | Ownership::Map(_, items) => {
                let (old, new) = (list(old), list(new));
                if !old.is_empty() || !new.is_empty() {
                    self.items(form, items, old, new);
                    return false;
                }
            }
        }
        self.leaf(old, new);
        true
    }

    fn leaf(&mut self, old: Option<&Value>, new: Option<&Value>) {
        let into = match (old, new) {
            (None, _) => &mut self.added,
            (_, None) => &mut self.removed,
            (Some(old), Some(new)) if element::compare(old, new).is_ne() => &mut self.modified,
            _ => return,
        };
        into.owned = true;
    }

    fn fields(
        &mut self,
        ty: PlaceType<'_>,
        old: Option<&Map<String, Value>>,
        new: Option<&Map<String, Value>>,
    ) {
        for (name, before) in old.into_iter().flatten() {
            let after = new.and_then(|new| new.get(name));
            self.field(name, Self::of(ty.field(name).ty, Some(before), after));
        }
        for (name, after) in new.into_iter().flatten() {
            if old.is_none_or(|old| !old.contains_key(name)) {
                self.field(name, Self::of(ty.field(name).ty, None, Some(after)));
            }
        }
    }

    fn field(&mut self, name: &str, found: Self) {
        self.add_part(found, || Element::Field(name.to_owned()));
    }

    /// Compares the items of two lists. Items that occur several times in a list have no fields: they are one element,
    /// which is added, removed or modified as a whole. Source: `visitListItems`.
    fn items(&mut self, form: Ownership<'_>, ty: PlaceType<'_>, old: &[Value], new: &[Value]) {
        let mut pairs: BTreeMap<Element, [Items<'_>; 2]> = BTreeMap::new();
        for (side, list) in [old, new].into_iter().enumerate() {
            for item in list {
                if let Some(element) = form.element(item) {
                    pairs.entry(element).or_default()[side].push(item);
                }
            }
        }
        for (element, [old, new]) in pairs {
            let found = match (old.are_several(), new.are_several()) {
                (false, false) => Self::of(ty, old.first, new.first),
                (true, true) => {
                    let mut found = Self::default();
                    found.modified.owned = !old.are_equal(&new);
                    found
                }
                (true, false) => {
                    let mut found = Self::default();
                    if new.first.is_some() {
                        found = Self::of(ty, None, new.first);
                    }
                    found.removed.owned = true;
                    found
                }
                (false, true) => {
                    let mut found = Self::default();
                    if old.first.is_some() {
                        found = Self::of(ty, old.first, None);
                    }
                    found.added.owned = true;
                    found
                }
            };
            self.add_part(found, || element.clone());
        }
    }

    /// Adds the differences of a part.
    fn add_part(&mut self, found: Self, element: impl Fn() -> Element) {
        let sides = [
            (&mut self.removed, found.removed),
            (&mut self.modified, found.modified),
            (&mut self.added, found.added),
        ];
        for (whole, part) in sides {
            if !part.is_empty() {
                whole.children.add(element(), part);
            }
        }
    }
}

/// The items of a list that have the same path element.
#[derive(Default)]
struct Items<'v> {
    first: Option<&'v Value>,
    /// PERF: nearly always empty, so nothing is allocated.
    others: Vec<&'v Value>,
}

impl<'v> Items<'v> {
    fn push(&mut self, item: &'v Value) {
        match self.first {
            None => self.first = Some(item),
            Some(_) => self.others.push(item),
        }
    }

    fn are_several(&self) -> bool {
        !self.others.is_empty()
    }

    fn are_equal(&self, other: &Self) -> bool {
        self.others.len() == other.others.len()
            && self.iter().zip(other.iter()).all(|(old, new)| element::compare(old, new).is_eq())
    }

    fn iter(&self) -> impl Iterator<Item = &'v Value> {
        self.first.into_iter().chain(self.others.iter().copied())
    }
}

fn map(value: Option<&Value>) -> Option<&Map<String, Value>> {
    value.and_then(Value::as_object).filter(|map| !map.is_empty())
}

fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}
