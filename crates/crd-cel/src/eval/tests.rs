//! What an evaluation reserves for the values that it builds.

use super::{Evaluation, Slot};
use crate::budget::Budget;
use crate::env::Env;
use crate::error::EvalError;
use crate::plan::Program;
use crate::types::Type;
use crate::value::{SHARED_TEXT, Value};

#[test]
fn lists_and_maps_reserve_what_they_own() {
    #[track_caller]
    fn check(source: &str, values: u64, shared: u64) {
        let env = Env::kubernetes().with_variable("x", Type::Int, None);
        let checked = env.compile(source).unwrap_or_else(|issues| panic!("{issues}"));
        let program = Program::plan(&checked, &env).expect("a plan");
        let mut slots: Vec<Slot<'_>> = Vec::new();
        slots.resize_with(program.slots, Slot::default);
        slots[0] = Slot::Set(Ok(Value::Int(1)));
        let budget = Budget::new(1_000, program.version);
        let mut evaluation =
            Evaluation { slots: &mut slots, budget, failure: EvalError::NO_SUCH_OVERLOAD };
        assert!(evaluation.eval(&program.root).is_ok(), "{source}");
        let want = values * size_of::<Value<'_>>() as u64 + shared * SHARED_TEXT;
        assert_eq!(evaluation.budget.memory(), want, "{source}");
    }
    check("x", 0, 0);
    check("[x]", 1, 1);
    check("[x, 1, x]", 3, 1);
    check("{x: x}", 2, 1);
    check("{x: x, 2: x, 3: x}", 6, 1);
    check("[[x], [1, x]]", 5, 3);
    check("[1, 2, 3].map(i, i)", 3, 0);
    check("[1, 2, 3].transformMap(i, v, v)", 6, 0);
    check("[7, 8].transformMapEntry(i, v, {v: i, v + 10: x, v + 20: x})", 24, 2);
}
