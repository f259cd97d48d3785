//! Checks across attributes: one function a rule.

use darling::error::Accumulator;

use crate::model::Model;

/// Reports every mistake that can be seen in one type.
pub(crate) fn check(model: &Model, errors: &mut Accumulator) {
    let _ = (model, errors);
}
