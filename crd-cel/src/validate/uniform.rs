//! Elements of one list, keys of one map and values of one map have the same type.
//!
//! The checker lets `dyn` stand beside any type; this is stricter, but looks away within calls of
//! `format`.
//!
//! Source: cel-go `cel/validator.go`, `homogeneousAggregateLiteralValidator`.

use super::{Findings, walk};
use crate::syntax::{Expr, ExprKind};
use crate::types::{Shown, Type};

/// Reports the first element of each list literal that differs from the one before it.
pub(super) fn lists(findings: &mut Findings<'_>) {
    for node in walk::nodes(&findings.checked.ast.root, findings.version) {
        let ExprKind::List { elements, optional } = &node.expr.kind else { continue };
        if node.in_format {
            continue;
        }
        let mut expected: Option<&Type> = None;
        for (i, element) in (0u32..).zip(elements) {
            let ty = entry_type(findings, element, optional.binary_search(&i).is_ok());
            match expected {
                None => expected = Some(ty),
                Some(expected) if expected.is_exactly(ty) => {}
                Some(expected) => {
                    report(findings, element, expected, ty);
                    break;
                }
            }
        }
    }
}

/// Reports each key and value of a map literal that differs from the first.
pub(super) fn maps(findings: &mut Findings<'_>) {
    for node in walk::nodes(&findings.checked.ast.root, findings.version) {
        let ExprKind::Map(entries) = &node.expr.kind else { continue };
        if node.in_format {
            continue;
        }
        let mut expected: Option<(&Type, &Type)> = None;
        for entry in entries {
            let key = findings.checked.type_of(entry.key.id);
            let value = entry_type(findings, &entry.value, entry.optional);
            let Some((first_key, first_value)) = expected else {
                expected = Some((key, value));
                continue;
            };
            if !first_key.is_exactly(key) {
                report(findings, &entry.key, first_key, key);
            }
            if !first_value.is_exactly(value) {
                report(findings, &entry.value, first_value, value);
            }
        }
    }
}

/// Divergence: an optional entry that is `dyn` is refused. The server takes the first parameter of its type,
/// which has none, and crashes.
fn entry_type<'a>(findings: &mut Findings<'a>, e: &Expr, optional: bool) -> &'a Type {
    let ty = findings.checked.type_of(e.id);
    if !optional {
        return ty;
    }
    ty.optional_inner().unwrap_or_else(|| {
        report(findings, e, &Type::optional(ty.clone()), ty);
        ty
    })
}

fn report(findings: &mut Findings<'_>, e: &Expr, expected: &Type, found: &Type) {
    let (expected, found) = (Shown(expected), Shown(found));
    findings.report(e.id, format_args!("expected type '{expected}' but found '{found}'"));
}
