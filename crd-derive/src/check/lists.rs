//! Checks of `list_type`, `list_map_keys` and `map_type`.

use crd_cel::compile_time::uses_old_self;
use darling::error::Accumulator;
use proc_macro2::Span;

use super::Target;
use crate::literal::Text;
use crate::model::{Constraints, Field};
use crate::report::{report, report_duplicates};
use crate::types::JsonType;

pub(super) fn check(constraints: &Constraints, target: Target<'_>, errors: &mut Accumulator) {
    let Constraints { unique_items, list_type, list_map_keys, map_type, .. } = constraints;
    if let Some(unique) = unique_items {
        let message = "the server rejects `uniqueItems`; use `list_type = \"set\"`";
        report(errors, *unique, message);
    }
    if let Some(list_type) = list_type {
        if !matches!(list_type.value.as_str(), "atomic" | "set" | "map") {
            report(errors, list_type.span, "`list_type` must be `atomic`, `set` or `map`");
        } else if !matches!(target.known, JsonType::List | JsonType::Unknown) {
            let is = target.known.with_article();
            report(
                errors,
                list_type.span,
                format_args!("`list_type` applies only to lists; this is {is}"),
            );
        }
        if list_type.value == "map" && list_map_keys.is_none() {
            let message = "`list_type = \"map\"` needs the fields that identify an item, such as \
                           `list_map_keys(\"name\")`";
            report(errors, list_type.span, message);
        }
    }
    if let Some(keys) = list_map_keys {
        if list_type.as_ref().is_none_or(|list_type| list_type.value != "map") {
            report(errors, keys.span(), "`list_map_keys` needs `list_type = \"map\"`");
        }
        if keys.0.is_empty() {
            report(errors, keys.span(), "`list_map_keys` needs at least one key");
        }
        report_duplicates(errors, &keys.0, "key");
    }
    if let Some(map_type) = map_type {
        if !matches!(map_type.value.as_str(), "atomic" | "granular") {
            report(errors, map_type.span, "`map_type` must be `atomic` or `granular`");
        } else if !matches!(target.known, JsonType::Map | JsonType::Object | JsonType::Unknown) {
            let is = target.known.with_article();
            report(
                errors,
                map_type.span,
                format_args!("`map_type` applies only to objects; this is {is}"),
            );
        }
    }
    check_int_or_string(constraints, errors);
}

/// Rejects rules with `oldSelf` of the items of a list of which the server finds no old items. `outer` are constraints
/// beside those of the field. Of a type with such rules, the test of the kind reports it.
pub(super) fn old_items(field: &Field, outer: &Constraints, errors: &mut Accumulator) {
    if !field.has_replaced_schema() {
        let nested =
            [outer, &field.constraints].into_iter().filter(|it| it.nested().next().is_some());
        for constraints in nested {
            let list_type = outer.list_type.as_ref().or(field.constraints.list_type.as_ref());
            old_items_of(constraints, list_type, Target::of_type(&field.ty), errors);
        }
    }
}

fn old_items_of(
    constraints: &Constraints,
    list_type: Option<&Text>,
    target: Target<'_>,
    errors: &mut Accumulator,
) {
    let is_map = list_type.is_some_and(|list_type| list_type.value == "map");
    if target.known == JsonType::List && !is_map {
        for span in constraints.items.iter().flat_map(|items| transitions(items)) {
            let message = "a rule of items uses `oldSelf`, but the server finds no old items in this list; use \
                           `list_type = \"map\"` with `list_map_keys`";
            report(errors, span, message);
        }
        return;
    }
    for nested in constraints.nested() {
        old_items_of(nested, nested.list_type.as_ref(), target.inner(), errors);
    }
}

/// The spans of the rules with `oldSelf` in these constraints and in those of the elements and values, at any depth.
fn transitions(constraints: &Constraints) -> Vec<Span> {
    let texts = constraints.rules.iter().filter_map(|rule| rule.expression.text());
    let rules = texts.filter(|text| uses_old_self(&text.value)).map(|text| text.span);
    let below = constraints.nested().flat_map(transitions);
    rules.chain(constraints.immutable).chain(below).collect()
}

/// Rejects `int_or_string` with keys of objects and lists, for which the server requires a type.
fn check_int_or_string(constraints: &Constraints, errors: &mut Accumulator) {
    if constraints.int_or_string.is_none() {
        return;
    }
    let Constraints { preserve_unknown_fields, embedded_resource, map_type, list_type, .. } =
        constraints;
    let of_text = |text: &Option<Text>| text.as_ref().map(|text| text.span);
    for (span, name) in [
        (*preserve_unknown_fields, "preserve_unknown_fields"),
        (*embedded_resource, "embedded_resource"),
        (of_text(map_type), "map_type"),
        (of_text(list_type), "list_type"),
    ] {
        if let Some(span) = span {
            report(errors, span, format_args!("`{name}` conflicts with `int_or_string`"));
        }
    }
}
