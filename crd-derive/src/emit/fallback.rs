//! The stub of a root type, emitted after an error so that other code still finds the type.

use darling::FromAttributes;
use proc_macro2::TokenStream;
use quote::quote;
use syn::punctuated::Punctuated;
use syn::{DeriveInput, Generics, Meta, Token};

use super::resource::{metadata_member, resource_impls};
use super::root;
use crate::attr::KindAttrs;
use crate::doc::Doc;
use crate::model::{Body, Constraints, Kind, Model, Root};
use crate::types;

/// Emits a stub root if its name can be found.
pub(super) fn kind(input: &DeriveInput, krate: &syn::Path) -> TokenStream {
    let Some(kind) = kind_of(input) else { return TokenStream::new() };
    match &kind.root {
        Root::Itself(_) => {
            let resource = resource_impls(&input.ident, &kind, None);
            quote!(const _: () = { use #krate::__private::names::*; #resource };)
        }
        Root::Generated(root) => {
            let model = Model {
                ident: input.ident.clone(),
                vis: input.vis.clone(),
                generics: Generics::default(),
                bound: None,
                serde_bound: None,
                is_converted: false,
                is_newtype: false,
                krate: krate.clone(),
                json_schema: false,
                lints: TokenStream::new(),
                doc: Doc::default(),
                constraints: Constraints::default(),
                body: Body::Unit,
                allows: Vec::new(),
                apply: None,
                kind: None,
            };
            let (data, impls) = root::emit(&model, &kind).unzip();
            let resource = resource_impls(root, &kind, None);
            quote! {
                #data
                const _: () = {
                    use #krate::__private::names::*;
                    #resource
                    #impls

                    #[automatically_derived]
                    impl __CrdSchema for #root {
                        fn schema() -> __JsonSchemaProps {
                            ::core::unreachable!()
                        }
                    }
                };
            }
        }
    }
}

/// The kind, with only those keys that other code depends on: the name of its type, its scope, its status, its further
/// derives.
fn kind_of(input: &DeriveInput) -> Option<Kind> {
    if !input.generics.params.is_empty() {
        return None;
    }
    let mut seen = Vec::<Meta>::new();
    let mut is_namespaced = false;
    for attr in input.attrs.iter().filter(|attr| attr.path().is_ident("crd")) {
        let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
        let metas = attr.parse_args_with(parser).ok()?;
        is_namespaced |= metas.iter().any(|meta| meta.path().is_ident("namespaced"));
        seen.extend(metas.into_iter().filter(|meta| {
            ["kind", "root", "status", "derive"].iter().any(|name| meta.path().is_ident(name))
        }));
    }
    let scope = if is_namespaced { quote!(namespaced) } else { quote!(cluster) };
    let attr: syn::Attribute =
        syn::parse_quote!(#[crd(group = "a.b", version = "v1", #scope, #(#seen),*)]);
    let attrs = KindAttrs::from_attributes(&[attr]).ok()?;
    let metadata = match &input.data {
        syn::Data::Struct(data) => {
            let has_types = data.fields.iter().any(|field| types::is_type_meta(&field.ty));
            let is_metadata = |f: &&syn::Field| {
                let is_root = has_types || (types::is_object_meta(&f.ty) && attrs.root.is_none());
                is_root && f.ident.as_ref().is_some_and(|name| name == "metadata")
            };
            data.fields.iter().find(is_metadata)
        }
        _ => None,
    };
    let root = match metadata {
        Some(_) => Root::Itself(metadata_member()),
        None => Root::generated(&attrs),
    };
    if matches!(&root, Root::Generated(root) if *root == input.ident) {
        return None;
    }
    Some(Kind::with_root(attrs, root))
}
