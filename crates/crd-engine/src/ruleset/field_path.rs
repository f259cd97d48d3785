//! `fieldPath` of a rule: `.name` and `['name']`, checked against the schema.

use crate::schema::{self, Notation, Structural};

/// The path as errors print it, relative to the rule's schema; `None` if the schema has no such path.
pub(super) fn resolve(path: &str, schema: &Structural) -> Option<String> {
    let resolved = schema::resolve(path, Some(schema), Notation::DotsAndBrackets);
    resolved.ok().map(|resolved| resolved.path)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::JsonSchemaProps;

    #[track_caller]
    fn check(path: &str, want: Option<&str>) {
        let schema = json!({"type": "object", "properties": {
            "a": {"type": "object", "properties": {
                "b.c": {"type": "string"}, "it's": {"type": "string"}, "plain": {"type": "string"}}},
            "m": {"type": "object", "additionalProperties": {
                "type": "object", "properties": {"x": {"type": "integer"}}}},
            "open": {"type": "object", "additionalProperties": true},
            "l": {"type": "array", "items": {"type": "string"}},
        }});
        let props: JsonSchemaProps = serde_json::from_value(schema).unwrap();
        let schema = Structural::try_from(&props).unwrap();
        assert_eq!(resolve(path, &schema).as_deref(), want, "{path}");
    }

    #[test]
    fn names_and_keys() {
        check(".a.plain", Some("a.plain"));
        check("['a']['plain']", Some("a.plain"));
        check(".a['b.c']", Some("a.b.c"));
        check(r".a['it\'s']", Some("a.it's"));
        check(".m.k.x", Some("m[k].x"));
        check(".m['k.1']", Some("m[k.1]"));
        check(".open.k", Some("open[k]"));
        check("", Some(""));
    }

    #[test]
    fn paths_that_the_schema_does_not_have() {
        for path in [
            "a",
            ".b",
            ".a.",
            ".a.q",
            "a.plain",
            ".a[plain]",
            ".a['plain'",
            ".a['plain'x",
            ".l[0]",
            ".l['0']",
            ".a.plain.x",
            ".open.k.x",
            r".a['\q']",
            ".",
            "[",
            "..a",
            ".a['plain']b",
        ] {
            check(path, None);
        }
    }
}
