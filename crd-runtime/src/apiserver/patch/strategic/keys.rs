//! Which lists a strategic merge patch merges, and by which key.
//!
//! The server reads this from the tags `patchStrategy` and `patchMergeKey` of its Go types. Here, it follows from the
//! schemas: a list of type `map` is merged by the first of its keys, and other lists are replaced. The exceptions are
//! constants.
//!
//! Source: the types in `v1` of each group in `k8s.io/api`, such as `apps/v1/types.go`, and `k8s.io/apimachinery/pkg/apis/meta/v1/types.go`.

use crate::model::{JsonSchemaProps, SchemaOrArray, SchemaOrBool};

/// Lists of type `map` that have no `patchStrategy`.
const REPLACED_MAPS: [&str; 3] = ["claims", "resources", "volumeHealth"];
/// Lists of type `set` whose `patchStrategy` is `merge`.
const MERGED_SETS: [&str; 2] = ["finalizers", "podCIDRs"];
/// Lists that are merged by a key that their schemas do not state: the conditions of jobs and the `hostIPs` of pods,
/// which are of type `atomic`, and the secrets of service accounts, whose names cannot be a key in a schema, because
/// they are optional.
const KEYS: [(&str, &str); 3] = [("conditions", "type"), ("hostIPs", "ip"), ("secrets", "name")];
/// The only object whose `patchStrategy` is `replace`, the selector of a pod disruption budget, and the field beside it
/// by which its type is recognized.
const REPLACED_OBJECT: (&str, &str) = ("selector", "minAvailable");

/// How a list is merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Merged<'s> {
    /// The key of its items; `None` if the items are scalars.
    pub(super) key: Option<&'s str>,
}

/// Returns how a list is merged; `None` if a patch replaces it.
pub(super) fn merged<'s>(name: &str, list: Option<&'s JsonSchemaProps>) -> Option<Merged<'s>> {
    let list = list?;
    match list.x_list_type.as_deref() {
        Some("map") if REPLACED_MAPS.contains(&name) => None,
        Some("map") => Some(Merged { key: Some(list.x_list_map_keys.as_ref()?.first()?) }),
        Some("set") => MERGED_SETS.contains(&name).then_some(Merged { key: None }),
        _ => {
            let (_, key) = KEYS.iter().find(|(known, _)| *known == name)?;
            Some(Merged { key: Some(key) })
        }
    }
}

/// Whether a patch replaces an object. `schema` is that of the object around it.
pub(super) fn is_replaced(name: &str, schema: Option<&JsonSchemaProps>) -> bool {
    let (replaced, beside) = REPLACED_OBJECT;
    name == replaced
        && schema
            .and_then(|schema| schema.properties.as_ref())
            .is_some_and(|properties| properties.contains_key(beside))
}

/// Returns the schema of a field or of a value of a map.
pub(super) fn property<'s>(
    schema: Option<&'s JsonSchemaProps>,
    name: &str,
) -> Option<&'s JsonSchemaProps> {
    let schema = schema?;
    if let Some(property) = schema.properties.as_ref().and_then(|properties| properties.get(name)) {
        return Some(property);
    }
    match &schema.additional_properties {
        Some(SchemaOrBool::Schema(values)) => Some(values),
        _ => None,
    }
}

/// Returns the schema of the items of a list.
pub(super) fn items(list: Option<&JsonSchemaProps>) -> Option<&JsonSchemaProps> {
    match list?.items.as_ref()? {
        SchemaOrArray::Schema(items) => Some(items),
        SchemaOrArray::Array(_) | SchemaOrArray::Neither(_) => None,
    }
}
