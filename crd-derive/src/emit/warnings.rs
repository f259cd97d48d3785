//! Makes rustc warn.
//!
//! On stable Rust a derive cannot emit a warning. Instead, the generated code uses a deprecated constant at the span, and
//! the note of the deprecation is the warning's text. `#[allow(deprecated)]` on the type or on a module around it
//! suppresses the warning, and so does `unchecked`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Type;
use syn::spanned::Spanned as _;

use crate::model::{Constraints, Field, Model, Rule};
use crate::types::{self, JsonType};

/// A warning with the text `note` at a span. `name` is part of what rustc prints.
pub(super) fn warning(name: &str, note: &str, span: Span, model: &Model) -> TokenStream {
    let lints = &model.lints;
    let (declared, used) = (Ident::new(name, Span::call_site()), Ident::new(name, span));
    quote! {
        #lints
        const _: () = {
            #[deprecated(note = #note)]
            const #declared: () = ();
            #used
        };
    }
}

/// What rustc warns of at a field.
pub(crate) struct Found {
    name: &'static str,
    note: String,
    span: Span,
}

/// The warnings about fields.
pub(super) fn of_fields(model: &Model) -> TokenStream {
    if model.constraints.schema_with.is_some() {
        return TokenStream::new();
    }
    // The first member of a tuple stands for all.
    let found = model.body.fields_of_schema(1).into_iter().flat_map(of_field);
    found.map(|it| warning(it.name, &it.note, it.span, model)).collect()
}

/// Returns what rustc warns of at a field, unless `unchecked` keeps it.
pub(crate) fn of_field(field: &Field) -> Vec<Found> {
    let found = wide(field).into_iter().chain(changes_once(field));
    found.filter(|_| !field.constraints.keeps_unchecked()).collect()
}

/// The unsigned integer of 64 bits in a field whose values have no upper bound.
fn wide(field: &Field) -> Option<Found> {
    let may_be_wide = matches!(field.json, JsonType::Integer | JsonType::List | JsonType::Map);
    if !may_be_wide || field.has_replaced_schema() || field.constraints.int_or_string.is_some() {
        return None;
    }
    let ty = unbounded(&field.ty, Some(&field.constraints))?;
    let note = "the server reads integers as int64, so it rejects a value above 9223372036854775807, which serde writes; \
                add `#[crd(maximum = ..)]`, use `i64` or `u32`, or keep it with `#[crd(unchecked(\"why\"))]`";
    Some(Found { name: "UNSIGNED_64_BITS", note: note.to_owned(), span: ty.span() })
}

/// A rule about changes of a field that serde fills in, but the server does not: the server evaluates no such rule when
/// the field is added to an object.
fn changes_once(field: &Field) -> Option<Found> {
    let constraints = &field.constraints;
    if constraints.default.is_some()
        || field.default.is_none()
        || field.is_option
        || field.flatten
        || field.has_replaced_schema()
        || field.required.is_some()
    {
        return None;
    }
    let is_transition = |rule: &&Rule| {
        let text = rule.expression.text();
        text.is_some_and(|text| crd_cel::compile_time::uses_old_self(&text.value))
            && !rule.options.unchecked
            && !rule.has_optional_old_self()
    };
    let rule = constraints.rules.iter().find(is_transition).map(|rule| rule.expression.span());
    let span = constraints.immutable.or(rule)?;
    let note = format!(
        "an object that is created without `{}` can still change it once, because serde has a default and the server has \
         none; add `#[crd(default)]`, so that the server sets serde's default, or keep it with \
         `#[crd(unchecked(\"why\"))]`",
        field.wire
    );
    Some(Found { name: "CHANGES_ONCE", note, span })
}

fn unbounded<'a>(ty: &'a Type, constraints: Option<&Constraints>) -> Option<&'a Type> {
    let held = types::held(ty);
    if let Some(inner) = types::inner(held) {
        let nested = constraints.and_then(|it| it.items.as_ref().or(it.values.as_ref()));
        return unbounded(inner, nested.map(|nested| &***nested));
    }
    let is_bounded = constraints.is_some_and(|it| it.maximum.is_some() || it.enum_values.is_some());
    (types::is_unsigned_64_bits(held) && !is_bounded).then_some(held)
}
