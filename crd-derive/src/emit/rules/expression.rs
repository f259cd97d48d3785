//! An expression of a rule with what its check depends on, as a value and as tokens.

use crd_cel::compile_time::Want;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

/// An expression of a rule, for the functions that check it, in rustc or here.
pub(super) struct Expression<'a> {
    pub(super) source: &'a str,
    pub(super) program: &'a [u8],
    pub(super) want: Want,
    pub(super) optional_old_self: bool,
    pub(super) unchecked: bool,
    /// The path from the type to the value.
    pub(super) path: &'a [String],
}

impl Expression<'_> {
    /// An element of a table, for an expression on the type `of`.
    pub(super) fn tokens(&self, of: &TokenStream) -> TokenStream {
        let Self { source, program, want, optional_old_self, unchecked, path } = *self;
        let program = Literal::byte_string(program);
        if let (false, Want::Rule, false, []) = (optional_old_self, want, unchecked, path) {
            return quote!(__rule(#of, #source, #program));
        }
        // `Debug` prints the name of a variant, which is also its name in generated code.
        let want = Ident::new(&format!("{want:?}"), Span::call_site());
        quote! {
            __cel::Rule {
                of: #of,
                optional_old_self: #optional_old_self,
                want: __cel::Want::#want,
                unchecked: #unchecked,
                source: #source,
                program: #program,
                path: &[#(#path),*],
            }
        }
    }
}

/// The identifiers in a rule, including words in its strings that look like one.
pub(super) fn names_in(rule: &str) -> impl Iterator<Item = &str> {
    rule.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|name| !name.is_empty())
}
