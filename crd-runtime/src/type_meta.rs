//! The field for `apiVersion` and `kind` of a struct that is itself a root.

use std::fmt;
use std::marker::PhantomData;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::crd_schema::{CrdSchema, Declared, FieldShape, FieldType, Shape, ShapeKind, typed};
use crate::custom_resource::CustomResource;
use crate::model::JsonSchemaProps;

/// Serializes the `apiVersion` and `kind` of `K`, and fails to deserialize those of another kind.
///
/// A root that is generated from a spec needs no such field; a struct that is itself a root does:
///
/// ```
/// use crd_runtime::{CustomResource, TypeMeta};
/// use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(CustomResource, Serialize, Deserialize, Clone, Debug, Default)]
/// #[crd(group = "example.com", version = "v1", kind = "Endpoint", namespaced)]
/// struct Endpoint {
///     #[serde(flatten)]
///     type_meta: TypeMeta<Self>,
///     metadata: ObjectMeta,
///     host: String,
/// }
///
/// let value = serde_json::to_value(Endpoint::default())?;
/// assert_eq!((&value["apiVersion"], &value["kind"]), (&"example.com/v1".into(), &"Endpoint".into()));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub struct TypeMeta<K>(PhantomData<fn() -> K>);

impl<K> TypeMeta<K> {
    /// Returns the only value of this type.
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<K> Default for TypeMeta<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K> Clone for TypeMeta<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for TypeMeta<K> {}

impl<K> PartialEq for TypeMeta<K> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<K> Eq for TypeMeta<K> {}

impl<K> fmt::Debug for TypeMeta<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TypeMeta")
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct TypeNames<'a> {
    #[serde(borrow)]
    api_version: Option<std::borrow::Cow<'a, str>>,
    #[serde(borrow)]
    kind: Option<std::borrow::Cow<'a, str>>,
}

impl<K: CustomResource> Serialize for TypeMeta<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names =
            TypeNames { api_version: Some(K::API_VERSION.into()), kind: Some(K::KIND.into()) };
        names.serialize(serializer)
    }
}

impl<'de, K: CustomResource> Deserialize<'de> for TypeMeta<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let names = TypeNames::deserialize(deserializer)?;
        for (name, there, want) in
            [("apiVersion", names.api_version, K::API_VERSION), ("kind", names.kind, K::KIND)]
        {
            // In the items of a list, both fields may be absent.
            if let Some(there) = there.filter(|there| there != want) {
                return Err(D::Error::custom(format_args!("{name} is `{there}`, want `{want}`")));
            }
        }
        Ok(Self::new())
    }
}

impl<K> CrdSchema for TypeMeta<K> {
    const SHAPE: Shape = Shape::object(&[
        FieldShape::required("apiVersion", &Shape::of(ShapeKind::String)),
        FieldShape::required("kind", &Shape::of(ShapeKind::String)),
    ]);
    const AS_FIELD: &'static FieldType = &FieldType::of::<Self>().declared(Declared::OPEN_OBJECT);

    /// Returns a schema without properties: the schema of a root does not declare `apiVersion` and `kind`.
    fn schema() -> JsonSchemaProps {
        typed("object")
    }
}
