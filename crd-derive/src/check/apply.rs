//! Checks of `apply`.

use darling::error::Accumulator;
use syn::spanned::Spanned;

use crate::model::{Apply, Model};
use crate::report::report;

pub(super) fn check(model: &Model, errors: &mut Accumulator) {
    let Some(apply) = &model.apply else { return };
    if let Some(lifetime) = model.generics.lifetimes().next() {
        let message = "a type with lifetimes cannot have an apply configuration; use owned data (`String`, \
                       `Vec<_>`), or remove `apply`";
        report(errors, lifetime.span(), message);
    }
    for path in &apply.derives {
        if Apply::always_derives(path) {
            let message = "every apply configuration has this derive; remove it here";
            report(errors, path.span(), message);
        }
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
        let Some(object) = model.body.object() else {
            report(errors, key.span, "`keys` applies only to structs with named fields");
            return;
        };
        if model.kind.is_some() {
            report(
                errors,
                key.span,
                "`keys` applies only to the type of list items; a kind is never one",
            );
            return;
        }
        if apply.keys[..index].iter().any(|other| other.value == key.value) {
            report(errors, key.span, format_args!("duplicate key `{}`", key.value));
        }
        let field = object.fields.iter().find(|field| !field.flatten && field.wire == key.value);
        let Some(field) = field else {
            let message = format_args!(
                "there is no field `{}`; keys are the JSON names of the struct's own fields",
                key.value
            );
            report(errors, key.span, message);
            continue;
        };
        if field.is_option || field.may_be_skipped() {
            let message = format_args!(
                "the key `{}` must always be written: it cannot be an `Option` or be skipped",
                key.value
            );
            report(errors, key.span, message);
        }
    }
}
