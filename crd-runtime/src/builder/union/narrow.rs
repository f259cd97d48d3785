//! Expresses what an alternative restricts beyond the widened schema by the keywords that a structural schema allows in
//! a junctor, which excludes `type`, `nullable` and extensions.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::model::{JsonSchemaProps, SchemaOrArray};

/// Returns the least and the greatest number of a format. The server ignores the `format` of numbers in a junctor.
fn bounds_of_format(format: &str) -> Option<(f64, f64)> {
    match format {
        "int32" => Some((f64::from(i32::MIN), f64::from(i32::MAX))),
        "float" => Some((f64::from(f32::MIN), f64::from(f32::MAX))),
        _ => None,
    }
}

/// Copies the keywords that differ.
macro_rules! differing {
    ($part:ident, $wide:ident => $into:ident: $($field:ident)*) => {$(
        if $part.$field != $wide.$field {
            $into.$field = $part.$field.clone();
        }
    )*};
}

/// Returns what `part` restricts beyond `wide`.
pub(super) fn narrow(part: &JsonSchemaProps, wide: &JsonSchemaProps) -> JsonSchemaProps {
    let mut narrow = JsonSchemaProps::default();
    differing!(part, wide => narrow: maximum minimum max_length min_length pattern max_items min_items
        multiple_of enum_ max_properties min_properties all_of one_of any_of not);
    if part.maximum != wide.maximum || part.exclusive_maximum != wide.exclusive_maximum {
        (narrow.maximum, narrow.exclusive_maximum) = (part.maximum, part.exclusive_maximum);
    }
    if part.minimum != wide.minimum || part.exclusive_minimum != wide.exclusive_minimum {
        (narrow.minimum, narrow.exclusive_minimum) = (part.minimum, part.exclusive_minimum);
    }
    narrow_format(&mut narrow, part, wide);
    if part.required != wide.required {
        let is_further = |name: &&String| !wide.required.as_ref().is_some_and(|w| w.contains(name));
        let names: Vec<_> = part.required.iter().flatten().filter(is_further).cloned().collect();
        narrow.required = (!names.is_empty()).then_some(names);
    }
    let mut properties = BTreeMap::new();
    for (name, schema) in part.properties.iter().flatten() {
        let Some(wide) = wide.properties.as_ref().and_then(|properties| properties.get(name))
        else {
            continue;
        };
        // Upstream: a property named metadata may not be specified under a junctor. `widen` reports what is lost.
        if name == "metadata" {
            continue;
        }
        let inner = self::narrow(schema, wide);
        if inner != JsonSchemaProps::default() {
            properties.insert(name.clone(), inner.into());
        }
        if wide.nullable && !schema.nullable {
            push_all_of(&mut narrow, not_null(name));
        }
    }
    if !properties.is_empty() {
        narrow.properties = Some(properties);
    }
    if let (Some(items), Some(wide)) = (items_of(part), items_of(wide)) {
        let inner = self::narrow(items, wide);
        if inner != JsonSchemaProps::default() {
            narrow.items = Some(SchemaOrArray::Schema(Box::new(inner)));
        }
    }
    narrow_type(&mut narrow, part, wide);
    narrow
}

fn narrow_format(narrow: &mut JsonSchemaProps, part: &JsonSchemaProps, wide: &JsonSchemaProps) {
    if part.format == wide.format {
        return;
    }
    if part.type_ == "string" {
        narrow.format.clone_from(&part.format);
    } else if let Some((least, greatest)) = bounds_of_format(&part.format) {
        narrow.minimum = part.minimum.or(Some(least));
        narrow.maximum = part.maximum.or(Some(greatest));
    }
}

/// Returns a schema of the object in which the property is not `null`.
///
/// Upstream: a schema in a junctor accepts `null` without evaluating it, so `not: {}` accepts `null` alone. An `enum`
/// never accepts `null`, even if it lists `null` (`validate.go`).
fn not_null(name: &str) -> JsonSchemaProps {
    let nothing = Some(Box::new(JsonSchemaProps::default()));
    let null = JsonSchemaProps { not: nothing, ..JsonSchemaProps::default() };
    let has_null = JsonSchemaProps {
        properties: Some([(name.to_owned(), null.into())].into()),
        required: Some(vec![name.to_owned()]),
        ..JsonSchemaProps::default()
    };
    JsonSchemaProps { not: Some(Box::new(has_null)), ..JsonSchemaProps::default() }
}

fn push_all_of(schema: &mut JsonSchemaProps, more: JsonSchemaProps) {
    schema.all_of.get_or_insert_default().push(more);
}

/// Excludes the types that `wide` accepts and `part` does not, each by bounds that no value of the type can satisfy.
/// Values of other types ignore these bounds.
fn narrow_type(narrow: &mut JsonSchemaProps, part: &JsonSchemaProps, wide: &JsonSchemaProps) {
    let same_type = part.type_ == wide.type_ && part.x_int_or_string == wide.x_int_or_string;
    let anything = part.type_.is_empty() && !part.x_int_or_string;
    if same_type || anything {
        return;
    }
    let admits: &[&str] = match part.type_.as_str() {
        "" => &["integer", "string"],
        "integer" => &["integer"],
        "number" => &["integer", "number"],
        other => &[other],
    };
    let has = |type_: &str| admits.contains(&type_);
    let wide_open = wide.type_.is_empty() && !wide.x_int_or_string;
    if (wide_open || wide.x_int_or_string) && !has("string") {
        narrow.min_length = Some(1);
        narrow.max_length = Some(0);
    }
    if !has("integer") && !has("number") {
        narrow.minimum = Some(1.0);
        narrow.maximum = Some(0.0);
    } else if !has("number") && narrow.multiple_of.is_none() && !wide.x_int_or_string {
        narrow.multiple_of = Some(1.0);
    }
    if !wide_open {
        return;
    }
    if !has("array") {
        narrow.min_items = Some(1);
        narrow.max_items = Some(0);
    }
    if !has("object") {
        narrow.min_properties = Some(1);
        narrow.max_properties = Some(0);
    }
    if !has("boolean") {
        let bools = vec![Value::Bool(true), Value::Bool(false)];
        let bools = JsonSchemaProps { enum_: Some(bools), ..JsonSchemaProps::default() };
        let not = JsonSchemaProps { not: Some(Box::new(bools)), ..JsonSchemaProps::default() };
        if narrow.not.is_none() { narrow.not = not.not } else { push_all_of(narrow, not) }
    }
}

/// The schema of a list's elements.
pub(super) fn items_of(schema: &JsonSchemaProps) -> Option<&JsonSchemaProps> {
    match &schema.items {
        Some(SchemaOrArray::Schema(items)) => Some(items),
        _ => None,
    }
}
