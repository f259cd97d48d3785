//! Checks of the parts of an object: flattened types, and the content of variants beside a tag.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;

use super::Asserts;
use crate::emit::of;
use crate::model::{Body, Enum, Field, IMMUTABLE_IF_SET, Object, Presence, Variant};
use crate::serde_view::Tagging;

impl Asserts<'_> {
    /// Checks that flattened types have no field in common with each other, the struct or the tag. In a struct with
    /// `deny_unknown_fields`, also checks that serde reads all fields of these types.
    pub(super) fn parts(&mut self, object: &Object, tag: Option<&String>) {
        let named = object.fields.iter().filter(|field| !field.flatten).map(|field| &field.wire);
        let own_tag = object.tag.as_ref().map(|(tag, _)| tag);
        let names: Vec<_> = named.chain(own_tag).chain(tag).collect();
        let is_unread = |field: &Field| field.skip_deserializing && !field.skip_serializing;
        let leaves_unread = object.tag.is_some() || object.fields.iter().any(is_unread);
        let mut before = Vec::new();
        let parts = object.fields.iter().filter(|field| field.flatten);
        for field in parts.filter(|field| !field.has_replaced_schema()) {
            let ty = &field.ty;
            let of = of(self.model, ty);
            let shape = quote!(&#of::SHAPE);
            self.call(ty.span(), "part", &quote!(#shape, &[#(#names),*], &[#(#before),*]));
            if leaves_unread {
                let message = "serde reads the tag of this struct and fields with `skip_deserializing` into the map too, \
                               and would write them twice; give the map a field of its own";
                self.assert_field_type(ty.span(), field, "reads_own", message);
            }
            before.push(shape);
            if object.deny_unknown_fields {
                let message = "this type keeps unknown fields, which `deny_unknown_fields` rejects; remove one of \
                               the two";
                self.assert_field_type(ty.span(), field, "keeps_nothing", message);
                let message = "serde leaves fields of this flattened type unread, such as a tag, the fields of an enum, \
                               and fields that are only written, and `deny_unknown_fields` rejects them; remove it";
                self.assert_field_type(ty.span(), field, "is_read_whole", message);
            }
        }
    }

    /// Checks that the variants agree on what their schema says once, and that no default turns an object of one untagged
    /// variant into one of another. `shape` is that of the enum, whose untagged variants come after the others.
    pub(super) fn variants(&mut self, data: &Enum, shape: &TokenStream) {
        let (untagged, tagged): (Vec<_>, Vec<_>) =
            data.variants.iter().partition(|variant| data.is_untagged(variant));
        let with_content =
            tagged.iter().filter(|variant| !matches!(variant.body, Body::Unit)).count();
        // In the shape, only an internally tagged enum has tagged variants among `variants`.
        let first_untagged = match data.tagging {
            Tagging::Internal(_) => with_content,
            _ => 0,
        };
        let span = self.model.ident.span();
        self.call(span, "variants", shape);
        let keyed = matches!(data.tagging, Tagging::External) && with_content > 0;
        if untagged.is_empty() {
            return;
        }
        self.call(span, "untagged_variants", &quote!(#shape, #first_untagged, #keyed));
        if matches!(data.tagging, Tagging::Internal(_)) && !tagged.is_empty() {
            let names = tagged.iter().flat_map(|variant| variant.names());
            let names = quote!(&[#(#names),*]);
            for (at, variant) in (first_untagged..).zip(&untagged) {
                if variant.constraints.unchecked.is_none() {
                    let span = variant.ident.span();
                    self.call(span, "list_beside_tag", &quote!(#shape, #at, #names));
                }
            }
        }
        let names = untagged.iter().map(|variant| {
            let name = variant.ident.unraw().to_string();
            let is_newtype = matches!(variant.body, Body::Transparent(_));
            quote!((#name, #is_newtype))
        });
        let (names, steps) = (quote!(&[#(#names),*]), format_ident!("steps"));
        let later = untagged.iter().enumerate().skip(1);
        let later = later.filter(|(_, variant)| variant.constraints.unchecked.is_none());
        let variants = format_ident!("LATER_VARIANTS");
        let checks: Vec<_> = later
            .map(|(at, variant)| {
                let check = quote_spanned! {variant.ident.span()=>
                    __check::later_variant(#shape, #first_untagged, #variants, #at, #steps)
                };
                quote!(let #steps = #check;)
            })
            .collect();
        if !checks.is_empty() {
            let check = quote! {{
                const #variants: &[(&str, bool)] = #names;
                let #steps = __check::STEPS;
                #(#checks)*
                let _ = #steps;
            }};
            self.push("later_variants", span, check);
        }
    }

    /// Checks the content of a variant.
    pub(super) fn variant(&mut self, variant: &Variant, tagging: &Tagging) {
        if let Body::Transparent(field) = &variant.body
            && !field.has_replaced_schema()
        {
            let of = of(self.model, &field.ty);
            let shape = quote!(&#of::SHAPE);
            self.check_readable(&variant.constraints, &shape, Some(&field.ty));
            if !field.is_recognized() && variant.constraints.int_or_string.is_none() {
                self.check_keys_apply(&variant.constraints, &shape);
            }
        }
        // `check` knows the names of a variant without parts.
        if let Some(span) = variant.constraints.embedded_resource
            && let (parts, own) =
                variant.body.fields().iter().partition::<Vec<_>, _>(|it| it.flatten)
            && !parts.is_empty()
            && parts.iter().all(|part| !part.has_replaced_schema() && !part.is_recognized())
        {
            let names = own.iter().map(|field| &field.wire);
            let parts = parts.iter().map(|part| of(self.model, &part.ty));
            self.call(span, "embedded_parts", &quote!(&[#(#names),*], &[#(&#parts::SHAPE),*]));
        }
        let Tagging::Internal(tag) = tagging else { return };
        if variant.untagged || variant.has_own_schema() {
            return;
        }
        match &variant.body {
            Body::Transparent(field) if !field.has_replaced_schema() => {
                let message = "serde adds the tag to the fields of the variant's content, which must be a struct, a map \
                               of `serde_json::Value` or an enum of structs; write `V` for a variant without content";
                self.assert_field_type(field.ty.span(), field, "is_taggable", message);
                let of = of(self.model, &field.ty);
                self.call(field.ty.span(), "beside_tag", &quote!(&#of::SHAPE, #tag));
            }
            Body::Object(object) => self.parts(object, Some(tag)),
            _ => {}
        }
    }

    /// Rejects an immutable field of an untagged variant if rustc finds that its type is an `Option`.
    pub(super) fn immutable_if_set(&mut self, variant: &Variant) {
        let fields = variant.body.object().map_or(&[][..], |object| &object.fields);
        for field in fields.iter().filter(|field| field.presence() == Presence::OfType) {
            if let Some(span) = field.constraints.immutable {
                self.assert_field_type(span, field, "is_no_option", IMMUTABLE_IF_SET);
            }
        }
    }
}
