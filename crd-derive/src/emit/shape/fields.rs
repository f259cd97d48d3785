//! The shapes of tags and tuples.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::Shapes;
use crate::emit::of;
use crate::model::Field;

impl Shapes<'_> {
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
                    __Shape {
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
            __FieldShape {
                name: #tag,
                shape: &__Shape { values: &[#(#names),*], ..#of },
                ..__FieldShape::FLATTENED
            },
        }
    }

    /// An optional field, and a comma.
    pub(super) fn optional_field(name: &str, shape: &TokenStream) -> TokenStream {
        quote! {
            __FieldShape {
                name: #name,
                presence: __s::FieldPresence::Optional,
                shape: &#shape,
                ..__FieldShape::FLATTENED
            },
        }
    }
}
