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

use crate::syntax::Expr;

/// Calls a function with each part of an expression, and with the expression itself. Recurses at most as deep as the
/// parser allows expressions to nest.
pub fn visit<'a>(expr: &'a Expr, see: &mut impl FnMut(&'a Expr)) {
    expr.parts().into_iter().for_each(|part| visit(part, see));
    see(expr);
}
