//! Chooses one of the branches of a schema's junctors, so that a generated value is likely to satisfy them.

use std::borrow::Cow;
use std::sync::Arc;

use super::Random;
use crate::model::{JsonSchemaProps, SchemaOrArray};

/// Returns a schema with what one branch of `anyOf` and of `oneOf` and all branches of `allOf` demand, as far as it can
/// be said without them.
pub fn with_one_branch<'s>(
    random: &mut Random,
    schema: &'s JsonSchemaProps,
) -> Cow<'s, JsonSchemaProps> {
    let branches = |list: &'s Option<Vec<JsonSchemaProps>>| list.as_deref().unwrap_or_default();
    let (all, any, one) =
        (branches(&schema.all_of), branches(&schema.any_of), branches(&schema.one_of));
    let excluded = schema.not.as_deref().and_then(|not| not.required.as_deref());
    if all.is_empty() && any.is_empty() && one.is_empty() && excluded.is_none() {
        return Cow::Borrowed(schema);
    }
    let mut out = schema.clone();
    (out.all_of, out.any_of, out.one_of, out.not) = (None, None, None, None);
    for branch in all {
        overlay(&mut out, &with_one_branch(random, branch));
    }
    if let Some(branch) = random.choose(any) {
        overlay(&mut out, &with_one_branch(random, branch));
    }
    let index = random.below(one.len());
    for (other, branch) in one.iter().enumerate() {
        if other != index {
            // A value with the fields of two branches would satisfy both.
            let chosen = one.get(index).and_then(|branch| branch.required.as_deref());
            let required = branch.required.iter().flatten();
            let unshared = required.filter(|name| !chosen.unwrap_or_default().contains(name));
            unshared.for_each(|name| leave_out(&mut out, name));
        }
    }
    if let Some(branch) = one.get(index) {
        overlay(&mut out, &with_one_branch(random, branch));
    }
    // Without one of the fields, a value does not have all of them.
    if let Some(name) = excluded.and_then(|names| random.choose(names)) {
        leave_out(&mut out, name);
    }
    Cow::Owned(out)
}

fn leave_out(schema: &mut JsonSchemaProps, name: &str) {
    if schema.required.iter().flatten().any(|required| required == name) {
        return;
    }
    if let Some(properties) = &mut schema.properties {
        properties.remove(name);
    }
}

/// Adds what a branch demands. Recurses at most as deep as the branch, which a definition limits.
fn overlay(out: &mut JsonSchemaProps, branch: &JsonSchemaProps) {
    if let Some(required) = &branch.required {
        let known = out.required.get_or_insert_default();
        known.extend(
            required.iter().filter(|name| !known.contains(name)).cloned().collect::<Vec<_>>(),
        );
    }
    for (name, below) in branch.properties.iter().flatten() {
        if let Some(property) = out.properties.as_mut().and_then(|all| all.get_mut(name)) {
            overlay(Arc::make_mut(property), below);
        }
    }
    if let (Some(SchemaOrArray::Schema(items)), Some(SchemaOrArray::Schema(below))) =
        (&mut out.items, &branch.items)
    {
        overlay(items, below);
    }
    if let Some(not) = &branch.not
        && let Some([name]) = not.required.as_deref()
    {
        leave_out(out, name);
    }
    if out.x_int_or_string && out.type_.is_empty() && !branch.type_.is_empty() {
        (out.x_int_or_string, out.type_) = (false, branch.type_.clone());
    }
    if let Some(members) = &branch.enum_ {
        match &mut out.enum_ {
            Some(known) => known.retain(|member| members.contains(member)),
            None => out.enum_ = Some(members.clone()),
        }
    }
    if out.pattern.is_empty() {
        out.pattern.clone_from(&branch.pattern);
    }
    if out.format.is_empty() {
        out.format.clone_from(&branch.format);
    }
    out.minimum = larger(out.minimum, branch.minimum);
    out.maximum = smaller(out.maximum, branch.maximum);
    out.min_length = out.min_length.max(branch.min_length);
    out.max_length = out.max_length.into_iter().chain(branch.max_length).min();
    out.min_items = out.min_items.max(branch.min_items);
    out.max_items = out.max_items.into_iter().chain(branch.max_items).min();
    out.min_properties = out.min_properties.max(branch.min_properties);
    out.max_properties = out.max_properties.into_iter().chain(branch.max_properties).min();
}

fn larger(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    a.into_iter().chain(b).reduce(f64::max)
}

fn smaller(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    a.into_iter().chain(b).reduce(f64::min)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::generate::{Options, value};

    /// Checks that each generated value has exactly one of the sets of fields.
    #[track_caller]
    fn check(keys: &Value, sets: &[&[&str]]) {
        let field = json!({"type": "integer"});
        let mut schema = json!({"type": "object", "properties": {"a": field, "b": field}});
        schema.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
        let schema: JsonSchemaProps = serde_json::from_value(schema).expect("a schema");
        let mut random = Random::new(0);
        let mut seen = vec![false; sets.len()];
        for _ in 0..100 {
            let value = value(&mut random, &schema, &Options::default(), 0);
            let names: Vec<&String> = value.as_object().expect("an object").keys().collect();
            let found = sets.iter().position(|set| *set == names.as_slice());
            seen[found.unwrap_or_else(|| panic!("{keys}: {value}"))] = true;
        }
        assert_eq!(seen, vec![true; sets.len()], "{keys}");
    }

    #[test]
    fn values_satisfy_one_branch() {
        let (a, b) = (json!({"required": ["a"]}), json!({"required": ["b"]}));
        check(&json!({"oneOf": [a, b]}), &[&["a"], &["b"]]);
        check(&json!({"anyOf": [a, b]}), &[&["a"], &["b"], &["a", "b"]]);
        check(&json!({"allOf": [a, b]}), &[&["a", "b"]]);
        check(&json!({"not": a}), &[&[], &["b"]]);
        check(&json!({"oneOf": [{"not": a}, a], "required": ["b"]}), &[&["b"], &["a", "b"]]);
    }
}
