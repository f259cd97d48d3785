//! The shape of an enum: its own fields, such as the tag, and the shapes of its variants.

use proc_macro2::TokenStream;
use quote::quote;

use super::Shapes;
use crate::model::{Body, Constraints, Enum, Variant};
use crate::serde_view::Tagging;

impl Shapes<'_> {
    /// An enum whose variants have no content.
    fn of_units(data: &Enum, constraints: &Constraints) -> TokenStream {
        // `#[serde(other)]` reads any string.
        if data.variants.iter().any(|variant| variant.other) {
            let (string, names) = (Self::kind("String"), data.variants.iter().map(|it| &it.wire));
            return quote!(#string.with_unit_variant_names(&[#(#names),*]));
        }
        let names = data.variants.iter().flat_map(Variant::names);
        let members = quote!(values: &[#(#names),*], units: true,);
        Self::literal(&Self::kind("Enum"), &members, constraints)
    }

    /// An enum: its own fields, such as the tag, and those of its variants.
    pub(super) fn union(&self, data: &Enum, constraints: &Constraints) -> TokenStream {
        if data.is_units() {
            return Self::of_units(data, constraints);
        }
        let (untagged, tagged): (Vec<_>, Vec<_>) =
            data.variants.iter().partition(|variant| variant.untagged);
        let mixed = !untagged.is_empty();
        let untagged = untagged.into_iter().map(|variant| self.variant(variant));
        match &data.tagging {
            Tagging::External => {
                let names = tagged.iter().filter(|variant| matches!(variant.body, Body::Unit));
                let names: Vec<_> = names.map(|variant| &variant.wire).collect();
                let units = !names.is_empty();
                let fields = tagged
                    .iter()
                    .filter(|variant| !matches!(variant.body, Body::Unit))
                    .map(|variant| Self::optional_field(&variant.wire, &self.variant(variant)));
                // An enum that can be a string or an untagged variant has no `type: object`, so the server prunes
                // nothing.
                let open = (units || mixed).then(|| quote!(open: true,));
                let kind = if units || mixed { "Union" } else { "Object" };
                let units = units.then(|| quote!(units: true, unit_variant_names: &[#(#names),*],));
                let leaves_unread = mixed.then(|| quote!(leaves_fields_unread: true,));
                let keyed = open.is_none().then(|| quote!(keyed: true,));
                let members = quote! {
                    fields: &[#(#fields)*], variants: &[#(#untagged),*], #units #open #leaves_unread #keyed
                };
                let plain = Constraints::default();
                let constraints = if open.is_some() { &plain } else { constraints };
                Self::literal(&Self::kind(kind), &members, constraints)
            }
            Tagging::Internal(tag) => {
                let names: Vec<_> = tagged.iter().copied().flat_map(Variant::names).collect();
                let has_other = data.variants.iter().any(|variant| variant.other);
                let tag = if has_other || mixed {
                    Self::optional_field(tag, &Self::kind("String"))
                } else {
                    Self::tag(tag, &names)
                };
                // A variant without content is an object with the tag alone.
                let parts = tagged.iter().filter(|variant| !matches!(variant.body, Body::Unit));
                let parts = parts.map(|variant| self.variant(variant)).chain(untagged);
                let kind = if mixed { "Union" } else { "Object" };
                let members =
                    quote!(fields: &[#tag], variants: &[#(#parts),*], leaves_fields_unread: true,);
                Self::literal(&Self::kind(kind), &members, constraints)
            }
            Tagging::Adjacent(tag, content) => {
                let contents = tagged
                    .iter()
                    .filter(|variant| !matches!(variant.body, Body::Unit))
                    .map(|variant| self.variant(variant));
                let of = Self::kind("Union");
                let contents = quote!(__Shape { variants: &[#(#contents),*], ..#of });
                let tag = Self::optional_field(tag, &Self::kind("String"));
                let content = Self::optional_field(content, &contents);
                let kind = if mixed { "Union" } else { "Object" };
                let leaves_unread = mixed.then(|| quote!(leaves_fields_unread: true,));
                let members =
                    quote!(fields: &[#tag #content], variants: &[#(#untagged),*], #leaves_unread);
                Self::literal(&Self::kind(kind), &members, constraints)
            }
            Tagging::Untagged => {
                let parts = tagged.iter().map(|variant| self.variant(variant)).chain(untagged);
                let members = quote!(variants: &[#(#parts),*], leaves_fields_unread: true,);
                Self::literal(&Self::kind("Union"), &members, constraints)
            }
        }
    }

    /// The content of a variant.
    fn variant(&self, variant: &Variant) -> TokenStream {
        let constraints = &variant.constraints;
        if constraints.schema_with.is_some() {
            return Self::kind("Opaque");
        }
        let shape = self.body(&variant.body, constraints, false);
        if constraints.int_or_string.is_some() { quote!(#shape.int_or_string()) } else { shape }
    }
}
