//! Stubs of the generated types and impls, emitted with errors so that rustc reports no missing ones as well.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::field_schema::FieldSchema;
use super::resource::resource_impls;
use super::{apply, client, root, schema};
use crate::model::{Kind, Model, Root};

/// Emits the stubs of a type. The schema has no further bounds, which a type may not fulfil.
pub(crate) fn emit(model: &Model) -> TokenStream {
    let Model { ident, generics, krate, lints, .. } = model;
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let names = schema::names_of_std(model, &BTreeSet::new());
    let json_schema = model.json_schema.then(|| schema::json_schema(model, generics));
    let map_key = FieldSchema { model }.map_key();
    let is_kind_known = model.kind.as_ref().is_none_or(|kind| is_root_known(kind, model));
    let kind = model.kind.as_ref().filter(|_| is_kind_known);
    let (root, of_root) = kind.map(|kind| of_root(model, kind)).unzip();
    let client = is_kind_known.then(|| client::emit(model));
    let is_applied = is_kind_known && generics.lifetimes().next().is_none();
    let apply = if model.apply.is_some() && is_applied {
        let (apply, applied) = (apply::implementation(model), apply::types(model));
        quote!(#apply #applied)
    } else {
        quote! {
            #[automatically_derived]
            impl #impl_generics #krate::apply::IntoApply for #ident #type_generics #where_clause {
                type Apply = Self;

                fn into_apply(self) -> Self {
                    self
                }
            }
        }
    };
    quote! {
        #lints
        const _: () = {
            use #krate::__private::names::*;
            #[automatically_derived]
            impl #impl_generics __CrdSchema for #ident #type_generics #where_clause {
                fn schema() -> __JsonSchemaProps {
                    #names
                    ::core::unreachable!()
                }
            }
            #json_schema #map_key #of_root #client
        };
        #root #apply
    }
}

/// Whether a root can be emitted: the kind has no parameters, and its root another name than its spec and status.
fn is_root_known(kind: &Kind, model: &Model) -> bool {
    let is_taken = |root: &Ident| model.ident == *root || kind.is_status(root);
    model.generics.params.is_empty()
        && !matches!(&kind.root, Root::Generated(root) if is_taken(root))
}

/// The root type, if it is generated, and its impls.
fn of_root(model: &Model, kind: &Kind) -> (Option<TokenStream>, TokenStream) {
    let root = kind.root_type(&model.ident);
    let (data, impls) = root::emit(model, kind).unzip();
    let resource = resource_impls(root, kind, None);
    let schema = data.as_ref().map(|_| {
        quote! {
            #[automatically_derived]
            impl __CrdSchema for #root {
                fn schema() -> __JsonSchemaProps {
                    ::core::unreachable!()
                }
            }
        }
    });
    (data, quote!(#resource #impls #schema))
}
