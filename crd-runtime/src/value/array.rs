//! `items`, `minItems`, `maxItems` and `uniqueItems`.

use serde_json::Value;

use super::Walk;
use super::location::Location;
use super::report::{Failure, Fault, Outcome};
use crate::compiled::Node;
use crate::correlate::Correlation;
use crate::field::BadValue;
use crate::json;

/// Source: `pkg/validation/validate/slice_validator.go`, `schemaSliceValidator.Validate`.
pub(super) fn check(
    walk: Walk<'_>,
    node: &Node,
    items: &[Value],
    at: &Location<'_>,
    pair: Option<&Correlation<'_>>,
) -> Outcome {
    let mut outcome = Outcome::default();
    if let Some(id) = node.items {
        for (index, item) in items.iter().enumerate() {
            let pair = pair.and_then(|pair| pair.index(index));
            outcome.merge(walk.forgiving(id, item, &at.index(index), pair.as_ref()));
        }
    }
    if let Some(checks) = &node.checks.array {
        let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
        if let Some(min) = checks.min_items
            && count < min
        {
            let text = format!("should have at least {min} items");
            outcome.push(Failure::at(at, &text, Fault::Invalid(count.into())));
        }
        if let Some(max) = checks.max_items
            && count > max
        {
            let text = format!("should have at most {max} items");
            outcome.push(Failure::at(at, &text, Fault::TooMany(count, max)));
        }
        if checks.unique_items && has_duplicates(items) {
            let fault = Fault::Invalid(BadValue::from(""));
            outcome.push(Failure::at(at, "shouldn't contain duplicates", fault));
        }
    }
    outcome.matched += 1;
    outcome
}

/// Quadratic, as on the server, where no valid CRD can ask for it.
fn has_duplicates(items: &[Value]) -> bool {
    items
        .iter()
        .enumerate()
        .any(|(index, item)| items.iter().take(index).any(|earlier| json::equal(item, earlier)))
}
