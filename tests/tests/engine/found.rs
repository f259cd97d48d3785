//! Disagreements that differential testing has found, each reduced to a small case, with the server's answer.

use std::collections::BTreeMap;

use crd_tests::conformance::{Depth, Objects, decide_definition, version_of_case};
use serde_json::Value;

#[test]
fn former_disagreements_agree() {
    let mut by_version = BTreeMap::new();
    let cases = include_str!("../../vectors/differential.jsonl");
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).expect("a vector is JSON");
        let kubernetes = version_of_case(&case).expect("a known version");
        let objects: &mut Objects =
            by_version.entry(kubernetes).or_insert_with(|| Objects::of(kubernetes, Depth::Texts));
        let difference = match (case.get("object"), case.get("scale")) {
            (Some(_), _) => objects.decide(&case),
            (None, Some(_)) => objects.decide_scale(&case),
            (None, None) => decide_definition(&case, kubernetes, Depth::Texts),
        };
        assert_eq!(difference, None, "{}", case["id"]);
    }
}
