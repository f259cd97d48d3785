//! Long expressions, and the memory that parsing and compiling them takes.

use crd_cel::env::Env;
use crd_cel::syntax::parse;

use crate::memory::{MIB, within};

#[test]
fn copies_of_a_receiver() {
    let chain = format!("optional.of(1){}.hasValue()", ".optMap(x, x)".repeat(20));
    let issues = within(16 * MIB, || parse(&chain)).expect_err("too many nodes").to_string();
    assert!(issues.contains("macros copy more than 16384 nodes of the expression"), "{issues}");
    let chain = format!("optional.of(1){}.hasValue()", ".optMap(x, x)".repeat(8));
    within(16 * MIB, || Env::kubernetes().compile(&chain)).expect("eight levels are no hazard");
}

#[test]
fn tens_of_thousands_of_unknown_names() {
    let names = format!("[{}]", vec!["a"; 49_000].join(","));
    let issues = within(64 * MIB, || Env::kubernetes().compile(&names)).expect_err("unknown");
    assert_eq!(issues.iter().count(), 100);
    assert!(issues.to_string().ends_with("\n48900 more errors were truncated"));
}

#[test]
fn tens_of_thousands_of_optional_elements() {
    let elements = format!("[{}].size() > 0", vec!["?o"; 30_000].join(","));
    let ty = crd_cel::types::Type::optional(crd_cel::types::Type::Int);
    let env = Env::kubernetes().with_variable("o", ty, None);
    within(128 * MIB, || env.compile(&elements)).expect("a list of optional elements");
}
