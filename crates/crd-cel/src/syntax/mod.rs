//! Parses expressions as an [`Ast`]: lexer, parser, macro expansion.
//!
//! Issues have cel-go's texts, which for syntax errors are those of ANTLR's default error strategy.
//! The parser is written by hand, rule for rule after cel-go's grammar (`grammar`). It knows which
//! tokens can come next, which is all that the strategy needs (`recognizer`). A second step builds
//! expressions from the recognized nodes (`build`), because cel-go, too, reads literals and macros
//! only after it has recovered from syntax errors.
//!
//! The derive macro links this module, so it has no dependencies and uses only `escape`, `minors` and
//! `parse_float` of this crate.

mod ast;
mod build;
mod grammar;
mod ids;
mod issue;
mod lexer;
mod macros;
mod recognizer;
#[cfg(test)]
pub(crate) mod tests;
mod token;
mod tree;
mod unescape;

use std::sync::Arc;

pub use ast::{Ast, Comprehension, Expr, ExprId, ExprKind, Literal, MapEntry, StructField};
pub use issue::{Issue, Issues, Location, MAX_ISSUES};
pub use macros::ACCUMULATOR;
#[cfg(feature = "eval")]
pub(crate) use macros::MACROS;

use crate::minors::Environment;
use recognizer::Recognizer;

/// The longest expression, in code points.
///
/// Source: cel-go `parser/options.go`, `ExpressionSizeCodePointLimit`.
pub const MAX_CODE_POINTS: usize = 100_000;

/// Parses an expression and expands its macros.
///
/// # Errors
///
/// The issues that cel-go reports for a text that does not parse, such as `Syntax error: ...`.
///
/// ```
/// use crd_cel::syntax;
///
/// let ast = syntax::parse("self.all(x, x > 0)")?;
/// assert!(matches!(ast.root.kind, syntax::ExprKind::Comprehension(_)));
///
/// let issues = syntax::parse("self.a ? 1").unwrap_err();
/// assert_eq!(
///     issues.to_string(),
///     "ERROR: <input>:1:11: Syntax error: mismatched input '<EOF>' expecting ':'\n \
///      | self.a ? 1\n \
///      | ..........^"
/// );
/// # Ok::<(), syntax::Issues>(())
/// ```
pub fn parse(source: &str) -> Result<Ast, Issues> {
    parse_in(source, Environment::default())
}

/// As [`parse`], with the syntax and the macros of a server.
///
/// # Errors
///
/// As [`parse`].
pub fn parse_in(source: &str, environment: Environment) -> Result<Ast, Issues> {
    let shared: Arc<str> = source.into();
    let size = source.chars().count();
    if size > MAX_CODE_POINTS {
        let mut issues = Issues::new(shared);
        let message = format!(
            "expression code point size exceeds limit: size: {size}, limit {MAX_CODE_POINTS}"
        );
        issues.report(Location::NONE, message);
        return Err(issues);
    }
    let mut recognizer = Recognizer::new(source, shared.clone());
    let Ok(root) = grammar::start(&mut recognizer) else {
        return Err(recognizer.issues);
    };
    let (root, positions) = build::build(&recognizer.trees, root, recognizer.issues, environment)?;
    Ok(Ast { source: shared, root, positions })
}
