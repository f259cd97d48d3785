//! Kubernetes quantities (`1.5Gi`).
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/quantity.go`.

use super::Declarations;
use crate::types::Type;

/// The name of the type of quantities.
pub(crate) const TYPE_NAME: &str = "kubernetes.Quantity";

fn quantity() -> Type {
    Type::object(TYPE_NAME)
}

/// Declares the library's functions and types.
pub(crate) fn declare(d: &mut Declarations) {
    d.function("quantity", "string_to_quantity", [Type::String], quantity());
    d.function("isQuantity", "is_quantity_string", [Type::String], Type::Bool);
    d.function("sign", "quantity_sign", [quantity()], Type::Int);
    d.method("isGreaterThan", "quantity_is_greater_than", [quantity(), quantity()], Type::Bool);
    d.method("isLessThan", "quantity_is_less_than", [quantity(), quantity()], Type::Bool);
    d.method("compareTo", "quantity_compare_to", [quantity(), quantity()], Type::Int);
    d.method("asApproximateFloat", "quantity_get_float", [quantity()], Type::Double);
    d.method("asInteger", "quantity_get_int", [quantity()], Type::Int);
    d.method("isInteger", "quantity_is_integer", [quantity()], Type::Bool);
    d.method("add", "quantity_add", [quantity(), quantity()], quantity());
    d.method("add", "quantity_add_int", [quantity(), Type::Int], quantity());
    d.method("sub", "quantity_sub", [quantity(), quantity()], quantity());
    d.method("sub", "quantity_sub_int", [quantity(), Type::Int], quantity());
}
