//! Compares the expansion of each file of `tests/expand` with the file beside it, `<feature>.expanded.rs`, which
//! `BLESS=expansions` rewrites: what the derives emit for four kinds of types.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::quote;
use syn::punctuated::Punctuated;
use syn::{Attribute, DeriveInput, Item, Token, parse_quote};

use crate::attr::Derive;

/// Removes the derive of this crate and `#[crd(..)]` from the attributes of an item, and returns the derive.
fn take_derive(attrs: &mut Vec<Attribute>) -> Option<Derive> {
    let mut found = None;
    for attr in attrs.iter_mut().filter(|attr| attr.path().is_ident("derive")) {
        let parser = Punctuated::<syn::Path, Token![,]>::parse_terminated;
        let derives = attr.parse_args_with(parser).expect("derives");
        let others = derives.into_iter().filter(|path| {
            let derive = if path.is_ident("CrdSchema") {
                Derive::Schema
            } else if path.is_ident("CustomResource") {
                Derive::Kind
            } else {
                return true;
            };
            found = Some(derive);
            false
        });
        let others: Vec<_> = others.collect();
        *attr = parse_quote!(#[derive(#(#others),*)]);
    }
    attrs.retain(|attr| !attr.path().is_ident("crd"));
    attrs.retain(|attr| !matches!(&attr.meta, syn::Meta::List(list) if list.tokens.is_empty()));
    found
}

/// An item without the derive, followed by what the derive expands to.
fn expanded(item: &Item) -> TokenStream {
    let Ok(input) = syn::parse2::<DeriveInput>(quote!(#item)) else { return quote!(#item) };
    let mut item = input.clone();
    let Some(derive) = take_derive(&mut item.attrs) else { return quote!(#item) };
    let strip_fields = |fields: &mut syn::Fields| {
        for field in fields {
            field.attrs.retain(|attr| !attr.path().is_ident("crd"));
        }
    };
    match &mut item.data {
        syn::Data::Struct(data) => strip_fields(&mut data.fields),
        syn::Data::Enum(data) => {
            data.variants.iter_mut().for_each(|variant| strip_fields(&mut variant.fields));
        }
        syn::Data::Union(_) => {}
    }
    let expansion = with_the_client(crate::expand(input, derive));
    quote!(#item #expansion)
}

/// Replaces calls of `__private::client!` by the items in them, which the macro emits with the feature `client`.
fn with_the_client(tokens: TokenStream) -> TokenStream {
    let mut shown: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let TokenTree::Group(group) = token else {
            shown.push(token);
            continue;
        };
        let inner = with_the_client(group.stream());
        let path: Vec<_> = shown.iter().rev().take(2).map(ToString::to_string).collect();
        if path == ["!", "client"] {
            // `__p::client!`
            shown.truncate(shown.len() - 5);
            shown.extend(inner);
        } else {
            shown.push(TokenTree::Group(Group::new(group.delimiter(), inner)));
        }
    }
    shown.into_iter().collect()
}

fn check(path: &Path) {
    let source = fs::read_to_string(path).expect("the file can be read");
    let file = syn::parse_file(&source).expect("Rust");
    let items = file.items.iter().map(expanded);
    let got = prettyplease::unparse(&syn::parse2(quote!(#(#items)*)).expect("items"));
    assert!(!got.contains("compile_error"), "{}: a mistake:\n{got}", path.display());
    let path = path.with_extension("expanded.rs");
    if std::env::var_os("BLESS").is_some_and(|what| what == "expansions") {
        return fs::write(&path, got).expect("the file can be written");
    }
    // Git may have checked the file out with CRLF.
    let want = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        got == want,
        "the expansion changed; `BLESS=expansions cargo test -p crd-derive --lib` rewrites {}:\n{got}",
        path.display()
    );
}

/// The number of tokens of what a derive expands to. `::` is two tokens, as are a pair of parentheses.
fn tokens_of(item: &str, derive: Derive) -> usize {
    fn count(tokens: TokenStream) -> usize {
        let of = |token| match token {
            TokenTree::Group(group) => 2 + count(group.stream()),
            _ => 1,
        };
        tokens.into_iter().map(of).sum()
    }
    count(crate::expand(syn::parse_str(item).expect("a type"), derive))
}

/// rustc parses, resolves and checks all that a derive emits, so that the time to compile a type grows with it.
#[test]
fn expansions_do_not_grow() {
    let object = |count: usize| {
        let fields: Vec<_> = (0..count).map(|n| format!("field_{n}: i32,")).collect();
        format!("pub struct Spec {{ {} }}", fields.concat())
    };
    let kind = |count| {
        let kind = r#"#[crd(group = "a.example", version = "v1", kind = "Thing", namespaced)]"#;
        format!("{kind} {}", object(count))
    };
    let [ten, eleven] = [10, 11].map(|count| tokens_of(&object(count), Derive::Schema));
    let of_kind = tokens_of(&kind(10), Derive::Kind);
    let documented = object(10).replacen("field", "/// How many.\n field", 1);
    let documented = tokens_of(&documented, Derive::Schema);
    let found = format!(
        "{ten} for ten fields, {eleven} for eleven, {of_kind} for a kind, {documented} with a comment"
    );
    assert!(eleven - ten <= 100, "{found}");
    assert!(documented - ten <= 2, "{found}");
    assert!(ten <= 1_400, "{found}");
    assert!(of_kind - ten <= 800, "{found}");
}

#[test]
fn expansions_are_as_shown() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/expand");
    let files =
        fs::read_dir(&directory).expect("the directory").map(|entry| entry.expect("it").path());
    let is_source = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.strip_suffix(".rs").is_some_and(|name| !name.contains('.'))
    };
    let mut sources: Vec<_> = files.filter(is_source).collect();
    sources.sort();
    assert_eq!(sources.len(), 4, "{sources:?}");
    for path in &sources {
        check(path);
    }
}
