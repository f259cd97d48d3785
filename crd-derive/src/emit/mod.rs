//! Writes the model as tokens: impls whose bodies call into `crd_runtime::__private`.
//!
//! They are in a constant, in which names of the runtime begin with `__`. The most frequent ones have no path: rustc takes
//! some time for each token.
//!
//! ```ignore
//! const _: () = {
//!     use ::crd_runtime::__private::names::*;
//!     impl __CrdSchema for Port { .. }
//! };
//! ```

mod apply;
mod asserts;
mod cel;
mod client;
mod columns;
mod constants;
mod constraints;
mod definition;
mod definition_test;
mod fallback;
mod field_schema;
mod fields;
mod finite;
mod generics;
mod paths;
mod resource;
mod root;
mod rules;
mod schema;
mod shape;
mod tables;
mod warnings;

pub(crate) use constraints::is_empty;
pub(crate) use fallback::emit as fallback;
pub(crate) use warnings::of_field as warnings_of;

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};

use crate::model::{Constraints, Model};
use crate::types;

/// The whole expansion of a derive.
pub(crate) fn emit(model: &Model) -> TokenStream {
    if let Some(kind) = model.kind.as_ref().filter(|kind| kind.schema.is_some()) {
        return resource::without_schema(model, kind);
    }
    let Model { krate, lints, .. } = model;
    let schema = schema::emit(model);
    let resource = model.kind.as_ref().map(|kind| resource::emit(model, kind));
    let (root, impls) = model.kind.as_ref().and_then(|kind| root::emit(model, kind)).unzip();
    let (apply, applied) = (apply::implementation(model), apply::types(model));
    let client = client::emit(model);
    let warnings = warnings::of_fields(model);
    let test = definition_test::emit(model);
    let has_casts = model.all_constraints().into_iter().any(Constraints::has_constant_bound);
    let casts = has_casts.then(|| {
        // Bounds that are constants of Rust are cast to the types of the schema.
        quote! {
            #[allow(
                clippy::as_conversions,
                clippy::cast_lossless,
                clippy::cast_possible_truncation,
                clippy::cast_possible_wrap,
                clippy::cast_precision_loss,
                clippy::cast_sign_loss,
                trivial_numeric_casts
            )]
        }
    });
    let import = quote!(use #krate::__private::names::*;);
    let items = [Some(import), Some(schema), resource, impls, apply, Some(client)];
    let items = Group::new(Delimiter::Brace, items.into_iter().flatten().collect());
    quote! {
        #lints
        #casts
        const _: () = #items;
        #root #applied #warnings #test
    }
}

/// The path by which the schema of a field's type is used, such as `Of::<T>` of `Of::<T>::SHAPE`.
///
/// A type without a schema has `Of::<T>::SHAPE` too, so that the missing schema is the only error (`schema.rs`). In a
/// type with parameters the trait is used directly, because its bounds are checked.
fn of(model: &Model, ty: &syn::Type) -> TokenStream {
    if model.generics.params.is_empty() {
        quote_spanned!(types::span(ty)=> __Of::<#ty>)
    } else {
        quote_spanned!(types::span(ty)=> <#ty as __CrdSchema>)
    }
}

/// The path of the constants of a type inside this one, for tables that refer to those of other types.
///
/// While rustc evaluates the table of a type, it evaluates those of the types in it. A query for each `Of` would halve
/// the number of types that can be nested in each other before `recursion_limit`, so a type without containers is named
/// itself. If it has no schema, rustc reports the same error at the same place as for the constant in `schema.rs`, and
/// shows it once.
fn part_of(model: &Model, ty: &syn::Type) -> TokenStream {
    if std::ptr::eq(types::part(ty), ty) && !types::is_scalar(ty) {
        quote_spanned!(types::span(ty)=> <#ty as __CrdSchema>)
    } else {
        of(model, ty)
    }
}

/// Whether the tables of a type are statics, which rustc evaluates and walks once, wherever they are used. Those of a
/// type with parameters are constants.
fn has_statics(model: &Model) -> bool {
    model.generics.params.is_empty()
}

/// The names of constants whose evaluation is a check, each with how many constants have it. rustc shows the name in the
/// label of an error, so it says what is checked: ``evaluation of `_::__LIST_MAP_KEY` failed here``.
#[derive(Default)]
struct CheckNames(BTreeMap<String, usize>);

impl CheckNames {
    /// `const __LIST_MAP_KEY: () = ..;`
    fn constant(&mut self, name: &str, span: Span, check: &TokenStream) -> TokenStream {
        let count = self.0.entry(name.to_uppercase()).or_default();
        *count += 1;
        let number = if *count > 1 { format!("_{count}") } else { String::new() };
        let name = format_ident!("__{}{number}", name.to_uppercase());
        quote_spanned!(span=> const #name: () = #check;)
    }
}

/// A member, with its comma, for the file and line of a type inside a kind, which are a static of their own.
fn place(model: &Model) -> Option<TokenStream> {
    (model.kind.is_none() && has_statics(model)).then(|| quote!(place: &__PLACE,))
}

/// The static of [`place`].
fn place_of(model: &Model) -> Option<TokenStream> {
    place(model)?;
    let line = quote_spanned!(model.ident.span()=> __line!());
    Some(quote!(
        static __PLACE: &str = ::core::concat!(::core::file!(), ":", #line);
    ))
}

/// The same tokens with another span: rustc reports an error in a call at the span of its first token.
fn at(span: Span, tokens: &TokenStream) -> TokenStream {
    let respan = |mut token: TokenTree| {
        token.set_span(span);
        token
    };
    tokens.clone().into_iter().map(respan).collect()
}
