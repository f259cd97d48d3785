//! Parses arbitrary bytes as a rule, and checks, estimates, plans and evaluates it over fixed objects.

#![no_main]

use std::sync::{Arc, LazyLock};

use crd_cel::cost;
use crd_cel::decl::{Decl, Named};
use crd_cel::env::Env;
use crd_cel::plan::Program;
use crd_cel::value::Value;
use libfuzzer_sys::fuzz_target;
use serde_json::{Value as Json, json};

#[path = "../../crates/crd-cel/tests/declared/mod.rs"]
mod declared;

/// The server's limit of one evaluation, in cost units.
const LIMIT: u64 = 1_000_000;

static DECL: LazyLock<Arc<Decl>> = LazyLock::new(|| {
    declared::decl(&json!({
        "i": "int", "n": "double", "s": "string", "ios": "int-or-string", "time": "date-time",
        "day": "date", "dur": "duration", "by": "byte", "li": ["int"], "ls": ["string"],
        "pairs": [["int"]], "set": {"set": "string"}, "m": {"*": "string"}, "mi": {"*": "int"},
        "lm": {"by": "k", "of": {"k": "string", "v": "int"}},
        "o": {"a": "nullable", "x-y": "string", "unseen": "opaque", "deep": {"z": "string"}},
    }))
});
static ENV: LazyLock<Env> = LazyLock::new(|| {
    let named = Named::new("self", Arc::clone(&DECL));
    Env::kubernetes().with_variable("self", named.type_(), Some(named.clone())).with_variable(
        "oldSelf",
        named.type_(),
        Some(named),
    )
});
static OBJECTS: LazyLock<[Json; 3]> = LazyLock::new(|| {
    [
        json!({
            "i": 3, "n": 1.5, "s": "a,b é", "ios": "10%", "time": "2024-02-29T23:59:59.5+02:00",
            "day": "2024-02-29", "dur": "1h30m", "by": "aGk=", "li": [3, 1, 2, 3], "ls": ["b", "a"],
            "pairs": [[1, 2], [], [3]], "set": ["x", "y"], "m": {"k": "v", "l": "w"}, "mi": {"a": 1},
            "lm": [{"k": "a", "v": 1}, {"k": "b"}],
            "o": {"a": null, "x-y": "q", "unseen": {"any": [1]}, "deep": {"z": "zz"}},
        }),
        json!({"i": i64::MIN, "n": 1e300, "s": "", "ios": 7, "li": [], "m": {}, "o": {}}),
        // Values of other types than declared, as in a malformed stored object.
        json!({"i": "x", "n": [], "s": 1, "time": "x", "dur": 3, "by": "*", "li": {"a": 1}, "o": null}),
    ]
});

fuzz_target!(|source: &str| {
    let checked = match ENV.compile(source) {
        Ok(checked) => checked,
        Err(issues) => return drop(issues.to_string()),
    };
    cost::estimate(&checked, &ENV);
    let Ok(program) = Program::plan(&checked, &ENV) else { return };
    let [first, rest @ ..] = &*OBJECTS;
    for object in [first].into_iter().chain(rest) {
        let Ok(value) = Value::declared(object, &DECL) else { continue };
        let Ok(old) = Value::declared(first, &DECL) else { continue };
        let outcome = program.eval(&[("self", value.clone()), ("oldSelf", old.clone())], LIMIT);
        let again = program.eval(&[("self", value), ("oldSelf", old)], LIMIT);
        assert_eq!(outcome.cost, again.cost, "the same evaluation at another cost");
        assert_eq!(outcome.result.is_ok(), again.result.is_ok(), "another outcome");
    }
});
