//! Checks of the paths of a kind: constants that rustc evaluates on the shape of the whole object.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Ident;

use super::CheckNames;
use crate::json_path::{self, Step};
use crate::literal::Text;
use crate::model::{Column, Field, Kind, Model};

/// Emits a constant for each path:
///
/// ```ignore
/// const __KIND_COLUMN: () = check::column::<CronTab>(&[Step::Field("spec"), Step::Field("replicas")], "integer");
/// ```
pub(crate) fn emit(model: &Model, kind: &Kind) -> TokenStream {
    let root = kind.root_type(&model.ident);
    let mut paths = Paths { root, names: CheckNames::default(), tokens: TokenStream::new() };
    for column in &kind.print_column {
        paths.column(column);
    }
    for column in model.body.fields().iter().flat_map(|field| &field.columns) {
        paths.column(column);
    }
    if let Some(scale) = kind.scale.as_ref().filter(|scale| !scale.unchecked) {
        paths.fields("scale", &scale.spec);
        paths.fields("scale", &scale.status);
        if let Some(selector) = &scale.selector {
            paths.fields("selector", selector);
        }
    }
    for path in &kind.selectable {
        paths.fields("selectable", path);
    }
    for rule in &kind.root_rule {
        if let Some(path) = &rule.options.field_path {
            let steps = steps_tokens(&json_path::fields(&path.value));
            let shape = quote!(&<#root as __CrdSchema>::SHAPE);
            paths.check(
                "field_path",
                path.span,
                &quote_spanned!(path.span=> __check::field_path(#shape, #steps)),
            );
        }
    }
    paths.collected(model, kind);
    paths.tokens
}

struct Paths<'a> {
    root: &'a Ident,
    names: CheckNames,
    tokens: TokenStream,
}

impl Paths<'_> {
    fn column(&mut self, Column { path, ty, unchecked, .. }: &Column) {
        let Some(path) = path.as_ref().filter(|_| !unchecked) else { return };
        let ty = ty.as_ref().map_or("", |ty| ty.value.as_str());
        let steps = steps_tokens(&json_path::steps(&path.value));
        self.push(path.span, "column", &quote!(#steps, #ty));
    }

    /// Checks a path of names, such as `.spec.replicas`.
    fn fields(&mut self, check: &str, path: &Text) {
        let steps = steps_tokens(&json_path::fields(&path.value));
        self.push(path.span, check, &steps);
    }

    /// Checks the columns and selectable fields that fields of other types add to the kind: the names and paths of
    /// columns, and the number of selectable fields.
    fn collected(&mut self, model: &Model, kind: &Kind) {
        let elsewhere = kind.status().is_some()
            || model.body.fields().iter().any(|field| !field.is_recognized());
        if !elsewhere {
            return;
        }
        let names = kind.print_column.iter().filter_map(|column| column.name.as_ref());
        let names = names.map(|name| &name.value);
        self.push(kind.kind.span, "headings", &quote!(&[#(#names),*]));
        let own = model.body.fields().iter().filter(|field| field.selectable.is_some()).count();
        let known = kind.selectable.len() + own;
        // The field with the struct; `""` if the struct is the root.
        let own_field = match model.body.object() {
            Some(_) if kind.is_root() => quote!(__p::Some("")),
            Some(_) => quote!(__p::Some("spec")),
            None => quote!(__p::None),
        };
        self.push(kind.kind.span, "collected", &quote!(#known, #own_field));
    }

    /// Adds a check of the root.
    fn push(&mut self, span: Span, check: &str, arguments: &TokenStream) {
        let (function, root) = (Ident::new(check, span), self.root);
        self.check(check, span, &quote_spanned!(span=> __check::#function::<#root>(#arguments)));
    }

    fn check(&mut self, name: &str, span: Span, check: &TokenStream) {
        self.tokens.extend(self.names.constant(&format!("kind_{name}"), span, check));
    }
}

/// An expression of type `&[Step]`.
pub(crate) fn steps_tokens(steps: &[Step]) -> TokenStream {
    let steps = steps.iter().map(|step| {
        let step = match step {
            Step::Field(name) => quote!(Field(#name)),
            Step::Item(text) => quote!(Item(#text)),
            Step::Filter(text, paths) => {
                let paths = paths.iter().map(|path| steps_tokens(path));
                quote!(Filter(#text, &[#(#paths),*]))
            }
            Step::Every => quote!(Every),
            Step::Stop(text) => quote!(Stop(#text)),
        };
        quote!(__check::Step::#step)
    });
    quote!(&[#(#steps),*])
}

/// Whether [`column_paths`] has paths.
pub(crate) fn has_column_paths(field: &Field) -> bool {
    field.columns.iter().any(|column| column.path.is_some() && !column.unchecked)
}

/// The paths of a field's columns. The type's shape stores them, and each kind that contains the type checks them.
pub(crate) fn column_paths(model: &Model, field: &Field) -> Option<TokenStream> {
    if !has_column_paths(field) {
        return None;
    }
    let of = format!("the column of `{}` in `{}`", field.wire, model.ident);
    let place = super::place(model).unwrap_or_else(|| quote!(place: &"",));
    let paths = field.columns.iter().filter_map(|column| {
        let Column { path: Some(path), ty, unchecked: false, .. } = &**column else {
            return None;
        };
        let steps = steps_tokens(&json_path::steps(&path.value));
        let ty = ty.as_ref().map_or("", |ty| ty.value.as_str());
        Some(quote!(__check::ColumnPath { steps: #steps, type_: #ty, of: #of, #place }))
    });
    let paths: Vec<_> = paths.map(ToTokens::into_token_stream).collect();
    (!paths.is_empty()).then(|| quote!(columns: &[#(#paths),*],))
}
