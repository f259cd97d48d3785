//! The types inside a type, and bounds that fail for types that contain each other.

use quote::quote_spanned;

use crate::model::{Body, Model};
use crate::types;

/// Bounds that fail for types which contain each other, so that rustc reports the fields that close the cycle.
///
/// ```ignore
/// impl FiniteOrMarkedRecursive<true> for Folder where Entry: FiniteOrMarkedRecursive<{ Of::<Entry>::DERIVED }>
/// impl CrdSchema for Folder where Entry: FiniteOrMarkedRecursive<{ Of::<Entry>::DERIVED }>
/// ```
///
/// rustc gives up after 128 bounds, so a level of types that are nested in each other is only one of them.
pub(super) fn bounds(parts: &[&syn::Type]) -> Vec<syn::WherePredicate> {
    let bound = |ty| {
        let bound = quote_spanned! {types::span(ty)=>
            #ty: __FiniteOrMarkedRecursive<{ __Of::<#ty>::DERIVED }>
        };
        syn::parse_quote!(#bound)
    };
    parts.iter().copied().map(bound).collect()
}

/// Adds bounds to those of a type.
pub(super) fn with(generics: &syn::Generics, bounds: &[syn::WherePredicate]) -> syn::Generics {
    let mut generics = generics.clone();
    if !bounds.is_empty() {
        generics.make_where_clause().predicates.extend(bounds.iter().cloned());
    }
    generics
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
