//! The budget of rules at its limit.

use serde_json::{Value, json};

use super::{BUDGET, validate};
use crate::compiled::CompiledSchema;
use crate::field::{Path, Sink};
use crate::model::CustomResourceDefinition;
use crate::ratchet::Ratchet;

/// Evaluates the rules with a budget. Returns the rest of it, or `None` if it was exceeded, and the errors.
fn run(schema: &CompiledSchema, object: &Value, budget: u64) -> (Option<u64>, String) {
    let mut found = Sink::of(schema.kubernetes());
    let rules = schema.rules();
    let rest = validate(rules, &Path::ROOT, object, None, Ratchet::OFF, budget, &mut found);
    (rest, found.into_parts().errors.to_string())
}

#[test]
fn a_rule_and_its_message_may_cost_all_of_the_budget() {
    let spec = json!({
        "type": "object", "properties": {"a": {"type": "integer"}},
        "x-kubernetes-validations": [{"rule": "self.a > 1", "messageExpression": "'is ' + string(self.a)"}],
    });
    let crd: CustomResourceDefinition =
        crd_fixtures::crd("example.com", "Tab").spec("v1", spec).read();
    let schema = CompiledSchema::for_version(&crd, "v1").expect("a schema");
    let object = json!({"spec": {"a": 1}});
    let (rest, errors) = run(&schema, &object, BUDGET);
    assert!(errors.ends_with(": is 1"), "{errors}");
    let cost = BUDGET - rest.expect("a rest");
    assert_eq!(run(&schema, &object, cost), (Some(0), errors));
    let (rest, errors) = run(&schema, &object, cost - 1);
    assert_eq!(rest, None);
    assert!(errors.contains("messageExpression evaluation failed due to running out"), "{errors}");
}
