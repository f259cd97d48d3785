//! Checks of the paths of a kind: constants that rustc evaluates on the shape of the whole object.

use darling::util::Override;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Ident;

use crate::attr::{Column, Text};
use crate::json_path::{self, Step};
use crate::model::{Body, Field, Kind, Model, Root};

/// Expands to, for each path:
///
/// ```ignore
/// const _: () = check::column::<CronTab>(&[Step::Field("spec"), Step::Field("replicas")], "integer");
/// ```
pub(crate) fn emit(model: &Model, kind: &Kind, krate: &TokenStream) -> TokenStream {
    let root = match &kind.root {
        Root::Generated(root) => root,
        Root::Itself(_) => &model.ident,
    };
    let mut paths = Paths { krate, root, tokens: TokenStream::new() };
    for column in &kind.attrs.print_column {
        paths.column(column);
    }
    for column in own_fields(model).flat_map(|field| &field.columns) {
        if let Override::Explicit(column) = &**column {
            paths.column(column);
        }
    }
    if let Some(scale) = kind.attrs.scale.as_deref() {
        paths.fields("scale", &scale.spec);
        paths.fields("scale", &scale.status);
        if let Some(selector) = &scale.selector {
            paths.fields("selector", selector);
        }
    }
    for path in &kind.attrs.selectable {
        paths.fields("selectable", &path.0);
    }
    for rule in &kind.attrs.root_rule {
        if let Some(path) = &rule.options.field_path {
            let steps = steps_tokens(&json_path::fields(&path.value), krate);
            let shape = quote!(&<#root as #krate::CrdSchema>::SHAPE);
            paths.push(path.span, "field_path", &quote!(#shape, #steps));
        }
    }
    paths.collected(model, kind);
    paths.tokens
}

/// The fields whose attributes this derive sees.
fn own_fields(model: &Model) -> impl Iterator<Item = &Field> {
    let fields = match &model.body {
        Body::Object(object) => object.fields.as_slice(),
        _ => &[],
    };
    fields.iter()
}

struct Paths<'a> {
    krate: &'a TokenStream,
    root: &'a Ident,
    tokens: TokenStream,
}

impl Paths<'_> {
    fn column(&mut self, Column { path, ty, .. }: &Column) {
        let Some(path) = path else { return };
        let root = self.root;
        let ty = ty.as_ref().map_or("", |ty| ty.value.as_str());
        let steps = steps_tokens(&json_path::steps(&path.value), self.krate);
        self.push_for(path.span, "column", &quote!(#root), &quote!(#steps, #ty));
    }

    /// Checks a path of names.
    fn fields(&mut self, check: &str, path: &Text) {
        let root = self.root;
        let steps = steps_tokens(&json_path::fields(&path.value), self.krate);
        self.push_for(path.span, check, &quote!(#root), &steps);
    }

    /// Checks columns and selectable fields of other types, whose paths also begin at the root.
    fn collected(&mut self, model: &Model, kind: &Kind) {
        let elsewhere = kind.attrs.status.is_some()
            || own_fields(model)
                .any(|field| crate::types::known(&field.ty) == crate::types::Known::Unknown);
        if !elsewhere {
            return;
        }
        let names = kind.attrs.print_column.iter().filter_map(|column| column.name.as_ref());
        let names = names.map(|name| &name.value);
        let root = self.root;
        self.push_for(kind.attrs.kind.span, "headings", &quote!(#root), &quote!(&[#(#names),*]));
        let own = own_fields(model).filter(|field| field.selectable.is_some()).count();
        let known = kind.attrs.selectable.len() + own;
        let own = match (&kind.root, &model.body) {
            (_, Body::Object(_)) if matches!(kind.root, Root::Itself(_)) => quote!(Some("")),
            (_, Body::Object(_)) => quote!(Some("spec")),
            _ => quote!(None),
        };
        let own = quote!(::core::option::Option::#own);
        let root = self.root;
        self.push_for(kind.attrs.kind.span, "collected", &quote!(#root), &quote!(#known, #own));
    }

    fn push_for(&mut self, span: Span, check: &str, ty: &TokenStream, arguments: &TokenStream) {
        let krate = super::at(span, self.krate);
        let check = Ident::new(check, span);
        self.tokens.extend(quote_spanned! {span=>
            const _: () = #krate::__private::check::#check::<#ty>(#arguments);
        });
    }

    fn push(&mut self, span: Span, check: &str, arguments: &TokenStream) {
        let krate = super::at(span, self.krate);
        let check = Ident::new(check, span);
        self.tokens.extend(quote_spanned! {span=>
            const _: () = #krate::__private::check::#check(#arguments);
        });
    }
}

/// An expression of type `&[Step]`.
pub(crate) fn steps_tokens(steps: &[Step], krate: &TokenStream) -> TokenStream {
    let steps = steps.iter().map(|step| {
        let step = match step {
            Step::Field(name) => quote!(Field(#name)),
            Step::Item(text) => quote!(Item(#text)),
            Step::Filter(text, paths) => {
                let paths = paths.iter().map(|path| steps_tokens(path, krate));
                quote!(Filter(#text, &[#(#paths),*]))
            }
            Step::Every => quote!(Every),
            Step::Stop(text) => quote!(Stop(#text)),
        };
        quote!(#krate::__private::check::Step::#step)
    });
    quote!(&[#(#steps),*])
}

/// The paths of a field's columns, stored in the shape so that kinds with the type check them.
pub(crate) fn column_paths(
    model: &Model,
    field: &Field,
    krate: &TokenStream,
) -> Option<TokenStream> {
    let of = format!("the column of `{}` in `{}`: ", field.wire, model.ident);
    let paths = field.columns.iter().filter_map(|column| {
        let Override::Explicit(Column { path: Some(path), ty, .. }) = &**column else {
            return None;
        };
        let steps = steps_tokens(&json_path::steps(&path.value), krate);
        let ty = ty.as_ref().map_or("", |ty| ty.value.as_str());
        Some(quote!(#krate::__private::check::ColumnPath { steps: #steps, type_: #ty, of: #of }))
    });
    let paths: Vec<_> = paths.map(ToTokens::into_token_stream).collect();
    (!paths.is_empty()).then(|| quote!(columns: &[#(#paths),*],))
}
