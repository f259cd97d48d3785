//! Compares the engine with the recorded verdicts, if they are present beside the repository.

use std::path::Path;

use crd_runtime::KubernetesVersion;
use crd_tests::conformance::{self, Depth, Objects, Options, decide_definition};
use crd_tests::recorded;
use serde_json::Value;

/// The number of cases of each file, so that a missing file or a skipped case is noticed. If the recording grows, the
/// number must be changed.
const CASES: [(&str, usize); 29] = [
    ("cel/ast-positions.jsonl", 2409),
    ("cel/crd-rules.jsonl", 54),
    ("cel/regex-re2.jsonl", 61),
    ("cel/spec-basic.jsonl", 43),
    ("cel/spec-comparisons.jsonl", 362),
    ("cel/spec-conversions.jsonl", 109),
    ("cel/spec-dynamic.jsonl", 72),
    ("cel/spec-fields.jsonl", 50),
    ("cel/spec-fp_math.jsonl", 30),
    ("cel/spec-in-k8s-env.jsonl", 2360),
    ("cel/spec-integer_math.jsonl", 64),
    ("cel/spec-lists.jsonl", 39),
    ("cel/spec-logic.jsonl", 30),
    ("cel/spec-macros.jsonl", 44),
    ("cel/spec-macros2.jsonl", 46),
    ("cel/spec-namespace.jsonl", 7),
    ("cel/spec-network_ext.jsonl", 67),
    ("cel/spec-optionals.jsonl", 57),
    ("cel/spec-parse.jsonl", 193),
    ("cel/spec-plumbing.jsonl", 5),
    ("cel/spec-string.jsonl", 51),
    ("cel/spec-string_ext.jsonl", 186),
    ("cel/spec-timestamps.jsonl", 77),
    ("cel/spec-type_deduction.jsonl", 18),
    ("cel/syntax-errors.jsonl", 64),
    ("kubernetes.jsonl", 746),
    ("kubernetes.jsonl definitions", 870),
    ("openshift-crds.json", 46),
    ("openshift.jsonl", 1006),
];

#[test]
#[cfg_attr(not(recorded), ignore = "no recorded verdicts at ../shared/vectors")]
fn recorded_verdicts_agree() {
    let report = conformance::run(&recorded()).expect("a known version");
    let rendered = conformance::render(&report, &Options::default());
    println!("{rendered}");
    assert!(report.holds(), "{rendered}");
    let files: Vec<_> = report.files().into_iter().collect();
    assert_eq!(files, CASES.map(|(file, cases)| (file.to_owned(), cases)));
}

/// Verdicts of 1.37 that differ from those of 1.36.
#[test]
fn verdicts_of_1_37_agree() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/1.37");
    let report = conformance::run(&dir).expect("a known version");
    let rendered = conformance::render(&report, &Options::default());
    assert_eq!(report.kubernetes.to_string(), "1.37");
    assert!(report.outcomes.len() > 100 && report.holds(), "{rendered}");
}

#[test]
fn verdicts_of_1_37_are_not_those_of_1_36() {
    let before: KubernetesVersion = "1.36".parse().expect("a known version");
    let mut objects = Objects::of(before, Depth::Texts);
    let cases = include_str!("../../vectors/1.37/kubernetes.jsonl");
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).expect("a vector is JSON");
        let definition = decide_definition(&case, before, Depth::Texts);
        let object = case.get("object").and_then(|_| objects.decide(&case));
        assert!(definition.or(object).is_some(), "{}: 1.36 answers the same", case["id"]);
    }
}
