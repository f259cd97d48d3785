//! Literals as attributes write them: text, numbers, JSON values, lists.

use darling::ast::NestedMeta;
use darling::{Error, FromMeta, Result};
use proc_macro2::Span;
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Lit, Meta, Token, UnOp};

use super::value_of;

/// A string literal, or `concat!(..)` of literals.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    /// What it says.
    pub value: String,
    /// Where it is written.
    pub span: Span,
}

impl Text {
    /// Reads an expression.
    pub(crate) fn parse(expr: &Expr) -> Result<Self> {
        let span = expr.span();
        match expr {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                Ok(Self { value: text.value(), span })
            }
            Expr::Group(group) => Self::parse(&group.expr),
            Expr::Macro(mac) if mac.mac.path.is_ident("concat") => {
                let parts = Punctuated::<Expr, Token![,]>::parse_terminated
                    .parse2(mac.mac.tokens.clone())?;
                let mut value = String::new();
                for part in &parts {
                    value.push_str(&Self::parse(part)?.value);
                }
                Ok(Self { value, span })
            }
            _ => Err(Error::custom("must be a string literal").with_span(expr)),
        }
    }
}

impl FromMeta for Text {
    fn from_meta(item: &Meta) -> Result<Self> {
        Self::parse(value_of(item)?)
    }
}

/// A number with its sign.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    /// No point, no exponent.
    Int(i128),
    /// Any other.
    Float(f64),
}

impl Number {
    /// The number as a schema holds it.
    #[expect(clippy::cast_precision_loss, reason = "a schema's bounds are doubles")]
    pub(crate) fn as_f64(self) -> f64 {
        match self {
            Self::Int(int) => int as f64,
            Self::Float(float) => float,
        }
    }

    /// Reads an expression.
    pub(crate) fn parse(expr: &Expr) -> Option<Self> {
        match expr {
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
            Expr::Group(group) => Self::parse(&group.expr),
            _ => None,
        }
    }
}

impl FromMeta for Number {
    fn from_meta(item: &Meta) -> Result<Self> {
        let expr = value_of(item)?;
        Self::parse(expr).ok_or_else(|| Error::custom("must be a number literal").with_span(expr))
    }
}

/// An expression that becomes a JSON value: literals are checked, the rest is serialized.
#[derive(Debug, Clone)]
pub(crate) struct Value(pub Expr);

impl FromMeta for Value {
    fn from_meta(item: &Meta) -> Result<Self> {
        value_of(item).map(|expr| Self(expr.clone()))
    }
}

impl Value {
    /// The text, where it is a string literal.
    pub(crate) fn as_text(&self) -> Option<String> {
        Text::parse(&self.0).ok().map(|text| text.value)
    }

    /// The number, where it is a number literal.
    pub(crate) fn as_number(&self) -> Option<Number> {
        Number::parse(&self.0)
    }

    /// The bool, where it is a bool literal.
    pub(crate) fn as_bool(&self) -> Option<bool> {
        match &self.0 {
            Expr::Lit(ExprLit { lit: Lit::Bool(bool), .. }) => Some(bool.value),
            _ => None,
        }
    }
}

/// `key(a, b)` or `key = [a, b]`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Exprs(pub Vec<Expr>);

impl FromMeta for Exprs {
    fn from_meta(item: &Meta) -> Result<Self> {
        match item {
            Meta::List(list) => {
                let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
                Ok(Self(list.parse_args_with(parser)?.into_iter().collect()))
            }
            Meta::NameValue(pair) => match &pair.value {
                Expr::Array(array) => Ok(Self(array.elems.iter().cloned().collect())),
                other => Ok(Self(vec![other.clone()])),
            },
            Meta::Path(path) => {
                let name = path.to_token_stream();
                Err(Error::custom(format!("needs values: `{name}(..)`")).with_span(path))
            }
        }
    }
}

/// `key("a", "b")` or `key = "a"`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Strings(pub Vec<Text>);

impl FromMeta for Strings {
    fn from_meta(item: &Meta) -> Result<Self> {
        let mut errors = Error::accumulator();
        let exprs = Exprs::from_meta(item)?.0;
        let texts =
            exprs.iter().filter_map(|expr| errors.handle(Text::parse(expr))).collect::<Vec<_>>();
        errors.finish_with(Self(texts))
    }
}

/// Splits `(first, key = value, ..)` into a leading expression, where there is one, and the rest.
pub(crate) fn positional(item: &Meta) -> Result<(Option<Expr>, Vec<NestedMeta>)> {
    let list = match item {
        Meta::List(list) => list,
        Meta::NameValue(pair) => return Ok((Some(pair.value.clone()), Vec::new())),
        Meta::Path(_) => return Err(Error::unsupported_format("word").with_span(item)),
    };
    let parser = |input: syn::parse::ParseStream<'_>| {
        let first = if input.peek(Lit) || (input.peek(syn::Ident) && input.peek2(Token![!])) {
            let expr: Expr = input.parse()?;
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
            Some(expr)
        } else {
            None
        };
        let rest: proc_macro2::TokenStream = input.parse()?;
        Ok((first, rest))
    };
    let (first, rest) = list.parse_args_with(parser)?;
    Ok((first, NestedMeta::parse_meta_list(rest)?))
}
