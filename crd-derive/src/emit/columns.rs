//! Printer columns.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::Column;

/// A `__private::Column`.
pub(crate) fn column_tokens(column: &Column) -> TokenStream {
    let Column { name, ty, path, description, format, priority, unchecked: _ } = column;
    let texts = [
        ("name", name),
        ("type_", ty),
        ("path", path),
        ("description", description),
        ("format", format),
    ];
    let texts = texts.into_iter().filter_map(|(key, text)| {
        let key = quote::format_ident!("{key}");
        let value = &text.as_ref()?.value;
        Some(quote!(#key: __p::Some(#value),))
    });
    let priority = priority.as_deref().map(|priority| quote!(priority: #priority,));
    quote! {
        __p::Column { #(#texts)* #priority ..__p::Column::NONE }
    }
}
