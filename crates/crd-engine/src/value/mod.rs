//! Validates values by every OpenAPI keyword, with the order and the texts of the server's errors.
//!
//! The walk over the compiled arena allocates nothing for a valid value: paths are linked on the stack, and rendered
//! only for an error. Most values are valid because of their JSON type alone: each compiled node has the set of such
//! types. Only invalid scalars, values that may be ratcheted, and failures below a junctor are visited twice. The
//! recursion follows the schema, whose depth is bounded by [`crate::schema::MAX_SCHEMA_DEPTH`], not the value.
//!
//! Defaults, pruning, the uniqueness of list items and rules are not handled here.
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

use crate::compiled::{CompiledSchema, JsonTypes, Node, NodeId};
use crate::correlate::Correlation;
use crate::field::{ErrorList, Path, Sink};
use location::Location;
use report::{Budget, Collect, Collector, Validity};

impl CompiledSchema {
    /// Validates an object by the keywords of its schema (types, bounds, patterns, formats, enums, junctors), with the
    /// order and the texts of the server's errors. Nothing is pruned or defaulted.
    ///
    /// Source: `ValidateCustomResource` in `pkg/apiserver/validation/validation.go` of apiextensions-apiserver.
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
    ///             "properties": {"spec": {"type": "object", "properties": {
    ///                 "replicas": {"type": "integer", "maximum": 10},
    ///             }}},
    ///         }}}],
    ///     },
    /// }))?;
    /// let schema = CompiledSchema::for_version(&crd, "v1")?;
    /// let errors = schema.validate(&json!({"spec": {"replicas": 11}}));
    /// assert_eq!(
    ///     errors.to_string(),
    ///     "spec.replicas: Invalid value: 11: spec.replicas in body should be less than or equal to 10"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn validate(&self, object: &Value) -> ErrorList {
        let mut errors = Sink::of(self.kubernetes());
        validate(self, self.root, object, &Path::ROOT, None, &mut errors);
        errors.into_errors()
    }
}

/// Validates a value against a node of a schema. Errors are reported below `base`; as on the server, those of junctors
/// and of number ranges are reported at `base` itself.
///
/// With a pair, the value is the new value of an update: errors of values that have not changed are dropped
/// (ratcheting).
///
/// Source: `ValidateCustomResource` and `ValidateCustomResourceUpdate`.
pub(crate) fn validate(
    schema: &CompiledSchema,
    node: NodeId,
    value: &Value,
    base: &Path<'_>,
    pair: Option<&Correlation<'_>>,
    errors: &mut Sink,
) {
    let walk = ValueWalk { schema };
    let budget = Budget::of(errors);
    let mut collector = Collector::new(&budget);
    // Validate without correlation first: valid objects need no ratcheting, and correlating costs more than a walk.
    if pair.is_none() || !walk.is_valid(node, value, &Location::ROOT) {
        walk.with_ratcheting(node, value, &Location::ROOT, pair, &mut collector);
    }
    collector.into_errors(base, errors);
}

/// A validation with one schema.
#[derive(Clone, Copy)]
struct ValueWalk<'s> {
    schema: &'s CompiledSchema,
}

impl<'s> ValueWalk<'s> {
    fn node(self, id: NodeId) -> &'s Node {
        &self.schema[id]
    }

    /// Returns whether a value is valid.
    fn is_valid(self, id: NodeId, value: &Value, at: &Location<'_>) -> bool {
        let mut validity = Validity::default();
        self.value(id, value, at, None, &mut validity);
        validity.is_valid()
    }

    /// Returns whether a scalar is valid; `false` means that it needs the full check.
    ///
    /// PERF: most scalars are valid, and then need neither a path nor a pair. Deciding first is cheaper for these than
    /// collecting errors at once, also without a pair: by 1.2 % of all recorded creations.
    #[inline]
    fn passes<R: Collect>(self, id: NodeId, value: &Value) -> bool {
        if R::COUNTED || matches!(value, Value::Array(_) | Value::Object(_)) {
            return false;
        }
        self.node(id).checks.shortcuts.valid.intersects(JsonTypes::of(value))
            || (R::ORDERED && self.is_valid(id, value, &Location::ROOT))
    }

    /// Validates a value, and drops errors of values that have not changed.
    ///
    /// Source: `pkg/apiserver/validation/ratcheting.go`, `ratchetingValueValidator.Validate`.
    #[inline]
    fn with_ratcheting<R: Collect>(
        self,
        id: NodeId,
        value: &Value,
        at: &Location<'_>,
        pair: Option<&Correlation<'_>>,
        record: &mut R,
    ) {
        match pair {
            None => self.value(id, value, at, None, record),
            Some(pair) => self.paired(id, value, at, pair, record),
        }
    }

    /// Validates the new value of a pair, and drops its errors if it has not changed.
    #[inline(never)]
    fn paired<R: Collect>(
        self,
        id: NodeId,
        value: &Value,
        at: &Location<'_>,
        pair: &Correlation<'_>,
        record: &mut R,
    ) {
        let mut own = record.another();
        self.value(id, value, at, Some(pair), &mut own);
        if !own.is_valid() && pair.is_unchanged() {
            own.ratchet();
        }
        record.merge(own);
    }

    /// Validates a value by every group of keywords that applies to it.
    ///
    /// The match count decides which of several failed schemas matches best. It is the sum of one for the node, one for
    /// each group of keywords that applies, and the counts of the groups themselves.
    ///
    /// Source: `pkg/validation/validate/schema.go`, `SchemaValidator.Validate`.
    fn value<R: Collect>(
        self,
        id: NodeId,
        value: &Value,
        at: &Location<'_>,
        pair: Option<&Correlation<'_>>,
        record: &mut R,
    ) {
        let node = self.node(id);
        let checks = &node.checks;
        let kind = JsonTypes::of(value);
        // PERF: most values are valid because of their JSON type alone. With match counts, no keyword is skipped.
        if !R::COUNTED && checks.shortcuts.valid.intersects(kind) {
            match value {
                Value::Array(items) => array::items(self, node, items, at, pair, record),
                Value::Object(map) => {
                    object::properties(self, node, map, at, pair, record);
                }
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
            return;
        }
        if value.is_null() {
            types::check_null(node, at, record);
            enumeration::check(
                checks.enum_.as_deref(),
                value,
                self.schema.kubernetes(),
                at,
                record,
            );
            return;
        }
        if (R::COUNTED || !checks.shortcuts.typed.intersects(kind)) && types::applies(checks) {
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
                let keeps = |int| checks.shortcuts.ints.is_some_and(|ints| ints.contains(int));
                if R::COUNTED || !number.as_i64().is_some_and(keeps) {
                    numeric::check(checks, number, at, record);
                }
                record.count();
            }
            Value::Array(items) => {
                array::check(self, node, items, at, pair, record);
                record.count();
            }
            Value::Null | Value::Bool(_) | Value::Object(_) => {}
        }
        enumeration::check(checks.enum_.as_deref(), value, self.schema.kubernetes(), at, record);
        record.count();
        if let Value::Object(map) = value {
            object::check(self, node, map, at, pair, record);
            record.count();
        }
        record.count();
    }
}
