//! Compares two objects field by field, at the granularity of ownership.
//!
//! Source: structured-merge-diff `typed/compare.go`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::element::{self, Element};
use super::field_set::FieldSet;
use super::granularity::{Ownership, Type};

/// The fields that differ, as paths.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// Only in the first.
    pub removed: FieldSet,
    /// In both, with other values.
    pub modified: FieldSet,
    /// Only in the second.
    pub added: FieldSet,
}

impl Comparison {
    /// Compares two [valid](super::valid) objects.
    pub(super) fn of(ty: Type<'_>, old: &Value, new: &Value) -> Self {
        let mut walk = Walk { path: Vec::new(), found: Self::default() };
        walk.value(ty, Some(old), Some(new));
        walk.found
    }

    /// The fields that the second object has with another value, or that the first does not have.
    pub(super) fn changed(&self) -> FieldSet {
        self.modified.clone().union(&self.added)
    }
}

struct Walk {
    path: Vec<Element>,
    found: Comparison,
}

impl Walk {
    fn value(&mut self, ty: Type<'_>, old: Option<&Value>, new: Option<&Value>) {
        // `null` is compared as the kind of the other value. Two values of different kinds count as removed and added.
        let form = |value: Option<&Value>| {
            value.filter(|value| !value.is_null()).map(|value| ty.ownership(value))
        };
        let is_leaf = match (form(old), form(new)) {
            (None, None) => self.one(Ownership::Whole, ty, old, new),
            (Some(form), None) | (None, Some(form)) => self.one(form, ty, old, new),
            (Some(before), Some(after)) => {
                if std::mem::discriminant(&before) != std::mem::discriminant(&after) {
                    self.one(before, ty, old, new);
                }
                self.one(after, ty, old, new)
            }
        };
        if !is_leaf && old.is_none() {
            self.found.added.insert(&self.path);
        } else if !is_leaf && new.is_none() {
            self.found.removed.insert(&self.path);
        }
    }

    /// Compares two values of one kind. Returns whether they have no parts.
    fn one(
        &mut self,
        form: Ownership<'_>,
        ty: Type<'_>,
        old: Option<&Value>,
        new: Option<&Value>,
    ) -> bool {
        match form {
            Ownership::Whole => {}
            Ownership::Fields => {
                let map = |value: Option<&'_ Value>| value.and_then(Value::as_object).cloned();
                let (old, new) = (map(old).unwrap_or_default(), map(new).unwrap_or_default());
                if !old.is_empty() || !new.is_empty() {
                    self.fields(ty, &old, &new);
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
            (None, _) => &mut self.found.added,
            (_, None) => &mut self.found.removed,
            (Some(old), Some(new)) if element::compare(old, new).is_ne() => {
                &mut self.found.modified
            }
            _ => return,
        };
        into.insert(&self.path);
    }

    fn fields(&mut self, ty: Type<'_>, old: &Map<String, Value>, new: &Map<String, Value>) {
        let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        for name in names {
            self.path.push(Element::Field(name.clone()));
            self.value(ty.field(name).ty, old.get(name), new.get(name));
            self.path.pop();
        }
    }

    fn items(&mut self, form: Ownership<'_>, ty: Type<'_>, old: &[Value], new: &[Value]) {
        let mut pairs: BTreeMap<Element, [Option<&Value>; 2]> = BTreeMap::new();
        for (side, list) in [old, new].into_iter().enumerate() {
            for item in list {
                if let Some(element) = form.element(item) {
                    pairs.entry(element).or_default()[side] = Some(item);
                }
            }
        }
        for (element, [old, new]) in pairs {
            self.path.push(element);
            self.value(ty, old, new);
            self.path.pop();
        }
    }
}

fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}
