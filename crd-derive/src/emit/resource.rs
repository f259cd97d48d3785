//! The impls that make a root type a kind: its definition, and what k8s-openapi and kube need of a root.
//!
//! ```ignore
//! impl __k8s_openapi::Resource for CronTab { const GROUP: &'static str = "example.com"; .. }
//! impl __p::Defined for CronTab {
//!     const DEFINED_AS: __p::DefinedAs = __p::defined_as::<Self>(true);
//!     fn defined() -> __p::CustomResourceDefinition {
//!         __p::definition::<Self>(&__p::Kind { status: true, ..__p::Kind::PLAIN })
//!     }
//! }
//! ```

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Ident, Member};

use super::definition::table;
use crate::model::{Kind, KindAttrs, Model, Root};

/// The implementations of the root type.
pub(crate) fn emit(model: &Model, kind: &Kind) -> TokenStream {
    let paths = super::paths::emit(model, kind);
    let names = super::constants::of_names(kind);
    let (schema, metadata) = match &kind.root {
        Root::Itself(metadata) => (None, metadata.clone()),
        Root::Generated(root) => (Some(super::root::schema(model, kind, root)), metadata_member()),
    };
    let resource = resource_impls(kind.root_type(&model.ident), kind, Some(&metadata));
    quote!(#schema #resource #paths #names)
}

/// The root type of a kind with `schema = "disabled"`: what kube's clients need of it.
pub(crate) fn without_schema(model: &Model, kind: &Kind) -> TokenStream {
    let Root::Generated(root) = &kind.root else { return TokenStream::new() };
    let Model { krate, lints, .. } = model;
    let resource = impls_of_k8s_openapi(root, kind, Some(&metadata_member()));
    let names = super::constants::of_names(kind);
    let (root, impls) = super::root::emit(model, kind).unzip();
    let kube = super::client::in_client(&super::client::kube_traits(model, kind));
    quote! {
        #lints
        const _: () = {
            use #krate::__private::names::*;
            #resource
            #names
            #impls
            #kube
        };
        #root
    }
}

/// The name `metadata`, which the field has in a generated root.
pub(super) fn metadata_member() -> Member {
    Member::Named(format_ident!("metadata"))
}

/// `impl Defined`, and the impls that k8s-openapi and kube need of a root.
///
/// A derive that fails emits them without a field `metadata`, so that rustc reports no missing impls
/// next to the errors of the derive. Their methods are `unreachable!()`: the program does not
/// compile.
pub(super) fn resource_impls(root: &Ident, kind: &Kind, metadata: Option<&Member>) -> TokenStream {
    let is_stored = kind.storage.as_deref() != Some(&false);
    let definition = if metadata.is_some() {
        let table = table(kind);
        quote!(__p::definition::<Self>(&#table))
    } else {
        quote!(::core::unreachable!())
    };
    let of_k8s_openapi = impls_of_k8s_openapi(root, kind, metadata);
    quote! {
        #[automatically_derived]
        impl __p::Defined for #root {
            const DEFINED_AS: __p::DefinedAs = __p::defined_as::<Self>(#is_stored);

            fn defined() -> __p::CustomResourceDefinition {
                #definition
            }
        }

        #of_k8s_openapi
    }
}

/// The impls of k8s-openapi's traits, from which those of kube follow.
fn impls_of_k8s_openapi(root: &Ident, kind: &Kind, metadata: Option<&Member>) -> TokenStream {
    let (plural, KindAttrs { group, version, .. }) = (&kind.plural, &kind.attrs);
    let (kind_name, list_kind) = (&kind.kind.value, &kind.list_kind);
    let api_version = api_version(root, kind);
    let namespaced = kind.namespaced.is_present();
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
        impl __k8s_openapi::Resource for #root {
            const API_VERSION: &'static str = #api_version;
            const GROUP: &'static str = #group;
            const KIND: &'static str = #kind_name;
            const VERSION: &'static str = #version;
            const URL_PATH_SEGMENT: &'static str = #plural;
            type Scope = __k8s_openapi::#scope;
        }

        impl __k8s_openapi::ListableResource for #root {
            const LIST_KIND: &'static str = #list_kind;
        }

        #[automatically_derived]
        impl __k8s_openapi::Metadata for #root {
            type Ty = __p::ObjectMeta;

            fn metadata(&self) -> &Self::Ty {
                #read
            }

            fn metadata_mut(&mut self) -> &mut Self::Ty {
                #write
            }
        }
    }
}

/// The text `group/version`, which rustc joins if one of them is a constant.
fn api_version(root: &Ident, kind: &Kind) -> TokenStream {
    if let (Some(group), Some(version)) = (kind.group.text(), kind.version.text()) {
        let text = format!("{}/{}", group.value, version.value);
        return quote!(#text);
    }
    let of = quote!(<#root as __k8s_openapi::Resource>);
    quote! {{
        const __TEXT: [u8; #of::GROUP.len() + 1 + #of::VERSION.len()] =
            __p::joined(#of::GROUP, #of::VERSION);
        __p::text(&__TEXT)
    }}
}
