//! The root type and `impl CustomResource`.

use darling::FromAttributes;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{DeriveInput, Generics, Ident, Member, Meta, Token};

use super::constraints::rule_tokens;
use super::schema::column_tokens;
use crate::attr::{Constraints, Conversion, KindAttrs, Text, Webhook};
use crate::doc::Doc;
use crate::model::{Body, Kind, Model, Root};
use crate::{names, types};

/// The root type, where it is generated, and its implementations.
pub(crate) fn emit(model: &Model, kind: &Kind) -> TokenStream {
    let krate = &model.krate;
    let krate = quote!(#krate);
    let definition = definition(kind, &krate);
    let paths = super::paths::emit(model, kind, &krate);
    match &kind.root {
        Root::Itself(_) => {
            let ident = &model.ident;
            let resource = resource_impls(ident, kind, &krate, &definition);
            quote!(const _: () = { #resource #paths };)
        }
        Root::Generated(root) => {
            let data = root_type(model, kind, root, &krate);
            let schema = root_schema(model, kind, root, &krate);
            let resource = resource_impls(root, kind, &krate, &definition);
            quote! {
                #data
                const _: () = { #schema #resource #paths };
            }
        }
    }
}

/// A root type that only exists, where its name can be found.
pub(crate) fn fallback(input: &DeriveInput, krate: &syn::Path) -> TokenStream {
    let Some(kind) = fallback_kind(input) else { return TokenStream::new() };
    let unreachable = quote!(::core::unreachable!());
    let tokens = quote!(#krate);
    match &kind.root {
        Root::Itself(_) => resource_impls(&input.ident, &kind, &tokens, &unreachable),
        Root::Generated(root) => {
            let model = Model {
                ident: input.ident.clone(),
                vis: input.vis.clone(),
                generics: Generics::default(),
                bound: None,
                serde_bound: None,
                krate: krate.clone(),
                doc: Doc::default(),
                constraints: Constraints::default(),
                body: Body::Unit,
                apply: None,
                kind: None,
            };
            let data = root_type(&model, &kind, root, &tokens);
            let resource = resource_impls(root, &kind, &tokens, &unreachable);
            quote! {
                #data
                #resource

                #[automatically_derived]
                impl #krate::CrdSchema for #root {
                    fn schema() -> #krate::model::JsonSchemaProps {
                        #unreachable
                    }
                }
            }
        }
    }
}

/// What other code sees of a kind: its type's name, its status, its further derives.
fn fallback_kind(input: &DeriveInput) -> Option<Kind> {
    if !input.generics.params.is_empty() {
        return None;
    }
    let mut seen = Vec::<Meta>::new();
    for attr in input.attrs.iter().filter(|attr| attr.path().is_ident("crd")) {
        let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
        let metas = attr.parse_args_with(parser).ok()?;
        seen.extend(metas.into_iter().filter(|meta| {
            ["kind", "root", "status", "derive"].iter().any(|name| meta.path().is_ident(name))
        }));
    }
    let attr: syn::Attribute =
        syn::parse_quote!(#[crd(group = "a.b", version = "v1", cluster, #(#seen),*)]);
    let attrs = KindAttrs::from_attributes(&[attr]).ok()?;
    let is_metadata = |f: &&syn::Field| {
        f.ident.as_ref().is_some_and(|name| name == "metadata") && types::is_object_meta(&f.ty)
    };
    let metadata = match &input.data {
        syn::Data::Struct(data) if attrs.root.is_none() => data.fields.iter().find(is_metadata),
        _ => None,
    };
    let root = match &attrs.root {
        _ if metadata.is_some() => Root::Itself(metadata_of_generated()),
        Some(root) => Root::Generated(Ident::clone(root)),
        None => Root::Generated(names::identifier(&attrs.kind.value, attrs.kind.span)),
    };
    if matches!(&root, Root::Generated(root) if *root == input.ident) {
        return None;
    }
    let text = String::new;
    Some(Kind { attrs, plural: text(), singular: text(), list_kind: text(), root })
}

/// `pub struct CronTab { metadata, spec, status }` and how serde reads and writes it.
fn root_type(model: &Model, kind: &Kind, root: &Ident, krate: &TokenStream) -> TokenStream {
    let Model { vis, ident: spec, doc, .. } = model;
    let attrs = &kind.attrs;
    let doc = match &attrs.root_description {
        Some(Text { value, .. }) => quote!(#[doc = #value]),
        None => doc.attributes(&format!("The kind `{}`.", attrs.kind.value)),
    };
    let derives = attrs.derive.iter().flat_map(|list| list.iter());
    let extra = attrs.attr.iter().flat_map(|metas| &metas.0);
    let status = attrs.status.as_deref();
    let status_field = status.map(|status| {
        quote! {
            /// What is there.
            pub status: ::core::option::Option<#status>,
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
        #[derive(::core::clone::Clone, ::core::fmt::Debug #(, #derives)*)]
        #(#[#extra])*
        #vis struct #root {
            /// Standard metadata.
            pub metadata: #krate::__private::ObjectMeta,
            /// What is wanted.
            pub spec: #spec,
            #status_field
        }

        #[automatically_derived]
        impl #root {
            /// An object of this name, with everything else of its metadata empty.
            #vis fn new(name: impl ::core::convert::Into<::std::string::String>, spec: #spec) -> Self {
                Self { metadata: #krate::__private::named(::core::convert::Into::into(name)), spec, #none }
            }
        }

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
    let description = own.map(|text| &text.value);
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
fn metadata_of_generated() -> Member {
    Member::Named(format_ident!("metadata"))
}

/// `impl CustomResource`, and what k8s-openapi and kube ask of a root.
fn resource_impls(
    root: &Ident,
    kind: &Kind,
    krate: &TokenStream,
    definition: &TokenStream,
) -> TokenStream {
    let Kind { attrs, plural, list_kind, .. } = kind;
    let (group, version) = (&attrs.group.value, &attrs.version.value);
    let (kind_name, api_version) = (&attrs.kind.value, api_version(attrs));
    let namespaced = attrs.namespaced.is_present();
    let storage = attrs.storage.as_deref().copied().unwrap_or(true);
    let metadata = match &kind.root {
        Root::Itself(member) => member.clone(),
        Root::Generated(_) => metadata_of_generated(),
    };
    // A field of another type is an error at the field.
    let span = metadata.span();
    let read = quote_spanned!(span=> &self.#metadata);
    let write = quote_spanned!(span=> &mut self.#metadata);
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
        derive: _,
        attr: _,
        apply: _,
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
