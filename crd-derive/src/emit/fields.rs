//! `CrdSchema::FIELDS`: the table of the fields of a struct, or of each variant with fields. From it the runtime makes the
//! schema, the columns, the shape and the declaration for rules.
//!
//! ```ignore
//! static __FIELDS: [__Fields; 1] = [__Fields {
//!     list: &[__FieldShape::new("replicas", __Of::<i32>::AS_FIELD)],
//!     change: |field, schema| match field { 0 => schema.minimum(1.0), _ => schema },
//!     source: Some(|| __Source { .., line: 3, lines: &[5], text: "Spec\u{1e}replicas\u{1f}How many are wanted.\u{1e}" }),
//! }];
//! ```

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::Member;
use syn::ext::IdentExt as _;

use super::cel::Emitter;
use super::columns::column_tokens;
use super::field_schema::FieldSchema;
use super::paths::column_paths;
use super::shape::{allows, shape_of};
use super::tables::objects;
use super::{has_statics, of, part_of};
use crate::doc::{Doc, Written};
use crate::model::{Field, Model, Object, Presence};
use crate::types;

/// The tables of a type, if it has fields: a static, or a constant of the impl.
pub(super) fn emit(model: &Model) -> (Option<TokenStream>, Option<TokenStream>) {
    if model.constraints.schema_with.is_some() {
        return (None, None);
    }
    let table = |(object, variant): (&Object, Option<&syn::Ident>)| {
        let tag = object.tag.as_ref().map(|(tag, name)| self::tag(tag, name));
        let is_variant = variant.is_some();
        let fields = object.fields.iter().map(|field| self::field(field, model, is_variant));
        let change = change(object, model);
        let rest = change.is_none().then(|| quote!(..__Fields::PLAIN));
        let mut text = Written::default();
        let name = match variant {
            Some(variant) => format!("{}::{variant}", model.ident),
            None => model.ident.to_string(),
        };
        text.push(&name, &Doc::default());
        for field in &object.fields {
            text.push(&member(field), &field.doc);
        }
        let text = text.into_tokens();
        let lines = object.fields.iter().map(|field| quote_spanned!(field.span=> __line!()));
        // `line!` returns the line of its span.
        let line = quote_spanned!(model.ident.span()=> __line!());
        quote! {
            __Fields {
                list: &[#tag #(#fields),*],
                #change
                source: __p::Some(|| __Source {
                    module: ::core::module_path!(),
                    file: ::core::file!(),
                    line: #line,
                    lines: &[#(#lines),*],
                    text: #text,
                }),
                #rest
            }
        }
    };
    let tables: Vec<_> = objects(model).into_iter().map(table).collect();
    if tables.is_empty() {
        return (None, None);
    }
    if has_statics(model) {
        let len = Literal::usize_unsuffixed(tables.len());
        return (Some(quote!(static __FIELDS: [__Fields; #len] = [#(#tables),*];)), None);
    }
    (None, Some(quote!(const FIELDS: &'static [__Fields] = &[#(#tables),*];)))
}

/// The member `change`, with its comma, if attributes change the schema of a field.
fn change(object: &Object, model: &Model) -> Option<TokenStream> {
    let context = FieldSchema { model };
    let first = usize::from(object.tag.is_some());
    let changes = (first..).zip(&object.fields).map(|(at, field)| (at, context.changes(field)));
    let changes = changes.filter(|(_, changes)| !changes.is_empty()).map(|(at, changes)| {
        let at = Literal::usize_unsuffixed(at);
        quote!(#at => schema #changes,)
    });
    let changes: Vec<_> = changes.collect();
    (!changes.is_empty())
        .then(|| quote!(change: |field, schema| match field { #(#changes)* _ => schema },))
}

/// The name of a field in Rust.
fn member(field: &Field) -> String {
    match &field.member {
        Member::Named(name) => name.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

/// The tag that serde writes for a struct, and a comma.
fn tag(tag: &str, name: &str) -> TokenStream {
    let cel = if let Some(tag) = crd_cel::escape::escape(tag) {
        quote!(__Field { name: #tag, of: &__Declared::Enum(&[#name]) })
    } else {
        quote!(__Field { name: "", of: &__Declared::Hidden })
    };
    quote! {
        __FieldShape {
            cel: #cel,
            ..__FieldShape::required(
                #tag,
                &__Shape { values: &[#name], ..__Shape::of(__s::ShapeKind::Enum) },
            )
        },
    }
}

/// The entry of a field. The fields of a variant have no JSON path, and so no columns.
fn field(field: &Field, model: &Model, is_variant: bool) -> TokenStream {
    let context = FieldSchema { model };
    let name = &field.wire;
    let of = part_of(model, &field.ty);
    let mut entry = if field.has_replaced_schema() {
        let schema = context.base(field);
        if field.flatten {
            quote!(__FieldShape::flattened_with(|| #schema.done()))
        } else {
            quote!(__FieldShape::replaced(#name, || #schema.done()))
        }
    } else if field.flatten {
        quote!(__FieldShape::flattened(#of::AS_FIELD))
    } else if field.skip_if.is_some() {
        quote!(__FieldShape::skipped_if(#name, #of::AS_FIELD))
    } else {
        quote!(__FieldShape::new(#name, #of::AS_FIELD))
    };
    let is_known_to_be_written = if field.has_replaced_schema() {
        !field.may_be_skipped() && !field.flatten
    } else {
        field.flatten || field.skip_if.is_some() || !field.skip_serializing
    };
    if !is_known_to_be_written {
        entry.extend(quote!(.not_always_written()));
    }
    entry.extend(presence(field, model));
    entry.extend(declaration(field, model));
    if field.constraints.immutable.is_some() && !field.flatten {
        entry.extend(quote!(.immutable()));
    }
    if field.selectable.is_some() && !is_variant {
        entry.extend(quote!(.selectable()));
    }
    // What is borrowed in a literal is `'static`.
    let shape = shape_of(field, model).map(|shape| quote!(shape: &#shape,));
    let columns = (!is_variant).then(|| column_paths(model, field)).flatten();
    let printed = (!is_variant && !field.columns.is_empty()).then(|| {
        let columns = field.columns.iter().map(|column| column_tokens(column));
        quote!(printed: &[#(#columns),*],)
    });
    let allows = allows(&field.allows);
    let members = quote!(#shape #columns #printed #allows);
    if members.is_empty() {
        return entry;
    }
    quote!(__FieldShape { #members ..#entry })
}

/// Calls that set whether objects may omit the field, unless its type says it.
fn presence(field: &Field, model: &Model) -> Option<TokenStream> {
    if field.constraints.default.is_some() {
        let needs_default = needs_default(field, model);
        return Some(quote!(.defaulted(#needs_default)));
    }
    match field.presence() {
        // rustc knows whether a type named `Option` is that of std.
        Presence::Optional if field.is_optional_by_type() => None,
        Presence::Optional => Some(quote!(.may_be_absent())),
        // serde does not read an absent `Option` with `#[serde(with)]`.
        Presence::Required if field.required.is_some() || field.is_option => {
            Some(quote!(.must_be_present()))
        }
        Presence::Required | Presence::OfType => None,
    }
}

/// Whether serde cannot read an object without the field, so that it needs the default that the server sets.
fn needs_default(field: &Field, model: &Model) -> TokenStream {
    if field.default.is_some() || field.skip_deserializing {
        return quote!(false);
    }
    if field.has_replaced_schema() || field.is_recognized() {
        let needs = !field.is_option || field.with.is_some();
        return quote!(#needs);
    }
    let of = of(model, &field.ty);
    quote_spanned!(types::span(&field.ty)=> !#of::AS_FIELD.shape.reads_absence())
}

/// Calls that set the declaration of the field for rules, unless it is that of the type.
fn declaration(field: &Field, model: &Model) -> TokenStream {
    let is_changed = field.is_cut() || field.constraints.change_declaration();
    let mut calls = TokenStream::new();
    if is_changed {
        let declared = Emitter::inside(model).field(field);
        calls.extend(quote!(.declared(&const { #declared })));
    }
    match &field.cel_name {
        _ if field.flatten => {}
        Some(name) if *name == field.wire => {}
        Some(name) => calls.extend(quote!(.named(#name))),
        None => calls.extend(quote!(.hidden())),
    }
    calls
}
