//! Where serde and a structural schema cannot agree: refused, with what to write instead.

use std::collections::BTreeSet;

use darling::error::Accumulator;
use darling::util::Override;
use quote::{ToTokens, quote};
use syn::Type;
use syn::spanned::Spanned;

use crate::attr::Value;
use crate::emit::chain;
use crate::model::{Body, Enum, Field, Model, Object, report};
use crate::serde_view::{SerdeDefault, Tagging};
use crate::types::{self, Known};

/// What the container's attributes say together.
pub(super) fn container(model: &Model, errors: &mut Accumulator) {
    embedded(model, errors);
    if let Body::Object(Object { tag: Some((tag, _)), deny_unknown_fields: true, .. }) = &model.body
    {
        let message = format_args!(
            "serde writes the tag `{tag}`, and by `deny_unknown_fields` refuses it when it reads; drop one of the two"
        );
        report(errors, model.ident.span(), message);
    }
    if let Body::Enum(data) = &model.body
        && !matches!(data.tagging, Tagging::Untagged)
        && let Some(flag) = model.constraints.int_or_string.as_ref().filter(|flag| ***flag)
    {
        let message =
            "`int_or_string` admits integers and strings, which only an untagged enum can read";
        report(errors, flag.span(), message);
    }
    if let Body::Object(object) = &model.body
        && object.deny_unknown_fields
        && let Some(open) = &model.constraints.preserve_unknown_fields
    {
        let message = "conflicts with `#[serde(deny_unknown_fields)]`: the server would keep what serde \
                       then refuses";
        report(errors, open.span(), message);
    }
}

/// An embedded resource has `apiVersion` and `kind`.
fn embedded(model: &Model, errors: &mut Accumulator) {
    let Some(flag) = model.constraints.embedded_resource.as_ref().filter(|flag| ***flag) else {
        return;
    };
    let missing = match &model.body {
        Body::Object(object) if object.fields.iter().all(|field| !field.flatten) => {
            let has = |name: &&str| object.fields.iter().any(|field| field.wire == *name);
            ["apiVersion", "kind"].into_iter().find(|name| !has(name))
        }
        Body::Enum(_) | Body::Tuple(_) | Body::Unit => Some("apiVersion"),
        Body::Object(_) | Body::Transparent(_) | Body::Delegate(_) => None,
    };
    if let Some(name) = missing {
        let message = format_args!(
            "`embedded_resource` is a whole object with `apiVersion`, `kind` and `metadata`, and this type has no field `{name}`"
        );
        report(errors, flag.span(), message);
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
    if field.skip_deserializing
        && let Body::Object(object) = &model.body
        && object.deny_unknown_fields
    {
        let message = "serde writes this field, and by `deny_unknown_fields` refuses it when it reads; drop one of the two";
        report(errors, field.span, message);
    }
    absence(field, errors);
    explicit(field, errors);
    null(field, errors);
    skipped_default(field, errors);
    default_of_type(field, errors);
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
             `#[crd(recursive)]`",
            model.ident
        );
        report(errors, field.ty.span(), message);
    }
    if let Some(span) = field.recursive
        && matches!(types::known(ty), Known::Boolean | Known::Integer | Known::Number | Known::Text)
    {
        let message = "nothing of this type can contain itself, and the schema would keep anything here; drop `recursive`";
        report(errors, span, message);
    }
    if let Some(default) = &field.constraints.default
        && matches!(**default, Override::Inherit)
        && matches!(field.default, SerdeDefault::None | SerdeDefault::Container)
    {
        let message = "as a word it takes serde's default: add `#[serde(default)]` to the field, or give \
                       a value";
        report(errors, default.span(), message);
    }
    if let Some(default) = &field.constraints.default
        && matches!(**default, Override::Inherit)
        && matches!(field.default, SerdeDefault::Trait)
        && field.skip_if.is_some()
        && types::option(&field.ty).is_some()
    {
        let message =
            "the default of an `Option` is `None`, which is no value; give one, or drop the word";
        report(errors, default.span(), message);
    }
}

