//! The invariants, case by case: schema and errors.

use serde_json::json;

use super::{Structural, validate_structural};
use crate::field::Path;
use crate::model::JsonSchemaProps;

#[test]
fn invariants() {
    crd_fixtures::check_table(include_str!("invariants.txt"), |lines| {
        let [line] = lines else { panic!("a case is one line") };
        let (property, schema) = match line.split_once(' ') {
            Some(("field", schema)) => (Some("a"), schema),
            Some(("metadata", schema)) => (Some("metadata"), schema),
            _ => (None, *line),
        };
        let schema = crd_fixtures::values(schema).remove(0);
        let schema = match property {
            Some(name) => json!({"type": "object", "properties": {name: schema}}),
            None => schema,
        };
        let props: JsonSchemaProps = serde_json::from_value(schema).unwrap();
        let structural = Structural::try_from(&props).unwrap();
        let errors = validate_structural(&Path::new("s"), &structural);
        errors.iter().map(ToString::to_string).collect()
    });
}
