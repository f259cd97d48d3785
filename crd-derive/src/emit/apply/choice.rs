//! The apply configuration of an enum with content.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::field::{Slot, exact_with, optional};
use super::{Context, name_of, unused_parameters};
use crate::model::{Body, Enum, Field, Variant};
use crate::serde_view::Tagging;

/// A variant of the configuration.
struct VariantTokens {
    /// The declaration of the variant, with attributes.
    declaration: TokenStream,
    /// The conversion from the variant of the full type, the enum with the derive, as an arm of a `match`.
    from: TokenStream,
    /// The functions that the serde attributes of its fields name.
    functions: TokenStream,
}

pub(super) fn emit(context: &Context<'_>, data: &Enum) -> TokenStream {
    let model = context.model;
    let (ident, vis) = (&model.ident, &model.vis);
    let name = name_of(ident);
    let generics = context.generics();
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let container = context.container();
    let tagging = match &data.tagging {
        Tagging::Internal(tag) => quote!(tag = #tag,),
        Tagging::Adjacent(tag, content) => quote!(tag = #tag, content = #content,),
        Tagging::External | Tagging::Untagged => TokenStream::new(),
    };
    let doc =
        format!("Apply configuration of [`{ident}`]: the same variants, with optional fields.");
    let derives = context.derives();
    let variants: Vec<_> = data
        .variants
        .iter()
        .enumerate()
        .map(|(index, variant)| variant_tokens(context, variant, index))
        .collect();
    let declarations = variants.iter().map(|variant| &variant.declaration);
    let parameters = unused_parameters(&generics, declarations.clone()).map(|ty| {
        // Without a value, so that a `match` needs no arm for it.
        quote! {
            #[doc(hidden)]
            #[serde(skip)]
            __Parameters { never: ::core::convert::Infallible, parameters: #ty }
        }
    });
    let from = variants.iter().map(|variant| &variant.from);
    let functions = variants.iter().map(|variant| &variant.functions);
    let lints = &model.lints;
    let into = context.conversion(&quote!(::core::option::Option::None));
    quote! {
        #[doc = #doc]
        #derives
        #[serde(#container #tagging)]
        #vis enum #name #generics #where_clause {
            #(#declarations,)*
            #parameters
        }

        #lints
        impl #impl_generics #name #type_generics #where_clause {
            #(#functions)*
        }

        #lints
        #[automatically_derived]
        impl #impl_generics ::core::convert::From<#ident #type_generics>
            for #name #type_generics #where_clause
        {
            fn from(value: #ident #type_generics) -> Self {
                match value {
                    #(#from,)*
                }
            }
        }

        #into
    }
}

fn variant_tokens(context: &Context<'_>, variant: &Variant, number: usize) -> VariantTokens {
    let (name, wire, aliases) = (&variant.ident, &variant.wire, &variant.aliases);
    let doc = variant.doc.attributes(&format!("`{wire}`"));
    let other = variant.other.then(|| quote!(other,));
    let head = quote!(#doc #[serde(rename = #wire, #(alias = #aliases,)* #other)]);
    let whole = variant.has_own_schema();
    let full = &context.model.ident;
    match &variant.body {
        Body::Object(object) => {
            let mut functions = TokenStream::new();
            let fields: Vec<_> = object
                .fields
                .iter()
                .enumerate()
                .filter(|(_, field)| !field.skip_serializing)
                .map(|(index, field)| {
                    let slot = Slot::of(context, field, whole);
                    let (serde, own) =
                        optional(context, field, &slot, &format!("{number}_{index}"));
                    functions.extend(own);
                    (field, serde, slot)
                })
                .collect();
            let declared = fields.iter().map(|(field, serde, slot)| {
                let (member, ty) = (&field.member, &slot.ty);
                let doc = field.doc.attributes(&format!("`{}`", field.wire));
                quote!(#doc #serde #member: ::core::option::Option<#ty>)
            });
            let bound = fields.iter().enumerate().map(|(index, (field, ..))| {
                let (member, value) = (&field.member, format_ident!("value_{index}"));
                quote!(#member: #value)
            });
            let from = fields.iter().enumerate().map(|(index, (field, _, slot))| {
                let (member, value) = (&field.member, format_ident!("value_{index}"));
                let from = slot.unless_skipped(context, field, &quote!(#value));
                quote!(#member: #from)
            });
            VariantTokens {
                declaration: quote!(#head #name { #(#declared),* }),
                from: quote!(#full::#name { #(#bound,)* .. } => Self::#name { #(#from),* }),
                functions,
            }
        }
        Body::Transparent(field) => unnamed_tokens(context, variant, &head, &[&**field], whole),
        Body::Tuple(fields) => {
            unnamed_tokens(context, variant, &head, &fields.iter().collect::<Vec<_>>(), true)
        }
        Body::Unit | Body::Delegate(_) | Body::Enum(_) => VariantTokens {
            declaration: quote!(#head #name),
            from: quote!(#full::#name { .. } => Self::#name),
            functions: TokenStream::new(),
        },
    }
}

/// Emits a newtype or tuple variant. Its fields have the types of their configurations or, if `whole` is set, as it is
/// for every tuple, the full types.
fn unnamed_tokens(
    context: &Context<'_>,
    variant: &Variant,
    head: &TokenStream,
    fields: &[&Field],
    whole: bool,
) -> VariantTokens {
    let krate = context.krate;
    let (name, full) = (&variant.ident, &context.model.ident);
    let slots: Vec<_> = fields.iter().map(|field| Slot::content(context, field, whole)).collect();
    let declared = fields.iter().zip(&slots).map(|(field, slot)| {
        let (with, ty) = (exact_with(field), &slot.ty);
        quote!(#[serde(#with)] #ty)
    });
    let values: Vec<_> = (0..fields.len()).map(|index| format_ident!("value_{index}")).collect();
    let from =
        slots.iter().zip(&values).map(|(slot, value)| slot.value_from(krate, &quote!(#value)));
    VariantTokens {
        declaration: quote!(#head #name(#(#declared),*)),
        from: quote!(#full::#name(#(#values),*) => Self::#name(#(#from),*)),
        functions: TokenStream::new(),
    }
}
