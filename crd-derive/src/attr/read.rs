//! Reads the attributes of an item so that an error in one key does not hide errors in others.

use darling::error::Accumulator;
use darling::{Error, FromAttributes};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Meta, Token, parse_quote};

/// The attributes of one kind of item, such as a field.
pub(crate) trait Keys: FromAttributes {
    /// Required keys: the name, a placeholder with which the other keys are still checked, and an example for the
    /// error.
    const REQUIRED: &'static [(&'static str, &'static str, &'static str)] = &[];
}

/// Pairs of keys: the second depends on the first, and is dropped without an error if the first is malformed.
const COMPANIONS: [[&str; 2]; 4] = [
    ["minimum", "exclusive_minimum"],
    ["maximum", "exclusive_maximum"],
    ["list_map_keys", "list_type"],
    ["list_type", "list_map_keys"],
];

/// Reads `#[crd(..)]`, reporting and dropping malformed keys. Missing keys are reported at the attribute; if there is
/// none, at `item`.
pub(crate) fn read<T: Keys>(
    attrs: &[Attribute],
    item: &dyn ToTokens,
    errors: &mut Accumulator,
) -> Option<T> {
    for attr in attrs.iter().filter(|attr| is_ours(attr) && matches!(attr.meta, Meta::Path(_))) {
        let message =
            "`#[crd]` has no effect; write a key, as in `#[crd(minimum = 1)]`, or remove it";
        errors.push(Error::custom(message).with_span(attr));
    }
    if let Ok(read) = T::from_attributes(attrs) {
        return Some(read);
    }
    let span = attrs
        .iter()
        .find(|attr| is_ours(attr))
        .map_or_else(|| item.span(), |attr| attr.path().span());
    let mut lost = Vec::new();
    let metas = metas(attrs, &mut lost, errors);
    // Attributes of kube's derive in place of all of ours are one error, which `report_other_derives` writes.
    let is_kube = |attr: &Attribute| attr.path().is_ident("kube");
    if attrs.iter().any(is_ours) || !attrs.iter().any(is_kube) {
        report_mistakes::<T>(&metas, &lost, span, errors);
    }
    let mut kept: Vec<Meta> = metas
        .into_iter()
        .filter_map(|meta| {
            let name = meta.path().to_token_stream().to_string();
            let kept = keep(&meta, &|meta| from::<T>(&[meta], span).is_ok());
            if kept.as_ref() != Some(&meta) {
                lost.push(name);
            }
            kept
        })
        .collect();
    let depends_on_lost_key = |meta: &Meta| {
        COMPANIONS.iter().any(|[key, companion]| {
            meta.path().is_ident(companion) && lost.iter().any(|name| name == key)
        })
    };
    kept.retain(|meta| !depends_on_lost_key(meta));
    let is_scope_lost = lost.iter().any(|name| name == "namespaced" || name == "cluster");
    // Adds a scope, because a missing one would be a second error about the same mistake.
    if !T::REQUIRED.is_empty() && (is_scope_lost || !attrs.iter().any(is_ours)) {
        kept.push(parse_quote!(namespaced));
    }
    from::<T>(&kept, span).ok().or_else(|| {
        // Keeps the first of duplicate keys.
        let mut unique: Vec<Meta> = Vec::new();
        for meta in kept {
            if !unique.iter().any(|there| there.path() == meta.path()) {
                unique.push(meta);
            }
        }
        from::<T>(&unique, span).ok()
    })
}

fn is_ours(attr: &Attribute) -> bool {
    attr.path().is_ident("crd")
}

