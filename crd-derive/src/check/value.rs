//! Checks of values in attributes: `default`, `enum_values`, `pattern`, `external_docs`.

use crd_cel::attribute;
use crd_cel::domain::format;
use crd_cel::lint::holds_for;
use crd_cel::re2;
use crd_cel::syntax::Literal;
use darling::error::Accumulator;
use syn::Expr;
use syn::spanned::Spanned;

use super::Target;
use super::names::pass;
use super::rules::similar;
use crate::literal::{Constant, Number, StringExpr, Value};
use crate::model::{Constraints, Limit};
use crate::report::report;
use crate::types::{self, JsonType, integer_range};

/// The formats of numbers, which the server does not check.
const NUMBERS: [&str; 4] = ["double", "float", "int32", "int64"];

/// Whether the server knows a format. It ignores hyphens in the name.
fn is_format(name: &str) -> bool {
    format::find(name).is_some() || NUMBERS.contains(&name.replace('-', "").as_str())
}

pub(super) fn check(constraints: &Constraints, target: Target<'_>, errors: &mut Accumulator) {
    if let Some(pattern) = constraints.pattern.as_ref().and_then(StringExpr::text)
        && let Err(error) = re2::check(&pattern.value)
    {
        let message = format_args!("the server compiles patterns with Go's RE2: {error}");
        report(errors, pattern.span, message);
    }
    if let Some(format) = &constraints.format
        && !is_format(&format.value)
        && !constraints.keeps_unchecked()
    {
        let similar = match format.value.as_str() {
            "rfc3339" | "rfc-3339" | "iso8601" | "timestamp" => Some("date-time"),
            name => similar(name, format::NAMES.into_iter().chain(NUMBERS)),
        };
        let hint =
            similar.map_or_else(|| ".".to_owned(), |name| format!("; did you mean `{name}`?"));
        let message = format_args!(
            "the server does not know the format `{}` and would not check it{} To write it all the same, add \
             `unchecked(\"why\")`",
            format.value, hint,
        );
        report(errors, format.span, message);
    }
    if let Some(docs) = &constraints.external_docs
        && !docs.url.value.contains("://")
    {
        report(errors, docs.url.span, "`url` must be a URL, such as `https://example.com/docs`");
    }
    if let Some(value) = constraints.default_value() {
        check_value(value, constraints, target, "`default`", errors);
    }
    if let Some(list) = &constraints.enum_values {
        if list.0.is_empty() {
            report(errors, list.span(), "`enum_values` needs at least one value");
        }
        let mut seen = Vec::new();
        for expr in &list.0 {
            let value = Value(expr.clone());
            if !has_type(&value, target, "the value", errors) {
                continue;
            }
            check_constraints(&value, constraints, "the value", errors);
            let text = value.canonical();
            if seen.contains(&text) {
                report(errors, expr.span(), "duplicate value");
            }
            seen.push(text);
        }
    }
}

/// Checks a literal against the type and constraints of its field.
pub(super) fn check_value(
    value: &Value,
    constraints: &Constraints,
    target: Target<'_>,
    what: &str,
    errors: &mut Accumulator,
) {
    if !has_type(value, target, what, errors) {
        return;
    }
    check_constraints(value, constraints, what, errors);
    let span = value.0.span();
    if let Expr::Path(path) = &value.0
        && let Some(last) = path.path.segments.last()
        && ["INFINITY", "NEG_INFINITY", "NAN"].iter().any(|name| last.ident == name)
    {
        report(errors, span, format_args!("`{}` is not a number in JSON", last.ident));
    }
    if let Expr::Path(path) = &value.0
        && path.path.is_ident("None")
    {
        report(errors, span, format_args!("{what} is `None`, which is not a value; remove it"));
    }
    if let Expr::Macro(mac) = &value.0
        && mac.mac.path.is_ident("json")
        && mac.mac.tokens.to_string() == "null"
    {
        report(errors, span, format_args!("{what} is `null`, which is not a value; remove it"));
    }
    if let Some(list) = &constraints.enum_values {
        let text = value.canonical();
        if value.is_scalar() && !list.0.iter().any(|expr| Value(expr.clone()).canonical() == text) {
            report(errors, span, format_args!("{what} is not one of `enum_values`"));
        }
    }
    let Expr::Array(array) = &value.0 else { return };
    let list_type = constraints.list_type.as_ref().map(|list_type| list_type.value.as_str());
    let is_set = match list_type {
        Some(list_type) => list_type == "set",
        None => target.ty.is_some_and(types::is_set),
    };
    let plain = Constraints::default();
    let of_items = constraints.items.as_ref().map_or(&plain, |items| &***items);
    let mut seen = Vec::new();
    for element in &array.elems {
        check_value(&Value(element.clone()), of_items, target.inner(), "the element", errors);
        let text = Value(element.clone()).canonical();
        if is_set && seen.contains(&text) {
            report(errors, element.span(), "duplicate element in a `set`");
        }
        seen.push(text);
    }
}

