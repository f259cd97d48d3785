//! `CrdSchema::SHAPE`: the facts about a type that the checks of other types use.
//!
//! Fields and variants are emitted in literals of `Shape` instead of being passed to functions, because a value
//! borrowed in a constant's literal is `'static`.

mod changes;
mod enums;
mod fields;
mod whole_self;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::of;
use super::tables::table_of;
use crate::model::{Body, Constraints, Field, Model};
use crate::types;

pub(super) use changes::bounds;
use changes::whole_object_key;

/// A constant of type `Shape`.
pub(crate) fn emit(model: &Model) -> TokenStream {
    let shape = of_type(&Shapes { model });
    match allows(&model.allows) {
        Some(allows) => quote!(__Shape { #allows ..#shape }),
        None => shape,
    }
}

/// A member, with its comma, for the lints that do not report an item; none if all do.
pub(super) fn allows(lints: &[String]) -> Option<TokenStream> {
    (!lints.is_empty()).then(|| quote!(allows: &[#(#lints),*],))
}

/// The shape of the type without its lints.
fn of_type(shapes: &Shapes<'_>) -> TokenStream {
    let Shapes { model } = shapes;
    let constraints = &model.constraints;
    if constraints.schema_with.is_some() {
        return Shapes::kind("Opaque");
    }
    let mut shape = shapes.body(&model.body, constraints, true);
    if constraints.int_or_string.is_some() {
        shape = quote!(#shape.int_or_string());
    }
    if let Body::Transparent(field) = &model.body
        && model.is_newtype
        && (field.is_option || !field.is_recognized())
    {
        shape = quote!(#shape.wrapped());
    }
    if constraints.default.is_some() {
        shape = quote!(#shape.defaulted());
    }
    let is_parsed = model.is_converted || matches!(model.body, Body::Delegate(_));
    if is_parsed { quote!(#shape.fallible()) } else { shape }
}

/// The shape of a field, if attributes change that of its type.
pub(super) fn shape_of(field: &Field, model: &Model) -> Option<TokenStream> {
    if field.has_replaced_schema() {
        return None;
    }
    let calls = changes::calls(&field.constraints);
    (!calls.is_empty()).then(|| {
        let of = of(model, &field.ty);
        let base = quote_spanned!(types::span(&field.ty)=> #of::SHAPE);
        quote!(#base #calls)
    })
}

struct Shapes<'a> {
    model: &'a Model,
}

impl Shapes<'_> {
    fn kind(kind: &str) -> TokenStream {
        let kind = quote::format_ident!("{kind}");
        quote!(__Shape::of(__s::ShapeKind::#kind))
    }

    /// A `Shape` literal with the given members, those of the constraints, and defaults for the rest.
    fn literal(of: &TokenStream, members: &TokenStream, constraints: &Constraints) -> TokenStream {
        let open = constraints.keeps_unknown_fields().then(|| quote!(open: true,));
        let atomic = constraints.is_atomic_map().then(|| quote!(atomic: true,));
        let whole = whole_object_key(constraints).map(|key| quote!(whole: __p::Some(#key),));
        let members = quote!(#members #open #atomic #whole);
        if members.is_empty() { of.clone() } else { quote!(__Shape { #members ..#of }) }
    }

    /// The shape of a type's or variant's body. Variants have no columns.
    fn body(&self, body: &Body, constraints: &Constraints, with_paths: bool) -> TokenStream {
        match body {
            Body::Object(object) => {
                let table = table_of(self.model, object);
                let of = if with_paths {
                    quote!(__Shape::of_fields(&#table))
                } else {
                    quote!(__Shape::of_variant(&#table))
                };
                let denies = object.deny_unknown_fields.then(|| quote!(denies_unknown: true,));
                let leaves =
                    object.leaves_fields_unread().then(|| quote!(leaves_fields_unread: true,));
                let members = quote!(#denies #leaves);
                Self::literal(&of, &members, constraints)
            }
            Body::Transparent(field) if field.has_replaced_schema() => Self::kind("Opaque"),
            Body::Transparent(field) => {
                let ty = &field.ty;
                let of = of(self.model, ty);
                let inner = quote_spanned!(types::span(ty)=> #of::SHAPE);
                let inner = Self::changed(&inner, &field.constraints);
                let whole =
                    whole_object_key(&field.constraints).or_else(|| whole_object_key(constraints));
                let whole = whole.map(|key| quote!(.whole(#key)));
                let inner = quote!(#inner #whole);
                Self::changed(&inner, constraints)
            }
            Body::Tuple(fields) => self.tuple(fields),
            Body::Unit => Self::kind("Null"),
            Body::Delegate(ty) => {
                let of = of(self.model, ty);
                let inner = quote_spanned!(types::span(ty)=> #of::SHAPE);
                let whole = whole_object_key(constraints).map(|key| quote!(.whole(#key)));
                Self::changed(&quote!(#inner #whole), constraints)
            }
            Body::Enum(data) => self.union(data, constraints),
        }
    }
}
