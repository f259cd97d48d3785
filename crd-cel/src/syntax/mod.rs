//! Text to [`Ast`]: lexer, parser, macro expansion.

mod ast;
mod issue;

pub use ast::{Ast, Comprehension, Expr, ExprId, ExprKind, Literal, MapEntry, StructField};
pub use issue::{Issue, Issues, Location, MAX_ISSUES};

/// Parses an expression and expands its macros.
///
/// # Errors
///
/// What cel-go reports for a text that does not parse: `Syntax error: ...` and its kin.
pub fn parse(source: &str) -> Result<Ast, Issues> {
    let mut issues = Issues::new(source.into());
    issues.report_at(Some(0), "not parsed");
    Err(issues)
}
