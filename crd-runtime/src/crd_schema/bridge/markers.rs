//! Keywords that Kubernetes' Go sources give their types in comments, and that k8s-openapi's schemas do not have.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::model::{JsonSchemaProps, SchemaOrArray};

/// The keywords by type and field. The field "" is the type itself.
///
/// Source: the markers in `types.go` of k8s.io/api and k8s.io/apimachinery v0.36.2, as `tests/kube/markers` prints
/// them.
const MARKERS: &str = include_str!("../data/markers.json");

/// Returns the fields of a type by its OpenAPI name, each with the keywords to add.
pub(super) fn of(name: &str) -> impl Iterator<Item = (&'static String, &'static Value)> {
    static PARSED: LazyLock<Map<String, Value>> =
        LazyLock::new(|| serde_json::from_str(MARKERS).unwrap_or_default());
    PARSED.get(name).and_then(Value::as_object).into_iter().flatten()
}

/// Changes a list of type `map` to `atomic` if its keys may be absent, because the server rejects such a definition.
///
/// An example is `ServiceAccount.secrets`, whose key `name` is neither required nor has a default.
///
/// Source: `pkg/apis/apiextensions/validation/validation.go`, `validateMapListKeysMapSet`.
pub(super) fn drop_unusable_keys(schema: &mut JsonSchemaProps) {
    let (Some(keys), Some(SchemaOrArray::Schema(items))) = (&schema.x_list_map_keys, &schema.items)
    else {
        return;
    };
    let is_there = |key: &String| {
        let property = items.properties.as_ref().and_then(|properties| properties.get(key));
        let is_required = items.required.as_ref().is_some_and(|required| required.contains(key));
        property.is_some_and(|property| is_required || property.default.is_some())
    };
    if !keys.iter().all(is_there) {
        schema.x_list_map_keys = None;
        schema.x_list_type = Some("atomic".to_owned());
    }
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1 as core;
    use k8s_openapi::apimachinery::pkg::apis::meta::v1 as meta;
    use serde_json::json;

    use super::*;
    use crate::crd_schema::{CrdSchema, bridge};

    fn schema_of<T: CrdSchema>() -> Value {
        serde_json::to_value(T::schema()).unwrap()
    }

    #[track_caller]
    fn check<T: CrdSchema>(at: &str, want: &Value) {
        let schema = schema_of::<T>();
        let mut found = schema.pointer(at).unwrap_or_else(|| panic!("nothing at {at}")).clone();
        let parts = ["description", "items", "properties", "required", "additionalProperties"];
        if let Some(found) = found.as_object_mut() {
            found.retain(|key, _| !parts.contains(&key.as_str()));
        }
        assert_eq!(found, *want, "{at}");
    }

    #[test]
    fn the_table_is_read() {
        assert!(of("io.k8s.api.core.v1.PodSpec").count() > 10);
        assert_eq!(of("io.k8s.api.core.v1.Nothing").count(), 0);
    }

    #[test]
    fn conditions_have_the_bounds_of_their_source() {
        check::<meta::Condition>(
            "/properties/reason",
            &json!({"type": "string", "minLength": 1, "maxLength": 1024,
                "pattern": "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"}),
        );
        check::<meta::Condition>(
            "/properties/status",
            &json!({"type": "string", "enum": ["True", "False", "Unknown"]}),
        );
        check::<Vec<meta::Condition>>(
            "/items/properties/message",
            &json!({"type": "string", "maxLength": 32768}),
        );
        check::<meta::Condition>(
            "/properties/observedGeneration",
            &json!({"type": "integer", "format": "int64", "minimum": 0}),
        );
    }

    #[test]
    fn lists_and_maps_have_their_types() {
        check::<meta::LabelSelector>(
            "",
            &json!({"type": "object", "x-kubernetes-map-type": "atomic"}),
        );
        check::<Option<meta::LabelSelector>>(
            "/properties/matchExpressions",
            &json!({"type": "array", "x-kubernetes-list-type": "atomic"}),
        );
        check::<core::PodTemplateSpec>(
            "/properties/spec/properties/containers/items/properties/ports",
            &json!({"type": "array", "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["containerPort", "protocol"]}),
        );
        check::<core::PodTemplateSpec>(
            "/properties/spec/properties/containers/items/properties/ports/items/properties/protocol",
            &json!({"type": "string", "default": "TCP"}),
        );
        check::<core::Affinity>(
            "/properties/nodeAffinity/properties/preferredDuringSchedulingIgnoredDuringExecution",
            &json!({"type": "array", "x-kubernetes-list-type": "atomic"}),
        );
        check::<meta::ObjectMeta>(
            "/properties/finalizers",
            &json!({"type": "array", "x-kubernetes-list-type": "set"}),
        );
    }

    #[test]
    fn bare_schemas_have_no_markers() {
        let bare =
            serde_json::to_string(&bridge::bare::<core::PodTemplateSpec>().unwrap()).unwrap();
        for keyword in ["x-kubernetes-list-type", "x-kubernetes-map-type", "default\":", "pattern"]
        {
            assert!(!bare.contains(keyword), "{keyword}");
        }
    }

    #[test]
    fn a_list_whose_key_may_be_absent_is_atomic() {
        let schema = bridge::schema::<core::ServiceAccount>().unwrap();
        let secrets = &schema.properties.unwrap()["secrets"];
        assert_eq!(secrets.x_list_type.as_deref(), Some("atomic"));
        assert_eq!(secrets.x_list_map_keys, None);
    }
}
