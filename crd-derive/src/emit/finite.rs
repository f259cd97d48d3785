//! The types inside a type, and bounds that fail for types that contain each other.

use quote::quote_spanned;
use syn::spanned::Spanned as _;

use crate::model::{Body, Field, Model};
use crate::types;

/// Adds bounds that fail for types which contain each other, so that rustc reports the fields that close the cycle.
///
/// ```ignore
/// impl FiniteOrMarkedRecursive<true> for Folder where Entry: FiniteOrMarkedRecursive<{ Of::<Entry>::DERIVED }>
/// impl CrdSchema for Folder where Entry: FiniteOrMarkedRecursive<{ Of::<Entry>::DERIVED }>
/// ```
///
/// rustc gives up after 128 bounds, so a level of types that are nested in each other is only one of them.
pub(super) fn finite(model: &Model, generics: &mut syn::Generics) {
    // The contents of a generic type are known only where it is used.
    if !model.generics.params.is_empty() || model.constraints.schema_with.is_some() {
        return;
    }
    for ty in parts(model) {
        let bound = quote_spanned! {ty.span()=>
            #ty: __s::FiniteOrMarkedRecursive<{ __p::Of::<#ty>::DERIVED }>
        };
        generics.make_where_clause().predicates.push(syn::parse_quote!(#bound));
    }
}

/// The types inside a type, without their containers: `Port` of a field of type `Vec<Port>`. Scalars such as
/// `String` are left out, and fields whose schema is not that of their type.
pub(super) fn parts(model: &Model) -> Vec<&syn::Type> {
    let mut parts = Vec::new();
    types_of(&model.body, &mut parts);
    parts
}

fn types_of<'a>(body: &'a Body, into: &mut Vec<&'a syn::Type>) {
    let mut add = |field: &'a Field| {
        let part = types::part(&field.ty);
        if !field.has_replaced_schema() && !types::is_scalar(part) {
            into.push(part);
        }
    };
    match body {
        Body::Object(object) => object.fields.iter().for_each(add),
        Body::Transparent(field) => add(field),
        Body::Tuple(fields) => fields.iter().for_each(add),
        Body::Enum(data) => {
            let variants = data.variants.iter().filter(|variant| !variant.has_own_schema());
            for variant in variants {
                types_of(&variant.body, into);
            }
        }
        Body::Delegate(ty) => into.push(ty),
        Body::Unit => {}
    }
}
