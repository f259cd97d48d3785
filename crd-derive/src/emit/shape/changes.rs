//! Applies attributes, such as `list_type`, to the shape of a type.

use proc_macro2::TokenStream;
use quote::quote;

use super::Shapes;
use super::whole_self::uses_whole_self;
use crate::literal::{Number, Strings, Text, as_number};
use crate::model::Constraints;

impl Shapes<'_> {
    /// The given shape, changed by attributes.
    pub(super) fn changed(shape: &TokenStream, constraints: &Constraints) -> TokenStream {
        let calls = calls(constraints);
        quote!(#shape #calls)
    }
}

/// The calls on a shape for attributes.
pub(super) fn calls(constraints: &Constraints) -> TokenStream {
    let Constraints { int_or_string, enum_values, list_type, list_map_keys, .. } = constraints;
    if int_or_string.is_some() {
        return quote!(.int_or_string());
    }
    let mut calls = TokenStream::new();
    if constraints.keeps_unknown_fields() {
        calls.extend(quote!(.open()));
    }
    if constraints.is_atomic_map() {
        calls.extend(quote!(.atomic()));
    }
    calls.extend(bounds(constraints));
    if let Some(values) = enum_values {
        let texts: darling::Result<Vec<_>> = values.0.iter().map(Text::parse).collect();
        let texts = texts.unwrap_or_default();
        let texts = texts.iter().map(|text| &text.value);
        calls.extend(quote!(.of_values(&[#(#texts),*])));
        let numbers = values.0.iter().map(|value| Number::parse(value).map(Number::as_f64));
        if let Some(numbers) = numbers.collect::<Option<Vec<f64>>>()
            && !numbers.is_empty()
        {
            let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
            let greatest = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            calls.extend(quote!(.of_numbers(#least, #greatest)));
        }
    }
    if let Some(list_type) = list_type {
        let list_type = match list_type.value.as_str() {
            "set" => quote!(Set),
            "map" => quote!(Map),
            _ => quote!(Atomic),
        };
        let keys = list_map_keys.as_deref().map(|Strings(keys)| keys.as_slice());
        let keys = keys.unwrap_or_default().iter().map(|key| &key.value);
        calls.extend(quote!(.listed(__s::ListType::#list_type, &[#(#keys),*])));
    }
    // A shape holds no change of its items by attributes.
    if constraints.nested().any(Constraints::change_shape) {
        calls.extend(quote!(.of_opaque_items()));
    }
    calls
}

/// `.minimum(1.0, false)` and so on: the bounds against which defaults of fields of the type are
/// checked.
pub(in crate::emit) fn bounds(constraints: &Constraints) -> TokenStream {
    let Constraints { pattern, format, .. } = constraints;
    let mut calls = TokenStream::new();
    let [minimum, maximum, _] = constraints.bounds();
    let exclusive = [constraints.excludes_minimum(), constraints.excludes_maximum()];
    for ((name, bound), exclusive) in [minimum, maximum].into_iter().zip(exclusive) {
        if let Some(bound) = bound {
            let (bound, name) = (as_number(bound, "f64"), quote::format_ident!("{name}"));
            calls.extend(quote!(.#name(#bound, #exclusive)));
        }
    }
    for (name, bound) in constraints.counts().into_iter().flat_map(|(_, pair)| pair) {
        if let Some(bound) = bound {
            let (bound, name) = (as_number(bound, "u64"), quote::format_ident!("{name}"));
            calls.extend(quote!(.#name(#bound)));
        }
    }
    if pattern.is_some() {
        calls.extend(quote!(.patterned()));
    }
    if let Some(format) = format {
        let format = &format.value;
        calls.extend(quote!(.formatted(#format)));
    }
    calls
}

/// Returns the key of the first attribute that applies to the object as a whole, so that the type
/// cannot be flattened; `constant` for a rule whose text is a Rust constant.
pub(super) fn whole_object_key(constraints: &Constraints) -> Option<&'static str> {
    let Constraints {
        immutable,
        min_properties,
        max_properties,
        map_type,
        embedded_resource,
        default,
        rules,
        ..
    } = constraints;
    let mut texts = rules.iter().map(|rule| &rule.expression);
    let keys = [
        (immutable.is_some(), "immutable"),
        (min_properties.is_some(), "min_properties"),
        (max_properties.is_some(), "max_properties"),
        (map_type.is_some(), "map_type"),
        (embedded_resource.is_some(), "embedded_resource"),
        (default.is_some(), "default"),
        (texts.clone().any(uses_whole_self), "rule"),
        (texts.any(|text| text.text().is_none()), "constant"),
    ];
    keys.into_iter().find_map(|(there, key)| there.then_some(key))
}
