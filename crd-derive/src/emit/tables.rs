//! Which table of fields is of which object of a type.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::has_statics;
use crate::model::{Body, Model, Object};

/// The object of a struct, or those of the variants of an enum, each with the name of the variant.
pub(super) fn objects(model: &Model) -> Vec<(&Object, Option<&syn::Ident>)> {
    match &model.body {
        Body::Object(object) => vec![(object, None)],
        Body::Enum(data) => {
            let of_variants = data.variants.iter().filter_map(|variant| match &variant.body {
                Body::Object(object) if !variant.has_own_schema() => {
                    Some((object, Some(&variant.ident)))
                }
                _ => None,
            });
            of_variants.collect()
        }
        _ => Vec::new(),
    }
}

/// The table of an object of the type.
pub(super) fn table_of(model: &Model, object: &Object) -> TokenStream {
    let nth = objects(model).iter().position(|(it, _)| std::ptr::eq(*it, object));
    let nth = Literal::usize_unsuffixed(nth.unwrap_or_default());
    if has_statics(model) {
        quote!(__FIELDS[#nth])
    } else {
        quote!(<Self as __CrdSchema>::FIELDS[#nth])
    }
}
