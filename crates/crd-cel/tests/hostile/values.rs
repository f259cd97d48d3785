//! Values that contain the same part many times, and the limit of the memory that an evaluation keeps.

use crd_cel::env::Env;
use crd_cel::plan::Program;
use crd_cel::types::Type;
use crd_cel::value::Value;

use crate::memory::{MIB, within};

/// A tenth of the cost units that one rule may take.
const BUDGET: u64 = 100_000;
/// The most bytes that an evaluation may allocate, freed or not. This is several times what it may keep.
const ALLOCATED: usize = 800 * MIB;

const STEPS: &str = "error: operation cancelled: evaluation step limit exceeded";
const MEMORY: &str = "error: operation cancelled: evaluation memory limit exceeded";
const COST: &str = "error: operation cancelled: actual cost limit exceeded";

/// Evaluates a rule over a string `s` and a list `l` of `elements` integers, and prints the result.
fn eval(rule: &str, s: &str, elements: i64) -> String {
    let env = Env::kubernetes().with_variable("s", Type::String, None).with_variable(
        "l",
        Type::list(Type::Int),
        None,
    );
    let checked = env.compile(rule).expect(rule);
    let program = Program::plan(&checked, &env).expect(rule);
    let list = Value::list((0..elements).map(Value::Int).collect());
    within(ALLOCATED, || match program.eval(&[("s", Value::str(s)), ("l", list)], BUDGET).result {
        Ok(value) => value.to_string(),
        Err(error) => format!("error: {error}"),
    })
}

#[track_caller]
fn check(rule: &str, s: &str, elements: i64, want: &str) {
    assert_eq!(eval(rule, s, elements), want, "{rule}");
}

/// A list of one element that contains `of` 2^40 times.
fn shared(of: &str) -> String {
    format!("[dyn({of})]{}", ".map(x, dyn([x, x]))".repeat(40))
}

#[test]
fn shared_elements_are_compared_by_steps() {
    check(&format!("{}.all(y, y == y)", shared("1")), "", 0, STEPS);
    check(&format!("{}.all(y, y != y || true)", shared("{'a': 1}")), "", 0, STEPS);
    check(&format!("{}.all(y, y in [y])", shared("[]")), "", 0, STEPS);
    check(&format!("{}.all(y, sets.contains([y], [y]))", shared("1")), "", 0, STEPS);
    check(&format!("{}.all(y, [y].indexOf(y) == 0)", shared("1")), "", 0, STEPS);
    check(&format!("{}.all(y, [y, y].distinct().size() == 1)", shared("1")), "", 0, STEPS);
    check(&format!("{}.flatten(50).size() > 0", shared("[]")), "", 0, STEPS);
    // A few shared elements are within the limit.
    check("[1].map(x, [x, x]).map(x, [x, x]).all(y, y == y)", "", 0, "true");
}

#[test]
fn shared_elements_are_printed_within_limits() {
    check(&format!("{}.all(y, '%s'.format([y]) == '')", shared("1")), "", 0, MEMORY);
    check(&format!("{}.all(y, '%s'.format([y]) == '')", shared("[]")), "", 0, MEMORY);
    let mixed = "dyn([dyn(optional.of(1)), y]).unwrapOpt() == []";
    let text = eval(&format!("{}.all(y, {mixed})", shared("1")), "", 0);
    assert!(text.starts_with("error: value [["), "{text}");
    assert!(text.ends_with("...") && text.len() < 20_000, "{} bytes", text.len());
}

#[test]
fn costs_of_shared_elements_exceed_the_limit() {
    check(&format!("{}.all(y, dyn(y).sum() == 0 || true)", shared("[]")), "", 0, COST);
}

#[test]
fn what_is_kept_is_counted() {
    let text = "a".repeat(2_000);
    check("l.map(x, quantity('1e1000000').add(quantity('1'))).size()", "", 5_000, STEPS);
    check("l.map(x, quantity('1e10000').add(quantity('1'))).size()", "", 20, "20");
    check("l.map(x, s.findAll('')).size()", &text, 5_000, STEPS);
    let url = format!("'https://example.com/{}'", "a".repeat(90_000));
    let rule = format!("[url({url})].all(u, l.map(x, u.getEscapedPath()).size() > 0)");
    check(&rule, "", 4_000, MEMORY);
    check("l.map(x, s.upperAscii()).size()", &text, 100, "100");
}
