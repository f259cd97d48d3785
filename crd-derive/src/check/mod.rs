//! Checks across attributes. All mistakes are reported in one run, each at its tokens.

mod apply;
mod bounds;
mod kind;
mod lists;
mod names;
mod own_names;
mod paths;
mod rules;
mod serde;
mod value;
mod webhook;

use darling::error::Accumulator;
use proc_macro2::Span;
use syn::Type;

use crate::attr::Key;
use crate::model::{Body, Constraints, Enum, Field, Model, Object, Variant};
use crate::report::report;
use crate::serde_view::Tagging;
use crate::types::{self, JsonType};

/// The type that constraints apply to.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    /// The Rust type, if there is one.
    pub ty: Option<&'a Type>,
    /// Its JSON type; `Unknown` if the Rust type is not recognized.
    pub known: JsonType,
    /// The fields of a struct.
    pub object: Option<&'a Object>,
}

impl<'a> Target<'a> {
    fn of_type(ty: &'a Type) -> Self {
        Self { ty: Some(ty), known: types::json_type(ty), object: None }
    }

    /// The elements of a list or the values of a map.
    fn inner(self) -> Self {
        self.ty.and_then(types::inner).map_or(Self::UNKNOWN, Self::of_type)
    }

    const UNKNOWN: Self = Self { ty: None, known: JsonType::Unknown, object: None };
}

/// Reports every error that can be found without looking at other types.
pub(crate) fn check(model: &Model, errors: &mut Accumulator) {
    let object = model.body.object();
    let target = match &model.body {
        Body::Object(_) => Target { ty: None, known: JsonType::Object, object },
        Body::Transparent(field) => Target::of_type(&field.ty),
        Body::Tuple(_) => Target { known: JsonType::List, ..Target::UNKNOWN },
        Body::Unit | Body::Delegate(_) | Body::Enum(_) => Target::UNKNOWN,
    };
    constraints(&model.constraints, target, errors);
    if let Some(span) = model.constraints.inherited_default() {
        report(
            errors,
            span,
            "`default` needs a value here; only a field, or a struct with fields, can use `default` without one",
        );
    }
    serde::container(model, errors);
    body(model, &model.body, errors);
    apply::check(model, errors);
    own_names::check(model, errors);
    for constraints in model.all_constraints() {
        unused_unchecked(constraints, errors);
    }
    if let Some(kind) = &model.kind {
        kind::check(model, kind, errors);
    }
}

/// Rejects `unchecked` where no check has found anything.
fn unused_unchecked(constraints: &Constraints, errors: &mut Accumulator) {
    if let Some(unchecked) = constraints.unchecked.as_ref().filter(|it| it.is_unused()) {
        let message = "`unchecked` has no effect: no check finds anything here; remove it";
        report(errors, unchecked.span, message);
    }
    for nested in constraints.nested() {
        unused_unchecked(nested, errors);
    }
}

fn body(model: &Model, body: &Body, errors: &mut Accumulator) {
    match body {
        Body::Object(object) => {
            serde::names(object, errors);
            kind::duplicate_field_columns(object, errors);
            for field in &object.fields {
                check_field(model, field, errors);
                lists::old_items(field, &Constraints::default(), errors);
            }
        }
        Body::Transparent(field) => {
            kind::no_columns(std::slice::from_ref(field), errors);
            serde::no_presence(std::slice::from_ref(field), errors);
            check_field(model, field, errors);
        }
        Body::Tuple(fields) => {
            kind::no_columns(fields, errors);
            serde::no_presence(fields, errors);
            serde::tuple(fields, errors);
            for field in fields {
                check_field(model, field, errors);
            }
        }
        Body::Enum(data) => variants(model, data, errors),
        Body::Unit | Body::Delegate(_) => {}
    }
}

fn check_field(model: &Model, field: &Field, errors: &mut Accumulator) {
    let target = Target { ty: Some(&field.ty), known: field.json, object: None };
    constraints(&field.constraints, target, errors);
    // `unchecked` turns the warnings of `emit` off.
    let _ = crate::emit::warnings_of(field);
    kind::field_columns(field, errors);
    serde::field(model, field, errors);
}

