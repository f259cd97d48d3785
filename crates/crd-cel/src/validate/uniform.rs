//! Checks that the elements of a list literal, and the keys and the values of a map literal, have
//! one type.
//!
//! The checker accepts `dyn` beside any type. This check does not, except within calls of `format`.
//!
//! Source: cel-go `cel/validator.go`, `homogeneousAggregateLiteralValidator`.

use super::{Validation, walk};
use crate::syntax::{Expr, ExprKind};
use crate::types::{Shown, Type};

/// Reports, for each list literal, the first element whose type differs from that of element 0.
pub(super) fn lists(validation: &mut Validation<'_>) {
    for node in walk::nodes(&validation.checked.ast.root, validation.version) {
        let ExprKind::List { elements, optional } = &node.expr.kind else { continue };
        if node.in_format {
            continue;
        }
        let mut expected: Option<&Type> = None;
        for (i, element) in (0u32..).zip(elements) {
            let ty = entry_type(validation, element, optional.binary_search(&i).is_ok());
            match expected {
                None => expected = Some(ty),
                Some(expected) if expected.is_exactly(ty) => {}
                Some(expected) => {
                    report(validation, element, expected, ty);
                    break;
                }
            }
        }
    }
}

/// Reports each key and value of a map literal whose type differs from that of the first.
pub(super) fn maps(validation: &mut Validation<'_>) {
    for node in walk::nodes(&validation.checked.ast.root, validation.version) {
        let ExprKind::Map(entries) = &node.expr.kind else { continue };
        if node.in_format {
            continue;
        }
        let mut expected: Option<(&Type, &Type)> = None;
        for entry in entries {
            let key = validation.checked.type_of(entry.key.id);
            let value = entry_type(validation, &entry.value, entry.optional);
            let Some((first_key, first_value)) = expected else {
                expected = Some((key, value));
                continue;
            };
            if !first_key.is_exactly(key) {
                report(validation, &entry.key, first_key, key);
            }
            if !first_value.is_exactly(value) {
                report(validation, &entry.value, first_value, value);
            }
        }
    }
}

/// The type of an element or value; `T` for an optional one (`?x`) of type `optional_type(T)`.
///
/// Divergence: an optional entry of type `dyn` is rejected. The server reads the first parameter of
/// the type, which `dyn` does not have, and panics.
fn entry_type<'a>(validation: &mut Validation<'a>, e: &Expr, optional: bool) -> &'a Type {
    let ty = validation.checked.type_of(e.id);
    if !optional {
        return ty;
    }
    ty.optional_inner().unwrap_or_else(|| {
        report(validation, e, &Type::optional(ty.clone()), ty);
        ty
    })
}

fn report(validation: &mut Validation<'_>, e: &Expr, expected: &Type, found: &Type) {
    let (expected, found) = (Shown(expected), Shown(found));
    validation.report(e.id, format_args!("expected type '{expected}' but found '{found}'"));
}
