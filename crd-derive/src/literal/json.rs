//! Parses JSON in Rust tokens, such as defaults that are written as `json!(..)`, with the span of each part.

use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, ExprMacro, LitStr, Token, braced, bracketed};

/// JSON as `serde_json::json!` reads it.
pub(crate) enum Json {
    Object(Span, Vec<(LitStr, Json)>),
    List(Span, Vec<Json>),
    /// `null`, which the server drops or rejects depending on the container.
    Null,
    /// A literal, or any other expression, which is not checked.
    Expr(Box<Expr>),
}

impl Json {
    /// Reads a call of `json!`. `None` for another macro, and for malformed JSON, which rustc reports.
    pub(crate) fn read(mac: &ExprMacro) -> Option<Self> {
        let name = mac.mac.path.segments.last()?;
        (name.ident == "json").then(|| mac.mac.parse_body().ok()).flatten()
    }
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
