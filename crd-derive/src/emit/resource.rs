//! `impl CustomResource`, and the impls that k8s-openapi and kube need of a root.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Ident, Member};

use super::definition::definition;
use super::root::root_schema;
use crate::model::{Kind, Model, Root};

/// The implementations of the root type.
pub(crate) fn emit(model: &Model, kind: &Kind) -> TokenStream {
    let definition = definition(kind);
    let paths = super::paths::emit(model, kind);
    let names = super::constants::of_names(kind);
    match &kind.root {
        Root::Itself(metadata) => {
            let ident = &model.ident;
            let metadata = Some(metadata);
            let resource = resource_impls(ident, kind, &definition, metadata);
            quote!(#resource #paths #names)
        }
        Root::Generated(root) => {
            let schema = root_schema(model, kind, root);
            let metadata = metadata_member();
            let resource = resource_impls(root, kind, &definition, Some(&metadata));
            quote!(#schema #resource #paths #names)
        }
    }
}

/// The root type of a kind with `schema = "disabled"`: what kube's clients need of it.
pub(crate) fn without_schema(model: &Model, kind: &Kind) -> TokenStream {
    let Root::Generated(root) = &kind.root else { return TokenStream::new() };
    let Model { krate, lints, .. } = model;
    let resource = impls_of_k8s_openapi(root, kind, Some(&metadata_member()));
    let names = super::constants::of_names(kind);
    let root = super::root::emit(model, kind);
    let kube = super::client::kube_traits(model, kind, &quote!(#krate));
    quote! {
        #lints
        const _: () = {
            use #krate::__private as __p;
            #resource
            #names
        };
        #root
        #kube
    }
}

/// The name `metadata`, which the field has in a generated root.
pub(super) fn metadata_member() -> Member {
    Member::Named(format_ident!("metadata"))
}

/// `impl CustomResource`, and the impls that k8s-openapi and kube need of a root.
///
/// A derive that fails emits them without a field `metadata`, so that rustc reports no missing impls
/// next to the errors of the derive. Their methods are `unreachable!()`: the program does not
/// compile.
pub(super) fn resource_impls(
    root: &Ident,
    kind: &Kind,
    definition: &TokenStream,
    metadata: Option<&Member>,
) -> TokenStream {
    let Kind { group, version, plural, .. } = kind;
    let kind_name = &kind.kind.value;
    let api_version = super::api_version::emit(root, kind, &quote!(__p));
    let namespaced = kind.scope.namespaced.is_some();
    let storage = kind.storage.unwrap_or(true);
    let of_k8s_openapi = impls_of_k8s_openapi(root, kind, metadata);
    quote! {
        #[automatically_derived]
        impl __p::CustomResource for #root {
            const GROUP: &'static str = #group;
            const VERSION: &'static str = #version;
            const API_VERSION: &'static str = #api_version;
            const KIND: &'static str = #kind_name;
            const PLURAL: &'static str = #plural;
            const NAMESPACED: bool = #namespaced;
            const STORAGE: bool = #storage;

            fn definition() -> __p::CustomResourceDefinition {
                #definition
            }
        }

        #[automatically_derived]
        impl __p::Defined for #root {
            const DEFINED_AS: __p::DefinedAs = __p::defined_as::<Self>();

            fn defined() -> __p::CustomResourceDefinition {
                <Self as __p::CustomResource>::definition()
            }
        }

        #of_k8s_openapi
    }
}

/// The impls of k8s-openapi's traits, from which those of kube follow.
fn impls_of_k8s_openapi(root: &Ident, kind: &Kind, metadata: Option<&Member>) -> TokenStream {
    let Kind { group, version, plural, .. } = kind;
    let (kind_name, list_kind) = (&kind.kind.value, &kind.list_kind.value);
    let joined = super::api_version::joined(root, kind, &quote!(__p));
    let namespaced = kind.scope.namespaced.is_some();
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
        impl __p::k8s_openapi::Resource for #root {
            const API_VERSION: &'static str = #joined;
            const GROUP: &'static str = #group;
            const KIND: &'static str = #kind_name;
            const VERSION: &'static str = #version;
            const URL_PATH_SEGMENT: &'static str = #plural;
            type Scope = __p::k8s_openapi::#scope;
        }

        #[automatically_derived]
        impl __p::k8s_openapi::ListableResource for #root {
            const LIST_KIND: &'static str = #list_kind;
        }

        #[automatically_derived]
        impl __p::k8s_openapi::Metadata for #root {
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
