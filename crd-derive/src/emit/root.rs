//! The generated root type, with its serde implementations and its schema.

use darling::util::SpannedValue;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::at;
use super::constraints::rule_tokens;
use super::status;
use crate::attr::SchemaOf;
use crate::literal::StringExpr;
use crate::model::{Kind, Model, is_always_derived};

/// `pub struct CronTab { metadata, spec, status }` and its impls of serde's traits.
pub(super) fn root_type(
    model: &Model,
    kind: &Kind,
    root: &Ident,
    krate: &TokenStream,
) -> TokenStream {
    let Model { vis, ident: spec, lints, .. } = model;
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
    let serde = serde_of_root(model, kind, root, krate);
    quote! {
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
    }
}

/// `Serialize` and `Deserialize` of a generated root.
fn serde_of_root(model: &Model, kind: &Kind, root: &Ident, krate: &TokenStream) -> TokenStream {
    let Model { ident: spec, lints, .. } = model;
    let status = kind.status.as_deref();
    let status_ty = status
        .map_or_else(|| quote!(#krate::__private::serde::de::IgnoredAny), |status| quote!(#status));
    let read_status = status.map(|_| quote!(status: root.status,));
    let write_status = if status.is_some() {
        quote!(self.status.as_ref())
    } else {
        quote!(::core::option::Option::None::<&()>)
    };
    let api_version = super::api_version::emit(root, kind, krate);
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
pub(super) fn root_schema(
    model: &Model,
    kind: &Kind,
    root: &Ident,
    krate: &TokenStream,
) -> TokenStream {
    let spec = &model.ident;
    let status = status::type_of_schema(kind);
    let tokens = StatusTokens::of(kind, krate);
    let tokens = tokens.as_ref();
    let status_schema = tokens.map(|StatusTokens { schema, .. }| {
        quote!(.field("status", #krate::__private::Presence::Optional, #schema))
    });
    let status_collect = status.as_ref().map(
        |status| quote!(into.descend(at, "status", #krate::__private::Of::<#status>::collect);),
    );
    let status_shape = tokens.map(|StatusTokens { shape, .. }| {
        quote! {
            #krate::crd_schema::FieldShape {
                name: "status",
                presence: #krate::crd_schema::FieldPresence::Optional,
                shape: &#shape,
                ..#krate::crd_schema::FieldShape::FLATTENED
            }
        }
    });
    let allows = super::shape::allows(&model.allows);
    let status_has_schema = status.map(|status| super::schema::has_schema(&status, krate));
    let rules = kind.root_rules.iter().map(|rule| {
        let rule = rule_tokens(rule, krate);
        quote!(.rule(#rule))
    });
    let cel = super::cel::root(spec, tokens.map(|tokens| &tokens.cel), root, krate);
    let super::rules::Rules { checks, needs, .. } = super::rules::root(model, kind, root, krate);
    let own = kind.root_description.as_ref().or(model.constraints.description.as_ref());
    let description = own.map(|text| quote!(.description(#text)));
    let doc = model.doc.call();
    quote! {
        use #krate::__private::Missing as _;
        const _: bool = #krate::__private::Of::<#krate::__private::Nothing>::DERIVED;

        #status_has_schema

        #[automatically_derived]
        impl #krate::CrdSchema for #root {
            const SHAPE: #krate::crd_schema::Shape = #krate::crd_schema::Shape { fields: &[
                #krate::crd_schema::FieldShape {
                    name: "spec",
                    shape: &<#spec as #krate::CrdSchema>::SHAPE,
                    ..#krate::crd_schema::FieldShape::FLATTENED
                },
                #status_shape
            ], #allows ..#krate::crd_schema::Shape::of(#krate::crd_schema::ShapeKind::Object) };
            const CEL: #krate::crd_schema::Declared = #cel;
            #needs

            fn schema() -> #krate::model::JsonSchemaProps {
                const { let _ = <Self as #krate::CrdSchema>::SHAPE; }
                let object = #krate::__private::Object::new()
                    .field(
                        "spec",
                        #krate::__private::Presence::Required,
                        <#spec as #krate::CrdSchema>::schema(),
                    )
                    #status_schema
                    .done();
                #krate::__private::Schema::from(object) #doc #description #(#rules)* .done()
            }

            fn collect(at: &str, into: &mut #krate::__private::Collected) {
                into.descend(at, "spec", <#spec as #krate::CrdSchema>::collect);
                #status_collect
            }
        }

        #checks
    }
}

/// The schema of the status, its shape and its declaration for rules, as expressions.
struct StatusTokens {
    schema: TokenStream,
    shape: TokenStream,
    cel: TokenStream,
}

impl StatusTokens {
    fn of(kind: &Kind, krate: &TokenStream) -> Option<Self> {
        if let Some(SchemaOf::Function(path)) = kind.status_schema.as_deref() {
            let schemas = quote!(#krate::crd_schema);
            return Some(Self {
                schema: quote_spanned!(path.span()=> #krate::__private::Schema::from(#path()).done()),
                shape: quote!(#schemas::Shape::of(#schemas::ShapeKind::Opaque)),
                cel: quote!(#schemas::Declared::Unknown),
            });
        }
        let ty = status::type_of_schema(kind)?;
        let of = quote!(#krate::__private::Of::<#ty>);
        Some(Self {
            schema: quote!(#of::schema()),
            shape: quote!(#of::SHAPE),
            cel: quote!(#of::CEL),
        })
    }
}
