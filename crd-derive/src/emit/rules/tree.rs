//! `CrdSchema::RULES`: the tree of the rules of a type and of the types inside it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::Writer;
use crate::emit::of;
use crate::model::{Constraints, Field, Presence};

/// The rules of a part of a type.
pub(super) struct Part {
    /// The name in `Rules::below`.
    pub(super) name: String,
    /// An expression of type `Rules`.
    pub(super) rules: TokenStream,
    /// Whether a kind must check the cost of some of the rules, because it depends on where the part is used.
    pub(super) kind_checks_cost: bool,
    pub(super) span: Span,
}

impl Writer<'_> {
    pub(super) fn tree(&self, own: &[Ident], below: &[Part]) -> Option<TokenStream> {
        let Self { krate, needs, variants, .. } = self;
        let model = self.types.model;
        let has_rules_outside_tree =
            self.has_rules_outside_tree(&model.constraints, model.body.fields());
        if own.is_empty()
            && below.is_empty()
            && needs.is_empty()
            && variants.is_empty()
            && has_rules_outside_tree.is_none()
        {
            return None;
        }
        // One literal that contains each list: lists in the base of a struct update would not live long enough.
        let needs = (!needs.is_empty()).then(|| quote!(needs: &[#(#needs),*],));
        let merged = self.types.model.body.is_merged();
        let variants =
            (!variants.is_empty()).then(|| quote!(variants: &[#(&#variants),*], merged: #merged,));
        let others = has_rules_outside_tree.map(|has| quote!(others: #has,));
        let node = self.node_with(own, below, &quote!(#needs #variants #others));
        Some(quote!(const RULES: #krate::__private::cel::Rules = #node;))
    }

    pub(super) fn node(&self, own: &[Ident], below: &[Part]) -> TokenStream {
        self.node_with(own, below, &TokenStream::new())
    }

    /// The node of a variant's content or field with the declaration `at`.
    pub(super) fn node_at(&self, at: &TokenStream, below: &[Part]) -> TokenStream {
        self.node_with(&[], below, &quote!(at: Some(&const { #at }),))
    }

    /// An expression of type `bool`: whether the schema of a value with these fields has rules whose text is not known
    /// here, or rules of attributes other than `rule`. `None` if it has none.
    pub(super) fn has_rules_outside_tree(
        &self,
        constraints: &Constraints,
        fields: &[Field],
    ) -> Option<TokenStream> {
        if constraints_have_rules_outside_tree(constraints) {
            return Some(quote!(true));
        }
        let mut of_types = Vec::new();
        // For an immutable field that objects may omit, the object has a rule that the field cannot be removed.
        for field in fields.iter().filter(|field| field.constraints.immutable.is_some()) {
            match field.presence() {
                _ if field.flatten => {}
                Presence::Required if field.constraints.default.is_none() => {}
                Presence::OfType if field.constraints.default.is_none() => {
                    let of = of(self.types.model, &field.ty);
                    of_types.push(quote_spanned!(field.ty.span()=> #of::SHAPE.optional));
                }
                _ => return Some(quote!(true)),
            }
        }
        (!of_types.is_empty()).then(|| quote!(#(#of_types)||*))
    }

    /// A node of the tree. `fields` are the tokens of its other fields.
    pub(super) fn node_with(
        &self,
        own: &[Ident],
        below: &[Part],
        fields: &TokenStream,
    ) -> TokenStream {
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

/// Whether the constraints have rules whose text is not known here, or rules of groups such as `exactly_one_of`.
fn constraints_have_rules_outside_tree(constraints: &Constraints) -> bool {
    let groups =
        [&constraints.at_most_one_of, &constraints.exactly_one_of, &constraints.at_least_one_of];
    groups.iter().any(|groups| !groups.is_empty())
        || constraints.rules.iter().any(|rule| rule.expression.text().is_none())
}
