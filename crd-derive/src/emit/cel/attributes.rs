//! Applies attributes, such as `format`, to the declaration of a type.

use proc_macro2::TokenStream;
use quote::quote;

use crate::literal::{Exprs, Value};
use crate::model::Constraints;

/// The declaration `base`, changed by attributes.
pub(super) fn changed(base: TokenStream, constraints: &Constraints) -> TokenStream {
    let mut tokens = base;
    if constraints.int_or_string.is_some() {
        tokens = quote!(__Declared::Dyn);
    }
    if constraints.embedded_resource.is_some() {
        tokens = quote!(#tokens.embedded_resource(&const { __Object {
            name: "resource",
            fields: &[
                __Field { name: "", of: &__Declared::RESOURCE },
                __Field { name: "", of: &const { #tokens } },
            ],
        } }));
    }
    if let Some(format) = &constraints.format {
        let format = &format.value;
        tokens = quote!(#tokens.with_format(#format));
    }
    for inner in constraints.nested().filter(|inner| inner.change_declaration()) {
        let changed = changed(quote!(#tokens.inner()), inner);
        tokens = quote!(#tokens.with_inner(&const { #changed }));
    }
    if let Some(texts) = constraints.enum_values.as_ref().and_then(|values| texts(values)) {
        tokens = quote!(#tokens.with_values_of(&[#(#texts),*]));
    }
    tokens
}

/// Returns the values if all of them are literal strings.
fn texts(values: &Exprs) -> Option<Vec<String>> {
    values.0.iter().map(|value| Value(value.clone()).as_text()).collect()
}
