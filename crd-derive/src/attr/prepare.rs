//! Rewrites attributes before they are parsed: `Status<T>` becomes a macro call, which `syn` parses as an expression, and
//! `Self` becomes the name of the type, which generated items outside its impl blocks can contain.

use std::cell::Cell;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens as _, quote_spanned};
use syn::{Expr, Meta};

use crate::names::map_tokens;

/// Rewrites the attributes of a type, its fields and variants, and returns whether one of them may have a key of
/// [`take_defaults`](super::take_defaults) or [`take_strings`](super::take_strings). rustc writes tokens as text in less
/// time than a macro reads them, so the text says whether there is anything to rewrite.
pub(crate) fn prepare(input: &mut syn::DeriveInput) -> bool {
    // Checks of a type without parameters other than lifetimes are emitted outside its impl blocks.
    let has_parameters = input.generics.params.len() > input.generics.lifetimes().count();
    let ident = (!has_parameters).then(|| input.ident.clone());
    let may_take = Cell::new(false);
    for_each(input, |mut tokens| {
        let text = tokens.to_string();
        if TAKEN_KEYS.iter().any(|key| text.contains(key)) {
            may_take.set(true);
        }
        if KEYS_OF_TYPES.iter().any(|key| text.contains(key)) {
            tokens = with_types(tokens);
        }
        match &ident {
            Some(ident) if text.contains("Self") => without_self(tokens, ident),
            _ => tokens,
        }
    });
    may_take.get()
}

/// The keys that the two functions take.
const TAKEN_KEYS: [&str; 4] = ["defaults", "printcolumn", "scale", "derive"];

/// The keys whose values are types.
const KEYS_OF_TYPES: [&str; 2] = ["status", "schema_as"];

/// Rewrites the keys of a type, and of its fields and variants.
fn for_each(input: &mut syn::DeriveInput, rewrite: impl Fn(TokenStream) -> TokenStream) {
    let rewrite = |attrs: &mut [syn::Attribute]| {
        for attr in attrs.iter_mut().filter(|attr| attr.path().is_ident("crd")) {
            if let Meta::List(list) = &mut attr.meta {
                list.tokens = rewrite(std::mem::take(&mut list.tokens));
            }
        }
    };
    rewrite(&mut input.attrs);
    let of_fields = |fields: &mut syn::Fields| {
        fields.iter_mut().for_each(|field| rewrite(&mut field.attrs));
    };
    match &mut input.data {
        syn::Data::Struct(data) => of_fields(&mut data.fields),
        syn::Data::Enum(data) => {
            for variant in &mut data.variants {
                rewrite(&mut variant.attrs);
                of_fields(&mut variant.fields);
            }
        }
        syn::Data::Union(_) => {}
    }
}

/// Rewrites `status = Status<Phase>` to `status = __type!(Status<Phase>)`: a key's value is parsed as an expression, where
/// `<` would be a comparison. Other values stay, so that their errors are those of any key.
fn with_types(tokens: TokenStream) -> TokenStream {
    let is = |token: &TokenTree, c: char| matches!(token, TokenTree::Punct(punct) if punct.as_char() == c);
    let mut out = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_key = matches!(&token, TokenTree::Ident(ident) if KEYS_OF_TYPES.iter().any(|key| ident == key));
        out.extend([token]);
        let Some(equals) = tokens.next_if(|token| is_key && is(token, '=')) else { continue };
        out.extend([equals]);
        let (mut value, mut depth) = (Vec::new(), 0_usize);
        while let Some(token) = tokens.next_if(|token| depth > 0 || !is(token, ',')) {
            depth = (depth + usize::from(is(&token, '<'))).saturating_sub(is(&token, '>').into());
            value.push(token);
        }
        let is_type = |token: &TokenTree| {
            is(token, '<') || is(token, '&') || matches!(token, TokenTree::Group(_))
        };
        match value.first().filter(|_| value.iter().any(is_type)).map(TokenTree::span) {
            Some(span) => {
                let name = Ident::new(TYPE, span);
                out.extend(quote_spanned!(span=> #name!(#(#value)*)));
            }
            None => out.extend(value),
        }
    }
    out
}

/// The name of the macro around a type.
const TYPE: &str = "__type";

/// The tokens of a type that is the value of a key.
pub(super) fn type_in(expr: &Expr) -> TokenStream {
    match expr {
        Expr::Macro(mac) if mac.mac.path.is_ident(TYPE) => mac.mac.tokens.clone(),
        expr => expr.to_token_stream(),
    }
}

/// Replaces `Self` by the name of the type, because `Self` has no meaning outside an impl block.
fn without_self(tokens: TokenStream, ident: &Ident) -> TokenStream {
    map_tokens(tokens, &mut |token| match token {
        TokenTree::Ident(it) if it == "Self" => {
            let mut ident = ident.clone();
            ident.set_span(it.span());
            TokenTree::Ident(ident).into()
        }
        other => other.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_may_have_type_arguments() {
        let same = |text: &str, want: &str| {
            let tokens: TokenStream = text.parse().expect("tokens");
            let want: TokenStream = want.parse().expect("tokens");
            let text = |tokens: TokenStream| tokens.to_string().replace(' ', "");
            assert_eq!(text(with_types(tokens)), text(want));
        };
        same("status = S<A<B>, C>, served", "status = __type!(S<A<B>, C>), served");
        same("a = 1, status = ::m::S<A>", "a = 1, status = __type!(::m::S<A>)");
        same(
            "status = ::m::S, rule(\"status = S<A>\")",
            "status = ::m::S, rule(\"status = S<A>\")",
        );
        same("schema_as = (A<B>, C), title", "schema_as = __type!((A<B>, C)), title");
        same("schema_as = &'static str", "schema_as = __type!(&'static str)");
        same("schema_as = \"Vec<A>\"", "schema_as = \"Vec<A>\"");
        same("scale(status = \".status.n\")", "scale(status = \".status.n\")");
        same("default = A < B, status", "default = A < B, status");
    }

    #[test]
    fn self_is_the_name_of_a_type_without_parameters() {
        let same = |generics: &str, want: &str| {
            let text = format!("struct A{generics} {{ #[crd(default = Self::ZERO)] a: u8 }}");
            let mut input: syn::DeriveInput = syn::parse_str(&text).expect("a struct");
            prepare(&mut input);
            let written = quote::quote!(#input).to_string();
            assert!(written.contains(&format!("default = {want} :: ZERO")), "{written}");
        };
        same("", "A");
        same("<'a>", "A");
        same("<T>", "Self");
        same("<'a, T>", "Self");
    }
}
