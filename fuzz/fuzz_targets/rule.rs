//! Writes a generated rule as text, parses it again, and evaluates it twice. Both evaluations must agree and stay
//! within the limits.

#![no_main]

use std::sync::LazyLock;

use arbitrary::Unstructured;
use crd_cel::cost;
use crd_cel::env::Env;
use crd_cel::plan::Program;
use crd_cel::types::Type;
use crd_cel::value::{OwnedMap, Value};
use crd_fuzz::rule::Rule;
use libfuzzer_sys::fuzz_target;

/// The server's limit of one evaluation, in cost units.
const LIMIT: u64 = 1_000_000;
/// The most steps that an evaluation may take for each cost unit of its limit.
const STEPS_OF_COST: u64 = 16;

static ENV: LazyLock<Env> =
    LazyLock::new(|| {
        Env::kubernetes()
            .with_variable("self", Type::map(Type::String, Type::Dyn), None)
            .with_variable("oldSelf", Type::Dyn, None)
    });

fuzz_target!(|bytes: &[u8]| {
    let Ok(rule) = Unstructured::new(bytes).arbitrary::<Rule>() else { return };
    let source = rule.to_string();
    let checked = match ENV.compile(&source) {
        Ok(checked) => checked,
        Err(issues) => return drop(issues.to_string()),
    };
    cost::estimate(&checked, &ENV);
    let Ok(program) = Program::plan(&checked, &ENV) else { return };
    let mut fields = OwnedMap::default();
    fields.insert(Value::str("a"), Value::list(vec![Value::Int(1), Value::str("x")]));
    fields.insert(Value::str("name"), Value::str("é b"));
    fields.insert(Value::str("b"), Value::Int(i64::MIN));
    let this = Value::map(fields);
    let variables = [("self", this.clone()), ("oldSelf", this)];
    let outcome = program.eval(&variables, LIMIT);
    let again = program.eval(&variables, LIMIT);
    assert_eq!(outcome.cost, again.cost, "the same evaluation at another cost: {source}");
    assert_eq!(outcome.result.is_ok(), again.result.is_ok(), "another outcome: {source}");
    assert!(outcome.steps <= STEPS_OF_COST * LIMIT, "{} steps: {source}", outcome.steps);
    if let Ok(value) = outcome.result {
        drop(value.to_string());
    }
});
