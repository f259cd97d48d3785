//! Recognizes the types of Kubernetes in schemas, by the names of their fields.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crd_cel::kubernetes::KubernetesVersion;

use super::{TYPES, TypeDefinition};

/// With fewer fields, a type of someone else may have the same ones by chance.
const FEWEST: usize = 3;

/// With so many fields that a struct has all of, a type is that struct as an older or newer server has it.
const MANY: usize = 8;

/// The names of the fields of each struct, as each minor has them.
static STRUCTS: LazyLock<BTreeSet<BTreeSet<&'static str>>> = LazyLock::new(|| {
    let structs =
        TYPES.values().filter(|named| matches!(named.definition(), TypeDefinition::Struct(_)));
    let names = structs.flat_map(|named| {
        KubernetesVersion::ALL
            .into_iter()
            .map(|version| named.fields(version.minor()).map(|field| field.name).collect())
    });
    names.filter(|names: &BTreeSet<_>| names.len() >= FEWEST).collect()
});

/// Returns whether an object with these fields is, by their names, a type of Kubernetes such as `core.v1.Toleration`,
/// also one of a minor that the table does not have.
pub fn is_struct_with(names: &BTreeSet<&str>) -> bool {
    STRUCTS.contains(names)
        || (names.len() >= MANY && STRUCTS.iter().any(|known| names.is_subset(known)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_recognized_by_their_fields() {
        for (names, want) in [
            (&["effect", "key", "operator", "tolerationSeconds", "value"][..], true),
            (&["effect", "key", "operator", "value"], false),
            (&["name"], false),
            // A container of an older server.
            (
                &[
                    "args",
                    "command",
                    "env",
                    "envFrom",
                    "image",
                    "imagePullPolicy",
                    "lifecycle",
                    "name",
                ],
                true,
            ),
            (
                &["args", "command", "env", "envFrom", "image", "imagePullPolicy", "mine", "name"],
                false,
            ),
        ] {
            assert_eq!(is_struct_with(&names.iter().copied().collect()), want, "{names:?}");
        }
    }
}
