//! The set of the fields of an object, and the removal of fields from an object.
//!
//! Source: structured-merge-diff `typed/tofieldset.go` and `typed/remove.go`, and
//! `EnsureNamedFieldsAreMembers` of `fieldpath/set.go`.

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Map, Value};

use super::element::Element;
use super::field_set::{FieldSet, FieldSetNode};
use super::granularity::{FieldDeclared, Ownership, PlaceType};
use crate::differences::Difference;

/// Returns the fields that a manager owns after it has applied this object, which must be [valid](super::valid).
pub(super) fn fields_of(ty: PlaceType<'_>, object: &Value) -> FieldSet {
    node(ty, object).children
}

fn node(ty: PlaceType<'_>, value: &Value) -> FieldSetNode {
    let mut children = FieldSet::default();
    match (ty.ownership(value), value) {
        (Ownership::Fields, Value::Object(map)) => {
            for (name, value) in map {
                let member = ty.field(name);
                let mut field = node(member.ty, value);
                field.owned |= member.declared != FieldDeclared::ByName
                    || value.as_object().is_some_and(Map::is_empty);
                children.add(Element::Field(name.clone()), field);
            }
        }
        (form @ (Ownership::Set(items) | Ownership::Map(_, items)), Value::Array(list)) => {
            for item in list {
                let Some(element) = form.element(item) else { continue };
                // Several items with the same path element have no fields. Source: `visitListItems`.
                let part = match children.get(&element) {
                    None => node(items, item),
                    Some(_) => FieldSetNode::default(),
                };
                children.add(element, FieldSetNode { owned: true, ..part });
            }
        }
        _ => return FieldSetNode { owned: true, children },
    }
    FieldSetNode { owned: false, children }
}

/// Returns the set with the properties above its members added: `.a` for `.a.b`, unless `a` is the key of a map.
pub(super) fn with_properties(ty: PlaceType<'_>, set: &FieldSet) -> FieldSet {
    add_properties(Some(ty), set)
}

fn add_properties(ty: Option<PlaceType<'_>>, set: &FieldSet) -> FieldSet {
    let mut all = FieldSet::default();
    for (element, node) in set.nodes() {
        let member = match element {
            Element::Field(name) => ty.map(|ty| ty.field(name)),
            _ => None,
        };
        let below = match element {
            Element::Field(_) => member.map(|member| member.ty),
            Element::Key(_) => ty.map(PlaceType::items),
            Element::Value(_) | Element::Index(_) => None,
        };
        let is_property = member.is_some_and(|member| member.declared == FieldDeclared::ByName);
        let owned = node.owned || is_property;
        all.add(
            element.clone(),
            FieldSetNode { owned, children: add_properties(below, &node.children) },
        );
    }
    all
}

/// The value of a map or list whose last part is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Emptied {
    /// Null.
    Null,
    /// An empty map or list.
    Kept,
}

impl Emptied {
    /// Returns what servers of a Kubernetes version store.
    pub(super) const fn of(kubernetes: KubernetesVersion) -> Self {
        if Difference::EmptiedContainersStay.is_in(kubernetes)
            && !Difference::EmptiedContainersGo.is_in(kubernetes)
        {
            Self::Kept
        } else {
            Self::Null
        }
    }
}

/// Returns an object without the fields of a set.
pub(super) fn without(
    ty: PlaceType<'_>,
    object: &Value,
    set: &FieldSet,
    emptied: Emptied,
) -> Value {
    remove_fields(ty, object, set, emptied).unwrap_or(Value::Null)
}

/// Returns a value without the fields of a set; `None` if it becomes empty.
fn remove_fields(
    ty: PlaceType<'_>,
    value: &Value,
    set: &FieldSet,
    emptied: Emptied,
) -> Option<Value> {
    let part = |ty: PlaceType<'_>, value: &Value, set: &FieldSet| {
        remove_fields(ty, value, set, emptied).unwrap_or_else(|| match (value, emptied) {
            (Value::Object(_), Emptied::Kept) => Value::Object(Map::new()),
            (Value::Array(_), Emptied::Kept) => Value::Array(Vec::new()),
            _ => Value::Null,
        })
    };
    let mut touched = false;
    match (ty.ownership(value), value) {
        (Ownership::Fields, Value::Object(map)) => {
            let mut left = Map::new();
            for (name, value) in map {
                let kept = match set.get(&Element::Field(name.clone())) {
                    None => value.clone(),
                    Some(node) if node.owned => continue,
                    Some(node) => {
                        touched = emptied == Emptied::Kept;
                        part(ty.field(name).ty, value, &node.children)
                    }
                };
                left.insert(name.clone(), kept);
            }
            (touched || !left.is_empty()).then_some(Value::Object(left))
        }
        (form @ (Ownership::Set(items) | Ownership::Map(_, items)), Value::Array(list)) => {
            let mut left = Vec::new();
            for item in list {
                let node = form.element(item).and_then(|element| set.get(&element));
                match node {
                    None => left.push(item.clone()),
                    Some(node) if node.owned => {}
                    Some(node) => {
                        touched = emptied == Emptied::Kept;
                        left.push(part(items, item, &node.children));
                    }
                }
            }
            (touched || !left.is_empty()).then_some(Value::Array(left))
        }
        (_, Value::Object(_) | Value::Array(_) | Value::Null) => None,
        _ => Some(value.clone()),
    }
}
