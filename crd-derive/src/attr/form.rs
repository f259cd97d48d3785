//! Forms that the value of a key can have: flags, paths, groups, and lists that begin with an expression.

use darling::ast::NestedMeta;
use darling::util::{Override, SpannedValue};
use darling::{Error, FromMeta, Result};
use proc_macro2::{Span, TokenTree};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, ExprPath, Lit, Meta, Token, TypePath};

use super::prepare::type_in;
use crate::literal::{plain, value_of, wrong_form};

/// `bound = "T: Trait, U: Trait"`, in the syntax of serde's `bound`.
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

/// Reads `key`, `key = true` or `key = false`.
pub(super) fn switch(item: &Meta) -> Result<Option<SpannedValue<bool>>> {
    SpannedValue::from_meta(item).map(Some).map_err(|_| {
        let key = item.path().to_token_stream();
        let message = format!("expected `{key}` or `{key} = false`");
        Error::custom(message).with_span(&value_span(item))
    })
}

/// The span of a flag that is on.
pub(crate) fn on(flag: Option<&SpannedValue<bool>>) -> Option<Span> {
    flag.filter(|flag| ***flag).map(SpannedValue::span)
}

/// Reads the place of a flag that is on.
pub(super) fn flag(item: &Meta) -> Result<Option<Span>> {
    Ok(on(switch(item)?.as_ref()))
}

/// Reads the place of a flag, on or off.
pub(super) fn place(item: &Meta) -> Result<Option<Span>> {
    Ok(switch(item)?.as_ref().map(SpannedValue::span))
}

/// Reads `key = path::to::this` or `key = "path::to::this"`.
pub(super) fn path(item: &Meta) -> Result<Option<SpannedValue<syn::Path>>> {
    let (path, span) = path_of(item)?;
    if path.qself.is_some() {
        return Err(no_path(span));
    }
    Ok(Some(SpannedValue::new(path.path, span)))
}

/// The path in `key = path` or `key = "path"`, and the place of the value.
fn path_of(item: &Meta) -> Result<(ExprPath, Span)> {
    let expr = plain(value_of(item)?);
    let path = match expr {
        Expr::Path(path) => Some(path.clone()),
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => text.parse().ok(),
        expr => {
            let path = syn::parse2::<TypePath>(type_in(expr)).ok();
            path.map(|TypePath { attrs, qself, path }| ExprPath { attrs, qself, path })
        }
    };
    path.map(|path| (path, expr.span())).ok_or_else(|| no_path(expr.span()))
}

fn no_path(span: Span) -> Error {
    Error::custom("expected a path, such as `module::name`").with_span(&span)
}

/// Reads `key = Type`.
pub(super) fn ty(item: &Meta) -> Result<Option<SpannedValue<syn::Type>>> {
    let expr = plain(value_of(item)?);
    if let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = expr {
        let message = format!("write the type without quotes: `{}`", text.value());
        return Err(Error::custom(message).with_span(expr));
    }
    let ty = syn::parse2(type_in(expr));
    ty.map(|ty| Some(SpannedValue::new(ty, expr.span())))
        .map_err(|_| Error::custom("expected a type, such as `Vec<String>`").with_span(expr))
}

/// Reads `key`, `key = path::to::this`, `key = <Type as Trait>::this` or `key = "path::to::this"`.
pub(super) fn function(item: &Meta) -> Result<Option<SpannedValue<Override<ExprPath>>>> {
    if let Meta::Path(path) = item {
        return Ok(Some(SpannedValue::new(Override::Inherit, path.span())));
    }
    let (path, span) = path_of(item)?;
    Ok(Some(SpannedValue::new(Override::Explicit(path), span)))
}

/// The value of a key with parentheses, such as `items(..)`.
pub(super) trait Group: FromMeta {
    /// An example of the part after the key, for errors.
    const FORM: &'static str;
}

/// Reads `key(..)`, for a key that is required or can be repeated.
pub(super) fn group<T: Group>(item: &Meta) -> Result<SpannedValue<T>> {
    match item {
        Meta::List(_) => SpannedValue::from_meta(item)
            .map_err(|error| with_default_span(error, item.path().span())),
        _ => Err(wrong_form(item, T::FORM)),
    }
}

/// Sets the span of errors that have none, such as that of a missing key.
fn with_default_span(error: Error, span: Span) -> Error {
    Error::multiple(error.flatten().into_iter().map(|error| error.with_span(&span)).collect())
}

/// Reads `key(..)`, for an optional key.
pub(super) fn one_group<T: Group>(item: &Meta) -> Result<Option<SpannedValue<T>>> {
    group(item).map(Some)
}

/// As [`one_group`], for a group that can contain itself, such as `items(items(..))`.
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

/// Splits `(first, key = value, ..)` into a leading expression, if there is one, and the rest. `keys` are flags: a
/// leading one belongs to the rest, although it has the form of a path.
pub(crate) fn positional(item: &Meta, keys: &[&str]) -> Result<(Option<Expr>, Vec<NestedMeta>)> {
    let list = match item {
        Meta::List(list) => list,
        Meta::NameValue(pair) => return Ok((Some(pair.value.clone()), Vec::new())),
        Meta::Path(_) => return Err(wrong_form(item, "(\"..\")")),
    };
    if let Some(literal) = only_literal(list) {
        return Ok((Some(literal), Vec::new()));
    }
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

/// The literal in `key("..")`, the usual form, which is read without a parser.
fn only_literal(list: &syn::MetaList) -> Option<Expr> {
    let mut tokens = list.tokens.clone().into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Literal(literal)), None) => {
            let lit = Lit::new(literal);
            Some(Expr::Lit(ExprLit { attrs: Vec::new(), lit }))
        }
        _ => None,
    }
}

/// Whether a call comes first, or a path that is not one of the keys.
fn starts_with_expression(input: syn::parse::ParseStream<'_>, keys: &[&str]) -> bool {
    let fork = input.fork();
    match fork.parse::<Expr>() {
        Ok(expr) => match plain(&expr) {
            Expr::Macro(_) | Expr::MethodCall(_) => true,
            // A key is one word, and has a value.
            Expr::Call(call) => {
                matches!(&*call.func, Expr::Path(path) if path.path.segments.len() > 1)
                    || call.args.is_empty()
            }
            Expr::Path(path) => {
                !keys.iter().any(|key| path.path.is_ident(key))
                    && (fork.is_empty() || fork.peek(Token![,]))
            }
            _ => false,
        },
        Err(_) => false,
    }
}
