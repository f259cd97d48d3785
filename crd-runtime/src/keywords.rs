//! Whether an object keeps the OpenAPI keywords of its schema: one of the checks of [`crate::admit`], alone.

use serde_json::Value;

use crate::compiled::CompiledSchema;
use crate::field::{ErrorList, Path, Sink};
use crate::value;

/// Validates an object by the keywords of its schema (types, bounds, patterns, formats, enums, junctors), in the
/// server's order and words. The object is taken as it is: nothing is pruned or defaulted.
///
/// Source: `ValidateCustomResource` in `pkg/apiserver/validation/validation.go` of apiextensions-apiserver.
///
/// ```
/// use crd_runtime::{compiled::CompiledSchema, keywords, model::CustomResourceDefinition};
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
/// let errors = keywords::validate(&schema, &json!({"spec": {"replicas": 11}}));
/// assert_eq!(
///     errors.to_string(),
///     "spec.replicas: Invalid value: 11: spec.replicas in body should be less than or equal to 10"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate(schema: &CompiledSchema, object: &Value) -> ErrorList {
    let mut errors = Sink::new();
    value::validate(schema, schema.root, object, &Path::ROOT, None, &mut errors);
    errors.into_errors()
}
