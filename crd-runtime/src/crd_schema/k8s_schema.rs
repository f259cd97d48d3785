//! Schemas of k8s-openapi's types that serialize to something other than an object with their fields.

use crate::builder::{any, formatted, open_object};
use crate::model::JsonSchemaProps;

/// The additions to the schemas of Kubernetes' own types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Additions {
    /// What controller-gen adds.
    Kubernetes,
    /// Nothing.
    Bare,
}

/// The pattern of a quantity.
///
/// Source: apimachinery `pkg/api/resource/quantity.go`; the pattern is controller-gen's.
const QUANTITY: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

/// Returns the schema of a quantity, such as `1` or `500m`. The pattern applies only to strings.
pub(super) fn quantity() -> JsonSchemaProps {
    JsonSchemaProps { pattern: QUANTITY.to_owned(), ..any_int_or_string() }
}

fn any_int_or_string() -> JsonSchemaProps {
    JsonSchemaProps { x_int_or_string: true, ..JsonSchemaProps::default() }
}

/// Returns the schema of an integer or string. The integer is an `i32`, because k8s-openapi reads no other.
pub(super) fn int_or_string() -> JsonSchemaProps {
    JsonSchemaProps {
        x_int_or_string: true,
        minimum: Some(f64::from(i32::MIN)),
        maximum: Some(f64::from(i32::MAX)),
        ..JsonSchemaProps::default()
    }
}

/// Returns the schema of base64. Upstream: the format does not accept the empty string, so empty bytes must be omitted.
pub(crate) fn bytes() -> JsonSchemaProps {
    formatted("byte")
}

/// Returns the schema of one of these types, by its name in schemars. A bare schema has no pattern and no bounds.
pub(super) fn by_name(name: &str, additions: Additions) -> Option<JsonSchemaProps> {
    Some(match name {
        "io.k8s.apimachinery.pkg.api.resource.Quantity"
        | "io.k8s.apimachinery.pkg.util.intstr.IntOrString"
            if additions == Additions::Bare =>
        {
            any_int_or_string()
        }
        "io.k8s.apimachinery.pkg.api.resource.Quantity" => quantity(),
        "io.k8s.apimachinery.pkg.util.intstr.IntOrString" => int_or_string(),
        "io.k8s.apimachinery.pkg.runtime.RawExtension"
        | "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON" => any(),
        "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1" => open_object(),
        "io.k8s.apimachinery.pkg.apis.meta.v1.Time"
        | "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime" => formatted("date-time"),
        _ => return None,
    })
}
