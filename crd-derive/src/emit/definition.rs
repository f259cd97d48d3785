//! `CustomResource::definition`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::columns::column_tokens;
use crate::model::{Kind, Pair, Webhook};

/// An expression of type `CustomResourceDefinition`.
pub(super) fn definition(kind: &Kind) -> TokenStream {
    let Kind { group, version, plural, .. } = kind;
    let (kind_name, singular, list_kind) =
        (&kind.kind.value, &kind.singular.value, &kind.list_kind.value);
    let namespaced = kind.scope.namespaced.is_some();
    let names = names(kind);
    let version_calls = version_calls(kind);
    let columns = kind.columns.iter().map(column_tokens);
    let selectable = kind.selectable.iter().map(|path| &path.value);
    let conversion = kind.conversion.as_deref().map(webhook);
    quote! {
        __p::Definition::new(&__p::KindNames {
            group: #group,
            version: #version,
            kind: #kind_name,
            plural: #plural,
            singular: #singular,
            list_kind: #list_kind,
            namespaced: #namespaced,
        })
        #names
        #version_calls
        .collect::<Self>("")
        #(.column(#columns))*
        #(.selectable(#selectable))*
        #conversion
        .schema(<Self as __s::CrdSchema>::schema())
    }
}

/// Short names, categories, annotations and labels.
fn names(kind: &Kind) -> TokenStream {
    let short_names = kind.short_names.iter().map(|text| &text.value);
    let categories = kind.categories.iter().map(|text| &text.value);
    let pairs = |pairs: &[Pair], name: &str| -> TokenStream {
        let name = format_ident!("{name}");
        let call = |Pair { key, value }: &Pair| {
            let (key, value) = (&key.value, &value.value);
            quote!(.#name(#key, #value))
        };
        pairs.iter().map(call).collect()
    };
    let annotations = pairs(&kind.annotations, "annotation");
    let labels = pairs(&kind.labels, "label");
    quote!(#(.short_name(#short_names))* #(.category(#categories))* #annotations #labels)
}

/// Calls that set the properties of the version: served, stored, deprecated, subresources.
fn version_calls(kind: &Kind) -> TokenStream {
    let served = kind.served.map(|served| quote!(.served(#served)));
    let storage = kind.storage.map(|storage| quote!(.storage(#storage)));
    let deprecated = kind.deprecated.as_ref().map(|deprecated| {
        let warning = option(deprecated.warning.as_ref().map(|text| &text.value));
        quote!(.deprecated(#warning))
    });
    let status = kind.has_status.then(|| quote!(.status()));
    let scale = kind.scale.as_ref().map(|scale| {
        let (spec, status) = (&scale.spec.value, &scale.status.value);
        let selector = option(scale.selector.as_ref().map(|text| &text.value));
        quote!(.scale(#spec, #status, #selector))
    });
    quote!(#served #storage #deprecated #status #scale)
}

fn webhook(webhook: &Webhook) -> TokenStream {
    let Webhook { service, url, ca_bundle, review_versions } = webhook;
    let service = option(service.as_ref().map(|service| {
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
        .webhook(__p::Webhook {
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
