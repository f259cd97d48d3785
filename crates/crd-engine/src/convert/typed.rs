//! Conversion of derived types.

use std::sync::{Arc, LazyLock};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Converter, StepError, partial};
use crate::Defined;
use crate::compiled::CompiledSchema;
use crate::model::{JsonSchemaProps, Manifest as _};

/// Conversion of a derived type to another version of its kind.
///
/// Implement it between neighbouring versions, or between each version and a hub; a [`Converter`] composes these steps
/// to convert between any two versions.
///
/// # Examples
///
/// ```
/// use crd_runtime::CustomResource;
/// use crd_runtime::convert::{ConvertTo, Converter};
/// use serde::{Deserialize, Serialize};
/// use serde_json::json;
///
/// #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
/// #[crd(group = "example.com", version = "v1beta1", kind = "Endpoint", namespaced, storage = false)]
/// #[crd(root = EndpointV1Beta1)]
/// struct EndpointV1Beta1Spec {
///     address: String,
/// }
///
/// #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
/// #[crd(group = "example.com", version = "v1", kind = "Endpoint", namespaced)]
/// struct EndpointSpec {
///     host: String,
///     port: u16,
/// }
///
/// impl ConvertTo<Endpoint> for EndpointV1Beta1 {
///     type Error = String;
///     fn convert_to(self) -> Result<Endpoint, String> {
///         let (host, port) = self.spec.address.rsplit_once(':').ok_or("the address has no colon")?;
///         let port = port.parse().map_err(|_| format!("`{port}` is not a port"))?;
///         Ok(Endpoint { metadata: self.metadata, spec: EndpointSpec { host: host.to_owned(), port } })
///     }
/// }
///
/// impl ConvertTo<EndpointV1Beta1> for Endpoint {
///     type Error = std::convert::Infallible;
///     fn convert_to(self) -> Result<EndpointV1Beta1, Self::Error> {
///         let address = format!("{}:{}", self.spec.host, self.spec.port);
///         Ok(EndpointV1Beta1 { metadata: self.metadata, spec: EndpointV1Beta1Spec { address } })
///     }
/// }
///
/// let converter = Converter::of::<Endpoint>().both_ways::<EndpointV1Beta1, Endpoint>();
/// let old = json!({
///     "apiVersion": "example.com/v1beta1", "kind": "Endpoint", "metadata": {"name": "web"},
///     "spec": {"address": "localhost:80"},
/// });
/// let new = converter.convert(old, "example.com/v1")?;
/// assert_eq!(new["spec"], json!({"host": "localhost", "port": 80}));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ConvertTo<T> {
    /// The error type: any error, `String`, or [`std::convert::Infallible`] if the conversion cannot fail.
    type Error: Into<StepError>;

    /// Converts the object to the other version.
    ///
    /// # Errors
    /// If the object cannot be expressed in the other version.
    fn convert_to(self) -> Result<T, Self::Error>;
}

impl Converter {
    /// Creates a converter of a derived kind, without steps.
    #[must_use]
    pub fn of<T: Defined>() -> Self {
        Self::new(T::DEFINED_AS.group, T::DEFINED_AS.kind)
    }

    /// Adds a step from one derived version to another.
    #[must_use]
    pub fn one_way<A, B>(mut self) -> Self
    where
        A: Defined + DeserializeOwned + ConvertTo<B> + 'static,
        B: Defined + Serialize + 'static,
    {
        self.add_derived_schema::<A>();
        self.add_derived_schema::<B>();
        let schema = LazyLock::new(root_schema::<A>);
        self.step(A::DEFINED_AS.version, B::DEFINED_AS.version, move |object: Value| {
            let object = crate::json::stored(object);
            let convert = |typed: A| -> Result<Value, StepError> {
                Ok(serde_json::to_value(typed.convert_to().map_err(Into::into)?)?)
            };
            let error = match A::deserialize(&object) {
                Ok(typed) => return convert(typed),
                Err(error) => format!("does not fit `{}`: {error}", A::DEFINED_AS.api_version),
            };
            let filled = partial::convert(&schema, &object, |filled| convert(A::deserialize(&filled)?));
            match filled {
                Some(converted) => converted.map_err(|why| {
                    format!(
                        "{error}; server-side apply converts objects without such fields, but with generated values \
                         in their place the conversion fails: {why}: give fields an example that it accepts, as in \
                         `#[crd(example = \"..\")]`"
                    )
                    .into()
                }),
                None => Err(error.into()),
            }
        })
    }

    /// Adds the schema of a derived version, unless the converter has one of this version or the schema does not
    /// compile.
    fn add_derived_schema<T: Defined>(&mut self) {
        let version = T::DEFINED_AS.version;
        if self.schema(version).is_none()
            && let Ok(schema) = CompiledSchema::for_version(&T::defined(), version)
        {
            self.add_schema(version, schema);
        }
    }

    /// Adds the steps between two derived versions, both ways.
    #[must_use]
    pub fn both_ways<A, B>(self) -> Self
    where
        A: Defined + Serialize + DeserializeOwned + ConvertTo<B> + 'static,
        B: Defined + Serialize + DeserializeOwned + ConvertTo<A> + 'static,
    {
        let mut both = self.one_way::<A, B>().one_way::<B, A>();
        both.add_type(A::DEFINED_AS.version, Arc::new(reread::<A>));
        both.add_type(B::DEFINED_AS.version, Arc::new(reread::<B>));
        both
    }
}

/// Returns the schema of whole objects of a derived version.
fn root_schema<T: Defined>() -> JsonSchemaProps {
    let crd = T::defined();
    let crd = crd.manifest().unwrap_or_default();
    let version = crd.spec.versions.iter().find(|version| version.name == T::DEFINED_AS.version);
    let schema = version.and_then(|version| version.schema.clone());
    schema.and_then(|schema| schema.open_api_v3_schema).unwrap_or_default()
}

/// Deserializes an object and serializes it again; `None` if it does not fit the type.
fn reread<T: Serialize + DeserializeOwned>(object: &Value) -> Option<Value> {
    serde_json::to_value(T::deserialize(object).ok()?).ok()
}
