//! Checks that bounds do not contradict each other, and that each key applies to its type.

use darling::error::Accumulator;
use darling::util::SpannedValue;
use proc_macro2::Span;

use super::Target;
use crate::literal::{Bound, Constant, Count, Number, StringExpr};
use crate::model::Constraints;
use crate::report::report;
use crate::types::{self, JsonType, integer_range};

pub(super) fn check(constraints: &Constraints, target: Target<'_>, errors: &mut Accumulator) {
    check_keys_apply(constraints, target, errors);
    check_readable(constraints, target, errors);
    check_contradictions(constraints, errors);
    check_exact(constraints, target.known, errors);
    if let Some(ty) = target.ty
        && target.known == JsonType::Integer
    {
        check_within_type(constraints, integer_range(ty), errors);
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
    let span = |value: &Option<Bound>| value.as_ref().map(SpannedValue::span);
    reject(span(&c.minimum), "minimum", JsonType::Number, numeric);
    reject(span(&c.maximum), "maximum", JsonType::Number, numeric);
    reject(span(&c.multiple_of), "multiple_of", JsonType::Number, numeric);
    let flag = |value: &Option<SpannedValue<bool>>| value.as_ref().map(SpannedValue::span);
    reject(flag(&c.exclusive_minimum), "exclusive_minimum", JsonType::Number, numeric);
    reject(flag(&c.exclusive_maximum), "exclusive_maximum", JsonType::Number, numeric);
    let count = |value: &Option<Count>| value.as_ref().map(SpannedValue::span);
    let text = known == JsonType::Text;
    reject(count(&c.min_length), "min_length", JsonType::Text, text);
    reject(count(&c.max_length), "max_length", JsonType::Text, text);
    reject(c.pattern.as_ref().map(StringExpr::span), "pattern", JsonType::Text, text);
    let list = known == JsonType::List;
    reject(count(&c.min_items), "min_items", JsonType::List, list);
    reject(count(&c.max_items), "max_items", JsonType::List, list);
    let object = matches!(known, JsonType::Map | JsonType::Object);
    reject(count(&c.min_properties), "min_properties", JsonType::Object, object);
    reject(count(&c.max_properties), "max_properties", JsonType::Object, object);
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

/// 2^63, the least double that does not fit int64. The server parses the shortest decimal text of a bound as an int64.
/// The text of -2^63 is `-9223372036854776000`, which does not fit either.
const BEYOND_INT64: f64 = 9_223_372_036_854_775_808.0;

/// Rejects bounds that a double cannot hold exactly, or that do not fit int64: a schema stores bounds as doubles, and
/// the server compares integers with them as int64.
///
/// Source: kube-openapi `pkg/validation/validate/values.go`: `IsValueValidAgainstRange` rejects the bounds of integers
/// that do not fit int64; for numbers, `MaximumNativeType` compares integers with Go's conversion of the bound.
fn check_exact(constraints: &Constraints, known: JsonType, errors: &mut Accumulator) {
    let Constraints { minimum, maximum, multiple_of, .. } = constraints;
    for (bound, name) in [(minimum, "minimum"), (maximum, "maximum"), (multiple_of, "multiple_of")]
    {
        let Some((bound, number)) = literal(bound.as_ref()) else { continue };
        let value = number.as_f64();
        if value.abs() >= BEYOND_INT64 {
            let advice = if name == "multiple_of" {
                ""
            } else {
                "; remove it, the type's own range applies"
            };
            let so = if known == JsonType::Integer {
                "so it would reject every integer"
            } else {
                "to which it converts the bound when it compares an integer"
            };
            let message = format_args!(
                "the server stores `{name}` as a double, and {number} as a double does not fit int64, {so}{advice}",
            );
            report(errors, bound.span(), message);
        } else if let Number::Int(int) = number
            && Number::Float(value).as_int() != Some(int)
        {
            let message = format_args!(
                "the server stores `{name}` as a double, which rounds {int} to {value}; not every integer above 2^53 \
                 is a double"
            );
            report(errors, bound.span(), message);
        }
    }
}

/// Rejects a lower bound above the upper one, `exclusive_minimum` without `minimum` (and so for `maximum`), and a
/// `multiple_of` that is not positive.
fn check_contradictions(constraints: &Constraints, errors: &mut Accumulator) {
    let c = constraints;
    if let (Some((minimum, least)), Some((_, greatest))) =
        (literal(c.minimum.as_ref()), literal(c.maximum.as_ref()))
    {
        let (least, greatest) = (least.as_f64(), greatest.as_f64());
        if least > greatest {
            report(errors, minimum.span(), "`minimum` is above `maximum`, so no value is valid");
        } else if (c.excludes_minimum() || c.excludes_maximum()) && least >= greatest {
            let message =
                "`minimum` equals `maximum` and one of them is exclusive, so no value is valid";
            report(errors, minimum.span(), message);
        }
    }
    for (least, greatest, keys) in [
        (&c.min_length, &c.max_length, "length"),
        (&c.min_items, &c.max_items, "items"),
        (&c.min_properties, &c.max_properties, "properties"),
    ] {
        if let (Some((least, from)), Some((_, to))) =
            (literal(least.as_ref()), literal(greatest.as_ref()))
            && from > to
        {
            let message = format_args!("`min_{keys}` is above `max_{keys}`, so no value is valid");
            report(errors, least.span(), message);
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
    if let Some((factor, value)) = literal(c.multiple_of.as_ref())
        && value.as_f64() <= 0.0
    {
        report(errors, factor.span(), "`multiple_of` must be above zero");
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

/// Requires the bounds of an integer to be integers in the range of its type.
fn check_within_type(
    constraints: &Constraints,
    range: Option<(i128, i128)>,
    errors: &mut Accumulator,
) {
    for (bound, name) in [
        (&constraints.minimum, "minimum"),
        (&constraints.maximum, "maximum"),
        (&constraints.multiple_of, "multiple_of"),
    ] {
        let Some((bound, number)) = literal(bound.as_ref()) else { continue };
        match (number, range) {
            (Number::Float(_), _) => {
                report(
                    errors,
                    bound.span(),
                    format_args!("`{name}` of an integer must be an integer"),
                );
            }
            (Number::Int(value), Some((least, greatest))) if value < least || value > greatest => {
                let message = format_args!(
                    "`{name}` is outside the range of the field's type, {least} to {greatest}"
                );
                report(errors, bound.span(), message);
            }
            _ => {}
        }
    }
}
