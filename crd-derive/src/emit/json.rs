//! Checks defaults written as `json!(..)` against the shape of their type, each part at its token.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, ExprMacro, LitStr, Token, braced, bracketed};

use super::asserts::Asserts;
use crate::attr::Value;

/// JSON as `serde_json::json!` reads it.
pub(super) enum Json {
    Object(Span, Vec<(LitStr, Json)>),
    List(Span, Vec<Json>),
    /// `null`, which the server drops or rejects depending on the container.
    Null,
    /// A literal, or any other expression, which is not checked.
    Expr(Box<Expr>),
}

/// Reads a call of `json!`. `None` for another macro, and for malformed JSON, which rustc reports.
pub(super) fn read(mac: &ExprMacro) -> Option<Json> {
    let name = mac.mac.path.segments.last()?;
    (name.ident == "json").then(|| mac.mac.parse_body().ok()).flatten()
}

impl Parse for Json {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(syn::token::Brace) {
            let content;
            let brace = braced!(content in input);
            let mut members = Vec::new();
            while !content.is_empty() {
                let key: LitStr = content.parse()?;
                content.parse::<Token![:]>()?;
                members.push((key, content.parse()?));
                if !content.is_empty() {
                    content.parse::<Token![,]>()?;
                }
            }
            return Ok(Self::Object(brace.span.join(), members));
        }
        if input.peek(syn::token::Bracket) {
            let content;
            let bracket = bracketed!(content in input);
            let elements = content.parse_terminated(Self::parse, Token![,])?;
            return Ok(Self::List(bracket.span.join(), elements.into_iter().collect()));
        }
        let fork = input.fork();
        if fork.parse::<syn::Ident>().is_ok_and(|ident| ident == "null")
            && (fork.is_empty() || fork.peek(Token![,]))
        {
            input.parse::<syn::Ident>()?;
            return Ok(Self::Null);
        }
        input.parse().map(|expr| Self::Expr(Box::new(expr)))
    }
}

impl Asserts<'_> {
    /// `shape` is an expression of type `&Shape`, `what` is the default or a part of it.
    pub(super) fn json(&mut self, json: &Json, what: &str, shape: &TokenStream) {
        let krate = self.krate;
        match json {
            Json::Object(span, members) => {
                let names = members.iter().map(|(key, _)| key.value());
                self.ask(*span, "literal_object", &quote!(#shape, #what, &[#(#names),*]));
                for (key, value) in members {
                    let name = key.value();
                    self.ask(key.span(), "literal_field", &quote!(#shape, #what, #name));
                    let property = quote!(#krate::__private::check::property(#shape, #name));
                    self.json(value, "value", &property);
                }
            }
            Json::List(span, elements) => {
                let count = elements.len() as u64;
                self.ask(*span, "literal_list", &quote!(#shape, #what, #count));
                let items = quote!(#krate::__private::check::items(#shape));
                for element in elements {
                    self.json(element, "element", &items);
                }
            }
            Json::Expr(expr) => self.literal(&Value((**expr).clone()), what, shape),
            Json::Null => {}
        }
    }
}
