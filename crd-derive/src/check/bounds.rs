//! Bounds: that they do not contradict each other, and are on a type that they apply to.

use darling::error::Accumulator;
use darling::util::SpannedValue;
use proc_macro2::Span;

use super::Target;
use crate::attr::{Bound, Constant, Constraints, Count, Number, Words};
use crate::model::report;
use crate::types::{self, Known, integer_range};

pub(super) fn check(constraints: &Constraints, target: Target<'_>, errors: &mut Accumulator) {
    applies(constraints, target, errors);
    readable(constraints, target, errors);
    contradict(constraints, errors);
    exact(constraints, errors);
    if let Some(ty) = target.ty
        && target.known == Known::Integer
    {
        within_type(constraints, integer_range(ty), errors);
    }
}

/// A bound that is no constant, and its value. What a constant is, rustc asks (`emit/constants.rs`).
fn literal<T: Copy>(
    bound: Option<&SpannedValue<Constant<T>>>,
) -> Option<(&SpannedValue<Constant<T>>, T)> {
    let bound = bound?;
    Some((bound, *bound.literal()?))
}

/// Each key is on a type that it looks at.
fn applies(constraints: &Constraints, target: Target<'_>, errors: &mut Accumulator) {
    let int_or_string = constraints.int_or_string.as_deref() == Some(&true);
    let known = target.known;
    if known == Known::Unknown || int_or_string || constraints.schema_with.is_some() {
        return;
    }
    let numeric = matches!(known, Known::Integer | Known::Number);
    let mut refuse = |span: Option<Span>, key: &str, wants: Known, applies: bool| {
        if let Some(span) = span.filter(|_| !applies) {
            let (wants, is) = (wants.with_article(), known.with_article());
            report(errors, span, format_args!("`{key}` is for {wants}, this is {is}"));
        }
    };
    let c = constraints;
    let span = |value: &Option<Bound>| value.as_ref().map(SpannedValue::span);
    refuse(span(&c.minimum), "minimum", Known::Number, numeric);
    refuse(span(&c.maximum), "maximum", Known::Number, numeric);
    refuse(span(&c.multiple_of), "multiple_of", Known::Number, numeric);
    let flag = |value: &Option<SpannedValue<bool>>| value.as_ref().map(SpannedValue::span);
    refuse(flag(&c.exclusive_minimum), "exclusive_minimum", Known::Number, numeric);
    refuse(flag(&c.exclusive_maximum), "exclusive_maximum", Known::Number, numeric);
    let count = |value: &Option<Count>| value.as_ref().map(SpannedValue::span);
    let text = known == Known::Text;
    refuse(count(&c.min_length), "min_length", Known::Text, text);
    refuse(count(&c.max_length), "max_length", Known::Text, text);
    refuse(c.pattern.as_ref().map(Words::span), "pattern", Known::Text, text);
    let list = known == Known::List;
    refuse(count(&c.min_items), "min_items", Known::List, list);
    refuse(count(&c.max_items), "max_items", Known::List, list);
    let object = matches!(known, Known::Map | Known::Object);
    refuse(count(&c.min_properties), "min_properties", Known::Map, object);
    refuse(count(&c.max_properties), "max_properties", Known::Map, object);
    if let Some(format) = &c.format {
        let wants = match format.value.as_str() {
            "int32" | "int64" => Known::Integer,
            "float" | "double" => Known::Number,
            _ => Known::Text,
        };
        let fits = known == wants || (wants == Known::Number && numeric);
        refuse(Some(format.span), &format!("format = {:?}", format.value), wants, fits);
    }
}

