//! Checks that bounds do not contradict each other, and that each key applies to its type.

use crd_cel::attribute;
use darling::error::Accumulator;
use darling::util::SpannedValue;
use proc_macro2::Span;

use super::Target;
use super::names::pass;
use crate::literal::{Constant, Number};
use crate::model::Constraints;
use crate::report::report;
use crate::types::{self, JsonType, integer_range};

pub(super) fn check(constraints: &Constraints, target: Target<'_>, errors: &mut Accumulator) {
    check_keys_apply(constraints, target, errors);
    check_readable(constraints, target, errors);
    check_contradictions(constraints, errors);
    check_exact(constraints, target, errors);
    if target.known == JsonType::Integer {
        check_between(constraints, errors);
    }
}

/// A bound that is a literal, and its value. Constants are checked by rustc (`emit/constants.rs`).
fn literal<T: Copy>(
    bound: Option<&SpannedValue<Constant<T>>>,
) -> Option<(&SpannedValue<Constant<T>>, T)> {
    let bound = bound?;
    Some((bound, *bound.literal()?))
}

/// Rejects keys that do not apply to the JSON type.
fn check_keys_apply(constraints: &Constraints, target: Target<'_>, errors: &mut Accumulator) {
    let int_or_string = constraints.int_or_string.is_some();
    let known = target.known;
    if known == JsonType::Unknown || int_or_string || constraints.schema_with.is_some() {
        return;
    }
    let numeric = matches!(known, JsonType::Integer | JsonType::Number);
    let mut reject = |span: Option<Span>, key: &str, wants: JsonType, applies: bool| {
        if let Some(span) = span.filter(|_| !applies) {
            let (wants, is) = (wants.plural(), known.with_article());
            report(errors, span, format_args!("`{key}` applies only to {wants}; this is {is}"));
        }
    };
    let c = constraints;
    let (list, object) =
        (known == JsonType::List, matches!(known, JsonType::Map | JsonType::Object));
    for (key, span, wants) in c.typed_keys() {
        let applies = match wants {
            JsonType::Number => numeric,
            JsonType::Object => object,
            wants => known == wants,
        };
        reject(Some(span), key, wants, applies);
    }
    let elements = target.inner().known;
    let has_objects = object || (list && !elements.is_scalar());
    reject(c.preserve_unknown_fields, "preserve_unknown_fields", JsonType::Object, has_objects);
    if let Some(format) = &c.format {
        let wants = match format.value.as_str() {
            "int32" | "int64" => JsonType::Integer,
            "float" | "double" => JsonType::Number,
            _ => JsonType::Text,
        };
        let fits = known == wants || (wants == JsonType::Number && numeric);
        reject(Some(format.span), &format!("format = {:?}", format.value), wants, fits);
    }
}

/// Rejects attributes that allow values which the type cannot deserialize.
fn check_readable(constraints: &Constraints, target: Target<'_>, errors: &mut Accumulator) {
    let known = target.known;
    let is_object = known == JsonType::Object;
    if known == JsonType::Unknown || constraints.schema_with.is_some() {
        return;
    }
    let is = known.with_article();
    if let Some(nullable) = constraints.nullable.as_ref().filter(|_| constraints.is_nullable())
        && target.ty.is_none_or(|ty| types::option(ty).is_none())
    {
        let message = format_args!(
            "`nullable` allows `null`, which {is} cannot deserialize; make it an `Option`"
        );
        report(errors, nullable.span(), message);
    }
    if let Some(span) = constraints.int_or_string {
        let message = format_args!(
            "`int_or_string` allows integers and strings, but this is {is}; use `IntOrString` from k8s-openapi"
        );
        report(errors, span, message);
    }
    let holds_objects =
        is_object || (known == JsonType::Map && target.inner().known == JsonType::Unknown);
    if let Some(span) = constraints.embedded_resource.filter(|_| !holds_objects) {
        let message = format_args!(
            "`embedded_resource` needs an object with `apiVersion`, `kind` and `metadata`, but this is {is}; use \
             `RawExtension` or `serde_json::Value`"
        );
        report(errors, span, message);
    }
}

/// Rejects bounds that the server or the type of an integer cannot represent.
fn check_exact(constraints: &Constraints, target: Target<'_>, errors: &mut Accumulator) {
    let of_integer = target.known == JsonType::Integer;
    let range = target.ty.filter(|_| of_integer).and_then(integer_range);
    for (name, bound) in constraints.bounds() {
        let Some((bound, number)) = literal(bound) else { continue };
        let value = number.as_f64();
        let error = match number {
            Number::Int(int) => attribute::bound(name, (int, value, true), of_integer, range),
            Number::Float(_) => attribute::bound(name, (0, value, false), of_integer, None),
        };
        pass(errors, bound.span(), error);
    }
}

/// Rejects a lower bound above the upper one, and `exclusive_minimum` without `minimum` (and so for `maximum`).
fn check_contradictions(constraints: &Constraints, errors: &mut Accumulator) {
    let c = constraints;
    if let (Some((minimum, least)), Some((_, greatest))) =
        (literal(c.minimum.as_ref()), literal(c.maximum.as_ref()))
    {
        let bounds = [("minimum", least.as_f64()), ("maximum", greatest.as_f64())];
        let exclusive = c.excludes_minimum() || c.excludes_maximum();
        pass(errors, minimum.span(), attribute::in_order(bounds[0], bounds[1], exclusive));
    }
    for (_, [(from, least), (to, greatest)]) in c.counts() {
        if let (Some((bound, least)), Some((_, greatest))) = (literal(least), literal(greatest)) {
            let bounds = [(from, f64::from(least)), (to, f64::from(greatest))];
            pass(errors, bound.span(), attribute::in_order(bounds[0], bounds[1], false));
        }
    }
    for (exclusive, bound, name) in [
        (&c.exclusive_minimum, c.minimum.is_some(), "minimum"),
        (&c.exclusive_maximum, c.maximum.is_some(), "maximum"),
    ] {
        if let Some(exclusive) = exclusive
            && !bound
        {
            let message = format_args!("`exclusive_{name}` needs `{name}`; add `{name} = ..`");
            report(errors, exclusive.span(), message);
        }
    }
}

/// Rejects bounds of an integer that are both exclusive, with no integer between them.
fn check_between(constraints: &Constraints, errors: &mut Accumulator) {
    let c = constraints;
    if let (Some((minimum, Number::Int(least))), Some((_, Number::Int(greatest)))) =
        (literal(c.minimum.as_ref()), literal(c.maximum.as_ref()))
        && c.excludes_minimum()
        && c.excludes_maximum()
        && greatest.checked_sub(least) == Some(1)
    {
        let message = "`minimum` and `maximum` are exclusive, and there is no integer between them, so no value is \
                       valid";
        report(errors, minimum.span(), message);
    }
}
