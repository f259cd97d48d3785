//! Rust constants in attributes: bounds and strings whose values the macro cannot evaluate.
//!
//! ```ignore
//! const MAX: u16 = 100;
//! #[crd(maximum = MAX, rule(RULE))]
//! ```

use std::cell::OnceCell;
use std::path::PathBuf;
use std::rc::Rc;

use crd_cel::syntax::{Ast, ExprId, Issues};
use darling::util::SpannedValue;
use darling::{Error, FromMeta, Result};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, ExprUnary, Ident, Lit, Meta, UnOp};

use super::{Number, Text, plain, span, value_of};

/// A literal, or a constant of Rust.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "lives while one type is expanded")]
pub(crate) enum Constant<T> {
    /// A literal.
    Literal(T),
    /// A path or a macro call.
    Expr(Expr),
}

impl<T> Constant<T> {
    /// The value of a literal.
    pub(crate) fn literal(&self) -> Option<&T> {
        match self {
            Self::Literal(value) => Some(value),
            Self::Expr(_) => None,
        }
    }

    /// The expression of a constant.
    pub(crate) fn expr(&self) -> Option<&Expr> {
        match self {
            Self::Literal(_) => None,
            Self::Expr(expr) => Some(expr),
        }
    }
}

/// `minimum = 1`, `minimum = MIN`
pub(crate) type Bound = SpannedValue<Constant<Number>>;
/// `max_length = 63`, `max_length = MAX`
pub(crate) type Count = SpannedValue<Constant<u32>>;

impl FromMeta for Constant<Number> {
    fn from_meta(item: &Meta) -> Result<Self> {
        let expr = value_of(item)?;
        if let Some(number) = Number::parse(expr) {
            return Ok(Self::Literal(number));
        }
        let constant = constant(expr).map(|expr| Self::Expr(expr.clone()));
        let message = match plain(expr) {
            Expr::Lit(ExprLit { lit: Lit::Int(_) | Lit::Float(_), .. }) => {
                "the number is too large"
            }
            _ => "expected a number literal or a constant",
        };
        constant.ok_or_else(|| Error::custom(message).with_span(expr))
    }
}

/// A count, which cannot be negative.
impl FromMeta for Constant<u32> {
    fn from_meta(item: &Meta) -> Result<Self> {
        let expr = value_of(item)?;
        let count = match Number::parse(expr) {
            Some(Number::Int(count)) => u32::try_from(count).ok().map(Self::Literal),
            Some(Number::Float(_)) => None,
            None => constant(expr).map(|expr| Self::Expr(expr.clone())),
        };
        count.ok_or_else(|| {
            let message = format!("expected a whole number from 0 to {}, or a constant", u32::MAX);
            Error::custom(message).with_span(expr)
        })
    }
}

/// An expression that rustc evaluates, such as `MAX`, `1 << 4` or `limit()`; not a literal of another type.
fn constant(expr: &Expr) -> Option<&Expr> {
    match plain(expr) {
        Expr::Lit(_) | Expr::Array(_) | Expr::Tuple(_) | Expr::Struct(_) | Expr::Closure(_) => None,
        Expr::Unary(ExprUnary { op: UnOp::Not(_), expr: literal, .. })
            if Number::parse(literal).is_some() =>
        {
            Some(plain(expr))
        }
        Expr::Unary(unary) => constant(&unary.expr).map(|_| plain(expr)),
        expr => Some(expr),
    }
}

/// A string: a literal, `concat!(..)`, `stringify!(..)`, `include_str!(..)`, or a constant, which is a path or a
/// call of another macro.
#[derive(Debug, Clone)]
pub(crate) enum StringExpr {
    /// A string that the macro can evaluate.
    Evaluated(EvaluatedString),
    /// A constant, which only rustc can evaluate.
    Constant(Expr),
}

/// A string that the macro has evaluated.
#[derive(Debug, Clone)]
pub(crate) struct EvaluatedString {
    pub text: Text,
    /// The pieces of `concat!(..)`: the byte offset at which each begins, and its span.
    pieces: Vec<(usize, Span)>,
    /// The expression to emit in place of a literal: `include_str!(..)` makes rustc rebuild when the file changes.
    written: Option<Expr>,
    /// The string as CEL, once it was asked for.
    cel: OnceCell<Rc<std::result::Result<Ast, Issues>>>,
}

