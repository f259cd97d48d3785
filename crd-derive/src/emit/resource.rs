//! The root type and `impl CustomResource`.

use darling::util::SpannedValue;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Ident, Member};

use super::at;
use super::constraints::rule_tokens;
use super::schema::column_tokens;
use crate::attr::{Conversion, KindAttrs, Webhook, Words};
use crate::model::{Kind, Model, Root};

/// The root type, if it is generated, and its implementations.
pub(crate) fn emit(model: &Model, kind: &Kind) -> TokenStream {
    let krate = &model.krate;
    let krate = quote!(#krate);
    let definition = definition(kind, &krate);
    let paths = super::paths::emit(model, kind, &krate);
    let lints = &model.lints;
    match &kind.root {
        Root::Itself(metadata) => {
            let ident = &model.ident;
            let metadata = Some(metadata);
            let resource = resource_impls(ident, kind, &krate, &definition, metadata);
            quote!(#lints const _: () = { #resource #paths };)
        }
        Root::Generated(root) => {
            let data = root_type(model, kind, root, &krate);
            let schema = root_schema(model, kind, root, &krate);
            let metadata = metadata_of_generated();
            let resource = resource_impls(root, kind, &krate, &definition, Some(&metadata));
            quote! {
                #data
                #lints
                const _: () = { #schema #resource #paths };
            }
        }
    }
}

/// Whether a generated root always has a derive, or an impl in its place.
pub(crate) fn is_derived(path: &syn::Path) -> bool {
    const DERIVED: [&str; 5] = ["Clone", "CrdSchema", "Debug", "Deserialize", "Serialize"];
    path.segments.last().is_some_and(|last| DERIVED.iter().any(|name| last.ident == name))
}

/// `pub struct CronTab { metadata, spec, status }` and how serde reads and writes it.
pub(super) fn root_type(
    model: &Model,
    kind: &Kind,
    root: &Ident,
    krate: &TokenStream,
) -> TokenStream {
    let Model { vis, ident: spec, doc, lints, .. } = model;
    let attrs = &kind.attrs;
    let doc = match &attrs.root_description {
        // `#[doc = ..]` does not take a constant.
        Some(words @ Words::Seen(_)) => quote!(#[doc = #words]),
        Some(Words::Constant(_)) | None => {
            doc.attributes(&format!("The kind `{}`.", attrs.kind.value))
        }
    };
    let derives = attrs.derive.iter().flat_map(|list| list.iter());
    let derives = derives.filter(|path| !is_derived(path));
    // rustc reports a missing impl at the derive that needs it.
    let place = attrs.derive.as_ref().map_or_else(Span::call_site, SpannedValue::span);
    let spec_type = at(place, &quote!(#spec));
    let spec_field = quote_spanned!(place=> pub spec: #spec_type);
    let extra = attrs.attr.iter().flat_map(|metas| &metas.0);
    let status = attrs.status.as_deref();
    let status_field = status.map(|status| {
        let place = if attrs.derive.is_some() { place } else { status.span() };
        let field = quote_spanned!(place=> pub status: ::core::option::Option);
        quote! {
            /// The observed state.
            #field<#status>,
        }
    });
    let none = status.map(|_| quote!(status: ::core::option::Option::None,));
    let status_ty = status
        .map_or_else(|| quote!(#krate::__private::serde::de::IgnoredAny), |status| quote!(#status));
    let read_status = status.map(|_| quote!(status: root.status,));
    let write_status = if status.is_some() {
        quote!(self.status.as_ref())
    } else {
        quote!(::core::option::Option::None::<&()>)
    };
    let (api_version, kind_name) = (api_version(attrs), &attrs.kind.value);
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
        #[automatically_derived]
        impl #root {
            /// Creates an object with this name and no other metadata.
            #vis fn new(name: impl ::core::convert::Into<::std::string::String>, spec: #spec) -> Self {
                Self { metadata: #krate::__private::named(::core::convert::Into::into(name)), spec, #none }
            }
        }

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
fn root_schema(model: &Model, kind: &Kind, root: &Ident, krate: &TokenStream) -> TokenStream {
    let spec = &model.ident;
    let status = kind.attrs.status.as_deref();
    let status_schema = status.map(|status| {
        quote!(.field("status", #krate::__private::Presence::Optional, #krate::__private::Of::<#status>::schema()))
    });
    let status_collect = status.map(
        |status| quote!(into.descend(at, "status", #krate::__private::Of::<#status>::collect);),
    );
    let status_shape = status.map(|status| {
        quote! {
            #krate::crd_schema::FieldShape {
                name: "status",
                presence: #krate::crd_schema::FieldPresence::Optional,
                shape: &#krate::__private::Of::<#status>::SHAPE,
                ..#krate::crd_schema::FieldShape::FLATTENED
            }
        }
    });
    let status_has_schema = status.map(|status| super::schema::has_schema(status, krate));
    let rules = kind.attrs.root_rule.iter().map(|rule| {
        let rule = rule_tokens(rule, krate);
        quote!(.rule(#rule))
    });
    let cel = super::cel::root(spec, status, root, krate);
    let super::rules::Rules { checks, tree, .. } = super::rules::root(model, kind, root, krate);
    let own = kind.attrs.root_description.as_ref().or(model.constraints.description.as_ref());
    let description = own;
    let description = description.map(|text| quote!(.description(#text)));
    let doc = model.doc.call();
    quote! {
        #[allow(unused_imports)]
        use #krate::__private::Missing as _;

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
            ], ..#krate::crd_schema::Shape::of(#krate::crd_schema::Kind::Object) };
            const CEL: #krate::crd_schema::Declared = #cel;
            #tree

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

fn api_version(attrs: &KindAttrs) -> String {
    format!("{}/{}", attrs.group.value, attrs.version.value)
}

/// The field of a generated root.
pub(super) fn metadata_of_generated() -> Member {
    Member::Named(format_ident!("metadata"))
}

/// `impl CustomResource`, and the impls that k8s-openapi and kube need of a root. Without a field `metadata` they are
/// stubs.
pub(super) fn resource_impls(
    root: &Ident,
    kind: &Kind,
    krate: &TokenStream,
    definition: &TokenStream,
    metadata: Option<&Member>,
) -> TokenStream {
    let Kind { attrs, plural, list_kind, .. } = kind;
    let (group, version) = (&attrs.group.value, &attrs.version.value);
    let (kind_name, api_version) = (&attrs.kind.value, api_version(attrs));
    let namespaced = attrs.namespaced.is_present();
    let storage = attrs.storage.as_deref().copied().unwrap_or(true);
    let (read, write) = match metadata {
        // rustc reports a field of another type at the field.
        Some(field) => (
            quote_spanned!(field.span()=> &self.#field),
            quote_spanned!(field.span()=> &mut self.#field),
        ),
        None => (quote!(::core::unreachable!()), quote!(::core::unreachable!())),
    };
    let scope = format_ident!(
        "{}",
        if namespaced { "NamespaceResourceScope" } else { "ClusterResourceScope" }
    );
    quote! {
        #[automatically_derived]
        impl #krate::CustomResource for #root {
            const GROUP: &'static str = #group;
            const VERSION: &'static str = #version;
            const API_VERSION: &'static str = #api_version;
            const KIND: &'static str = #kind_name;
            const PLURAL: &'static str = #plural;
            const NAMESPACED: bool = #namespaced;
            const STORAGE: bool = #storage;

            fn definition() -> #krate::model::CustomResourceDefinition {
                #definition
            }
        }

        #[automatically_derived]
        impl #krate::__private::k8s_openapi::Resource for #root {
            const API_VERSION: &'static str = #api_version;
            const GROUP: &'static str = #group;
            const KIND: &'static str = #kind_name;
            const VERSION: &'static str = #version;
            const URL_PATH_SEGMENT: &'static str = #plural;
            type Scope = #krate::__private::k8s_openapi::#scope;
        }

        #[automatically_derived]
        impl #krate::__private::k8s_openapi::ListableResource for #root {
            const LIST_KIND: &'static str = #list_kind;
        }

        #[automatically_derived]
        impl #krate::__private::k8s_openapi::Metadata for #root {
            type Ty = #krate::__private::ObjectMeta;

            fn metadata(&self) -> &Self::Ty {
                #read
            }

            fn metadata_mut(&mut self) -> &mut Self::Ty {
                #write
            }
        }
    }
}

/// An expression of type `CustomResourceDefinition`.
fn definition(kind: &Kind, krate: &TokenStream) -> TokenStream {
    let Kind { attrs, plural, singular, list_kind, .. } = kind;
    // Destructured without `..`: a new key must be emitted somewhere.
    let KindAttrs {
        group,
        version,
        kind: kind_name,
        plural: _,
        singular: _,
        list_kind: _,
        short_name,
        category,
        namespaced,
        cluster: _,
        root: _,
        status,
        served,
        storage,
        deprecated,
        scale,
        print_column,
        selectable,
        annotation,
        label,
        conversion,
        root_description: _,
        root_rule: _,
        kubernetes: _,
        derive: _,
        attr: _,
        apply: _,
        fields: _,
        json_schema: _,
        krate: _,
        constraints: _,
    } = attrs;
    let (group, version, kind_name) = (&group.value, &version.value, &kind_name.value);
    let namespaced = namespaced.is_present();
    let mut calls = Vec::new();
    for (name, texts) in [("short_name", short_name), ("category", category)] {
        let name = format_ident!("{name}");
        calls.extend(texts.iter().map(|text| {
            let text = &text.value;
            quote!(.#name(#text))
        }));
    }
    for (name, pairs) in [("annotation", annotation), ("label", label)] {
        let name = format_ident!("{name}");
        calls.extend(pairs.iter().map(|pair| {
            let (key, value) = (&pair.key.value, &pair.value.value);
            quote!(.#name(#key, #value))
        }));
    }
    for (name, flag) in [("served", served), ("storage", storage)] {
        let name = format_ident!("{name}");
        calls.extend(flag.as_deref().map(|flag| quote!(.#name(#flag))));
    }
    calls.extend(deprecated.as_deref().map(|warning| {
        let warning = option(warning.as_ref().explicit().map(|text| &text.value));
        quote!(.deprecated(#warning))
    }));
    calls.extend(status.as_ref().map(|_| quote!(.status())));
    calls.extend(scale.as_deref().map(|scale| {
        let (spec, status) = (&scale.spec.value, &scale.status.value);
        let selector = option(scale.selector.as_ref().map(|text| &text.value));
        quote!(.scale(#spec, #status, #selector))
    }));
    calls.push(quote!(.collect::<Self>("")));
    calls.extend(print_column.iter().map(|column| {
        let column = column_tokens(column, krate);
        quote!(.column(#column))
    }));
    calls.extend(selectable.iter().map(|path| {
        let path = &path.0.value;
        quote!(.selectable(#path))
    }));
    calls.extend(conversion.as_deref().map(|conversion| webhook(conversion, krate)));
    quote! {
        #krate::__private::Definition::new(&#krate::__private::Kind {
            group: #group,
            version: #version,
            kind: #kind_name,
            plural: #plural,
            singular: #singular,
            list_kind: #list_kind,
            namespaced: #namespaced,
        })
        #(#calls)*
        .schema(<Self as #krate::CrdSchema>::schema())
    }
}

fn webhook(conversion: &Conversion, krate: &TokenStream) -> TokenStream {
    let Webhook { service, url, ca_bundle, review_versions } = &*conversion.webhook;
    let service = option(service.as_deref().map(|service| {
        let (namespace, name) = (&service.namespace.value, &service.name.value);
        let path = option(service.path.as_ref().map(|text| &text.value));
        let port = option(service.port.as_deref());
        quote!((#namespace, #name, #path, #port))
    }));
    let url = option(url.as_ref().map(|text| &text.value));
    let ca_bundle = option(ca_bundle.as_ref().map(|text| &text.value));
    let versions = match review_versions {
        Some(versions) => versions.0.iter().map(|text| text.value.clone()).collect(),
        None => vec!["v1".to_owned()],
    };
    quote! {
        .webhook(#krate::__private::Webhook {
            service: #service,
            url: #url,
            ca_bundle: #ca_bundle,
            review_versions: &[#(#versions),*],
        })
    }
}

fn option<T: quote::ToTokens>(value: Option<T>) -> TokenStream {
    value.map_or_else(
        || quote!(::core::option::Option::None),
        |value| quote!(::core::option::Option::Some(#value)),
    )
}
