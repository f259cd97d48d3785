//! Elements of one list, keys of one map and values of one map have the same type.
//!
//! The checker lets `dyn` stand beside any type; this is stricter, but looks away within calls of
//! `format`.
//!
//! Source: cel-go `cel/validator.go`, `homogeneousAggregateLiteralValidator`.

use super::{Validation, walk};
use crate::syntax::{Expr, ExprKind};
use crate::types::{Shown, Type};

/// Reports the first element of each list literal that differs from the one before it.
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

/// Reports each key and value of a map literal that differs from the first.
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

/// Divergence: an optional entry that is `dyn` is refused. The server takes the first parameter of its type,
/// which has none, and crashes.
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
