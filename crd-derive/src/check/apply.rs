//! What `apply` asks for that cannot be.

use darling::error::Accumulator;
use syn::spanned::Spanned;

use crate::model::{Body, Model, report};
use crate::types;

pub(super) fn check(model: &Model, errors: &mut Accumulator) {
    let Some(apply) = &model.apply else { return };
    if let Some(lifetime) = model.generics.lifetimes().next() {
        let message = "a type that borrows has no apply configuration; own the data (`String`, `Vec<_>`), or \
                       drop `apply`";
        report(errors, lifetime.span(), message);
    }
    if let Some(key) = apply.keys.first().filter(|_| apply.whole) {
        report(
            errors,
            key.span,
            "`keys` conflicts with `whole`: the type itself requires its fields",
        );
        return;
    }
    for (index, key) in apply.keys.iter().enumerate() {
        let Body::Object(object) = &model.body else {
            report(errors, key.span, "`keys` is for structs with named fields");
            return;
        };
        if model.kind.is_some() {
            report(errors, key.span, "a kind is no item of a list: `keys` is for the items' type");
            return;
        }
        if apply.keys[..index].iter().any(|other| other.value == key.value) {
            report(errors, key.span, "is listed twice");
        }
        let field = object.fields.iter().find(|field| !field.flatten && field.wire == key.value);
        let Some(field) = field else {
            let message = format_args!(
                "there is no field `{}`; a key is named as in JSON, and not flattened",
                key.value
            );
            report(errors, key.span, message);
            continue;
        };
        if types::option(&field.ty).is_some() || field.skip_if.is_some() || field.skip_serializing {
            let message = format_args!("the key `{}` is not always written", key.value);
            report(errors, key.span, message);
        }
    }
}