/// The keys in the attributes. A key that does not parse is reported and added to `lost`.
fn metas(attrs: &[Attribute], lost: &mut Vec<String>, errors: &mut Accumulator) -> Vec<Meta> {
    let mut metas = Vec::new();
    for attr in attrs.iter().filter(|attr| is_ours(attr)) {
        let list = match &attr.meta {
            Meta::List(list) => list,
            Meta::Path(_) => continue,
            meta @ Meta::NameValue(_) => {
                let message = "expected `#[crd(..)]`";
                errors.push(Error::custom(message).with_span(meta));
                continue;
            }
        };
        if let Ok(all) = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(list.tokens.clone())
        {
            metas.extend(all);
            continue;
        }
        // Several keys in a piece lack a comma between them.
        let keys = |input: ParseStream<'_>| {
            let mut keys = vec![input.parse::<Meta>()?];
            while !input.is_empty() {
                keys.push(input.parse()?);
            }
            Ok(keys)
        };
        for piece in pieces(list.tokens.clone()) {
            match keys.parse2(piece.clone()) {
                Ok(keys) => {
                    if let Some(next) = keys.get(1) {
                        errors.push(Error::custom("expected `,`").with_span(next.path()));
                    }
                    metas.extend(keys);
                }
                Err(error) => {
                    errors.push(of_an_object(&piece).unwrap_or_else(|| at_the_end(&error, &piece)));
                    lost.extend(piece.into_iter().next().map(|key| key.to_string()));
                }
            }
        }
    }
    metas
}

/// The error for `key = { "a": 1 }`, which is no expression.
fn of_an_object(piece: &TokenStream) -> Option<Error> {
    let mut tokens = piece.clone().into_iter();
    match (tokens.next()?, tokens.next()?, tokens.next()?) {
        (key, TokenTree::Punct(equals), TokenTree::Group(object))
            if equals.as_char() == '=' && object.delimiter() == Delimiter::Brace =>
        {
            let message = format!("expected an expression, such as `{key} = json!({{..}})`");
            Some(Error::custom(message).with_span(&object.span()))
        }
        _ => None,
    }
}

/// Converts an error about tokens. "unexpected end of input" has no token of its own: it is reported at the last one.
fn at_the_end(error: &syn::Error, tokens: &TokenStream) -> Error {
    let message = error.to_string();
    match (message.strip_prefix("unexpected end of input, "), tokens.clone().into_iter().last()) {
        (Some(message), Some(last)) => Error::custom(message).with_span(&last.span()),
        _ => Error::from(error.clone()),
    }
}