/// The default that serde makes of a number, text, list or boolean is within the field's bounds.
fn default_of_type(field: &Field, errors: &mut Accumulator) {
    let Some(default) = &field.constraints.default else { return };
    let word =
        matches!(**default, Override::Inherit) && matches!(field.default, SerdeDefault::Trait);
    if !word || types::option(&field.ty).is_some() || types::is_char(&field.ty) {
        return;
    }
    let span = default.span();
    let value: syn::Expr = match types::known(&field.ty) {
        Known::Integer => syn::parse_quote_spanned!(span=> 0),
        Known::Number => syn::parse_quote_spanned!(span=> 0.0),
        Known::Text => syn::parse_quote_spanned!(span=> ""),
        Known::Boolean => syn::parse_quote_spanned!(span=> false),
        Known::List if !matches!(field.ty, Type::Array(_) | Type::Tuple(_)) => {
            syn::parse_quote_spanned!(span=> [])
        }
        _ => return,
    };
    let what = format!("the default `{}`", value.to_token_stream());
    let target = super::Target::of_type(&field.ty);
    super::value::check_value(&Value(value), &field.constraints, target, &what, errors);
}

/// What serde leaves out comes back as the server's default, which is then not the value that was written.
fn skipped_default(field: &Field, errors: &mut Accumulator) {
    let (Some(skip_if), Some(default)) = (&field.skip_if, &field.constraints.default) else {
        return;
    };
    let Override::Explicit(value) = &**default else { return };
    let last = skip_if.path.segments.last().map(|segment| segment.ident.to_string());
    let skips_empty = last.as_deref() == Some("is_empty");
    // A predicate that loses nothing skips what serde puts in the place of an absent field.
    let skips_zero = matches!(field.default, SerdeDefault::Trait) || skips_empty;
    let is_other = value.as_number().is_some_and(|number| number.as_f64() != 0.0)
        || value.as_text().is_some_and(|text| !text.is_empty())
        || value.as_bool() == Some(true)
        || matches!(&value.0, syn::Expr::Array(array) if !array.elems.is_empty());
    if types::option(&field.ty).is_none() && skips_zero && is_other {
        let message = "`skip_serializing_if` leaves a value out, and the server puts this one in its place; drop \
                       `skip_serializing_if`, or make the field an `Option`";
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

/// `required` and `optional` say what serde does, as far as its text tells.
fn explicit(field: &Field, errors: &mut Accumulator) {
    let Field { required, optional, constraints, skip_if, .. } = field;
    if let (Some(_), Some(optional)) = (required, optional) {
        report(errors, *optional, "conflicts with `required`");
        return;
    }
    if let Some(span) = required {
        let message = if skip_if.is_some() || field.skip_serializing {
            "serde may leave this field out, and the server would refuse what it writes; drop `skip_serializing_if`"
        } else if constraints.default.is_some() {
            "the server fills in a field with a default before it asks whether it is there; drop one of the two"
        } else {
            return;
        };
        report(errors, *span, message);
    }
    if let Some(span) = optional {
        let is_read = field.default.is_some()
            || field.skip_deserializing
            || constraints.default.is_some()
            || (field.with.is_none() && types::option(&field.ty).is_some());
        let certain = types::known(&field.ty) != Known::Unknown || field.with.is_some();
        if !is_read && certain {
            let message = "serde does not read an object without this field; make it an `Option`, or add \
                           `#[serde(default)]`";
            report(errors, *span, message);
        }
    }
}

/// The server keeps a `null` in a nullable field, never defaults it, and refuses it for an enum.
fn null(field: &Field, errors: &mut Accumulator) {
    let constraints = &field.constraints;
    let nulls = types::option(&field.ty).is_some()
        && field.skip_if.is_none()
        && !field.skip_serializing
        && field.with.is_none();
    if !nulls {
        return;
    }
    if let Some(nullable) = &constraints.nullable {
        if !**nullable {
            let message = "serde writes `None` as `null`, which this refuses; add \
                           `#[serde(skip_serializing_if = \"Option::is_none\")]`";
            report(errors, nullable.span(), message);
        }
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
    let mut told = false;
    for (key, span) in &field.keys {
        // Columns have a check of their own.
        if !matches!(key.as_str(), "print_column" | "selectable" | "recursive") {
            let message = format_args!(
                "`{key}` has no place on a flattened field, which has no schema of its own; put it on its type or on \
                 the fields of it"
            );
            report(errors, *span, message);
            told = true;
        }
    }
    if !told && !chain(&field.constraints, &quote!(krate)).is_empty() {
        let message = "a flattened field has no schema of its own; put this on its type or on the fields of it";
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
