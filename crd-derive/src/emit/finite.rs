//! The types inside a type, and bounds that fail for types that contain each other.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use crate::model::{Body, Model};
use crate::types;

/// The `where` clause of a type, with bounds that fail for types which contain each other, so that rustc reports the
/// fields that close the cycle. The contents of a generic type are known only where it is used.
///
/// ```ignore
/// impl FiniteOrMarkedRecursive<true> for Folder where Entry: FiniteOrMarkedRecursive<{ Of::<Entry>::DERIVED }>
/// ```
///
/// rustc gives up after 128 bounds, so a level of types that are nested in each other is only one of them.
pub(super) fn bounded(model: &Model, parts: &[&syn::Type]) -> TokenStream {
    let own = &model.generics.where_clause;
    if !model.generics.params.is_empty() || parts.is_empty() {
        return quote!(#own);
    }
    let own = own.iter().flat_map(|clause| &clause.predicates);
    let bounds = parts.iter().map(|ty| {
        quote_spanned! {types::span(ty)=>
            #ty: __FiniteOrMarkedRecursive<{ __Of::<#ty>::DERIVED }>
        }
    });
    quote!(where #(#own,)* #(#bounds),*)
}

/// The types inside a type, without their containers: `Port` of a field of type `Vec<Port>`. Scalars such as
/// `String` are left out, and fields whose schema is not that of their type.
pub(super) fn parts(model: &Model) -> Vec<&syn::Type> {
    if let Body::Delegate(ty) = &model.body {
        return vec![ty];
    }
    let fields = model.body.fields_of_schema(usize::MAX).into_iter();
    let types =
        fields.filter(|field| !field.has_replaced_schema()).map(|field| types::part(&field.ty));
    types.filter(|part| !types::is_scalar(part)).collect()
}
