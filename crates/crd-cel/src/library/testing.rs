//! Calls of single overloads as on the reference version, for tests.

use super::KUBERNETES;
use super::binding::Binding;
use crate::budget::Budget;
use crate::error::EvalError;
use crate::minors::KubernetesVersion;
use crate::value::Value;

/// How an overload is evaluated.
fn binding(id: &str) -> Binding {
    let overload = KUBERNETES.overload(id).expect(id);
    overload.row.binding_in(KubernetesVersion::REFERENCE).expect(id)
}

pub(super) fn call<'a>(overload: &str, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let budget = &mut Budget::new(1_000_000, KubernetesVersion::REFERENCE);
    (binding(overload).call)(budget, args)
}

/// Checks the text of the value or of the error.
#[track_caller]
pub(super) fn check(overload: &str, args: &[Value<'_>], want: &str) {
    let text = match call(overload, args) {
        Ok(value) => value.to_string(),
        Err(error) => error.to_string(),
    };
    assert_eq!(text, want, "{overload} {args:?}");
}

/// Checks the cost of a call, in cost units.
#[track_caller]
pub(super) fn check_cost(overload: &str, args: &[Value<'_>], want: u64) {
    let got = call(overload, args);
    let operands: Vec<_> = args.iter().map(Some).collect();
    let cost = binding(overload).cost.of(&operands, got.as_ref().ok());
    assert_eq!(cost, Ok(want), "cost of {overload} {args:?}");
}

pub(super) fn ints(items: &[i64]) -> Value<'static> {
    Value::list(items.iter().copied().map(Value::Int).collect())
}

pub(super) fn strings(items: &[&'static str]) -> Value<'static> {
    Value::list(items.iter().copied().map(Value::str).collect())
}
