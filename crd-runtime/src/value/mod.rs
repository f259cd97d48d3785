//! Whether a value keeps what its schema says: every OpenAPI keyword, in the server's order and words.
//!
//! The walk goes over the compiled arena. A valid value costs no allocation: places are linked on the
//! stack, and errors exist only where something is wrong. Recursion follows the schema, whose depth
//! [`crate::schema::MAX_SCHEMA_DEPTH`] bounds, and not the value.
//!
//! Deliberately absent: defaults, pruning, the uniqueness of lists, rules.
//!
//! Source: `pkg/validation/validate` of k8s.io/kube-openapi, and `pkg/apiserver/validation` of
//! apiextensions-apiserver.

mod array;
mod enumeration;
mod junctor;
mod location;
mod numeric;
mod object;
mod report;
mod string;
mod types;

#[cfg(test)]
mod tests;

use serde_json::Value;

use crate::compiled::{CompiledSchema, Node, NodeId};
use crate::correlate::Correlation;
use crate::field::{ErrorList, Path};
use location::Location;
use report::Outcome;

/// Validates a value against a node of a schema. Errors stand below `base`, but those of junctors and of
/// number ranges stand at `base` itself, as on the server.
///
/// With a pair, the value is new: errors at a place that has not changed are dropped.
///
/// Source: `ValidateCustomResource` and `ValidateCustomResourceUpdate`.
pub(crate) fn validate(
    schema: &CompiledSchema,
    node: NodeId,
    value: &Value,
    base: &Path<'_>,
    pair: Option<&Correlation<'_>>,
) -> ErrorList {
    Walk { schema }.forgiving(node, value, &Location::ROOT, pair).into_errors(base)
}

/// One validation.
#[derive(Clone, Copy)]
struct Walk<'s> {
    schema: &'s CompiledSchema,
}

impl<'s> Walk<'s> {
    fn node(self, id: NodeId) -> &'s Node {
        &self.schema[id]
    }

    /// Validates a value, and drops what is wrong where nothing has changed.
    ///
    /// Source: `pkg/apiserver/validation/ratcheting.go`, `ratchetingValueValidator.Validate`.
    fn forgiving(
        self,
        id: NodeId,
        value: &Value,
        at: &Location<'_>,
        pair: Option<&Correlation<'_>>,
    ) -> Outcome {
        let mut outcome = self.value(id, value, at, pair);
        if !outcome.is_valid() && pair.is_some_and(Correlation::is_unchanged) {
            outcome.forgive();
        }
        outcome
    }

    /// Validates a value by every group of keywords that applies to it.
    ///
    /// The match count says which of several failures came closest: one for the node, one for each group
    /// that applies, and what the group counts itself.
    ///
    /// Source: `pkg/validation/validate/schema.go`, `SchemaValidator.Validate`.
    fn value(
        self,
        id: NodeId,
        value: &Value,
        at: &Location<'_>,
        pair: Option<&Correlation<'_>>,
    ) -> Outcome {
        let node = self.node(id);
        let checks = &node.checks;
        let mut outcome = Outcome::default();
        if value.is_null() {
            outcome.merge(types::check_null(node, at));
            outcome.merge(enumeration::check(&checks.enum_, value, at));
            return outcome;
        }
        if types::applies(checks) {
            outcome.merge(types::check(checks, value, at));
            outcome.matched += 1;
        }
        outcome.merge(junctor::check(self, checks.junctors.as_deref(), value, at));
        outcome.matched += 1;
        match value {
            Value::String(text) => {
                if let Some(checks) = &checks.string {
                    outcome.merge(string::check(checks, text, at));
                }
                outcome.matched += 1;
                if let Some(format) = &checks.format
                    && let Some(strings) = format.strings
                {
                    outcome.merge(string::check_format(&format.name, strings, text, at));
                    outcome.matched += 1;
                }
            }
            Value::Number(number) => {
                outcome.merge(numeric::check(checks, number, at));
                outcome.matched += 1;
            }
            Value::Array(items) => {
                outcome.merge(array::check(self, node, items, at, pair));
                outcome.matched += 1;
            }
            Value::Null | Value::Bool(_) | Value::Object(_) => {}
        }
        outcome.merge(enumeration::check(&checks.enum_, value, at));
        outcome.matched += 1;
        if let Value::Object(map) = value {
            outcome.merge(object::check(self, node, map, at, pair));
            outcome.matched += 1;
        }
        outcome.matched += 1;
        outcome
    }
}
