//! `impl CustomResource`, and the impls that k8s-openapi and kube need of a root.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Ident, Member};

use super::definition::definition;
use super::root::{root_schema, root_type};
use crate::model::{Kind, Model, Root};

/// The root type, if it is generated, and its implementations.
pub(crate) fn emit(model: &Model, kind: &Kind) -> TokenStream {
    let krate = &model.krate;
    let krate = quote!(#krate);
    let definition = definition(kind, &krate);
    let paths = super::paths::emit(model, kind, &krate);
    let names = super::constants::of_names(kind, &krate);
    let lints = &model.lints;
    match &kind.root {
        Root::Itself(metadata) => {
            let ident = &model.ident;
            let metadata = Some(metadata);
            let resource = resource_impls(ident, kind, &krate, &definition, metadata);
            quote!(#lints const _: () = { #resource #paths #names };)
        }
        Root::Generated(root) => {
            let data = root_type(model, kind, root, &krate);
            let schema = root_schema(model, kind, root, &krate);
            let metadata = metadata_member();
            let resource = resource_impls(root, kind, &krate, &definition, Some(&metadata));
            quote! {
                #data
                #lints
                const _: () = { #schema #resource #paths #names };
            }
        }
    }
}

/// The root type of a kind with `schema = "disabled"`: what kube's clients need of it.
pub(crate) fn without_schema(model: &Model, kind: &Kind) -> TokenStream {
    let Root::Generated(root) = &kind.root else { return TokenStream::new() };
    let Model { krate, lints, .. } = model;
    let krate = quote!(#krate);
    let data = root_type(model, kind, root, &krate);
    let resource = impls_of_k8s_openapi(root, kind, &krate, Some(&metadata_member()));
    let names = super::constants::of_names(kind, &krate);
    let kube = super::client::kube_traits(model, kind, &krate);
    quote! {
        #data
        #lints
        const _: () = { #resource #names };
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
    krate: &TokenStream,
    definition: &TokenStream,
    metadata: Option<&Member>,
) -> TokenStream {
    let Kind { group, version, plural, .. } = kind;
    let kind_name = &kind.kind.value;
    let api_version = super::api_version::emit(root, kind, krate);
    let namespaced = kind.scope.namespaced.is_some();
    let storage = kind.storage.unwrap_or(true);
    let of_k8s_openapi = impls_of_k8s_openapi(root, kind, krate, metadata);
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
        impl #krate::__private::Defined for #root {
            const DEFINED_AS: #krate::__private::DefinedAs = #krate::__private::defined_as::<Self>();

            fn defined() -> #krate::model::CustomResourceDefinition {
                <Self as #krate::CustomResource>::definition()
            }
        }

        #of_k8s_openapi
    }
}

/// The impls of k8s-openapi's traits, from which those of kube follow.
fn impls_of_k8s_openapi(
    root: &Ident,
    kind: &Kind,
    krate: &TokenStream,
    metadata: Option<&Member>,
) -> TokenStream {
    let Kind { group, version, plural, .. } = kind;
    let (kind_name, list_kind) = (&kind.kind.value, &kind.list_kind.value);
    let joined = super::api_version::joined(root, kind, krate);
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
        impl #krate::__private::k8s_openapi::Resource for #root {
            const API_VERSION: &'static str = #joined;
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
