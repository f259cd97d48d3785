//! Doc comments, which become descriptions in the schema.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Expr, Meta};

/// The doc comments of an item: literals, `concat!(..)`, `include_str!(..)` and other expressions that rustc accepts.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Doc(Vec<Expr>);

impl Doc {
    pub(crate) fn of(attrs: &[Attribute]) -> Self {
        let docs = attrs.iter().filter(|attr| attr.path().is_ident("doc"));
        Self(
            docs.filter_map(|attr| match &attr.meta {
                Meta::NameValue(pair) => Some(pair.value.clone()),
                // `#[doc(hidden)]`
                Meta::Path(_) | Meta::List(_) => None,
            })
            .collect(),
        )
    }

    /// `&["..", ..]`
    pub(crate) fn texts(&self) -> TokenStream {
        let texts = &self.0;
        quote!(&[#(#texts),*])
    }

    /// `.doc(&["..", ..])`, or nothing.
    pub(crate) fn call(&self) -> Option<TokenStream> {
        let texts = self.texts();
        (!self.0.is_empty()).then(|| quote!(.doc(#texts)))
    }

    /// `#[doc = ".."]` for each comment, or one with `instead` if there is none.
    pub(crate) fn attributes(&self, instead: &str) -> TokenStream {
        let texts = &self.0;
        if texts.is_empty() { quote!(#[doc = #instead]) } else { quote!(#(#[doc = #texts])*) }
    }
}
