//! Doc comments, which become descriptions in the schema.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

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

    /// `.doc(&["..", ..])`, or nothing.
    pub(crate) fn call(&self) -> Option<TokenStream> {
        let texts = &self.0;
        (!texts.is_empty()).then(|| quote!(.doc(&[#(#texts),*])))
    }

    /// `#[doc = ".."]` for each comment, or one with `instead` if there is none.
    pub(crate) fn attributes(&self, instead: &str) -> TokenStream {
        let texts = &self.0;
        if texts.is_empty() { quote!(#[doc = #instead]) } else { quote!(#(#[doc = #texts])*) }
    }
}

/// Names with their doc comments, as one literal: rustc takes some time for each token.
///
/// A name ends with `\u{1e}`, and before each of its comments is `\u{1f}`.
#[derive(Default)]
pub(crate) struct Written {
    /// The arguments of `concat!` before the last text, if a comment is a macro.
    before: TokenStream,
    last: String,
}

impl Written {
    pub(crate) fn push(&mut self, name: &str, doc: &Doc) {
        self.last.push_str(name);
        for text in &doc.0 {
            self.last.push('\u{1f}');
            if let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = text {
                self.last.push_str(&text.value());
            } else {
                let last = std::mem::take(&mut self.last);
                self.before.extend(quote!(#last, #text,));
            }
        }
        self.last.push('\u{1e}');
    }

    pub(crate) fn into_tokens(self) -> TokenStream {
        let Self { before, last } = self;
        if before.is_empty() {
            return last.into_token_stream();
        }
        quote!(::core::concat!(#before #last))
    }
}
