//! The generated root type, with its serde implementations and its schema.

use darling::util::SpannedValue;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Meta;
use syn::spanned::Spanned as _;

use super::at;
use super::constraints::rule_call;
use crate::attr::SchemaOf;
use crate::literal::StringExpr;
use crate::model::{Kind, Model, Root, is_always_derived};

/// `pub struct CronTab { metadata, spec, status }`, and its impls of serde's traits with its function `new`, if the root
/// is generated.
pub(super) fn emit(model: &Model, kind: &Kind) -> Option<(TokenStream, TokenStream)> {
    let Root::Generated(root) = &kind.root else { return None };
    let Model { vis, ident: spec, lints, krate, .. } = model;
    let doc = match &kind.root_description {
        // `#[doc = ..]` does not take a constant.
        Some(words @ StringExpr::Evaluated(_)) => quote!(#[doc = #words]),
        // Links in the comments of the spec, such as to `Self`, mean something else here.
        Some(StringExpr::Constant(_)) | None => {
            let text = format!("The kind `{}`, with the spec `{spec}`.", kind.kind.value);
            quote!(#[doc = #text])
        }
    };
    let derives = kind.derive.iter().flat_map(|list| list.iter());
    let derives = derives.filter(|path| !is_always_derived(path));
    // With this span, rustc reports at `derive(..)` that the spec or status lacks a trait that a derive there needs.
    let span = kind.derive.as_ref().map_or_else(Span::call_site, SpannedValue::span);
    let spec_type = at(span, &quote!(#spec));
    let spec_field = quote_spanned!(span=> pub spec: #spec_type);
    // The others are errors.
    let is_of_root = |meta: &&Meta| !["serde", "crd"].iter().any(|name| meta.path().is_ident(name));
    let extra = kind.attributes().filter(is_of_root);
    let status = kind.status();
    let status_field = status.map(|status| {
        let span = if kind.derive.is_some() { span } else { status.span() };
        // In edition 2015, a path of the user's own does not lead to `core`.
        let option = at(Span::call_site().located_at(span), &quote!(::core::option::Option));
        let field = quote_spanned!(span=> pub status: #option);
        quote! {
            /// The observed state.
            #field<#status>,
        }
    });
    let structure = quote! {
        #doc
        #lints
        #[derive(::core::clone::Clone, ::core::fmt::Debug #(, #derives)*)]
        #(#[#extra])*
        #vis struct #root {
            /// Standard metadata.
            pub metadata: #krate::__private::ObjectMeta,
            /// The desired state.
            #spec_field,
            #status_field
        }
    };
    let no_status = status.map(|_| quote!(status: __p::None,));
    let (written, read, read_field) = match status {
        Some(_) => (quote!(self.status.as_ref()), quote!(status), Some(quote!(status))),
        None => (quote!(__p::NO_STATUS), quote!(_: __p::NoStatus), None),
    };
    let impls = quote! {
        impl #root {
            /// Creates an object with this name and no other metadata.
            #vis fn new(name: impl __p::Into<__p::String>, spec: #spec) -> Self {
                Self { metadata: __p::named(name), spec, #no_status }
            }
        }

        #[automatically_derived]
        impl __serde::Serialize for #root {
            fn serialize<__S: __serde::Serializer>(
                &self,
                serializer: __S,
            ) -> __p::Result<__S::Ok, __S::Error> {
                __p::serialize_root(self, &self.metadata, &self.spec, #written, serializer)
            }
        }

        #[automatically_derived]
        impl<'de> __serde::Deserialize<'de> for #root {
            fn deserialize<__D: __serde::Deserializer<'de>>(
                deserializer: __D,
            ) -> __p::Result<Self, __D::Error> {
                __p::deserialize_root(deserializer, |metadata, spec, #read| Self {
                    metadata,
                    spec,
                    #read_field
                })
            }
        }
    };
    Some((structure, impls))
}

/// `impl CrdSchema` of a generated root.
pub(super) fn schema(model: &Model, kind: &Kind, root: &Ident) -> TokenStream {
    let spec = &model.ident;
    let (checks, statics) = super::rules::root(model, kind, root);
    let status = match kind.status_schema().map(|schema| &**schema) {
        Some(SchemaOf::Function(path)) => Some(quote_spanned! {path.span()=>
            (__FieldShape::replaced("status", || __Schema::from(#path()).done()), &__Needs::NONE)
        }),
        _ => kind.type_of_status().map(|ty| {
            let of = quote!(__Of::<#ty>);
            quote!((__FieldShape::new("status", #of::AS_FIELD), #of::NEEDS))
        }),
    };
    let status = status.map(|status| {
        quote! {
            const STATUS: __p::Option<(__FieldShape, &'static __Needs)> = __p::Some(#status);
        }
    });
    let rules = (!statics.is_empty())
        .then(|| quote!(const RULES: &'static [&'static [__Examined]] = &[#(&#statics),*];));
    let of = quote!(__RootOf::<Self>);
    let lints = &model.allows;
    let allows = (!lints.is_empty())
        .then(|| quote!(const ALLOWS: &'static [&'static str] = &[#(#lints),*];));
    let status_has_schema = kind.type_of_status().map(|status| super::schema::has_schema(&status));
    let schema_rules = kind.root_rule.iter().map(rule_call);
    let own = kind.root_description.as_ref().or(model.constraints.description.as_ref());
    let description = own.map(|text| quote!(.description(#text)));
    let doc = model.doc.call();
    quote! {
        #status_has_schema

        impl __p::Root for #root {
            type Spec = #spec;
            #status
            #rules
            #allows
        }

        #[automatically_derived]
        impl __CrdSchema for #root {
            const SHAPE: __Shape = #of::SHAPE;
            const AS_FIELD: &'static __FieldType = #of::AS_FIELD;
            const NEEDS: &'static __Needs = #of::NEEDS;

            fn schema() -> __JsonSchemaProps {
                #of::schema() #doc #description #(#schema_rules)* .done()
            }
        }

        #checks
    }
}