/// What the attributes admit beside the type's own values is read by the type, as far as its text tells.
fn readable(constraints: &Constraints, target: Target<'_>, errors: &mut Accumulator) {
    let known = target.known;
    let is_object = known == Known::Object;
    if known == Known::Unknown || constraints.schema_with.is_some() {
        return;
    }
    let is = known.with_article();
    let set = |flag: &Option<SpannedValue<bool>>| {
        flag.as_ref().filter(|flag| ***flag).map(SpannedValue::span)
    };
    if let Some(span) = set(&constraints.nullable)
        && target.ty.is_none_or(|ty| types::option(ty).is_none())
    {
        let message =
            format_args!("`nullable` admits `null`, which {is} does not read; make it an `Option`");
        report(errors, span, message);
    }
    if let Some(span) = set(&constraints.int_or_string) {
        let message = format_args!(
            "`int_or_string` admits integers and strings, and this is {is}; use `IntOrString` of k8s-openapi"
        );
        report(errors, span, message);
    }
    let holds_objects =
        is_object || (known == Known::Map && target.inner().known == Known::Unknown);
    if let Some(span) = set(&constraints.embedded_resource).filter(|_| !holds_objects) {
        let message = format_args!(
            "`embedded_resource` is a whole object with `apiVersion`, `kind` and `metadata`, and this is {is}; \
             use `RawExtension` or `serde_json::Value`"
        );
        report(errors, span, message);
    }
}

/// The least number above what the server's integers hold; of doubles it takes its opposite for none either.
const BEYOND_INT64: f64 = 9_223_372_036_854_775_808.0;

/// A schema holds bounds as doubles, and the server compares integers with them as int64.
///
/// Source: kube-openapi `pkg/validation/validate/values.go`, `MaximumNativeType` and what it calls.
fn exact(constraints: &Constraints, errors: &mut Accumulator) {
    let Constraints { minimum, maximum, multiple_of, .. } = constraints;
    for (bound, name) in [(minimum, "minimum"), (maximum, "maximum"), (multiple_of, "multiple_of")]
    {
        let Some((bound, number)) = literal(bound.as_ref()) else { continue };
        let value = number.as_f64();
        if value.abs() >= BEYOND_INT64 {
            let advice = if name == "multiple_of" {
                ""
            } else {
                "; leave it out, the type's own range holds"
            };
            let message = format_args!(
                "the server compares integers with `{name}` as int64, which does not hold {number}, so that it \
                 would refuse every integer{advice}",
            );
            report(errors, bound.span(), message);
        } else if let Number::Int(int) = number
            && Number::Float(value).as_int() != Some(int)
        {
            let message = format_args!(
                "the server holds `{name}` as a double, which is {value} and not {int}; above 2^53 only some \
                 integers are doubles"
            );
            report(errors, bound.span(), message);
        }
    }
}

/// The lower bound is not above the upper one.
fn contradict(constraints: &Constraints, errors: &mut Accumulator) {
    let c = constraints;
    if let (Some((minimum, least)), Some((_, greatest))) =
        (literal(c.minimum.as_ref()), literal(c.maximum.as_ref()))
    {
        let (least, greatest) = (least.as_f64(), greatest.as_f64());
        let is = |flag: &Option<SpannedValue<bool>>| flag.as_deref() == Some(&true);
        if least > greatest {
            report(errors, minimum.span(), "`minimum` is above `maximum`: nothing is valid");
        } else if (is(&c.exclusive_minimum) || is(&c.exclusive_maximum)) && least >= greatest {
            let message =
                "`minimum` equals `maximum` and one of them is exclusive: nothing is valid";
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
            let message = format_args!("`min_{keys}` is above `max_{keys}`: nothing is valid");
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
            let message = format_args!(
                "`exclusive_{name}` says that `{name}` itself is out; give `{name} = ..` too"
            );
            report(errors, exclusive.span(), message);
        }
    }
    if let Some((factor, value)) = literal(c.multiple_of.as_ref())
        && value.as_f64() <= 0.0
    {
        report(errors, factor.span(), "`multiple_of` must be above zero");
    }
}

/// The bounds of an integer are integers that its type holds.
fn within_type(constraints: &Constraints, range: Option<(i128, i128)>, errors: &mut Accumulator) {
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
                    "`{name}` is outside of what the field's type holds, {least} to {greatest}"
                );
                report(errors, bound.span(), message);
            }
            _ => {}
        }
    }
}
