//! Adapts sets of owned fields to a changed schema. A value whose parts had owners may be owned as a whole now.
//!
//! Source: structured-merge-diff `typed/reconcile_schema.go`.

use super::element::Element;
use super::field_set::{FieldSet, FieldSetNode};
use super::granularity::{FieldDeclared, OwnershipForm, PlaceType};

/// Returns the set for the current type. If a value is owned as a whole now, a manager that owned a part of it owns all
/// of it.
pub(super) fn reconcile(ty: PlaceType<'_>, set: &FieldSet) -> FieldSet {
    let form = ty.form();
    if matches!(form, OwnershipForm::Anything | OwnershipForm::Scalar) {
        return set.clone();
    }
    let mut reconciled = FieldSet::default();
    for (element, before) in set.nodes() {
        let below = match (form, element) {
            (OwnershipForm::List { .. }, _) => Some(ty.items()),
            (_, Element::Field(name)) => {
                Some(ty.field(name)).filter(|it| it.declared != FieldDeclared::Not).map(|it| it.ty)
            }
            _ => None,
        };
        let after = below.map_or_else(|| before.clone(), |ty| node(ty, before));
        reconciled.add(element.clone(), after);
    }
    reconciled
}

fn node(ty: PlaceType<'_>, node: &FieldSetNode) -> FieldSetNode {
    match ty.form() {
        OwnershipForm::Object { atomic: true } | OwnershipForm::List { atomic: true }
            if !node.children.is_empty() =>
        {
            FieldSetNode { owned: true, children: FieldSet::default() }
        }
        _ => FieldSetNode { owned: node.owned, children: reconcile(ty, &node.children) },
    }
}
