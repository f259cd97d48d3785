//! Visits each node of an expression.

use crate::syntax::{Expr, ExprKind};

/// The method whose arguments may be a list of unlike elements.
const FORMAT: &str = "format";

/// A node and what is known of its surroundings.
#[derive(Clone, Copy)]
pub(super) struct Visited<'a> {
    /// The node.
    pub(super) expr: &'a Expr,
    /// Whether a call of `format` is around it.
    pub(super) in_format: bool,
}

/// Every node, children before parents and in the order of evaluation.
pub(super) fn nodes(root: &Expr) -> Vec<Visited<'_>> {
    let mut out = Vec::new();
    push(root, false, &mut out);
    out
}

fn push<'a>(expr: &'a Expr, in_format: bool, out: &mut Vec<Visited<'a>>) {
    let mut visit = |child: &'a Expr, in_format: bool| push(child, in_format, out);
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Ident(_) => {}
        ExprKind::Select { operand, .. } => visit(operand, in_format),
        ExprKind::Call { target, function, args } => {
            let in_format = in_format || &**function == FORMAT;
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
                visit(&field.value, in_format);
            }
        }
        ExprKind::Comprehension(c) => {
            for child in [&c.range, &c.init, &c.condition, &c.step, &c.result] {
                visit(child, in_format);
            }
        }
    }
    out.push(Visited { expr, in_format });
}
