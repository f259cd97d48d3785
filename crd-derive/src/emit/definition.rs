//! The table of a kind, from which the runtime makes its CRD.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::columns::column_tokens;
use crate::literal::Text;
use crate::model::{Kind, Pair, Webhook};

/// An expression of type `__private::Kind`: the members that attributes set.
pub(super) fn table(kind: &Kind) -> TokenStream {
    let singular = &kind.singular;
    let singular = (*singular != kind.kind.value.to_lowercase())
        .then(|| quote!(singular: __p::Some(#singular),));
    let texts = |texts: &[Text]| list(texts.iter().map(|text| text.value.clone()));
    let short_names = texts(&kind.short_name).map(|texts| quote!(short_names: #texts,));
    let categories = texts(&kind.category).map(|texts| quote!(categories: #texts,));
    let selectable = texts(&kind.selectable).map(|texts| quote!(selectable: #texts,));
    let pairs = |pairs: &[Pair]| {
        list(pairs.iter().map(|Pair { key, value }| {
            let (key, value) = (&key.value, &value.value);
            quote!((#key, #value))
        }))
    };
    let annotations = pairs(&kind.annotation).map(|pairs| quote!(annotations: #pairs,));
    let labels = pairs(&kind.label).map(|pairs| quote!(labels: #pairs,));
    let columns = list(kind.print_column.iter().map(|column| column_tokens(column)));
    let columns = columns.map(|columns| quote!(columns: #columns,));
    let served = kind.served.as_deref().map(|served| quote!(served: #served,));
    let deprecated = kind.deprecated.as_deref().map(|deprecated| {
        let warning = option(deprecated.as_ref().explicit().map(|text| &text.value));
        quote!(deprecated: __p::Some(#warning),)
    });
    let status = kind.attrs.status.is_some().then(|| quote!(status: true,));
    let scale = kind.scale.as_ref().map(|scale| {
        let (spec, status) = (&scale.spec.value, &scale.status.value);
        let selector = option(scale.selector.as_ref().map(|text| &text.value));
        quote!(scale: __p::Some((#spec, #status, #selector)),)
    });
    let conversion = kind.conversion.as_ref().map(|it| webhook(&it.webhook));
    let members = quote! {
        #singular #short_names #categories #annotations #labels #served #deprecated #status #scale
        #columns #selectable #conversion
    };
    if members.is_empty() {
        quote!(__p::Kind::PLAIN)
    } else {
        quote!(__p::Kind { #members ..__p::Kind::PLAIN })
    }
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
        webhook: __p::Some(__p::Webhook {
            service: #service,
            url: #url,
            ca_bundle: #ca_bundle,
            review_versions: &[#(#versions),*],
        }),
    }
}

/// A slice, unless it is empty.
fn list<T: ToTokens>(items: impl Iterator<Item = T>) -> Option<TokenStream> {
    let items: Vec<_> = items.collect();
    (!items.is_empty()).then(|| quote!(&[#(#items),*]))
}

fn option<T: ToTokens>(value: Option<T>) -> TokenStream {
    value.map_or_else(|| quote!(__p::None), |value| quote!(__p::Some(#value)))
}
