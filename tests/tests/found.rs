//! What differential testing has found: each disagreement, shrunk, with the server's answer.

use crd_tests::conformance::{Objects, decide_definition};
use serde_json::Value;

#[test]
fn disagreements_stay_settled() {
    let mut objects = Objects::default();
    let cases = include_str!("../vectors/differential.jsonl");
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).expect("a vector is JSON");
        let difference = match case.get("object") {
            Some(_) => objects.decide(&case),
            None => decide_definition(&case),
        };
        assert_eq!(difference, None, "{}", case["id"]);
    }
}
