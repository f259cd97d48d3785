//! Applies attributes, such as `max_length`, to the declaration of a type.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote};

use super::Emitter;
use crate::literal::{Constant, Exprs, Value, as_number};
use crate::model::Constraints;

impl Emitter<'_> {
    /// The declaration `base`, changed by attributes.
    pub(super) fn changed(&self, base: TokenStream, constraints: &Constraints) -> TokenStream {
        let mut tokens = base;
        if constraints.int_or_string.is_some() {
            tokens = self.declared_item("INT_OR_STRING");
        }
        if constraints.embedded_resource.is_some() {
            let cel = self.cel();
            tokens = quote!(#tokens.embedded_resource(&const { #cel::Object {
                name: "resource",
                fields: &[
                    #cel::Field { name: "", of: &#cel::Declared::RESOURCE, optional: false },
                    #cel::Field { name: "", of: &const { #tokens }, optional: false },
                ],
            } }));
        }
        if let Some(format) = &constraints.format {
            let format = &format.value;
            tokens = quote!(#tokens.with_format(#format));
        }
        for (inner, with) in
            [(&constraints.items, "with_items"), (&constraints.values, "with_values")]
        {
            let Some(inner) = inner else { continue };
            if inner.change_declaration() {
                let with = Ident::new(with, Span::call_site());
                let changed = self.changed(quote!(#tokens.inner()), inner);
                tokens = quote!(#tokens.#with(&const { #changed }));
            }
        }
        for (bound, with) in [
            (&constraints.max_length, "with_max_length"),
            (&constraints.max_items, "with_max_items"),
            (&constraints.max_properties, "with_max_properties"),
        ] {
            let Some(bound) = bound else { continue };
            let with = Ident::new(with, Span::call_site());
            let bound = match &**bound {
                Constant::Literal(bound) => u64::from(*bound).to_token_stream(),
                // A generic parameter has no name outside the impl. With 0, no estimate of a cost exceeds the server's;
                // `report_within` checks the rule with the value of the parameter.
                Constant::Expr(expr)
                    if self.concrete && self.mentions_a_parameter(quote!(#expr)) =>
                {
                    quote!(0)
                }
                Constant::Expr(_) => as_number(bound, "u64"),
            };
            tokens = quote!(#tokens.#with(#bound));
        }
        if let Some(values) = &constraints.enum_values {
            tokens = if let Some(texts) = texts(values) {
                quote!(#tokens.with_values_of(&[#(#texts),*]))
            } else {
                // The macro does not know the lengths of constants. With 0, no estimate of a cost exceeds the server's.
                quote!(#tokens.with_longest(0))
            };
        }
        tokens
    }
}

/// Returns the values if all of them are literal strings.
fn texts(values: &Exprs) -> Option<Vec<String>> {
    values.0.iter().map(|value| Value(value.clone()).as_text()).collect()
}