/// Splits tokens at commas.
fn pieces(tokens: TokenStream) -> Vec<TokenStream> {
    let mut pieces = vec![TokenStream::new()];
    for token in tokens {
        match (&token, pieces.last_mut()) {
            (TokenTree::Punct(punct), _) if punct.as_char() == ',' => {
                pieces.push(TokenStream::new());
            }
            (_, Some(piece)) => piece.extend([token]),
            (_, None) => {}
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Reads keys, with placeholders for missing required ones.
fn from<T: Keys>(metas: &[Meta], span: Span) -> darling::Result<T> {
    let missing = T::REQUIRED
        .iter()
        .filter(|(name, ..)| !metas.iter().any(|meta| meta.path().is_ident(name)));
    let mut list = quote!(#(#metas),*);
    for (name, placeholder, _) in missing {
        let name = syn::Ident::new(name, span);
        let placeholder = syn::LitStr::new(placeholder, span);
        let comma = (!list.is_empty()).then(|| quote!(,));
        list.extend(quote!(#comma #name = #placeholder));
    }
    T::from_attributes(&[parse_quote!(#[crd(#list)])])
}

/// Reports errors in keys that parse, and missing keys.
fn report_mistakes<T: Keys>(metas: &[Meta], lost: &[String], span: Span, errors: &mut Accumulator) {
    if let Err(error) = from::<T>(metas, span) {
        errors.push(error);
    }
    let is_there = |name: &str| {
        metas.iter().any(|meta| meta.path().is_ident(name)) || lost.iter().any(|key| key == name)
    };
    let missing: Vec<_> = T::REQUIRED.iter().filter(|(name, ..)| !is_there(name)).collect();
    if !missing.is_empty() {
        let keys = missing.iter().map(|(name, _, example)| format!("{name} = {example:?}"));
        // A kind without any keys lacks a scope too.
        let scope = metas.is_empty().then(|| "namespaced".to_owned());
        let keys: Vec<_> = keys.chain(scope).collect();
        let message = format!("a kind needs `#[crd({})]`", keys.join(", "));
        errors.push(Error::custom(message).with_span(&span));
    }
}

/// Returns a key without its malformed parts: `items(title = "t", max_length = "a")` becomes `items(title = "t")`.
/// `None` for a malformed key other than `items` and `values`.
fn keep(meta: &Meta, is_well_formed: &dyn Fn(Meta) -> bool) -> Option<Meta> {
    if is_well_formed(meta.clone()) {
        return Some(meta.clone());
    }
    let Meta::List(list) = meta else { return None };
    if !["items", "values"].iter().any(|key| meta.path().is_ident(key)) {
        return None;
    }
    let inner = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(list.tokens.clone()).ok()?;
    let path = &list.path;
    let inner = inner
        .iter()
        .filter_map(|meta| keep(meta, &|meta| is_well_formed(parse_quote!(#path(#meta)))));
    let kept: Meta = parse_quote!(#path(#(#inner),*));
    is_well_formed(kept.clone()).then_some(kept)
}

/// A key of `#[crd(..)]` as it is written.
#[derive(Debug, Clone)]
pub(crate) struct Key {
    pub name: String,
    /// The key and its value.
    pub meta: Meta,
    pub span: Span,
}

/// The attributes `#[crd(..)]` among others.
pub(crate) fn ours(attrs: &[Attribute]) -> Vec<Attribute> {
    attrs.iter().filter(|attr| is_ours(attr)).cloned().collect()
}

impl Key {
    /// Returns the keys of an item. An attribute that does not parse is one key, `crd`.
    pub(crate) fn all(attrs: &[Attribute]) -> Vec<Self> {
        let key = |meta: Meta| Self {
            name: match meta.path().get_ident() {
                Some(name) => name.to_string(),
                None => meta.path().to_token_stream().to_string(),
            },
            span: meta.path().span(),
            meta,
        };
        let mut keys = Vec::new();
        for attr in attrs.iter().filter(|attr| is_ours(attr)) {
            match attr.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated) {
                Ok(metas) => keys.extend(metas.into_iter().map(key)),
                Err(_) => keys.push(key(attr.meta.clone())),
            }
        }
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attr::{FieldAttrs, KindAttrs};

    fn read_of<T: Keys>(attr: Attribute) -> (Option<T>, usize) {
        let mut errors = Error::accumulator();
        let read = read(&[attr], &TokenStream::new(), &mut errors);
        (read, errors.into_inner().iter().map(Error::len).sum())
    }

    #[test]
    fn malformed_keys_do_not_hide_others() {
        let (read, errors) = read_of::<FieldAttrs>(parse_quote! {
            #[crd(minimum = "a", exclusive_minimum, pattern = "p", items(max_length = "b", pattern = "c"), titel = "t")]
        });
        let constraints = read.expect("something is left").constraints;
        assert!(constraints.minimum.is_none() && constraints.exclusive_minimum.is_none());
        assert!(constraints.pattern.is_some());
        let items = constraints.items.expect("its pattern is left");
        assert!(items.pattern.is_some() && items.max_length.is_none());
        assert_eq!(errors, 3);
    }

    #[test]
    fn a_key_that_does_not_parse_ends_at_the_comma() {
        let (read, errors) = read_of::<FieldAttrs>(parse_quote!(#[crd(minimum = , pattern = "p")]));
        assert!(read.expect("something is left").constraints.pattern.is_some());
        assert_eq!(errors, 1);
    }

    #[test]
    fn other_keys_of_a_kind_without_required_keys_are_read() {
        let (read, errors) =
            read_of::<KindAttrs>(parse_quote!(#[crd(version = 5, plural = "a_b")]));
        assert!(read.expect("something is left").plural.is_some());
        assert_eq!(errors, 2);
    }
}
