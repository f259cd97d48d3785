//! The values of keys in attributes: strings, numbers, JSON values, lists of these, and constants of
//! Rust.

mod constant;
mod json;

use darling::{Error, FromMeta, Result};
use proc_macro2::Span;
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Lit, Meta, Token, UnOp};

pub(crate) use constant::{Bound, Constant, Count, StringExpr, as_number};
pub(crate) use json::Json;

/// A string literal, `concat!(..)` of such, or `stringify!(..)`.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    /// The string.
    pub value: String,
    /// The span of the expression.
    pub span: Span,
}

impl Text {
    /// Reads an expression of one of these forms. An expression of another form is an error at its
    /// tokens.
    pub(crate) fn parse(expr: &Expr) -> Result<Self> {
        let expr = plain(expr);
        let span = span(expr);
        match expr {
            Expr::Macro(mac) if mac.mac.path.is_ident("concat") => {
                let mut value = String::new();
                for part in Self::parts(mac)? {
                    value.push_str(&Self::parse(&part)?.value);
                }
                Ok(Self { value, span })
            }
            Expr::Macro(mac) if mac.mac.path.is_ident("stringify") => {
                Ok(Self { value: mac.mac.tokens.to_string(), span })
            }
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                Ok(Self { value: text.value(), span })
            }
            Expr::Path(_) | Expr::Macro(_) => {
                let message =
                    "expected a string literal: a derive macro cannot read the value of a constant";
                Err(Error::custom(message).with_span(expr))
            }
            _ => Err(Error::custom("expected a string literal").with_span(expr)),
        }
    }

    /// The text of a string literal.
    pub(super) fn of_literal(expr: &Expr) -> Option<String> {
        match expr {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        }
    }

    /// The arguments of `concat!(..)`.
    pub(super) fn parts(mac: &syn::ExprMacro) -> Result<Vec<Expr>> {
        let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
        Ok(parser.parse2(mac.mac.tokens.clone())?.into_iter().collect())
    }
}

impl FromMeta for Text {
    fn from_meta(item: &Meta) -> Result<Self> {
        Self::parse(value_of(item)?)
    }
}

/// The span of an expression. As `Spanned::span`, which writes the tokens even of a literal.
fn span(expr: &Expr) -> Span {
    match expr {
        Expr::Lit(literal) => literal.lit.span(),
        _ => expr.span(),
    }
}

/// An expression without the invisible group that a `macro_rules` variable puts around it.
pub(crate) fn plain(mut expr: &Expr) -> &Expr {
    while let Expr::Group(group) = expr {
        expr = &group.expr;
    }
    expr
}

/// A number with its sign.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    /// Without a decimal point or exponent.
    Int(i128),
    /// With a decimal point or exponent.
    Float(f64),
}

impl Number {
    /// The number as a double, the type of bounds in a schema.
    #[expect(clippy::cast_precision_loss, reason = "a schema's bounds are doubles")]
    pub(crate) fn as_f64(self) -> f64 {
        match self {
            Self::Int(int) => int as f64,
            Self::Float(float) => float,
        }
    }

    /// Reads a number literal, with `-` or without; `None` for any other expression.
    pub(crate) fn parse(expr: &Expr) -> Option<Self> {
        match plain(expr) {
            Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => int.base10_parse().ok().map(Self::Int),
            Expr::Lit(ExprLit { lit: Lit::Float(float), .. }) => {
                float.base10_parse().ok().filter(|float: &f64| float.is_finite()).map(Self::Float)
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                Self::parse(&unary.expr).map(|number| match number {
                    Self::Int(int) => Self::Int(-int),
                    Self::Float(float) => Self::Float(-float),
                })
            }
            _ => None,
        }
    }
}

impl ToTokens for Number {
    fn to_tokens(&self, tokens: &mut proc_macro2::TokenStream) {
        match self {
            Self::Int(int) => int.to_tokens(tokens),
            Self::Float(float) => float.to_tokens(tokens),
        }
    }
}

/// An expression that becomes a JSON value. Literals are checked by the macro; anything else is
/// serialized at run time.
#[derive(Debug, Clone)]
pub(crate) struct Value(pub Expr);

impl FromMeta for Value {
    fn from_meta(item: &Meta) -> Result<Self> {
        value_of(item).map(|expr| Self(plain(expr).clone()))
    }
}

impl Value {
    /// The string, if the expression is one that [`Text`] reads.
    pub(crate) fn as_text(&self) -> Option<String> {
        Text::parse(&self.0).ok().map(|text| text.value)
    }

