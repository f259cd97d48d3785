//! Makes rustc warn.
//!
//! On stable Rust a derive cannot emit a warning. Instead, the generated code uses a deprecated constant at the span, and
//! the note of the deprecation is the warning's text. `#[allow(deprecated)]` on the type or on a module around it
//! suppresses the warning, and so does `unchecked`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Type;
use syn::spanned::Spanned as _;

use crate::model::{Body, Constraints, Field, Model};
use crate::types;

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

/// The warnings about the types of fields.
pub(super) fn of_types(model: &Model) -> TokenStream {
    if model.constraints.schema_with.is_some() {
        return TokenStream::new();
    }
    let mut warnings = TokenStream::new();
    each_field(&model.body, &mut |field| {
        if let Some(ty) = wide(field) {
            let note = "the server reads integers as int64, so it rejects a value above 9223372036854775807, which serde \
                        writes; add `#[crd(maximum = ..)]`, use `i64` or `u32`, or keep it with \
                        `#[crd(unchecked(\"why\"))]`";
            warnings.extend(warning("UNSIGNED_64_BITS", note, ty.span(), model));
        }
    });
    warnings
}

/// The unsigned integer of 64 bits in a field whose values have no upper bound.
pub(crate) fn wide(field: &Field) -> Option<&Type> {
    if field.has_replaced_schema() || field.constraints.int_or_string.is_some() {
        return None;
    }
    unbounded(&field.ty, Some(&field.constraints)).filter(|_| !field.constraints.keeps_unchecked())
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

fn each_field(body: &Body, call: &mut dyn FnMut(&Field)) {
    match body {
        Body::Object(object) => object.fields.iter().for_each(call),
        Body::Transparent(field) => call(field),
        Body::Tuple(fields) => fields.iter().take(1).for_each(call),
        Body::Enum(data) => {
            let variants = data.variants.iter().filter(|variant| !variant.has_own_schema());
            variants.for_each(|variant| each_field(&variant.body, call));
        }
        Body::Unit | Body::Delegate(_) => {}
    }
}
