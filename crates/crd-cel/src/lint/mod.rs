//! Mistakes in expressions that the server accepts: the rule fails, or never holds, when it runs.
//!
//! They are found in the expression alone, without the schema. Because the server accepts these
//! expressions, callers should let users keep them.

mod comments;
mod constants;
mod evaluate;
mod guards;
mod outcomes;
mod presence;

pub use comments::comment_at;
pub use constants::always_fails;
pub use evaluate::holds_for;
pub use guards::{ELEMENT, Unguarded, unguarded};
pub use presence::{NullRejected, rejects_null};

use crate::syntax::{Expr, ExprKind};

/// Calls a function with each part of an expression, and with the expression itself. Recurses at most as deep as the
/// parser allows expressions to nest.
pub fn visit<'a>(expr: &'a Expr, see: &mut impl FnMut(&'a Expr)) {
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Ident(_) => {}
        ExprKind::Select { operand, .. } => visit(operand, see),
        ExprKind::Call { target, args, .. } => {
            target.as_deref().into_iter().chain(args).for_each(|part| visit(part, see));
        }
        ExprKind::List { elements, .. } => elements.iter().for_each(|part| visit(part, see)),
        ExprKind::Map(entries) => {
            for entry in entries {
                visit(&entry.key, see);
                visit(&entry.value, see);
            }
        }
        ExprKind::Struct { fields, .. } => {
            for field in fields {
                visit(&field.value, see);
            }
        }
        ExprKind::Comprehension(c) => {
            for part in [&c.range, &c.init, &c.condition, &c.step, &c.result] {
                visit(part, see);
            }
        }
    }
    see(expr);
}
