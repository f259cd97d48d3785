//! The shapes of tags and tuples, and the rules of an object's parts.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::{Shapes, digest};
use crate::emit::of;
use crate::model::{Field, Object, Presence};

impl Shapes<'_> {
    /// The rules of parts of an object that become rules of the object, as expressions of type `RuleDigest`: the rules
    /// of flattened types, and the rules that an `immutable` field cannot be removed once it is set.
    pub(super) fn rules_of_parts(&self, object: &Object) -> Vec<TokenStream> {
        let of_part = |field: &Field| {
            let is_optional = match field.presence() {
                Presence::Required => Some(false),
                Presence::Optional => Some(true),
                Presence::OfType => None,
            };
            let is_optional_type = || {
                let of = of(self.model, &field.ty);
                quote_spanned!(field.ty.span()=> #of::AS_FIELD.optional)
            };
            if field.flatten && !field.has_replaced_schema() {
                let of = of(self.model, &field.ty);
                let rules = quote_spanned!(field.ty.span()=> #of::SHAPE.rules);
                return match is_optional {
                    Some(false) => Some(rules),
                    // The rules of an optional part hold for objects without it.
                    Some(true) => Some(quote!(#rules.changed_if(true))),
                    None => {
                        let is_optional = is_optional_type();
                        Some(quote!(#rules.changed_if(#is_optional)))
                    }
                };
            }
            field.constraints.immutable?;
            let rule = digest::immutable_once_set(&field.wire);
            match is_optional {
                _ if field.constraints.default.is_some() => Some(rule),
                Some(false) => None,
                Some(true) => Some(rule),
                None => {
                    let is_optional = is_optional_type();
                    Some(quote!(#rule.only_if(#is_optional)))
                }
            }
        };
        object.fields.iter().filter_map(of_part).collect()
    }

    /// A tuple. All its members have the type of the first.
    pub(super) fn tuple(&self, fields: &[Field]) -> TokenStream {
        let list = Self::kind("List");
        match fields.first() {
            Some(first)
                if !first.has_replaced_schema()
                    && !fields.iter().any(|field| field.constraints.change_shape()) =>
            {
                let of = of(self.model, &first.ty);
                let shape = quote_spanned!(first.ty.span()=> #of::SHAPE);
                let length = fields.len() as u64;
                quote! {
                    __s::Shape {
                        items: __p::Some(&#shape), ..#list
                    }
                    .min_items(#length)
                    .max_items(#length)
                }
            }
            _ => list,
        }
    }

    /// The tag, and a comma.
    pub(super) fn tag(tag: &str, names: &[&String]) -> TokenStream {
        let of = Self::kind("Enum");
        quote! {
            __s::FieldShape {
                name: #tag,
                shape: &__s::Shape { values: &[#(#names),*], ..#of },
                ..__s::FieldShape::FLATTENED
            },
        }
    }

    /// An optional field, and a comma.
    pub(super) fn optional_field(name: &str, shape: &TokenStream) -> TokenStream {
        quote! {
            __s::FieldShape {
                name: #name,
                presence: __s::FieldPresence::Optional,
                shape: &#shape,
                ..__s::FieldShape::FLATTENED
            },
        }
    }
}
