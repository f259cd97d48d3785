//! Named string formats (`format.dns1123Label()`).
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/format.go`.

#[cfg(feature = "eval")]
pub(super) mod calls;

use super::row::{Row, rows};

// The argument of `constant` is the index of the format in `FORMATS`.
pub(super) const OVERLOADS: &[Row] = rows! {
    "validate": method "format-validate" (NamedFormat string) -> (optional [string]):
        kubernetes(Validate)
        => Binding::new(validate).costing(Cost::Of(validation_cost));
    "format.named": fn "format-named" (string) -> (optional NamedFormat) => Binding::new(named);
    "format.dns1123Label": fn "format.dns1123Label" () -> NamedFormat
        => Binding::new(|_, _| constant(0));
    "format.dns1123Subdomain": fn "format.dns1123Subdomain" () -> NamedFormat
        => Binding::new(|_, _| constant(1));
    "format.dns1035Label": fn "format.dns1035Label" () -> NamedFormat
        => Binding::new(|_, _| constant(2));
    "format.qualifiedName": fn "format.qualifiedName" () -> NamedFormat
        => Binding::new(|_, _| constant(3));
    "format.dns1123LabelPrefix": fn "format.dns1123LabelPrefix" () -> NamedFormat
        => Binding::new(|_, _| constant(4));
    "format.dns1123SubdomainPrefix": fn "format.dns1123SubdomainPrefix" () -> NamedFormat
        => Binding::new(|_, _| constant(5));
    "format.dns1035LabelPrefix": fn "format.dns1035LabelPrefix" () -> NamedFormat
        => Binding::new(|_, _| constant(6));
    "format.labelValue": fn "format.labelValue" () -> NamedFormat
        => Binding::new(|_, _| constant(7));
    "format.uri": fn "format.uri" () -> NamedFormat => Binding::new(|_, _| constant(8));
    "format.uuid": fn "format.uuid" () -> NamedFormat => Binding::new(|_, _| constant(9));
    "format.byte": fn "format.byte" () -> NamedFormat => Binding::new(|_, _| constant(10));
    "format.date": fn "format.date" () -> NamedFormat => Binding::new(|_, _| constant(11));
    "format.datetime": fn "format.datetime" () -> NamedFormat => Binding::new(|_, _| constant(12));
};
