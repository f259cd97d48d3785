//! `defaults = path::to::module`: values that the types of a crate share.
//!
//! A derive sees one type, and no file: what Cargo's manifest says would have to be read in each expansion, and rustc
//! would not expand again when it changes. A module is found by rustc, by editors and by `cargo doc`.

use darling::Error;
use darling::error::Accumulator;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprPath, Meta, Path, Token, parse_quote_spanned};

use super::Derive;
use crate::literal::plain;

type Metas = Punctuated<Meta, Token![,]>;

/// Replaces `defaults` on a type by the keys that it stands for, without those that the type has itself.
///
/// ```ignore
/// #[crd(defaults = crate::api, group = "example.com")]
/// #[crd(group = "example.com", crate = crate::api::crd_runtime, kubernetes = crate::api::KUBERNETES)]
/// ```
pub(crate) fn take_defaults(attrs: &mut [Attribute], derive: Derive, errors: &mut Accumulator) {
    let read = |attr: &Attribute| {
        let list = attr.meta.require_list().ok()?;
        Metas::parse_terminated.parse2(list.tokens.clone()).ok()
    };
    let mut attrs: Vec<_> = attrs.iter_mut().filter(|attr| attr.path().is_ident("crd")).collect();
    let own: Vec<Meta> = attrs.iter().filter_map(|attr| read(attr)).flatten().collect();
    let has = |key: &str| own.iter().any(|meta| meta.path().is_ident(key));
    if !has("defaults") {
        return;
    }
    let mut is_taken = false;
    for attr in &mut attrs {
        let Some(metas) = read(attr) else { continue };
        let mut kept = Metas::new();
        for meta in metas {
            if !meta.path().is_ident("defaults") {
                kept.push(meta);
            } else if is_taken {
                errors.push(Error::duplicate_field("defaults").with_span(&meta));
            } else {
                is_taken = true;
                match module(&meta) {
                    Ok(module) => kept
                        .extend(keys(&module, derive).into_iter().filter(|it| !has(&name_of(it)))),
                    Err(error) => errors.push(error),
                }
            }
        }
        if let Meta::List(list) = &mut attr.meta {
            list.tokens = quote::quote!(#kept);
        }
    }
}

fn name_of(meta: &Meta) -> String {
    meta.path().get_ident().map(ToString::to_string).unwrap_or_default()
}

/// The path of the module.
fn module(meta: &Meta) -> darling::Result<Path> {
    if let Meta::NameValue(pair) = meta
        && let Expr::Path(ExprPath { path, .. }) = plain(&pair.value)
    {
        return Ok(path.clone());
    }
    Err(Error::custom("write the path of a module: `defaults = crate::api`").with_span(meta))
}

/// The keys that the module has values of.
fn keys(module: &Path, derive: Derive) -> Vec<Meta> {
    let span = module.span();
    let mut keys = vec![parse_quote_spanned!(span=> crate = #module::crd_runtime)];
    if derive == Derive::Kind {
        keys.push(parse_quote_spanned!(span=> group = #module::GROUP));
        keys.push(parse_quote_spanned!(span=> kubernetes = #module::KUBERNETES));
    }
    keys
}
