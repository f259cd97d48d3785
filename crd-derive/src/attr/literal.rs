//! Values of attributes: strings, numbers, JSON values, lists, flags, paths, groups.

use std::fmt;

use darling::ast::NestedMeta;
use darling::util::SpannedValue;
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
    /// The string.
    pub value: String,
    /// Where it is written.
    pub span: Span,
}

impl Text {
    /// Reads an expression.
    pub(crate) fn parse(expr: &Expr) -> Result<Self> {
        let expr = plain(expr);
        let span = expr.span();
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

/// `bound = "T: Trait, U: Trait"`, as serde has it.
#[derive(Debug, Clone)]
pub(crate) struct Bounds(pub Vec<syn::WherePredicate>);

impl FromMeta for Bounds {
    fn from_meta(item: &Meta) -> Result<Self> {
        let expr = value_of(item)?;
        let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = plain(expr) else {
            let message = "expected bounds in a string, such as `bound = \"T: CrdSchema\"`";
            return Err(Error::custom(message).with_span(expr));
        };
        let bounds =
            text.parse_with(Punctuated::<syn::WherePredicate, Token![,]>::parse_terminated)?;
        Ok(Self(bounds.into_iter().collect()))
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
    /// The number as a schema holds it.
    #[expect(clippy::cast_precision_loss, reason = "a schema's bounds are doubles")]
    pub(crate) fn as_f64(self) -> f64 {
        match self {
            Self::Int(int) => int as f64,
            Self::Float(float) => float,
        }
    }

    /// The number as an integer, unless it has a fraction.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "an integer out of range equals none that callers compare it with"
    )]
    pub(crate) fn as_int(self) -> Option<i128> {
        match self {
            Self::Int(int) => Some(int),
            Self::Float(float) => (float.fract() == 0.0).then_some(float as i128),
        }
    }

    /// Reads an expression.
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

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(int) => int.fmt(f),
            // `Debug` writes a large number with an exponent.
            Self::Float(float) => fmt::Debug::fmt(float, f),
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

/// An expression that becomes a JSON value. Literals are checked by the macro; anything else is serialized at run time.
#[derive(Debug, Clone)]
pub(crate) struct Value(pub Expr);

impl FromMeta for Value {
    fn from_meta(item: &Meta) -> Result<Self> {
        value_of(item).map(|expr| Self(plain(expr).clone()))
    }
}

impl Value {
    /// The string of a string literal.
    pub(crate) fn as_text(&self) -> Option<String> {
        Text::parse(&self.0).ok().map(|text| text.value)
    }

    /// The number of a number literal.
    pub(crate) fn as_number(&self) -> Option<Number> {
        Number::parse(&self.0)
    }

    /// The value of a bool literal.
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

/// `key("a", "b")` or `key = "a"`.
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
pub(super) fn wrong_form(item: &Meta, form: &str) -> Error {
    let key = item.path().to_token_stream();
    Error::custom(format!("expected `{key}{form}`")).with_span(item.path())
}

/// `key`, or `key = true`.
pub(super) fn switch(item: &Meta) -> Result<Option<SpannedValue<bool>>> {
    SpannedValue::from_meta(item).map(Some).map_err(|_| {
        let key = item.path().to_token_stream();
        let message = format!("expected `{key}` or `{key} = false`");
        Error::custom(message).with_span(&value_span(item))
    })
}

/// `key = path::to::this`
pub(super) fn path(item: &Meta) -> Result<Option<SpannedValue<syn::Path>>> {
    let expr = plain(value_of(item)?);
    let path = match expr {
        Expr::Path(path) if path.qself.is_none() => Some(path.path.clone()),
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => text.parse().ok(),
        _ => None,
    };
    path.map(|path| Some(SpannedValue::new(path, expr.span())))
        .ok_or_else(|| Error::custom("expected a path, such as `module::name`").with_span(expr))
}

/// The value of a key with parentheses, such as `items(..)`.
pub(super) trait Group: FromMeta {
    /// An example of the part after the key, for errors.
    const FORM: &'static str;
}

/// `key(..)`
pub(super) fn group<T: Group>(item: &Meta) -> Result<SpannedValue<T>> {
    match item {
        Meta::List(_) => {
            SpannedValue::from_meta(item).map_err(|error| placed(error, item.path().span()))
        }
        _ => Err(wrong_form(item, T::FORM)),
    }
}

/// Errors, with a place where they have none: that of a key which is missing.
fn placed(error: Error, span: Span) -> Error {
    Error::multiple(error.flatten().into_iter().map(|error| error.with_span(&span)).collect())
}

/// `key(..)`, once.
pub(super) fn one_group<T: Group>(item: &Meta) -> Result<Option<SpannedValue<T>>> {
    group(item).map(Some)
}

/// `key(..)`, once, for a group that can contain itself.
pub(super) fn boxed_group<T: Group>(item: &Meta) -> Result<Option<Box<SpannedValue<T>>>> {
    group(item).map(|group| Some(Box::new(group)))
}

/// The span of a key's value, or else of the key.
fn value_span(item: &Meta) -> Span {
    match item {
        Meta::NameValue(pair) => pair.value.span(),
        _ => item.path().span(),
    }
}

/// Splits `(first, key = value, ..)` into a leading expression, if there is one, and the rest. `keys` are flags that
/// are not read as an expression.
pub(crate) fn positional(item: &Meta, keys: &[&str]) -> Result<(Option<Expr>, Vec<NestedMeta>)> {
    let list = match item {
        Meta::List(list) => list,
        Meta::NameValue(pair) => return Ok((Some(pair.value.clone()), Vec::new())),
        Meta::Path(_) => return Err(wrong_form(item, "(\"..\")")),
    };
    let parser = |input: syn::parse::ParseStream<'_>| {
        let first = if input.peek(Lit) || starts_with_expression(input, keys) {
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

/// Whether a macro call comes first, or a path that is not one of the keys.
fn starts_with_expression(input: syn::parse::ParseStream<'_>, keys: &[&str]) -> bool {
    let fork = input.fork();
    match fork.parse::<Expr>() {
        Ok(expr) => match plain(&expr) {
            Expr::Macro(_) => true,
            Expr::Path(path) => {
                !keys.iter().any(|key| path.path.is_ident(key))
                    && (fork.is_empty() || fork.peek(Token![,]))
            }
            _ => false,
        },
        Err(_) => false,
    }
}
