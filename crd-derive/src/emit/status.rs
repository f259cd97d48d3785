//! The type of a status, or the one that stands for it in the schema.

use proc_macro2::TokenStream;
use quote::quote;

use crate::attr::SchemaOf;
use crate::model::Kind;

/// The type whose schema the status has, unless a function gives it.
pub(super) fn type_of_schema(kind: &Kind) -> Option<TokenStream> {
    let status = kind.status.as_deref()?;
    match kind.status_schema.as_deref() {
        None => Some(quote!(#status)),
        Some(SchemaOf::Type(ty)) => Some(quote!(#ty)),
        Some(SchemaOf::Function(_)) => None,
    }
}
