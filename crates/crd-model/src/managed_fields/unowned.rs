//! Applies the configuration of a mutating admission policy, which owns no fields.
//!
//! Source: `ApplyStructuredMergeDiff` of `pkg/admission/plugin/policy/mutating/patch/smd.go` of k8s.io/apiserver.

use std::fmt::Write as _;

use serde_json::Value;

use super::granularity::{FieldDeclared, Ownership, PlaceType};
use super::{merge, valid};
use crate::model::JsonSchemaProps;

/// Returns `live` with a configuration in it. Nothing is removed, and no managed fields are written.
///
/// # Errors
/// Returns the reason if one of them does not match the schema, or if the configuration has a list or map that is only
/// replaced as a whole.
pub fn apply_unowned(
    schema: &JsonSchemaProps,
    live: &Value,
    config: &Value,
) -> Result<Value, String> {
    let ty = PlaceType::root(schema);
    let untyped = |what: &str, problems: Vec<String>| match problems.as_slice() {
        [] => Ok(()),
        [only] => Err(format!("failed to convert {what} object to typed object: {only}")),
        many => {
            let many = many.join("\n  ");
            Err(format!("failed to convert {what} object to typed object: errors:\n  {many}"))
        }
    };
    untyped("patch", valid::problems(ty, config))?;
    let mut atomics = Vec::new();
    find_atomics(ty, config, &mut String::new(), &mut atomics);
    if !atomics.is_empty() {
        let atomics = atomics.join(", ");
        return Err(format!(
            "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: {atomics}"
        ));
    }
    untyped("original", valid::problems_except_duplicates(ty, live))?;
    Ok(merge::merge(ty, live, config))
}

/// Finds the lists and maps that are only replaced as a whole. The recursion follows the configuration, whose depth is
/// limited. Upstream: the values of maps are not searched, only declared fields and items.
fn find_atomics(ty: PlaceType<'_>, value: &Value, path: &mut String, found: &mut Vec<String>) {
    let length = path.len();
    let is_atomic = matches!(ty.ownership(value), Ownership::Whole);
    match value {
        Value::Object(map) => {
            found.extend(is_atomic.then(|| path.clone()));
            for (name, value) in map {
                let member = ty.field(name);
                if member.declared == FieldDeclared::ByName {
                    path.extend([".", name]);
                    find_atomics(member.ty, value, path, found);
                    path.truncate(length);
                }
            }
        }
        Value::Array(items) => {
            found.extend(is_atomic.then(|| path.clone()));
            for (index, item) in items.iter().enumerate() {
                let _ = write!(path, "[{index}]");
                find_atomics(ty.items(), item, path, found);
                path.truncate(length);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema() -> JsonSchemaProps {
        let item = json!({"type": "object", "properties": {
            "name": {"type": "string"}, "image": {"type": "string"},
            "args": {"type": "array", "items": {"type": "string"}},
        }});
        let spec = json!({"type": "object", "properties": {
            "replicas": {"type": "integer"},
            "items": {
                "type": "array", "items": item,
                "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
            },
            "selector": {
                "type": "object", "x-kubernetes-map-type": "atomic",
                "additionalProperties": {"type": "string"},
            },
        }});
        serde_json::from_value(json!({"type": "object", "properties": {"spec": spec}}))
            .expect("a schema")
    }

    #[track_caller]
    fn check(config: &Value, want: Result<Value, &str>) {
        let live = json!({"metadata": {"name": "a"}, "spec": {"items": [{"name": "x", "image": "i"}, {"name": "y"}]}});
        let got = apply_unowned(&schema(), &live, config);
        assert_eq!(got, want.map_err(str::to_owned));
    }

    #[test]
    fn items_are_merged_by_their_keys() {
        check(
            &json!({"metadata": {"labels": {"a": "b"}}, "spec": {"items": [{"name": "x", "image": "j"}, {"name": "z"}]}}),
            Ok(json!({
                "metadata": {"name": "a", "labels": {"a": "b"}},
                "spec": {"items": [{"name": "x", "image": "j"}, {"name": "y"}, {"name": "z"}]},
            })),
        );
    }

    #[test]
    fn what_is_replaced_as_a_whole_is_rejected() {
        check(
            &json!({"spec": {"items": [{"name": "x", "args": ["a"]}], "selector": {"a": "b"}}}),
            Err(
                "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.items[0].args, \
                 .spec.selector",
            ),
        );
    }

    #[test]
    fn configurations_match_the_schema() {
        check(
            &json!({"spec": {"none": 1}}),
            Err(
                "failed to convert patch object to typed object: .spec.none: field not declared in schema",
            ),
        );
    }
}
