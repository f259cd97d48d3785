//! `anyOf`, `oneOf`, `allOf` and `not`.

use crd_cel::gofmt;
use serde_json::Value;

use super::ValueWalk;
use super::location::Location;
use super::report::{Collect, ValidationFailure};
use crate::compiled::{Junctors, NodeId};
use crate::field::ErrorKind;

/// Checks the junctors of a value. Ratcheting ignores all errors of a junctor if that value is unchanged; whether the
/// values below it are unchanged does not matter.
///
/// Source: `pkg/validation/validate/schema_props.go`, `schemaPropsValidator.Validate`.
pub(super) fn check<R: Collect>(
    walk: ValueWalk<'_>,
    junctors: Option<&Junctors>,
    value: &Value,
    at: &Location<'_>,
    record: &mut R,
) {
    if let Some(Junctors { any_of, one_of, all_of, not }) = junctors {
        let alternatives = Alternatives { walk, value, at };
        if !any_of.is_empty() {
            alternatives.any_of(any_of, record);
        }
        if !one_of.is_empty() {
            alternatives.one_of(one_of, record);
        }
        if !all_of.is_empty() {
            alternatives.all_of(all_of, record);
        }
        if let Some(not) = not
            && walk.is_valid(*not, value, at)
        {
            record.fail(ErrorKind::Invalid, || failure(at, "must not validate the schema (not)"));
        }
    }
    record.count();
}

/// A value that is validated against several schemas.
///
/// PERF: if match counts are not needed, the first pass only decides which schemas accept the value. The errors of the
/// others are collected only if the junctor fails.
#[derive(Clone, Copy)]
struct Alternatives<'a> {
    walk: ValueWalk<'a>,
    value: &'a Value,
    at: &'a Location<'a>,
}

impl Alternatives<'_> {
    fn validate<R: Collect>(self, id: NodeId, mut result: R) -> R {
        self.walk.value(id, self.value, self.at, None, &mut result);
        result
    }

    fn is_valid(self, id: NodeId) -> bool {
        self.walk.is_valid(id, self.value, self.at)
    }

    fn any_of<R: Collect>(self, schemas: &[NodeId], record: &mut R) {
        let mut closest = None;
        if R::COUNTED {
            for id in schemas {
                let result = self.validate(*id, record.another());
                if result.is_valid() {
                    return record.merge(result);
                }
                keep_closest(&mut closest, result);
            }
        } else if schemas.iter().any(|id| self.is_valid(*id)) {
            return;
        }
        record.fail(ErrorKind::Invalid, || {
            failure(self.at, "must validate at least one schema (anyOf)")
        });
        self.merge_closest(schemas, closest, record);
    }

    fn one_of<R: Collect>(self, schemas: &[NodeId], record: &mut R) {
        let mut closest = None;
        let mut first = None;
        let mut valid = 0_usize;
        for id in schemas {
            if !R::COUNTED {
                valid += usize::from(self.is_valid(*id));
                continue;
            }
            let result = self.validate(*id, record.another());
            if result.is_valid() {
                valid += 1;
                first.get_or_insert(result);
            } else if valid == 0 {
                keep_closest(&mut closest, result);
            }
        }
        match valid {
            0 => {
                let text = "must validate one and only one schema (oneOf). Found none valid";
                record.fail(ErrorKind::Invalid, || failure(self.at, text));
                self.merge_closest(schemas, closest, record);
            }
            1 => {
                if let Some(first) = first {
                    record.merge(first);
                }
            }
            _ => record.fail(ErrorKind::Invalid, || {
                let text = format!(
                    "must validate one and only one schema (oneOf). Found {valid} valid alternatives"
                );
                failure(self.at, &text)
            }),
        }
    }

    /// Reports the errors of the best-matching schema, and determines that schema if `closest` is `None`.
    fn merge_closest<R: Collect>(self, schemas: &[NodeId], closest: Option<R>, record: &mut R) {
        if let Some(closest) = closest {
            return record.merge(closest);
        }
        if record.is_decided() {
            return;
        }
        let mut closest = None;
        for id in schemas {
            keep_closest(&mut closest, self.validate(*id, record.counting()));
        }
        if let Some(closest) = closest {
            record.merge_counting(closest);
        }
    }

    fn all_of<R: Collect>(self, schemas: &[NodeId], record: &mut R) {
        let mut valid = 0_usize;
        for id in schemas {
            let result = self.validate(*id, record.another());
            valid += usize::from(result.is_valid());
            record.merge(result);
            if record.is_decided() {
                return;
            }
        }
        if valid == 0 {
            let text = "must validate all the schemas (allOf). None validated";
            record.fail(ErrorKind::Invalid, || failure(self.at, text));
        } else if valid != schemas.len() {
            record.fail(ErrorKind::Invalid, || {
                failure(self.at, "must validate all the schemas (allOf)")
            });
        }
    }
}

/// Keeps the better of two failed matches, and the first of two equally good ones.
fn keep_closest<R: Collect>(closest: &mut Option<R>, result: R) {
    if closest.as_ref().is_none_or(|closest| result.matched() > closest.matched()) {
        *closest = Some(result);
    }
}

fn failure(at: &Location<'_>, text: &str) -> ValidationFailure {
    ValidationFailure::without_path(format!("{} {text}", gofmt::quote(&at.render())))
}
