//! Evaluates `x-kubernetes-validations`: the rules of a schema over an object, in the server's order and within its
//! budgets.
//!
//! A rule that does not hold is an error at its value, or a warning if an update has not changed that value. A
//! transition rule runs only if the old value is known.
//!
//! Source: `pkg/apiserver/schema/cel/validation.go`.

mod failure;
mod limits;
#[cfg(test)]
mod tests;
mod validate;

use serde_json::Value;

pub use limits::BUDGET;
pub(crate) use validate::validate;

use crate::compiled::CompiledSchema;
use crate::correlate::Correlation;
use crate::field::{ErrorList, Path, Sink};
use crate::ratchet::Ratchet;

/// The result of evaluating rules over an object.
#[derive(Debug)]
#[non_exhaustive]
pub struct Evaluation {
    /// The errors of rules that do not hold.
    pub errors: ErrorList,
    /// The server's warnings of rules that do not hold for unchanged values.
    pub warnings: Vec<String>,
    /// The cost of the evaluation, in cost units; `None` if the budget was exceeded.
    pub cost: Option<u64>,
}

impl CompiledSchema {
    /// Evaluates the rules of the schema over an object whose values have the types of the schema. In an update, `old`
    /// is the stored object.
    ///
    /// [`crate::admit`] does this as the last of the server's checks, unless there are errors such as a value of a
    /// wrong type, because rules expect the types of the schema.
    ///
    /// ```
    /// use crd_runtime::{compiled::CompiledSchema, model::CustomResourceDefinition};
    /// use serde_json::json;
    ///
    /// let crd: CustomResourceDefinition = serde_json::from_value(json!({
    ///     "metadata": {"name": "tabs.example.com"},
    ///     "spec": {
    ///         "group": "example.com", "scope": "Namespaced", "names": {"plural": "tabs", "kind": "Tab"},
    ///         "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
    ///             "type": "object",
    ///             "properties": {"spec": {
    ///                 "type": "object",
    ///                 "properties": {"min": {"type": "integer"}, "max": {"type": "integer"}},
    ///                 "x-kubernetes-validations": [{"rule": "self.min <= self.max"}],
    ///             }},
    ///         }}}],
    ///     },
    /// }))?;
    /// let schema = CompiledSchema::for_version(&crd, "v1")?;
    /// let evaluation = schema.evaluate_rules(&json!({"spec": {"min": 2, "max": 1}}), None);
    /// assert_eq!(
    ///     evaluation.errors.to_string(),
    ///     "spec: Invalid value: failed rule: self.min <= self.max"
    /// );
    /// assert_eq!(evaluation.cost, Some(5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate_rules(&self, object: &Value, old: Option<&Value>) -> Evaluation {
        let pair = old.map(|old| Correlation::root(self, object, old));
        let ratchet = pair.as_ref().map_or(Ratchet::OFF, Ratchet::root);
        let mut found = Sink::of(self.kubernetes());
        let left = validate(self.rules(), &Path::ROOT, object, old, ratchet, BUDGET, &mut found);
        let found = found.into_parts();
        Evaluation {
            errors: found.errors,
            warnings: found.warnings,
            cost: left.map(|left| BUDGET - left),
        }
    }
}
