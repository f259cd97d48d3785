//! Visits each node of an expression.

use crate::minors::{Change, KubernetesVersion};
use crate::syntax::{Expr, ExprKind};

/// The method whose argument may be a list of elements with different types.
const FORMAT: &str = "format";

/// A node, with facts about the calls around it.
#[derive(Clone, Copy)]
pub(super) struct Visited<'a> {
    /// The node.
    pub(super) expr: &'a Expr,
    /// Whether it is within a call of `format`. For older servers, only list and map literals may be
    /// in between.
    pub(super) in_format: bool,
}

/// Every node, children before parents and in the order of evaluation.
///
/// Source: cel-go `cel/validator.go`, `inExemptFunction`.
pub(super) fn nodes(root: &Expr, version: KubernetesVersion) -> Vec<Visited<'_>> {
    let mut out = Vec::new();
    push(root, false, version.has(Change::MixedPartsOfFormat), &mut out);
    out
}

fn push<'a>(expr: &'a Expr, in_format: bool, keeps: bool, out: &mut Vec<Visited<'a>>) {
    let mut visit = |child: &'a Expr, in_format: bool| push(child, in_format, keeps, out);
    // For older servers, only the elements of list and map literals stay within `format`.
    let kept = in_format && keeps;
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Ident(_) => {}
        ExprKind::Select { operand, .. } => visit(operand, kept),
        ExprKind::Call { target, function, args } => {
            let in_format = kept || &**function == FORMAT;
            for child in target.as_deref().into_iter().chain(args) {
                visit(child, in_format);
            }
        }
        ExprKind::List { elements, .. } => {
            for child in elements {
                visit(child, in_format);
            }
        }
        ExprKind::Map(entries) => {
            for entry in entries {
                visit(&entry.key, in_format);
                visit(&entry.value, in_format);
            }
        }
        ExprKind::Struct { fields, .. } => {
            for field in fields {
                visit(&field.value, kept);
            }
        }
        ExprKind::Comprehension(c) => {
            for child in [&c.range, &c.init, &c.condition, &c.step, &c.result] {
                visit(child, kept);
            }
        }
    }
    out.push(Visited { expr, in_format });
}
