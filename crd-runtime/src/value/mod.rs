//! Whether a value keeps what its schema says: every OpenAPI keyword, in the server's order and words.
//!
//! The walk goes over the compiled arena. A first one only asks whether the value is valid, and costs no
//! allocation: places are linked on the stack. Where it is not, a second one gathers the errors.
//! Recursion follows the schema, whose depth
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
use report::{Outcome, Record, Verdict};

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
    let walk = Walk { schema };
    let mut verdict = Verdict::default();
    walk.value(node, value, &Location::ROOT, None, &mut verdict);
    if verdict.is_valid() {
        return ErrorList::new();
    }
    let mut outcome = Outcome::default();
    walk.forgiving(node, value, &Location::ROOT, pair, &mut outcome);
    outcome.into_errors(base)
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
    fn forgiving<R: Record>(
        self,
        id: NodeId,
        value: &Value,
        at: &Location<'_>,
        pair: Option<&Correlation<'_>>,
        record: &mut R,
    ) {
        if pair.is_none() {
            return self.value(id, value, at, None, record);
        }
        let mut own = R::default();
        self.value(id, value, at, pair, &mut own);
        if !own.is_valid() && pair.is_some_and(Correlation::is_unchanged) {
            own.forgive();
        }
        record.merge(own);
    }

    /// Validates a value by every group of keywords that applies to it.
    ///
    /// The match count says which of several failures came closest: one for the node, one for each group
    /// that applies, and what the group counts itself.
    ///
    /// Source: `pkg/validation/validate/schema.go`, `SchemaValidator.Validate`.
    fn value<R: Record>(
        self,
        id: NodeId,
        value: &Value,
        at: &Location<'_>,
        pair: Option<&Correlation<'_>>,
        record: &mut R,
    ) {
        let node = self.node(id);
        let checks = &node.checks;
        if value.is_null() {
            types::check_null(node, at, record);
            enumeration::check(&checks.enum_, value, at, record);
            return;
        }
        if types::applies(checks) {
            types::check(checks, value, at, record);
            record.count();
        }
        junctor::check(self, checks.junctors.as_deref(), value, at, record);
        record.count();
        match value {
            Value::String(text) => {
                if let Some(checks) = &checks.string {
                    string::check(checks, text, at, record);
                }
                record.count();
                if let Some(format) = &checks.format
                    && let Some(strings) = format.strings
                {
                    string::check_format(&format.name, strings, text, at, record);
                    record.count();
                }
            }
            Value::Number(number) => {
                numeric::check(checks, number, at, record);
                record.count();
            }
            Value::Array(items) => {
                array::check(self, node, items, at, pair, record);
                record.count();
            }
            Value::Null | Value::Bool(_) | Value::Object(_) => {}
        }
        enumeration::check(&checks.enum_, value, at, record);
        record.count();
        if let Value::Object(map) = value {
            object::check(self, node, map, at, pair, record);
            record.count();
        }
        record.count();
    }
}
