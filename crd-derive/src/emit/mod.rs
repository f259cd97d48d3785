//! Writes the model as tokens: impls whose bodies call into `crd_runtime::__private`.

mod api_version;
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
mod finite;
mod generics;
mod old_self;
mod paths;
mod resource;
mod root;
mod rules;
mod schema;
mod shape;
mod status;
mod warnings;

pub(crate) use warnings::of_field as warnings_of;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{DeriveInput, parse_quote};

use crate::attr::Derive;
use crate::model::{Model, Root};

/// The whole expansion of a derive.
pub(crate) fn emit(model: &Model) -> TokenStream {
    if let Some(kind) = model.kind.as_ref().filter(|kind| !kind.has_schema) {
        return resource::without_schema(model, kind);
    }
    let schema = schema::emit(model);
    let kind = model.kind.as_ref().map(|kind| resource::emit(model, kind));
    let apply = apply::emit(model);
    let client = client::emit(model);
    let warnings = warnings::of_fields(model);
    let test = definition_test::emit(model);
    quote!(#schema #kind #apply #client #warnings #test)
}

/// The types of `apply`, emitted after an error too, because other code uses them.
pub(crate) fn fallback_apply(model: &Model) -> TokenStream {
    let spec_is_root = model
        .kind
        .as_ref()
        .is_some_and(|kind| matches!(&kind.root, Root::Generated(root) if *root == model.ident));
    if model.apply.is_none() || spec_is_root || model.generics.lifetimes().next().is_some() {
        return TokenStream::new();
    }
    apply::emit(model)
}

/// Stub implementations, emitted with errors so that rustc reports no missing impls as well.
pub(crate) fn fallback(input: &DeriveInput, derive: Derive) -> TokenStream {
    let path = find_crate(input);
    let krate = quote!(#path);
    // The impl has no further bounds, so that rustc reports no missing ones.
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    let ident = &input.ident;
    let kind = match derive {
        Derive::Schema => None,
        Derive::Kind => Some(fallback::kind(input, &path)),
    };
    quote! {
        #[automatically_derived]
        impl #impl_generics #krate::CrdSchema for #ident #type_generics #where_clause {
            fn schema() -> #krate::model::JsonSchemaProps {
                ::core::unreachable!()
            }
        }
        #kind
    }
}

/// The path of `#[crd(crate = path)]`, found even if other keys do not parse.
fn find_crate(input: &DeriveInput) -> syn::Path {
    let mut found = None;
    for attr in input.attrs.iter().filter(|attr| attr.path().is_ident("crd")) {
        let _ = attr.parse_nested_meta(|meta| {
            if meta.path.is_ident("crate") {
                found = Some(meta.value()?.parse()?);
            } else if meta.input.peek(syn::Token![=]) {
                meta.value()?.parse::<syn::Expr>()?;
            } else if !meta.input.peek(syn::Token![,]) {
                // Skips the parentheses of a key.
                meta.input.parse::<Option<TokenTree>>()?;
            }
            Ok(())
        });
    }
    found.unwrap_or_else(|| parse_quote!(::crd_runtime))
}

/// The path by which the schema of a field's type is used, such as `Of::<T>` of `Of::<T>::SHAPE`.
///
/// A type without a schema has `Of::<T>::SHAPE` too, so that the missing schema is the only error (`schema.rs`). In a
/// type with parameters the trait is used directly, because its bounds are checked.
fn of(model: &Model, ty: &syn::Type) -> TokenStream {
    let krate = &model.krate;
    if model.generics.params.is_empty() {
        quote_spanned!(ty.span()=> #krate::__private::Of::<#ty>)
    } else {
        quote_spanned!(ty.span()=> <#ty as #krate::CrdSchema>)
    }
}

/// The same tokens with another span: rustc reports an error in a call at the span of its first token.
fn at(span: Span, tokens: &TokenStream) -> TokenStream {
    let respan = |mut token: TokenTree| {
        token.set_span(span);
        token
    };
    tokens.clone().into_iter().map(respan).collect()
}
