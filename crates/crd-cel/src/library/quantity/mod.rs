//! Kubernetes quantities (`1.5Gi`).
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/quantity.go`.

#[cfg(feature = "eval")]
pub(super) mod calls;

use super::row::{Row, rows};

pub(super) const OVERLOADS: &[Row] = rows! {
    "quantity": fn "string_to_quantity" (string) -> Quantity: kubernetes(Parse), gives_cost_by_function_name()
        => parsing(parse).once();
    "isQuantity": fn "is_quantity_string" (string) -> bool: kubernetes(Parse), gives_cost_by_function_name()
        => parsing(is_valid);
    "sign": fn "quantity_sign" (Quantity) -> int
        => Binding::new(|_, args| property(args, |q| Ok(Value::Int(q.signum()))));
    "isGreaterThan": method "quantity_is_greater_than" (Quantity Quantity) -> bool
        => Binding::new(|_, args| compare(args, |ordering| Value::Bool(ordering.is_gt())));
    "isLessThan": method "quantity_is_less_than" (Quantity Quantity) -> bool
        => Binding::new(|_, args| compare(args, |ordering| Value::Bool(ordering.is_lt())));
    "compareTo": method "quantity_compare_to" (Quantity Quantity) -> int
        => Binding::new(|_, args| compare(args, |ordering| Value::Int(ordering as i64)));
    "asApproximateFloat": method "quantity_get_float" (Quantity) -> double
        => Binding::new(|_, args| property(args, |q| Ok(Value::Double(q.approximate()))));
    "asInteger": method "quantity_get_int" (Quantity) -> int => Binding::new(to_int);
    "isInteger": method "quantity_is_integer" (Quantity) -> bool
        => Binding::new(|_, args| property(args, |q| Ok(Value::Bool(q.as_integer().is_some()))));
    "add":
        method "quantity_add" (Quantity Quantity) -> Quantity => Binding::new(add);
        method "quantity_add_int" (Quantity int) -> Quantity => Binding::new(add);
    "sub":
        method "quantity_sub" (Quantity Quantity) -> Quantity => Binding::new(subtract);
        method "quantity_sub_int" (Quantity int) -> Quantity => Binding::new(subtract);
};
