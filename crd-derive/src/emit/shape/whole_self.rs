//! Finds rules that use `self` or `oldSelf` as a whole. The use of the type decides whether such rules are valid.

use crd_cel::syntax::{Expr, ExprKind};

use crate::literal::StringExpr;

/// Whether a rule uses `self` or `oldSelf` other than to select a field. `false` for a rule that does not parse.
pub(super) fn uses_whole_self(rule: &StringExpr) -> bool {
    rule.ast().is_some_and(|ast| contains_whole_self(&ast.root))
}

/// Whether a function selects a field by its name, as in `self['a']`, `self[?'a']` and `self.?a`.
fn is_selection(function: &str) -> bool {
    matches!(function, "_[_]" | "_[?_]" | "_?._")
}

/// Recursive part of [`uses_whole_self`]; the parser limits the depth.
fn contains_whole_self(expr: &Expr) -> bool {
    let is_self = |expr: &Expr| matches!(&expr.kind, ExprKind::Ident(name) if matches!(name.trim_start_matches('.'), "self" | "oldSelf"));
    let is_literal = |expr: &Expr| matches!(expr.kind, ExprKind::Literal(_));
    match &expr.kind {
        ExprKind::Ident(_) => is_self(expr),
        ExprKind::Select { operand, .. } => !is_self(operand) && contains_whole_self(operand),
        ExprKind::Call { function, target: None, args }
            if is_selection(function)
                && matches!(args.as_slice(), [object, key] if is_self(object) && is_literal(key)) =>
        {
            false
        }
        _ => expr.parts().into_iter().any(contains_whole_self),
    }
}
