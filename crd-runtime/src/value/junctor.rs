//! `anyOf`, `oneOf`, `allOf` and `not`.

use crd_cel::gofmt;
use serde_json::Value;

use super::Walk;
use super::location::Location;
use super::report::{Failure, Outcome};
use crate::compiled::{Junctors, NodeId};

/// Nothing below a junctor is forgiven by itself: the value it stands at is, or is not.
///
/// Source: `pkg/validation/validate/schema_props.go`, `schemaPropsValidator.Validate`.
pub(super) fn check(
    walk: Walk<'_>,
    junctors: Option<&Junctors>,
    value: &Value,
    at: &Location<'_>,
) -> Outcome {
    let mut outcome = Outcome::default();
    if let Some(Junctors { any_of, one_of, all_of, not }) = junctors {
        let judge = |id: NodeId| walk.value(id, value, at, None);
        if !any_of.is_empty() {
            check_any_of(any_of, judge, at, &mut outcome);
        }
        if !one_of.is_empty() {
            check_one_of(one_of, judge, at, &mut outcome);
        }
        if !all_of.is_empty() {
            check_all_of(all_of, judge, at, &mut outcome);
        }
        if let Some(not) = not
            && judge(*not).is_valid()
        {
            outcome.push(failure(at, "must not validate the schema (not)"));
        }
    }
    outcome.matched += 1;
    outcome
}

fn check_any_of(
    schemas: &[NodeId],
    judge: impl Fn(NodeId) -> Outcome,
    at: &Location<'_>,
    outcome: &mut Outcome,
) {
    let mut closest: Option<Outcome> = None;
    for id in schemas {
        let judged = judge(*id);
        if judged.is_valid() {
            outcome.merge(judged);
            return;
        }
        keep_closest(&mut closest, judged);
    }
    outcome.push(failure(at, "must validate at least one schema (anyOf)"));
    outcome.merge(closest.unwrap_or_default());
}

fn check_one_of(
    schemas: &[NodeId],
    judge: impl Fn(NodeId) -> Outcome,
    at: &Location<'_>,
    outcome: &mut Outcome,
) {
    let mut closest: Option<Outcome> = None;
    let mut first: Option<Outcome> = None;
    let mut valid = 0_usize;
    for id in schemas {
        let judged = judge(*id);
        if judged.is_valid() {
            valid += 1;
            first.get_or_insert(judged);
        } else if valid == 0 {
            keep_closest(&mut closest, judged);
        }
    }
    match valid {
        0 => {
            let text = "must validate one and only one schema (oneOf). Found none valid";
            outcome.push(failure(at, text));
            outcome.merge(closest.unwrap_or_default());
        }
        1 => outcome.merge(first.unwrap_or_default()),
        _ => {
            let text = format!(
                "must validate one and only one schema (oneOf). Found {valid} valid alternatives"
            );
            outcome.push(failure(at, &text));
        }
    }
}

fn check_all_of(
    schemas: &[NodeId],
    judge: impl Fn(NodeId) -> Outcome,
    at: &Location<'_>,
    outcome: &mut Outcome,
) {
    let mut valid = 0_usize;
    for id in schemas {
        let judged = judge(*id);
        valid += usize::from(judged.is_valid());
        outcome.merge(judged);
    }
    if valid == 0 {
        outcome.push(failure(at, "must validate all the schemas (allOf). None validated"));
    } else if valid != schemas.len() {
        outcome.push(failure(at, "must validate all the schemas (allOf)"));
    }
}

/// Of equally close failures the first stays.
fn keep_closest(closest: &mut Option<Outcome>, judged: Outcome) {
    if closest.as_ref().is_none_or(|closest| judged.matched > closest.matched) {
        *closest = Some(judged);
    }
}

fn failure(at: &Location<'_>, text: &str) -> Failure {
    Failure::placeless(format!("{} {text}", gofmt::quote(&at.render())))
}