impl StringExpr {
    /// Reads an expression.
    pub(crate) fn parse(expr: &Expr) -> Result<Self> {
        let expr = plain(expr);
        let mut reader = MacroEvaluator::default();
        match reader.read(expr) {
            Ok(()) => {}
            Err(ReadError::Error(error)) => return Err(error),
            Err(ReadError::Unknown) => {
                return match expr {
                    Expr::Path(_) | Expr::Macro(_) => Ok(Self::Constant(expr.clone())),
                    Expr::Call(call) if call.args.is_empty() => Ok(Self::Constant(expr.clone())),
                    _ => {
                        let message = "expected a string literal or a constant";
                        Err(Error::custom(message).with_span(expr))
                    }
                };
            }
        }
        let MacroEvaluator { value, pieces, includes } = reader;
        let written = includes.then(|| expr.clone());
        Ok(Self::Evaluated(EvaluatedString {
            text: Text { value, span: span(expr) },
            pieces,
            written,
            cel: OnceCell::new(),
        }))
    }

    /// A literal string.
    pub(crate) fn literal(value: &str, span: Span) -> Self {
        let text = Text { value: value.to_owned(), span };
        Self::Evaluated(EvaluatedString {
            text,
            pieces: Vec::new(),
            written: None,
            cel: OnceCell::new(),
        })
    }

    /// The string, unless it is a constant.
    pub(crate) fn text(&self) -> Option<&Text> {
        match self {
            Self::Evaluated(evaluated) => Some(&evaluated.text),
            Self::Constant(_) => None,
        }
    }

    /// The string as CEL, which is parsed once; `None` if it is a constant.
    pub(crate) fn cel(&self) -> Option<&std::result::Result<Ast, Issues>> {
        let Self::Evaluated(EvaluatedString { text, cel, .. }) = self else { return None };
        Some(cel.get_or_init(|| Rc::new(crd_cel::syntax::parse(&text.value))))
    }

    /// The string as CEL, if it is free of syntax errors, which `check` reports.
    pub(crate) fn ast(&self) -> Option<&Ast> {
        self.cel()?.as_ref().ok()
    }

    /// The span of the expression.
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Evaluated(evaluated) => evaluated.text.span,
            Self::Constant(expr) => expr.span(),
        }
    }

    /// The span of the piece that holds the byte at an offset.
    pub(crate) fn span_at(&self, offset: usize) -> Span {
        let piece = self.pieces().iter().rev().find(|(start, _)| *start <= offset);
        piece.map_or_else(|| self.span(), |(_, span)| *span)
    }

    /// The span of the piece that holds an expression in it.
    pub(crate) fn span_of(&self, ast: &Ast, expr: ExprId) -> Span {
        let position = ast.positions.get(expr as usize).copied().flatten().unwrap_or(0);
        let text = self.text().map_or("", |text| text.value.as_str());
        let offset = text.char_indices().nth(position as usize).map_or(0, |(at, _)| at);
        self.span_at(offset)
    }

    /// The pieces of `concat!(..)`: the byte offset at which each begins, and its span. Empty for a string in one
    /// piece.
    pub(crate) fn pieces(&self) -> &[(usize, Span)] {
        match self {
            Self::Evaluated(evaluated) if evaluated.pieces.len() > 1 => &evaluated.pieces,
            Self::Evaluated(_) | Self::Constant(_) => &[],
        }
    }
}

impl FromMeta for StringExpr {
    fn from_meta(item: &Meta) -> Result<Self> {
        Self::parse(value_of(item)?)
    }
}

impl ToTokens for StringExpr {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Evaluated(EvaluatedString { written: Some(expr), .. }) | Self::Constant(expr) => {
                expr.to_tokens(tokens);
            }
            Self::Evaluated(EvaluatedString { text, .. }) => text.value.to_tokens(tokens),
        }
    }
}

/// The reason why the macro cannot evaluate a string.
enum ReadError {
    /// It is a constant, which only rustc can evaluate.
    Unknown,
    Error(Error),
}

/// Evaluates `concat!`, `stringify!` and `include_str!` as rustc does.
#[derive(Default)]
struct MacroEvaluator {
    value: String,
    pieces: Vec<(usize, Span)>,
    includes: bool,
}

