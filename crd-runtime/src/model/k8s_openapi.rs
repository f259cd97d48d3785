//! k8s-openapi's CustomResourceDefinition as a [`Manifest`], and the way back.

use std::borrow::Cow;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1 as k8s;

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

/// What kube's clients take.
///
/// # Errors
/// Where a `caBundle` is not base64.
impl TryFrom<&CustomResourceDefinition> for k8s::CustomResourceDefinition {
    type Error = serde_json::Error;

    fn try_from(crd: &CustomResourceDefinition) -> Result<Self, serde_json::Error> {
        serde_json::from_value(serde_json::to_value(crd)?)
    }
}
