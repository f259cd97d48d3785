//! `anyOf`, `oneOf`, `allOf` and `not`.

use crd_cel::gofmt;
use serde_json::Value;

use super::Walk;
use super::location::Location;
use super::report::{Failure, Record};
use crate::compiled::{Junctors, NodeId};

/// Nothing below a junctor is forgiven by itself: the value it stands at is, or is not.
///
/// Source: `pkg/validation/validate/schema_props.go`, `schemaPropsValidator.Validate`.
pub(super) fn check<R: Record>(
    walk: Walk<'_>,
    junctors: Option<&Junctors>,
    value: &Value,
    at: &Location<'_>,
    record: &mut R,
) {
    if let Some(Junctors { any_of, one_of, all_of, not }) = junctors {
        let judge = |id: NodeId| {
            let mut judged = R::default();
            walk.value(id, value, at, None, &mut judged);
            judged
        };
        if !any_of.is_empty() {
            check_any_of(any_of, judge, at, record);
        }
        if !one_of.is_empty() {
            check_one_of(one_of, judge, at, record);
        }
        if !all_of.is_empty() {
            check_all_of(all_of, judge, at, record);
        }
        if let Some(not) = not
            && judge(*not).is_valid()
        {
            record.fail(|| failure(at, "must not validate the schema (not)"));
        }
    }
    record.count();
}

fn check_any_of<R: Record>(
    schemas: &[NodeId],
    judge: impl Fn(NodeId) -> R,
    at: &Location<'_>,
    record: &mut R,
) {
    let mut closest: Option<R> = None;
    for id in schemas {
        let judged = judge(*id);
        if judged.is_valid() {
            record.merge(judged);
            return;
        }
        keep_closest(&mut closest, judged);
    }
    record.fail(|| failure(at, "must validate at least one schema (anyOf)"));
    record.merge(closest.unwrap_or_default());
}

fn check_one_of<R: Record>(
    schemas: &[NodeId],
    judge: impl Fn(NodeId) -> R,
    at: &Location<'_>,
    record: &mut R,
) {
    let mut closest: Option<R> = None;
    let mut first: Option<R> = None;
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
            record.fail(|| failure(at, text));
            record.merge(closest.unwrap_or_default());
        }
        1 => record.merge(first.unwrap_or_default()),
        _ => record.fail(|| {
            let text = format!(
                "must validate one and only one schema (oneOf). Found {valid} valid alternatives"
            );
            failure(at, &text)
        }),
    }
}

fn check_all_of<R: Record>(
    schemas: &[NodeId],
    judge: impl Fn(NodeId) -> R,
    at: &Location<'_>,
    record: &mut R,
) {
    let mut valid = 0_usize;
    for id in schemas {
        let judged = judge(*id);
        valid += usize::from(judged.is_valid());
        record.merge(judged);
        if record.is_decided() {
            return;
        }
    }
    if valid == 0 {
        record.fail(|| failure(at, "must validate all the schemas (allOf). None validated"));
    } else if valid != schemas.len() {
        record.fail(|| failure(at, "must validate all the schemas (allOf)"));
    }
}

/// Of equally close failures the first stays.
fn keep_closest<R: Record>(closest: &mut Option<R>, judged: R) {
    if closest.as_ref().is_none_or(|closest| judged.matched() > closest.matched()) {
        *closest = Some(judged);
    }
}

fn failure(at: &Location<'_>, text: &str) -> Failure {
    Failure::placeless(format!("{} {text}", gofmt::quote(&at.render())))
}