impl MacroEvaluator {
    fn read(&mut self, expr: &Expr) -> std::result::Result<(), ReadError> {
        let expr = plain(expr);
        let Expr::Macro(mac) = expr else {
            let text = Text::of_literal(expr).ok_or(ReadError::Unknown)?;
            self.push(&text, span(expr));
            return Ok(());
        };
        let name = mac.mac.path.segments.last().map(|segment| segment.ident.to_string());
        match name.as_deref() {
            Some("concat") => {
                for part in Text::parts(mac).map_err(ReadError::Error)? {
                    self.read(&part)?;
                }
            }
            Some("stringify") => self.push(&mac.mac.tokens.to_string(), expr.span()),
            Some("include_str") => {
                let file = file_of(mac).ok_or(ReadError::Unknown)?;
                let text = std::fs::read_to_string(&file).map_err(|error| {
                    let message = format!("cannot read `{}`: {error}", file.display());
                    ReadError::Error(Error::custom(message).with_span(&mac.mac.tokens))
                })?;
                self.includes = true;
                self.push(&text, expr.span());
            }
            _ => return Err(ReadError::Unknown),
        }
        Ok(())
    }

    fn push(&mut self, text: &str, span: Span) {
        self.pieces.push((self.value.len(), span));
        self.value.push_str(text);
    }
}

/// The file of `include_str!("..")`, relative to the source file; `None` if the source file is unknown, as in some
/// editors.
fn file_of(mac: &syn::ExprMacro) -> Option<PathBuf> {
    let path: Expr = mac.mac.parse_body().ok()?;
    let path = PathBuf::from(Text::of_literal(plain(&path))?);
    if path.is_absolute() {
        return Some(path);
    }
    let span = mac.mac.path.segments.last()?.ident.span();
    let source = span.unwrap().local_file()?;
    Some(source.parent()?.join(path))
}

/// A bound as a number of Rust's type `ty`, with errors at the bound.
pub(crate) fn as_number<T: ToTokens>(bound: &SpannedValue<Constant<T>>, ty: &str) -> TokenStream {
    match &**bound {
        Constant::Literal(value) => {
            let ty = Ident::new(ty, Span::call_site());
            quote!(#value as #ty)
        }
        Constant::Expr(expr) => {
            let ty = Ident::new(ty, expr.span());
            match plain(expr) {
                Expr::Path(_)
                | Expr::Macro(_)
                | Expr::Call(_)
                | Expr::MethodCall(_)
                | Expr::Paren(_) => {
                    quote_spanned!(expr.span()=> #expr as #ty)
                }
                _ => quote_spanned!(expr.span()=> (#expr) as #ty),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn string(text: &str) -> Result<StringExpr> {
        StringExpr::parse(&syn::parse_str(text).expect("an expression"))
    }

    #[test]
    fn texts_are_put_together_as_rustc_does() {
        let string = string(r#"concat!("a", stringify!(b > c), concat!("d", "e"))"#).expect("seen");
        assert_eq!(string.text().map(|text| text.value.as_str()), Some("ab > cde"));
        let starts: Vec<_> = string.pieces().iter().map(|(start, _)| *start).collect();
        assert_eq!(starts, [0, 1, 6, 7]);
    }

    #[test]
    fn expressions_that_only_rustc_evaluates_are_constants() {
        for text in ["RULE", "Self::RULE", "a_rule!()", r#"concat!("a", b!())"#] {
            assert!(matches!(string(text), Ok(StringExpr::Constant(_))), "{text}");
        }
        assert!(string("5").is_err());
        assert!(string("a + b").is_err());
    }

    #[test]
    fn bounds_are_cast() {
        let cast = |text: &str| {
            let bound =
                Bound::from_meta(&syn::parse_str(&format!("minimum = {text}")).expect("a key"));
            as_number(&bound.expect("a bound"), "f64").to_string()
        };
        assert_eq!(cast("5"), "5i128 as f64");
        assert_eq!(cast("0.5"), "0.5f64 as f64");
        for text in ["MAX", "max ! ()", "max ()", "a . max ()", "(1 + 2)"] {
            assert_eq!(cast(text), format!("{text} as f64"));
        }
        assert_eq!(cast("1 << 2"), "(1 << 2) as f64");
    }

    #[test]
    fn files_are_read() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
        let text = string(&format!("include_str!({path:?})")).expect("a file");
        let want = std::fs::read_to_string(path).expect("a file");
        assert_eq!(text.text().map(|text| &text.value), Some(&want));
    }
}
