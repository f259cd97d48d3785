//! Where serde and a structural schema cannot agree: refused, with what to write instead.

use std::collections::BTreeSet;

use darling::error::Accumulator;
use darling::util::Override;
use quote::{ToTokens, quote};
use syn::Type;
use syn::spanned::Spanned;

use crate::emit::chain;
use crate::model::{Body, Enum, Field, Model, Object, report};
use crate::serde_view::{SerdeDefault, Tagging};
use crate::types::{self, Known};

/// What the container's attributes say together.
pub(super) fn container(model: &Model, errors: &mut Accumulator) {
    if let Body::Object(object) = &model.body
        && object.deny_unknown_fields
        && let Some(open) = &model.constraints.preserve_unknown_fields
    {
        let message = "conflicts with `#[serde(deny_unknown_fields)]`: the server would keep what serde \
                       then refuses";
        report(errors, open.span(), message);
    }
}

/// Names in JSON are unique.
pub(super) fn names(object: &Object, errors: &mut Accumulator) {
    let mut seen = BTreeSet::new();
    if let Some((tag, _)) = &object.tag {
        seen.insert(tag.as_str());
    }
    for field in object.fields.iter().filter(|field| !field.flatten) {
        if !seen.insert(&field.wire) {
            report(errors, field.span, format_args!("there is a field `{}` already", field.wire));
        }
    }
}

/// The elements of a list have one schema.
pub(super) fn tuple(fields: &[Field], errors: &mut Accumulator) {
    let Some((first, rest)) = fields.split_first() else { return };
    for field in rest {
        if !same(&first.ty, &field.ty) {
            report(errors, field.ty.span(), MIXED_TUPLE);
        }
    }
}

const MIXED_TUPLE: &str = "serde writes a tuple as a list, and a list has one schema for all its \
                           elements; use a struct with named fields";

fn same(a: &Type, b: &Type) -> bool {
    a.to_token_stream().to_string() == b.to_token_stream().to_string()
}

/// What one field's serde attributes mean for its schema.
pub(super) fn field(model: &Model, field: &Field, errors: &mut Accumulator) {
    let foreign = field.constraints.schema_with.is_some();
    if let Some(with) = &field.with
        && with.schema(&model.krate).is_none()
        && !foreign
    {
        let message =
            "`with` hides what serde writes; say it with `#[crd(schema_with = function)]`";
        report(errors, with.span, message);
    }
    absence(field, errors);
    null(field, errors);
    if field.flatten {
        flatten(field, errors);
    }
    let mut ty = &field.ty;
    while let Some(inner) = types::option(ty).or_else(|| types::inner(ty)) {
        ty = inner;
    }
    if let Type::Tuple(tuple) = ty
        && !foreign
        && let Some(first) = tuple.elems.first()
        && let Some(other) = tuple.elems.iter().find(|other| !same(first, other))
    {
        report(errors, other.span(), MIXED_TUPLE);
    }
    if !foreign && !field.is_cut(&model.ident) && types::mentions(&field.ty, &model.ident) {
        let message = format_args!(
            "`{}` contains itself, and a structural schema is finite; cut it here with \
             `#[crd(preserve_unknown_fields)]`",
            model.ident
        );
        report(errors, field.ty.span(), message);
    }
    if let Some(default) = &field.constraints.default
        && matches!(**default, Override::Inherit)
        && matches!(field.default, SerdeDefault::None | SerdeDefault::Container)
    {
        let message = "as a word it takes serde's default: add `#[serde(default)]` to the field, or give \
                       a value";
        report(errors, default.span(), message);
    }
}

/// What serde may leave out, it must also read the absence of.
fn absence(field: &Field, errors: &mut Accumulator) {
    let option = types::option(&field.ty).is_some() && field.with.is_none();
    let readable = option || field.default.is_some() || field.constraints.default.is_some();
    // An alias may hide an `Option`: rustc decides for types that are not known by their text.
    let certain = types::known(&field.ty) != Known::Unknown || field.with.is_some();
    if readable || !certain {
        return;
    }
    if field.skip_if.is_some() {
        let message = "serde may skip this field and cannot read it back without: add `default`";
        report(errors, field.span, message);
    } else if field.skip_serializing {
        let message =
            "serde never writes this field and cannot read an object without it: add `default`";
        report(errors, field.span, message);
    }
}

/// The server keeps a `null` in a nullable field, never defaults it, and refuses it for an enum.
fn null(field: &Field, errors: &mut Accumulator) {
    let constraints = &field.constraints;
    let nulls = types::option(&field.ty).is_some()
        && field.skip_if.is_none()
        && !field.skip_serializing
        && field.with.is_none()
        && constraints.nullable.is_none();
    if !nulls {
        return;
    }
    let skip = "add `#[serde(skip_serializing_if = \"Option::is_none\")]`, or say \
                `#[crd(nullable)]` if `null` is meant";
    if let Some(default) = &constraints.default {
        let message =
            format_args!("serde writes `None` as `null`, which is never defaulted; {skip}");
        report(errors, default.span(), message);
    }
    if let Some(values) = &constraints.enum_values {
        let message =
            format_args!("serde writes `None` as `null`, which no enumeration admits; {skip}");
        report(errors, values.span(), message);
    }
}

fn flatten(field: &Field, errors: &mut Accumulator) {
    if !chain(&field.constraints, &quote!(krate)).is_empty() {
        let message = "a flattened field has no schema of its own; put this on its type or on the fields \
                       of it";
        report(errors, field.span, message);
    }
}

/// What an enum's tagging makes of its variants.
pub(super) fn tagging(data: &Enum, errors: &mut Accumulator) {
    for variant in &data.variants {
        let unit = matches!(variant.body, Body::Unit);
        if !variant.aliases.is_empty() && !unit && matches!(data.tagging, Tagging::External) {
            let message = "the server prunes an `alias` before serde could read it; drop the alias";
            report(errors, variant.span, message);
        }
        if let Tagging::Internal(tag) | Tagging::Adjacent(tag, _) = &data.tagging
            && let Body::Object(object) = &variant.body
            && matches!(data.tagging, Tagging::Internal(_))
            && let Some(field) = object.fields.iter().find(|field| field.wire == *tag)
        {
            report(errors, field.span, format_args!("the tag is `{tag}` too"));
        }
    }
}
