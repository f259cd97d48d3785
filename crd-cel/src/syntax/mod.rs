//! Text to [`Ast`]: lexer, parser, macro expansion.

mod ast;

pub use ast::{Ast, Comprehension, Expr, ExprId, ExprKind, Literal, MapEntry, StructField};
