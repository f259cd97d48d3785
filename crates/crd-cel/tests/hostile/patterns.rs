//! Regular expressions: Go's limits, and the memory and steps that they take here.

use crd_cel::env::Env;
use crd_cel::plan::Program;
use crd_cel::re2::{self, Regex};
use crd_cel::types::Type;
use crd_cel::value::Value;

use crate::memory::{MIB, within};

/// A tenth of the cost units that one rule may take.
const BUDGET: u64 = 100_000;

/// Evaluates a rule over a string `s` and a list `l` of strings, and prints what comes of it.
fn eval(rule: &str, s: &str, l: &[String]) -> String {
    let env = Env::kubernetes().with_variable("s", Type::String, None).with_variable(
        "l",
        Type::list(Type::String),
        None,
    );
    let checked = env.compile(rule).expect(rule);
    let program = Program::plan(&checked, &env).expect(rule);
    let list = Value::list(l.iter().map(|text| Value::str(text)).collect());
    match program.eval(&[("s", Value::str(s)), ("l", list)], BUDGET).result {
        Ok(value) => value.to_string(),
        Err(error) => format!("error: {error}"),
    }
}

/// The boundaries are those of Go 1.26.
#[test]
fn too_many_code_points_are_rejected_as_go_rejects_them() {
    #[track_caller]
    fn check(most: usize, make: impl Fn(usize) -> String) {
        let regex = within(512 * MIB, || Regex::new(&make(most)).map(drop));
        assert!(regex.is_ok(), "Go takes {most}");
        let regex = within(512 * MIB, || Regex::new(&make(most + 1)));
        assert_eq!(regex.map(drop).map_err(|error| error.code()), Err(re2::ErrorCode::Large));
    }
    check(25_458, |n| r"\p{L}".repeat(n));
    check(22_429, |n| format!("(?i){}", r"[\p{L}\p{N}]".repeat(n)));
    check(5_436, |n| r"(?:\pL|\pN)".repeat(n));
    // Each group around a class counts it again.
    check(8_485, |n| format!(r"{}\pL{}", "(?:".repeat(n), ")".repeat(n)));
}

#[test]
fn repeated_classes_of_a_definition() {
    let rule = "s.matches('\\\\p{L}{1000}')";
    within(64 * MIB, || {
        for _ in 0..300 {
            let env = Env::kubernetes().with_variable("s", Type::String, None);
            let checked = env.compile(rule).expect(rule);
            let program = Program::plan(&checked, &env).expect(rule);
            let result = program.eval(&[("s", Value::str("letters"))], BUDGET).result;
            assert!(matches!(result, Ok(Value::Bool(false))));
        }
    });
}

#[test]
fn a_class_of_many_items() {
    let items: String = (0x4E00..0x4E00 + 20_000).step_by(2).filter_map(char::from_u32).collect();
    let regex = within(16 * MIB, || Regex::new(&format!("(?i)[{items}]{{2}}x"))).unwrap();
    assert!(within(32 * MIB, || regex.is_match("\u{4E00}\u{4E02}x")));
    let tables = format!("[{}]x", r"\pL\PN\D[:^alpha:]".repeat(2_000));
    let regex = within(16 * MIB, || Regex::new(&tables)).unwrap();
    assert!(within(32 * MIB, || regex.is_match("éx")));
}

#[test]
fn a_pattern_for_each_element() {
    let patterns: Vec<String> = (0..100).map(|i| format!("\\p{{L}}{{1000}}{i}")).collect();
    let found = within(64 * MIB, || eval("l.all(x, s.matches(x) || true)", "s", &patterns));
    assert_eq!(found, "true");
    // The same pattern again is compiled once.
    let same = vec!["(a|b)*[^c]{900}d".to_owned(); 2_000];
    let found = within(16 * MIB, || eval("l.exists(x, s.matches(x))", "abc", &same));
    assert_eq!(found, "false");
}

#[test]
fn large_machines_for_each_element_run_out_of_steps() {
    let text = "a".repeat(1_000);
    let patterns: Vec<String> = (0..50).map(|i| format!("(?:a?){{1000}}{i}")).collect();
    let found = within(256 * MIB, || eval("l.exists(x, s.matches(x))", &text, &patterns));
    assert_eq!(found, "error: operation cancelled: evaluation step limit exceeded");
}

#[test]
fn matches_that_read_to_the_end_run_out_of_steps() {
    let found =
        |n: usize| within(64 * MIB, || eval("s.findAll('a.*b|a').size()", &"a".repeat(n), &[]));
    assert_eq!(found(4_000), "4000");
    assert_eq!(found(200_000), "error: operation cancelled: evaluation step limit exceeded");
    // What reads each byte once does not.
    let all = |n: usize| within(64 * MIB, || eval("s.findAll('a').size()", &"a".repeat(n), &[]));
    assert_eq!(all(200_000), "200000");
}

#[test]
fn deep_patterns_fit_in_the_stack() {
    let deep = format!("{}a{}", "(?:b".repeat(490), ")*".repeat(490));
    let regex = Regex::new(&deep).unwrap();
    assert!(within(16 * MIB, || regex.is_match("bbba")));
}
