//! Named string formats (`format.dns1123Label()`).
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/format.go`.

use super::Declarations;
use crate::types::Type;

/// The name of the type of formats.
pub(crate) const TYPE_NAME: &str = "kubernetes.NamedFormat";

fn named_format() -> Type {
    Type::object(TYPE_NAME)
}

/// Declares the library's functions and types.
pub(crate) fn declare(d: &mut Declarations) {
    d.method(
        "validate",
        "format-validate",
        [named_format(), Type::String],
        Type::optional(Type::list(Type::String)),
    );
    d.function("format.named", "format-named", [Type::String], Type::optional(named_format()));
    d.function("format.dns1123Label", "format.dns1123Label", [], named_format());
    d.function("format.dns1123Subdomain", "format.dns1123Subdomain", [], named_format());
    d.function("format.dns1035Label", "format.dns1035Label", [], named_format());
    d.function("format.qualifiedName", "format.qualifiedName", [], named_format());
    d.function("format.dns1123LabelPrefix", "format.dns1123LabelPrefix", [], named_format());
    d.function(
        "format.dns1123SubdomainPrefix",
        "format.dns1123SubdomainPrefix",
        [],
        named_format(),
    );
    d.function("format.dns1035LabelPrefix", "format.dns1035LabelPrefix", [], named_format());
    d.function("format.labelValue", "format.labelValue", [], named_format());
    d.function("format.uri", "format.uri", [], named_format());
    d.function("format.uuid", "format.uuid", [], named_format());
    d.function("format.byte", "format.byte", [], named_format());
    d.function("format.date", "format.date", [], named_format());
    d.function("format.datetime", "format.datetime", [], named_format());
}
