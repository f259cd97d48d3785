//! A file of Rust, and its types with their attributes.

use std::ops::Range;
use std::path::PathBuf;

use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Fields, Generics, Ident, Item, Meta, Token, Variant};

/// A file that could be parsed.
pub(super) struct Source {
    pub path: PathBuf,
    /// The text, without a byte order mark.
    pub text: String,
    pub file: syn::File,
    /// Whether the file started with a byte order mark.
    pub has_mark: bool,
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Source {
    /// Parses a file.
    ///
    /// # Errors
    /// If it is not Rust; the message has the line.
    pub(super) fn parse(path: PathBuf, text: &str) -> Result<Self, String> {
        let unmarked = text.strip_prefix('\u{feff}');
        let has_mark = unmarked.is_some();
        let text = unmarked.unwrap_or(text).to_owned();
        match parse(&text) {
            Ok(file) => Ok(Self { path, text, file, has_mark }),
            Err(error) => {
                let line = error.span().start().line;
                Err(format!("{}:{line}: {error}", path.display()))
            }
        }
    }

    /// Returns the text of a part.
    pub(super) fn of(&self, part: &impl Spanned) -> &str {
        self.at(&range(part))
    }

    pub(super) fn at(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or_default()
    }
}

/// Parses a file, so that spans are bytes of this text: `syn::parse_file` cuts off the line of an interpreter.
pub(super) fn parse(text: &str) -> syn::Result<syn::File> {
    if text.starts_with("#!") && !text.starts_with("#![") {
        return syn::parse_file(&text.replacen("#!", "//", 1));
    }
    syn::parse_file(text)
}

/// Returns the bytes of a part.
pub(super) fn range(part: &impl Spanned) -> Range<usize> {
    part.span().byte_range()
}

/// A struct or enum.
pub(super) struct Type<'a> {
    pub ident: &'a Ident,
    pub attrs: &'a [Attribute],
    pub generics: &'a Generics,
    pub body: Body<'a>,
    /// Where it starts, after its attributes.
    pub start: usize,
}

/// The fields or variants of a type.
#[derive(Clone, Copy)]
pub(super) enum Body<'a> {
    Struct(&'a Fields),
    Enum(&'a Punctuated<Variant, Token![,]>),
}

impl Type<'_> {
    /// Returns the names of the variants, if it is an enum without content.
    pub(super) fn units(&self) -> Option<Vec<&Variant>> {
        match self.body {
            Body::Enum(variants) if variants.iter().all(|it| matches!(it.fields, Fields::Unit)) => {
                Some(variants.iter().collect())
            }
            _ => None,
        }
    }
}

/// Calls `visit` with all items, also those of modules and of the bodies of functions.
pub(super) fn items<'a>(items: &'a [Item], visit: &mut dyn FnMut(&'a Item)) {
    // The parser has a limit for nested groups, so that this ends.
    for item in items {
        visit(item);
        match item {
            Item::Mod(module) => {
                if let Some((_, inner)) = &module.content {
                    self::items(inner, visit);
                }
            }
            Item::Fn(function) => {
                for statement in &function.block.stmts {
                    if let syn::Stmt::Item(inner) = statement {
                        self::items(std::slice::from_ref(inner), visit);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Returns all structs and enums.
pub(super) fn types(file: &syn::File) -> Vec<Type<'_>> {
    let mut types = Vec::new();
    items(&file.items, &mut |item| match item {
        Item::Struct(it) => types.push(Type {
            ident: &it.ident,
            attrs: &it.attrs,
            generics: &it.generics,
            body: Body::Struct(&it.fields),
            start: start_of(&it.vis, &it.struct_token),
        }),
        Item::Enum(it) => types.push(Type {
            ident: &it.ident,
            attrs: &it.attrs,
            generics: &it.generics,
            body: Body::Enum(&it.variants),
            start: start_of(&it.vis, &it.enum_token),
        }),
        _ => {}
    });
    types
}

/// Returns where an item with this visibility starts.
pub(super) fn start_of(vis: &syn::Visibility, next: &impl Spanned) -> usize {
    match vis {
        syn::Visibility::Inherited => range(next).start,
        vis => range(vis).start,
    }
}

/// An attribute, or one in a `cfg_attr`.
#[derive(Debug, Clone)]
pub(super) struct Attr {
    /// The last name of its path.
    pub name: String,
    pub meta: Meta,
    /// With `#[` and `]`, unless it is in a `cfg_attr`.
    pub range: Range<usize>,
    /// The `cfg_attr` around it.
    pub condition: Option<Condition>,
}

/// The `cfg_attr` around an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Condition {
    /// The source of the condition.
    pub text: String,
    /// The whole `cfg_attr`, with `#[` and `]`.
    pub range: Range<usize>,
    /// How many attributes it has.
    pub len: usize,
}

impl Attr {
    /// Returns the attributes of an item other than doc comments.
    pub(super) fn all(attrs: &[Attribute], source: &Source) -> Vec<Self> {
        let attrs = attrs.iter().filter(|attr| !attr.path().is_ident("doc"));
        attrs.flat_map(|attr| Self::of(attr, source)).collect()
    }

    fn of(attr: &Attribute, source: &Source) -> Vec<Self> {
        let name = |meta: &Meta| {
            let last = meta.path().segments.last();
            last.map(|segment| segment.ident.to_string()).unwrap_or_default()
        };
        let whole = range(attr);
        let inner = attr
            .path()
            .is_ident("cfg_attr")
            .then(|| attr.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok())
            .flatten();
        let Some(inner) = inner else {
            let meta = attr.meta.clone();
            return vec![Self { name: name(&meta), meta, range: whole, condition: None }];
        };
        let mut inner = inner.into_iter();
        let text = inner.next().map(|meta| source.of(&meta).to_owned()).unwrap_or_default();
        let inner: Vec<_> = inner.collect();
        let len = inner.len();
        let condition = Condition { text, range: whole, len };
        let attrs = inner.into_iter().map(|meta| Self {
            name: name(&meta),
            range: range(&meta),
            meta,
            condition: Some(condition.clone()),
        });
        attrs.collect()
    }

    /// Returns its keys; `None` if they have a syntax of their own.
    pub(super) fn keys(&self) -> Option<Vec<Meta>> {
        match &self.meta {
            Meta::List(list) => metas(list.tokens.clone()),
            _ => Some(Vec::new()),
        }
    }

    /// Returns the text before its keys and after them, for an attribute of this name.
    pub(super) fn around(&self, name: &str) -> (String, &'static str) {
        match self.condition {
            Some(_) => (format!("{name}("), ")"),
            None => (format!("#[{name}("), ")]"),
        }
    }
}

/// Reads keys, separated by commas.
pub(super) fn metas(tokens: proc_macro2::TokenStream) -> Option<Vec<Meta>> {
    let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
    parser.parse2(tokens).ok().map(|metas| metas.into_iter().collect())
}

/// Returns the name of a key, without the path before it.
pub(super) fn name_of(meta: &Meta) -> String {
    let last = meta.path().segments.last();
    last.map(|segment| segment.ident.to_string()).unwrap_or_default()
}
