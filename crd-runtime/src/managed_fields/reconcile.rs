//! Adapts ownership that was written with another schema: a value that is owned as a whole now may have had owners of
//! its parts.
//!
//! Source: structured-merge-diff `typed/reconcile_schema.go`.

use super::element::Element;
use super::field_set::{FieldSet, Node};
use super::granularity::{Declared, Form, Type};

/// The set for the current type. A manager of a part of a value that is owned as a whole now gets the whole value.
pub(super) fn reconcile(ty: Type<'_>, set: &FieldSet) -> FieldSet {
    let form = ty.form();
    if matches!(form, Form::Anything | Form::Scalar) {
        return set.clone();
    }
    let mut reconciled = FieldSet::default();
    for (element, before) in set.nodes() {
        let below = match (form, element) {
            (Form::List { .. }, _) => Some(ty.items()),
            (_, Element::Field(name)) => {
                Some(ty.field(name)).filter(|it| it.declared != Declared::Not).map(|it| it.ty)
            }
            _ => None,
        };
        let after = below.map_or_else(|| before.clone(), |ty| node(ty, before));
        reconciled.add(element.clone(), after);
    }
    reconciled
}

fn node(ty: Type<'_>, node: &Node) -> Node {
    match ty.form() {
        Form::Map { atomic: true } | Form::List { atomic: true } if !node.children.is_empty() => {
            Node { owned: true, children: FieldSet::default() }
        }
        _ => Node { owned: node.owned, children: reconcile(ty, &node.children) },
    }
}
