//! The generated root type, with its serde implementations and its schema.

use darling::util::SpannedValue;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::at;
use super::constraints::rule_tokens;
use super::status;
use crate::attr::SchemaOf;
use crate::literal::StringExpr;
use crate::model::{Kind, Model, Root, is_always_derived};

/// `pub struct CronTab { metadata, spec, status }` and its impls of serde's traits, if the root is generated.
pub(super) fn emit(model: &Model, kind: &Kind) -> Option<TokenStream> {
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
    let derives = kind.derives.iter().flat_map(|list| list.iter());
    let derives = derives.filter(|path| !is_always_derived(path));
    // With this span, rustc reports at `derive(..)` that the spec or status lacks a trait that a derive there needs.
    let span = kind.derives.as_ref().map_or_else(Span::call_site, SpannedValue::span);
    let spec_type = at(span, &quote!(#spec));
    let spec_field = quote_spanned!(span=> pub spec: #spec_type);
    let extra = &kind.attributes;
    let status = kind.status.as_deref();
    let status_field = status.map(|status| {
        let span = if kind.derives.is_some() { span } else { status.span() };
        // In edition 2015, a path of the user's own does not lead to `core`.
        let option = at(Span::call_site().located_at(span), &quote!(::core::option::Option));
        let field = quote_spanned!(span=> pub status: #option);
        quote! {
            /// The observed state.
            #field<#status>,
        }
    });
    let no_status = status.map(|_| quote!(status: ::core::option::Option::None,));
    let serde = serde_of_root(model, kind, root);
    Some(quote! {
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

        #lints
        impl #root {
            /// Creates an object with this name and no other metadata.
            #vis fn new(name: impl ::core::convert::Into<::std::string::String>, spec: #spec) -> Self {
                Self { metadata: #krate::__private::named(::core::convert::Into::into(name)), spec, #no_status }
            }
        }

        #serde
    })
}

/// `Serialize` and `Deserialize` of a generated root.
fn serde_of_root(model: &Model, kind: &Kind, root: &Ident) -> TokenStream {
    let Model { ident: spec, lints, krate, .. } = model;
    let status = kind.status.as_deref();
    let status_ty = status
        .map_or_else(|| quote!(#krate::__private::serde::de::IgnoredAny), |status| quote!(#status));
    let read_status = status.map(|_| quote!(status: root.status,));
    let write_status = if status.is_some() {
        quote!(self.status.as_ref())
    } else {
        quote!(::core::option::Option::None::<&()>)
    };
    let api_version = super::api_version::emit(root, kind, &quote!(#krate::__private));
    let kind_name = &kind.kind.value;
    quote! {
        #lints
        const _: () = {
            use #krate::__private::serde;

            #[automatically_derived]
            impl serde::Serialize for #root {
                fn serialize<__S: serde::Serializer>(
                    &self,
                    serializer: __S,
                ) -> ::core::result::Result<__S::Ok, __S::Error> {
                    serde::Serialize::serialize(
                        &#krate::__private::RootRef {
                            api_version: #api_version,
                            kind: #kind_name,
                            metadata: &self.metadata,
                            spec: &self.spec,
                            status: #write_status,
                        },
                        serializer,
                    )
                }
            }

            #[automatically_derived]
            impl<'de> serde::Deserialize<'de> for #root {
                fn deserialize<__D: serde::Deserializer<'de>>(
                    deserializer: __D,
                ) -> ::core::result::Result<Self, __D::Error> {
                    let root = #krate::__private::deserialize_root::<#spec, #status_ty, __D>(
                        deserializer,
                        #api_version,
                        #kind_name,
                    )?;
                    ::core::result::Result::Ok(Self {
                        metadata: root.metadata,
                        spec: root.spec,
                        #read_status
                    })
                }
            }
        };
    }
}

/// `impl CrdSchema` of a generated root.
pub(super) fn root_schema(model: &Model, kind: &Kind, root: &Ident) -> TokenStream {
    let spec = &model.ident;
    let status_field = match kind.status_schema.as_deref() {
        Some(SchemaOf::Function(path)) => Some(quote_spanned! {path.span()=>
            __s::FieldShape::replaced("status", || __p::Schema::from(#path()).done())
        }),
        _ => status::type_of_schema(kind)
            .map(|ty| quote!(__s::FieldShape::new("status", __p::Of::<#ty>::AS_FIELD))),
    };
    let len = Literal::usize_unsuffixed(2 + usize::from(status_field.is_some()));
    let status_field = status_field.map(|field| quote!(#field.may_be_absent()));
    let shape = quote!(__s::Shape::of_fields(&__ROOT_FIELDS));
    let shape = super::shape::with_allows(shape, &model.allows);
    let name = root.to_string();
    let status_has_schema =
        status::type_of_schema(kind).map(|status| super::schema::has_schema(&status));
    let rules = kind.root_rules.iter().map(|rule| {
        let rule = rule_tokens(rule);
        quote!(.rule(#rule))
    });
    let super::rules::Rules { checks, needs, .. } = super::rules::root(model, kind, root);
    let own = kind.root_description.as_ref().or(model.constraints.description.as_ref());
    let description = own.map(|text| quote!(.description(#text)));
    let doc = model.doc.call();
    quote! {
        #status_has_schema

        static __ROOT_FIELDS: __s::Fields = __s::Fields {
            list: &[
                __s::FieldShape::new("spec", <#spec as __s::CrdSchema>::AS_FIELD).must_be_present(),
                #status_field
            ],
            source: ::core::option::Option::None,
        };
        static __ROOT_DECLARED: [__p::cel::Field; #len] = __ROOT_FIELDS.declared_in_root();
        static __ROOT_SHAPE: __s::Shape = #shape;
        static __ROOT_CEL: __s::Declared =
            __s::Declared::Object(&__p::cel::Object { name: #name, fields: &__ROOT_DECLARED });

        #[automatically_derived]
        impl __s::CrdSchema for #root {
            const SHAPE: __s::Shape = __ROOT_SHAPE;
            const CEL: __s::Declared = __ROOT_CEL;
            #needs

            fn schema() -> __p::JsonSchemaProps {
                __p::Schema::from(__ROOT_FIELDS.schema()) #doc #description #(#rules)* .done()
            }
        }

        #checks
    }
}
