//! `CrdSchema::RULES`: the tree of the rules of a type and of the types inside it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::Writer;

/// The rules of a part of a type.
pub(super) struct Part {
    /// The name in `Rules::below`.
    pub(super) name: String,
    /// An expression of type `Rules`.
    pub(super) rules: TokenStream,
    /// Whether a kind must check the cost of some of the rules, because it depends on where the part is used.
    pub(super) counts: bool,
    pub(super) span: Span,
}

impl Writer<'_> {
    pub(super) fn tree(&self, own: &[Ident], below: &[Part]) -> Option<TokenStream> {
        let Self { krate, needs, variants, .. } = self;
        if own.is_empty() && below.is_empty() && needs.is_empty() && variants.is_empty() {
            return None;
        }
        // One literal that contains each list: lists in the base of a struct update would not live long enough.
        let needs = (!needs.is_empty()).then(|| quote!(needs: &[#(#needs),*],));
        let variants = (!variants.is_empty()).then(|| quote!(variants: &[#(&#variants),*],));
        let node = self.node_with(own, below, &quote!(#needs #variants));
        Some(quote!(const RULES: #krate::__private::cel::Rules = #node;))
    }

    pub(super) fn node(&self, own: &[Ident], below: &[Part]) -> TokenStream {
        self.node_with(own, below, &TokenStream::new())
    }

    /// A node of the tree; `fields` are tokens of its further fields.
    fn node_with(&self, own: &[Ident], below: &[Part], fields: &TokenStream) -> TokenStream {
        let (krate, of) = (self.krate, &self.of);
        let below = below.iter().map(|Part { name, rules, .. }| quote!((#name, &#rules)));
        quote! {
            #krate::__private::cel::Rules {
                of: #of, own: &[#(&#own),*], below: &[#(#below),*], #fields
                ..#krate::__private::cel::Rules::NONE
            }
        }
    }
}