    /// The number of a number literal.
    pub(crate) fn as_number(&self) -> Option<Number> {
        Number::parse(&self.0)
    }

    /// A text that is equal for equal values, however they are written: `1`, `0x1` and `1.0`, or `"a"` and `r"a"`. Of an
    /// expression that is no scalar, its tokens.
    pub(crate) fn canonical(&self) -> String {
        if let Some(text) = self.as_text() {
            return format!("{text:?}");
        }
        match self.as_number() {
            Some(Number::Int(int)) => int.to_string(),
            // Without `.0` if it is whole, like the text of an integer.
            Some(Number::Float(float)) => float.to_string(),
            None => self.0.to_token_stream().to_string(),
        }
    }

    /// Whether it is a literal string, number or bool.
    pub(crate) fn is_scalar(&self) -> bool {
        self.as_text().is_some() || self.as_number().is_some() || self.as_bool().is_some()
    }

    /// The value of a bool literal.
    pub(crate) fn as_bool(&self) -> Option<bool> {
        match &self.0 {
            Expr::Lit(ExprLit { lit: Lit::Bool(bool), .. }) => Some(bool.value),
            _ => None,
        }
    }
}

/// `key(a, b)`, `key = [a, b]` or `key = a`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Exprs(pub Vec<Expr>);

impl FromMeta for Exprs {
    fn from_meta(item: &Meta) -> Result<Self> {
        let exprs: Vec<Expr> = match item {
            Meta::List(list) => {
                let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
                list.parse_args_with(parser)?.into_iter().collect()
            }
            Meta::NameValue(pair) => match plain(&pair.value) {
                Expr::Array(array) => array.elems.iter().cloned().collect(),
                other => vec![other.clone()],
            },
            Meta::Path(_) => Vec::new(),
        };
        if exprs.is_empty() {
            return Err(wrong_form(item, "(..)"));
        }
        Ok(Self(exprs.iter().map(|expr| plain(expr).clone()).collect()))
    }
}

/// `key("a", "b")`, `key = ["a", "b"]` or `key = "a"`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Strings(pub Vec<Text>);

impl FromMeta for Strings {
    fn from_meta(item: &Meta) -> Result<Self> {
        let exprs = Exprs::from_meta(item)?.0;
        let mut errors = Error::accumulator();
        let texts =
            exprs.iter().filter_map(|expr| errors.handle(Text::parse(expr))).collect::<Vec<_>>();
        errors.finish_with(Self(texts))
    }
}

/// The error for a key in the wrong form, such as `pattern("..")` for `pattern = ".."`.
pub(crate) fn wrong_form(item: &Meta, form: &str) -> Error {
    let key = item.path().to_token_stream();
    Error::custom(format!("expected `{key}{form}`")).with_span(item.path())
}

/// The expression of `key = expr`. The content of a string literal is not parsed.
pub(crate) fn value_of(meta: &Meta) -> Result<&Expr> {
    match meta {
        Meta::NameValue(pair) => Ok(&pair.value),
        Meta::Path(_) | Meta::List(_) => Err(wrong_form(meta, " = ..")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_literals_and_calls_of_macros_with_literals() {
        let text = |text: &str| {
            let read = Text::parse(&syn::parse_str(text).expect("an expression"));
            read.map(|text| text.value).map_err(|error| error.to_string())
        };
        assert_eq!(text(r#""a""#), Ok("a".to_owned()));
        assert_eq!(text(r#"concat!("a", stringify!(b > c))"#), Ok("ab > c".to_owned()));
        for constant in ["A", "a!()", r#"concat!("a", b!())"#] {
            let message = text(constant).expect_err(constant);
            assert!(message.contains("cannot read the value of a constant"), "{message}");
        }
        assert_eq!(text("5").expect_err("a number"), "expected a string literal");
    }

    #[test]
    fn only_literals_have_values() {
        let value = |text: &str| {
            let value = Value(syn::parse_str(text).expect("an expression"));
            (value.as_number(), value.as_bool())
        };
        assert_eq!(value("-5"), (Some(Number::Int(-5)), None));
        assert_eq!(value("-0.5"), (Some(Number::Float(-0.5)), None));
        assert_eq!(value("true"), (None, Some(true)));
        for other in ["!5", "*5", "!true", "\"true\"", "A", "5 + 5"] {
            assert_eq!(value(other), (None, None), "{other}");
        }
    }
}
