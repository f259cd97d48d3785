//! Rejects rules with `oldSelf` on items that the server cannot correlate with the items of the old list.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned as _;

use super::Asserts;
use crate::emit::of;
use crate::emit::old_self::transitions;
use crate::model::{Constraints, Field};

impl Asserts<'_> {
    /// Rejects rules with `oldSelf` below a list that is not correlatable.
    ///
    /// Only properties are checked. A derived type that is itself a list is not, because an attribute where it is used
    /// may still make it a list of type `map`.
    pub(super) fn transitions(&mut self, field: &Field, name: &str, constraints: &[&Constraints]) {
        let replaced = |c: &&Constraints| c.schema_with.is_some() || c.replace_schema();
        if field.with.is_some()
            || field.is_cut()
            || self.model.constraints.schema_with.is_some()
            || constraints.iter().any(replaced)
        {
            return;
        }
        let ty = &field.ty;
        let of = of(self.model, ty);
        let shape = quote!(&#of::SHAPE);
        let list_type = constraints.iter().rev().find_map(|c| c.list_type.as_ref());
        let list_type = list_type.map_or("", |text| text.value.as_str());
        if field.holds_types_of_users() {
            let changed =
                constraints.iter().flat_map(|c| c.nested()).any(Constraints::change_shape);
            self.call(ty.span(), "correlatable", &quote!(#name, #shape, #list_type, #changed));
        }
        for constraints in constraints {
            self.transitions_of_items(constraints, &shape, list_type);
        }
    }

    /// As [`Self::transitions`], for the elements of a variant that is a tuple. No attribute gives such a list the type
    /// `map`.
    pub(super) fn transitions_of_elements(&mut self, name: &str, fields: &[Field]) {
        for field in
            fields.iter().filter(|it| !it.has_replaced_schema() && it.holds_types_of_users())
        {
            let ty = &field.ty;
            let of = of(self.model, ty);
            let list = quote! {
                &__s::Shape {
                    items: __p::Some(&#of::SHAPE),
                    ..__s::Shape::of(__s::ShapeKind::List)
                }
            };
            self.call(ty.span(), "correlatable", &quote!(#name, #list, "", false));
        }
    }

    /// As [`Self::transitions`], for rules at any depth of `items(..)`.
    fn transitions_of_items(&mut self, c: &Constraints, shape: &TokenStream, list_type: &str) {
        if let Some(items) = &c.items {
            for span in transitions_at_or_below(items) {
                self.call(span, "correlatable_items", &quote!(#shape, #list_type));
            }
        }
        for nested in [&c.items, &c.values].into_iter().flatten() {
            let shape = quote!(__p::check::items(#shape));
            let list_type = nested.list_type.as_ref().map_or("", |text| text.value.as_str());
            self.transitions_of_items(nested, &shape, list_type);
        }
    }
}

/// The spans of the transition rules in these constraints and in those of the elements and values, at any depth.
fn transitions_at_or_below(constraints: &Constraints) -> Vec<Span> {
    transitions(constraints).chain(constraints.nested().flat_map(transitions_at_or_below)).collect()
}
