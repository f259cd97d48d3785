//! Apply configurations of kinds, and their extraction from objects.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::ObjectMetaApply;
use crate::custom_resource::CustomResource;
use crate::managed_fields::{self, Error};
use crate::model::JsonSchemaProps;

/// The apply configuration of a kind. `#[crd(apply)]` beside `#[derive(CustomResource)]` implements it.
pub trait ApplyConfiguration: Serialize + DeserializeOwned {
    /// The kind.
    type Kind: CustomResource + Serialize;

    /// The metadata.
    fn metadata(&self) -> &ObjectMetaApply;

    /// The metadata.
    fn metadata_mut(&mut self) -> &mut ObjectMetaApply;

    /// The kind's schema, which is computed once.
    #[doc(hidden)]
    fn schema() -> &'static JsonSchemaProps;

    /// Extracts the configuration that `manager` has applied to an object. Applying it again changes nothing.
    ///
    /// Change the configuration and apply it: fields that the manager has applied before and that are missing now are
    /// deleted, unless another manager owns them. The object must have its managed fields, as the API server returned
    /// it. For a manager that owns nothing, the configuration has only name and namespace. A field that another manager
    /// has taken over by force is not extracted.
    ///
    /// Source: client-go's generated `ExtractDeployment`.
    ///
    /// # Examples
    ///
    /// ```
    /// use crd_runtime::CustomResource;
    /// use crd_runtime::apply::ApplyConfiguration as _;
    /// use serde::{Deserialize, Serialize};
    /// use serde_json::json;
    ///
    /// #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
    /// #[crd(group = "example.com", version = "v1", kind = "Cache", namespaced, apply)]
    /// struct CacheSpec {
    ///     size: i32,
    ///     image: String,
    /// }
    ///
    /// // As the API server returns it: `my-operator` owns `size`, and another manager `image`.
    /// let cache: Cache = serde_json::from_value(json!({
    ///     "apiVersion": "example.com/v1", "kind": "Cache",
    ///     "metadata": {
    ///         "name": "c", "namespace": "default",
    ///         "managedFields": [{
    ///             "manager": "my-operator", "operation": "Apply", "apiVersion": "example.com/v1",
    ///             "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:size": {}}},
    ///         }],
    ///     },
    ///     "spec": {"size": 1, "image": "redis"},
    /// }))?;
    /// let mut config = CacheApply::extract(&cache, "my-operator")?;
    /// config.spec.get_or_insert_default().size = Some(2);
    /// assert_eq!(serde_json::to_value(config)?["spec"], json!({"size": 2}));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`Error`]; [`Error::Undeclared`] and [`Error::Dropped`] if the Rust type lacks a field that the
    /// manager owns, so that applying would delete it.
    fn extract(object: &Self::Kind, manager: &str) -> Result<Self, Error> {
        Self::extract_subresource(object, manager, "")
    }

    /// Extracts what `manager` has applied to a subresource, such as `status`; the empty string stands for the object
    /// itself. See [`ApplyConfiguration::extract`].
    ///
    /// # Errors
    /// As for [`ApplyConfiguration::extract`].
    fn extract_subresource(
        object: &Self::Kind,
        manager: &str,
        subresource: &str,
    ) -> Result<Self, Error> {
        let object = serde_json::to_value(object)
            .map_err(|error| Error::Mismatch { why: error.to_string() })?;
        Self::extract_value(&object, manager, subresource)
    }

    /// As [`ApplyConfiguration::extract_subresource`], for an object as JSON. A typed object lacks the fields that its
    /// Rust type does not have; the JSON that the server returned has all of them.
    ///
    /// # Errors
    /// As for [`ApplyConfiguration::extract`].
    fn extract_value(object: &Value, manager: &str, subresource: &str) -> Result<Self, Error> {
        let extracted = managed_fields::extract(object, Self::schema(), manager, subresource)?;
        let config = Self::deserialize(&extracted)
            .map_err(|error| Error::Mismatch { why: error.to_string() })?;
        let kept = serde_json::to_value(&config)
            .map_err(|error| Error::Mismatch { why: error.to_string() })?;
        let mut fields = Vec::new();
        dropped("", &extracted, &kept, &mut fields);
        if fields.is_empty() { Ok(config) } else { Err(Error::Dropped { fields }) }
    }
}

/// Adds the paths of fields of `before` that `after` lacks to `into`. A `null` counts as absent.
fn dropped(path: &str, before: &Value, after: &Value, into: &mut Vec<String>) {
    match (before, after) {
        (Value::Object(before), _) => {
            for (name, before) in before.iter().filter(|(_, value)| !value.is_null()) {
                let path = format!("{path}.{name}");
                match after.get(name) {
                    Some(after) => dropped(&path, before, after, into),
                    None => into.push(path),
                }
            }
        }
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            for (index, (before, after)) in before.iter().zip(after).enumerate() {
                dropped(&format!("{path}[{index}]"), before, after, into);
            }
        }
        (Value::Array(_), _) => into.push(path.to_owned()),
        _ => {}
    }
}
