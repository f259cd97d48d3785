//! Writes the model as tokens: impls whose bodies call into `crd_runtime::__private`.

mod apply;
mod asserts;
mod cel;
mod client;
mod constants;
mod constraints;
mod fallback;
mod generics;
#[cfg(test)]
mod golden;
mod json;
mod old_self;
mod paths;
mod resource;
mod rules;
mod schema;
mod shape;

pub(crate) use constraints::chain;
pub(crate) use resource::is_derived;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{DeriveInput, parse_quote};

use crate::model::{Body, Derive, Field, Model, Root};
use crate::types::{self, Known};

/// Everything a derive expands to.
pub(crate) fn emit(model: &Model) -> TokenStream {
    let schema = schema::emit(model);
    let kind = model.kind.as_ref().map(|kind| resource::emit(model, kind));
    let apply = apply::emit(model);
    let client = client::emit(model);
    quote!(#schema #kind #apply #client)
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
    // Without further bounds, so that no code fails for a missing one.
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

/// The schema of a field that ends a recursive type.
enum Cut<'a> {
    List,
    Object,
    Any,
    /// An object if this type is a derived struct with fields, or else any JSON.
    Either(&'a syn::Type),
}

fn cut<'a>(field: &'a Field, model: &Model) -> Cut<'a> {
    match types::known(&field.ty) {
        Known::List => Cut::List,
        Known::Map => Cut::Object,
        _ if types::mentions(&field.ty, &model.ident) => match model.body {
            Body::Enum(_) => Cut::Any,
            _ => Cut::Object,
        },
        _ if model.generics.params.is_empty() => Cut::Either(types::held(&field.ty)),
        _ => Cut::Any,
    }
}

/// Whether the field's schema is not that of its type.
fn is_foreign(field: &Field, model: &Model) -> bool {
    field.with.is_some() || field.constraints.schema_with.is_some() || field.is_cut(&model.ident)
}

/// Whether a type is unrecognized, or a list or map of unrecognized types.
fn holds_types_of_users(ty: &syn::Type) -> bool {
    match types::known(ty) {
        Known::Unknown => true,
        Known::List | Known::Map => types::inner(ty).is_none_or(holds_types_of_users),
        _ => false,
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
