//! The part of a schema that an error of a definition is about.

use serde_json::Value;

/// The path of a schema that all versions share.
const SHARED: &str = "spec.validation.openAPIV3Schema";

/// A step from a schema to one in it.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaStep<'e> {
    /// To a property.
    Property(&'e str),
    /// To the elements of a list or the values of a map.
    Element,
}

/// Finds the part of a schema that an error of a definition is about. Returns the version, if the error names one, and
/// the steps from the root to the part. `None` if the error is not in a schema.
#[doc(hidden)]
pub fn part_of_schema<'c>(
    crd: &'c Value,
    field: &'c str,
) -> Option<(Option<&'c str>, Vec<SchemaStep<'c>>)> {
    let (version, steps) = if let Some(rest) = field.strip_prefix(SHARED) {
        (None, steps(rest))
    } else {
        let rest = field.strip_prefix("spec.")?;
        let (version, rest) = match rest.strip_prefix("versions[") {
            Some(rest) => {
                let (index, rest) = rest.split_once("].")?;
                let version = crd.pointer(&format!("/spec/versions/{index}"))?;
                (Some(version), rest)
            }
            None => (None, rest),
        };
        match rest.strip_prefix("schema.openAPIV3Schema") {
            Some(rest) => (version, steps(rest)),
            None => (
                version,
                json_path_steps(version.or_else(|| crd.pointer("/spec/versions/0"))?, rest)?,
            ),
        }
    };
    Some((version.and_then(|version| version.get("name")).and_then(Value::as_str), steps))
}

/// Returns the steps of a path inside a schema, up to the keyword that the error is about. `allOf` and other junctors
/// add no step, because they are about the same value.
fn steps(mut path: &str) -> Vec<SchemaStep<'_>> {
    let mut out = Vec::new();
    loop {
        if let Some(rest) = path.strip_prefix(".properties[") {
            let Some((name, rest)) = key(rest) else { return out };
            out.push(SchemaStep::Property(name));
            path = rest;
            continue;
        }
        let junctor = [".allOf[", ".anyOf[", ".oneOf["];
        if let Some(rest) = junctor.iter().find_map(|word| path.strip_prefix(word)) {
            let Some((_, rest)) = key(rest) else { return out };
            path = rest;
            continue;
        }
        let element = [".items", ".additionalProperties"];
        let found = element.iter().find_map(|word| path.strip_prefix(word));
        match (found, path.strip_prefix(".not")) {
            (Some(rest), _) if is_end(rest) => {
                out.push(SchemaStep::Element);
                path = rest;
            }
            (_, Some(rest)) if is_end(rest) => path = rest,
            _ => return out,
        }
    }
}

/// Splits a path after a key in brackets. A key can contain brackets itself, so it ends at the first `]` before a dot
/// or the end of the path: `a[0]].type` is split into `a[0]` and `.type`.
fn key(path: &str) -> Option<(&str, &str)> {
    path.match_indices(']').find_map(|(at, _)| {
        let rest = path.get(at + 1..)?;
        is_end(rest).then(|| Some((path.get(..at)?, rest))).flatten()
    })
}

fn is_end(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('.')
}

/// Returns the steps of the JSON path that a printer column, a selectable field or a subresource names.
fn json_path_steps<'c>(version: &'c Value, field: &str) -> Option<Vec<SchemaStep<'c>>> {
    let pointer = field.replace(['.', '['], "/").replace(']', "");
    let mut pointer = format!("/{pointer}");
    if !version.pointer(&pointer).is_some_and(Value::is_string) {
        pointer.push_str("/jsonPath");
    }
    let path = version.pointer(&pointer)?.as_str()?.strip_prefix('.')?;
    let is_name =
        |part: &str| part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    Some(path.split('.').take_while(|part| is_name(part)).map(SchemaStep::Property).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn steps_end_at_the_keyword() {
        let property = SchemaStep::Property;
        for (path, want) in [
            ("", vec![]),
            (".properties[a].default", vec![property("a")]),
            (".properties[a].default.items", vec![property("a")]),
            (
                ".properties[a[0]].items.additionalProperties.properties[b].type",
                vec![property("a[0]"), SchemaStep::Element, SchemaStep::Element, property("b")],
            ),
            (".oneOf[1].not.properties[x].x-kubernetes-validations[0].rule", vec![property("x")]),
            (".itemsOf", vec![]),
        ] {
            assert_eq!(steps(path), want, "{path}");
        }
    }

    #[test]
    fn json_paths_are_followed() {
        let version = json!({
            "additionalPrinterColumns": [{"name": "A", "jsonPath": ".spec.a[0].b"}],
            "selectableFields": [{"jsonPath": ".spec.a"}],
            "subresources": {"scale": {"specReplicasPath": ".spec.replicas"}},
        });
        let spec = SchemaStep::Property("spec");
        for (field, want) in [
            ("additionalPrinterColumns[0].jsonPath", vec![spec]),
            ("additionalPrinterColumns[0].type", vec![spec]),
            ("selectableFields[0].jsonPath", vec![spec, SchemaStep::Property("a")]),
            ("selectableFields[0]", vec![spec, SchemaStep::Property("a")]),
            ("subresources.scale.specReplicasPath", vec![spec, SchemaStep::Property("replicas")]),
        ] {
            let got = json_path_steps(&version, field);
            if field.ends_with("type") {
                assert_eq!(got, None);
            } else {
                assert_eq!(got, Some(want), "{field}");
            }
        }
    }
}