/// Checks a literal against the constraints of its field.
fn check_constraints(
    value: &Value,
    constraints: &Constraints,
    what: &str,
    errors: &mut Accumulator,
) {
    let span = value.0.span();
    for Limit { value, key, known, exclusive, .. } in constraints.limits(value) {
        if let Some(bound) = known {
            pass(errors, span, attribute::within(what, value, (key, bound), exclusive));
        }
    }
    if let Some(Constant::Literal(Number::Int(factor))) = constraints.multiple_of.as_deref()
        && let Some(Number::Int(value)) = value.as_number()
        && *factor != 0
        && value % factor != 0
    {
        report(errors, span, format_args!("{what} is not a multiple of `multiple_of`"));
    }
    if let Some(text) = value.as_text() {
        check_text(&text, constraints, what, span, errors);
    }
    if let Some(literal) = literal(value) {
        check_rules(&literal, constraints, what, span, errors);
    }
}

/// Checks a string against `pattern` and `format`.
fn check_text(
    text: &str,
    constraints: &Constraints,
    what: &str,
    span: proc_macro2::Span,
    errors: &mut Accumulator,
) {
    if let Some(pattern) = constraints.pattern.as_ref().and_then(StringExpr::text)
        && re2::matches_literal(&pattern.value, text) == Some(false)
    {
        report(errors, span, format_args!("{what} does not match `pattern`"));
    }
    if let Some(format) = &constraints.format
        && let Some(known) = format::find(&format.value)
        && known.is_valid_literal(text) == Some(false)
    {
        report(errors, span, format_args!("{what} does not match the format `{}`", format.value));
    }
}

/// Converts a literal to a CEL literal.
fn literal(value: &Value) -> Option<Literal> {
    if let Some(text) = value.as_text() {
        return Some(Literal::String(text.into()));
    }
    if let Some(bool) = value.as_bool() {
        return Some(Literal::Bool(bool));
    }
    match value.as_number()? {
        Number::Int(int) => i64::try_from(int).ok().map(Literal::Int),
        Number::Float(float) => Some(Literal::Double(float)),
    }
}

/// Checks a scalar against rules that can be evaluated here, as the server does for defaults.
///
/// A field with `format` or `int_or_string` is left out, because rules see it as another type: a `date-time` is a
/// timestamp.
fn check_rules(
    literal: &Literal,
    constraints: &Constraints,
    what: &str,
    span: proc_macro2::Span,
    errors: &mut Accumulator,
) {
    if constraints.format.is_some() || constraints.int_or_string.is_some() {
        return;
    }
    for rule in &constraints.rules {
        let (Some(text), Some(ast)) = (rule.expression.text(), rule.expression.ast()) else {
            continue;
        };
        if holds_for(ast, literal) == Some(false) {
            let message = format_args!("{what} does not satisfy the rule `{}`", text.value);
            report(errors, span, message);
        }
    }
}

/// Returns whether a literal has the type of the target, and is in the range of this type. Reports an
/// error if not. A literal fits if one of the types is unknown.
fn has_type(value: &Value, target: Target<'_>, what: &str, errors: &mut Accumulator) -> bool {
    let literal_type = match () {
        () if value.as_text().is_some() => JsonType::Text,
        () if value.as_bool().is_some() => JsonType::Boolean,
        () if matches!(value.0, Expr::Array(_)) => JsonType::List,
        () => match value.as_number() {
            Some(Number::Int(_)) => JsonType::Integer,
            Some(Number::Float(_)) => JsonType::Number,
            None => return true,
        },
    };
    let fits = match target.known {
        JsonType::Unknown => true,
        JsonType::Number => matches!(literal_type, JsonType::Integer | JsonType::Number),
        target => target == literal_type,
    };
    let span = value.0.span();
    if let (Some(text), Some(ty)) = (value.as_text(), target.ty)
        && types::is_char(ty)
        && text.chars().count() != 1
    {
        report(errors, span, format_args!("{what} must be one character; the field is a `char`"));
        return false;
    }
    if !fits {
        let (is, wants) = (literal_type.with_article(), target.known.with_article());
        report(errors, span, format_args!("{what} is {is}, but the field is {wants}"));
        return false;
    }
    if let Some(Number::Int(int)) = value.as_number()
        && let Some((least, greatest)) = target.ty.and_then(integer_range)
        && (int < least || int > greatest)
    {
        let message =
            format_args!("{what} is outside the range of the type, {least} to {greatest}");
        report(errors, span, message);
        return false;
    }
    true
}
