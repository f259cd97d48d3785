//! Finds objects of which one field is set: `oneOf` with `required` in each branch. serde has this shape as an enum whose
//! variants are fields. A tag beside the fields is no such shape: the server stores fields of other variants, which an
//! enum of serde would lose.

use serde_json::{Map, Value, json};

use super::keywords::{Schema, is_true, required};

/// Fields of which one is set.
#[derive(Debug, PartialEq)]
pub(super) struct Union<'a> {
    pub(super) names: Vec<&'a str>,
    /// Whether one has to be set.
    pub(super) required: bool,
}

impl Union<'_> {
    /// Returns what the derive writes for it.
    pub(super) fn alternatives(&self) -> Vec<Value> {
        self.names.iter().map(|name| json!({"required": [name]})).collect()
    }
}

/// Returns the names of all properties, if exactly one of them is set in each object.
pub(super) fn of_whole(schema: &Schema) -> Option<Vec<&str>> {
    let properties = schema.get("properties").and_then(Value::as_object)?;
    let union = of(schema, schema)?;
    let is_open = is_true(schema, "x-kubernetes-preserve-unknown-fields");
    let is_whole = union.required && union.names.len() == properties.len();
    (is_whole && !is_open && !has_own_fields(schema)).then_some(union.names)
}

/// Returns the unions in an object: of `oneOf`, and of each `oneOf` in `allOf`.
pub(super) fn of_parts(schema: &Schema) -> Vec<Union<'_>> {
    if has_own_fields(schema) {
        return Vec::new();
    }
    let parts = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
    let parts = parts.filter_map(Value::as_object).filter(|part| part.len() == 1);
    let mut found: Vec<Union<'_>> = Vec::new();
    for junctors in std::iter::once(schema).chain(parts) {
        let union = of(junctors, schema);
        let is_new = |union: &Union<'_>| {
            !found.iter().any(|there| there.names.iter().any(|name| union.names.contains(name)))
        };
        found.extend(union.filter(is_new));
    }
    found
}

/// Whether the server keeps fields of the object that the schema does not name, which no variant would read.
fn has_own_fields(schema: &Schema) -> bool {
    is_true(schema, "x-kubernetes-embedded-resource")
}

/// Reads the `oneOf` of `junctors`, whose fields are properties of `object`.
fn of<'a>(junctors: &'a Schema, object: &'a Schema) -> Option<Union<'a>> {
    let branches = junctors.get("oneOf").and_then(Value::as_array)?;
    // An object with none of the fields can be a branch, too.
    let (none, branches): (Vec<&Value>, Vec<&Value>) =
        branches.iter().partition(|branch| branch.get("not").is_some());
    let names = branches.into_iter().map(only_required).collect::<Option<Vec<_>>>()?;
    let is_required = match none[..] {
        [] => true,
        [none] => {
            let absent = none.as_object().filter(|none| none.len() == 1)?;
            let any = absent.get("not")?.as_object().filter(|not| not.len() == 1)?;
            let any = any.get("anyOf")?.as_array()?;
            let any = any.iter().map(only_required).collect::<Option<Vec<_>>>()?;
            if any != names {
                return None;
            }
            false
        }
        _ => return None,
    };
    let properties = object.get("properties").and_then(Value::as_object)?;
    let is_content = |name: &&str| {
        // A default would be set beside another field, and `null` is no content.
        let content = properties.get(*name).and_then(Value::as_object);
        content.is_some_and(|content| {
            !content.contains_key("default") && !is_true(content, "nullable")
        })
    };
    let mut distinct = names.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let fits = names.len() > 1
        && distinct.len() == names.len()
        && names.iter().all(is_content)
        && !required(object).iter().any(|name| names.contains(name));
    fits.then_some(Union { names, required: is_required })
}

/// Returns the field of a branch that says nothing but that it is set.
fn only_required(branch: &Value) -> Option<&str> {
    let branch = branch.as_object()?;
    let [name] = &branch.get("required")?.as_array()?[..] else { return None };
    let name = name.as_str()?;
    let says_nothing = |properties: &Map<String, Value>| {
        properties.len() == 1
            && properties.get(name).and_then(Value::as_object).is_some_and(Map::is_empty)
    };
    let is_only = branch.iter().all(|(keyword, value)| match keyword.as_str() {
        "required" => true,
        "properties" => value.as_object().is_some_and(says_nothing),
        _ => false,
    });
    is_only.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(value: Value) -> Schema {
        match value {
            Value::Object(schema) => schema,
            _ => Map::new(),
        }
    }

    #[test]
    fn exactly_one_of_all_fields_is_an_enum() {
        let schema = object(json!({
            "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
            "oneOf": [{"required": ["b"]}, {"required": ["a"], "properties": {"a": {}}}],
        }));
        assert_eq!(of_whole(&schema), Some(vec!["b", "a"]));
    }

    #[test]
    fn one_of_some_fields_is_a_part() {
        let schema = object(json!({
            "properties": {"a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "string"}},
            "oneOf": [
                {"not": {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}},
                {"required": ["a"]},
                {"required": ["b"]},
            ],
        }));
        assert_eq!(of_whole(&schema), None);
        assert_eq!(of_parts(&schema), [Union { names: vec!["a", "b"], required: false }]);
    }

    #[test]
    fn other_alternatives_are_no_enum() {
        for (name, one_of) in [
            ("two fields", json!([{"required": ["a", "b"]}, {"required": ["c"]}])),
            ("a default", json!([{"required": ["a"]}, {"required": ["d"]}])),
            ("null", json!([{"required": ["a"]}, {"required": ["n"]}])),
            ("no property", json!([{"required": ["a"]}, {"required": ["x"]}])),
            (
                "a constraint",
                json!([{"required": ["a"]}, {"required": ["b"], "properties": {"b": {"minLength": 1}}}]),
            ),
            ("a branch alone", json!([{"required": ["a"]}])),
            (
                "none of others",
                json!([{"required": ["a"]}, {"required": ["b"]}, {"not": {"anyOf": [{"required": ["a"]}]}}]),
            ),
        ] {
            let schema = object(json!({
                "properties": {
                    "a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "string"},
                    "d": {"type": "string", "default": "x"}, "n": {"type": "string", "nullable": true},
                },
                "oneOf": one_of,
            }));
            assert_eq!(of_parts(&schema), [], "{name}");
        }
    }
}
