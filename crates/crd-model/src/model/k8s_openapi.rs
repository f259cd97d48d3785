//! Converts k8s-openapi's CustomResourceDefinition from and to this crate's.

mod schema;

use std::borrow::Cow;

use k8s_openapi::ByteString;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1 as k8s;
use serde_json::Value;

use super::{CustomResourceDefinition, Manifest};
use crate::field::{Error, ErrorList, Path};

impl Manifest for k8s::CustomResourceDefinition {
    fn manifest(&self) -> Result<Cow<'_, CustomResourceDefinition>, ErrorList> {
        serde_json::to_value(self)
            .and_then(serde_json::from_value)
            .map(Cow::Owned)
            .map_err(|error| Error::invalid(&Path::ROOT, "", error.to_string()).into())
    }
}

/// Converts to the type that kube's clients use.
///
/// # Errors
/// If a `caBundle` is not base64.
impl TryFrom<&CustomResourceDefinition> for k8s::CustomResourceDefinition {
    type Error = serde_json::Error;

    fn try_from(crd: &CustomResourceDefinition) -> Result<Self, serde_json::Error> {
        crd.clone().try_into()
    }
}

/// Converts to the type that kube's clients use.
///
/// # Errors
/// If a `caBundle` is not base64.
impl TryFrom<CustomResourceDefinition> for k8s::CustomResourceDefinition {
    type Error = serde_json::Error;

    /// PERF: schemas, which are nearly all of a definition, are converted directly; the rest goes through JSON.
    fn try_from(mut crd: CustomResourceDefinition) -> Result<Self, serde_json::Error> {
        let mut schemas = Vec::with_capacity(crd.spec.versions.len());
        for version in &mut crd.spec.versions {
            schemas.push(version.schema.as_mut().and_then(|of| of.open_api_v3_schema.take()));
        }
        let mut converted: Self = serde_json::from_value(serde_json::to_value(crd)?)?;
        for (version, schema) in converted.spec.versions.iter_mut().zip(schemas) {
            if let (Some(of), Some(schema)) = (&mut version.schema, schema) {
                of.open_api_v3_schema = Some(schema::convert(schema));
            }
        }
        Ok(converted)
    }
}

/// Converts a definition to k8s-openapi's types.
///
/// A `caBundle` that is not base64 is left out, because k8s-openapi stores its bytes. The macro rejects such a value.
///
/// # Panics
/// Never, because both types are of the same API. A test converts a definition that uses every field.
#[must_use]
pub fn to_k8s(mut crd: CustomResourceDefinition) -> k8s::CustomResourceDefinition {
    let webhook = crd.spec.conversion.as_mut().and_then(|conversion| conversion.webhook.as_mut());
    let config = webhook.and_then(|webhook| webhook.client_config.as_mut());
    if let Some(config) = config {
        config.ca_bundle.take_if(|bundle| {
            let text = Value::from(bundle.as_str());
            serde_json::from_value::<ByteString>(text).is_err()
        });
    }
    crd.try_into().expect("only a `caBundle` can be rejected, and it is base64")
}