fn variants(model: &Model, data: &Enum, errors: &mut Accumulator) {
    serde::names_of_variants(data, errors);
    if data.variants.is_empty() {
        let message = "an enum without variants has no values, so it has no schema";
        report(errors, model.ident.span(), message);
    }
    serde::tagging(data, errors);
    rules::variants(data, errors);
    for variant in &data.variants {
        let Variant { body: content, constraints: own, .. } = variant;
        serde::embedded(own, content, "variant", errors);
        if let Body::Object(object) = content {
            kind::no_columns(&object.fields, errors);
        }
        let target = match content {
            _ if variant.has_own_schema() => Target::UNKNOWN,
            Body::Object(object) => {
                Target { ty: None, known: JsonType::Object, object: Some(object) }
            }
            Body::Transparent(field) if field.with.is_none() => Target::of_type(&field.ty),
            Body::Tuple(_) => Target { known: JsonType::List, ..Target::UNKNOWN },
            _ => Target::UNKNOWN,
        };
        constraints(own, target, errors);
        if let Body::Transparent(field) = content
            && !variant.has_own_schema()
            && !data.is_untagged(variant)
            && !matches!(data.tagging, Tagging::Internal(_))
        {
            lists::old_items(field, own, errors);
        }
        if let Some(default) = &own.default
            && data.variants.len() > 1
            && !matches!(content, Body::Unit)
        {
            let message = "a variant cannot have a default: the server would add it to objects of every variant; \
                           put the default on the fields that have this enum's type";
            report(errors, default.span, message);
        }
        if matches!(content, Body::Unit)
            && (!crate::emit::is_empty(own) || variant.has_own_schema())
        {
            for key in Key::all(&variant.attrs) {
                let message =
                    "a variant without content has no schema of its own; put this on the enum";
                report(errors, key.span, message);
            }
        }
        body(model, content, errors);
    }
}

/// Checks one set of constraints.
fn constraints(constraints: &Constraints, target: Target<'_>, errors: &mut Accumulator) {
    if let Some(span) = constraints.schema_of_module {
        let message = "`schema_with` without a function is the function `schema` of the module in `#[serde(with = \"..\")]`, \
                       which is not here; give a function";
        report(errors, span, message);
    }
    bounds::check(constraints, target, errors);
    value::check(constraints, target, errors);
    lists::check(constraints, target, errors);
    rules::check(constraints, target, errors);
    for (nested, own, other, name) in [
        (&constraints.items, JsonType::List, JsonType::Map, "items"),
        (&constraints.values, JsonType::Map, JsonType::List, "values"),
    ] {
        let Some(nested) = nested else { continue };
        if target.known == other {
            let right = if own == JsonType::List { "values" } else { "items" };
            report(
                errors,
                nested.span(),
                format_args!("`{name}` does not apply to {}; use `{right}`", other.plural()),
            );
        } else if !matches!(target.known, JsonType::Unknown) && target.known != own {
            report(
                errors,
                nested.span(),
                format_args!(
                    "`{name}` applies only to {}; this is {}",
                    own.plural(),
                    target.known.with_article()
                ),
            );
        }
        self::constraints(nested, target.inner(), errors);
        if let Some(values) = &nested.enum_values
            && target.inner().ty.is_some_and(|ty| types::option(ty).is_some())
        {
            let message = "serde writes `None` as `null`, which an enumeration does not allow; remove the `Option`";
            report(errors, values.span(), message);
        }
        reject_field_keys(nested, nested.span(), errors);
    }
}

/// Rejects keys that do not apply to elements and values.
fn reject_field_keys(nested: &Constraints, span: Span, errors: &mut Accumulator) {
    if nested.schema_with.is_some() {
        report(errors, span, "`schema_with` replaces a field's whole schema; put it on the field");
    }
    if nested.default.is_some() {
        report(
            errors,
            span,
            "`default` applies only to fields; elements and values have no default",
        );
    }
}
