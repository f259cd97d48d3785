//! The `OpenAPI` documents that the server publishes for a kind, one per version.
//!
//! Source: `pkg/controller/openapi/builder/builder.go` of apiextensions-apiserver; the texts of built-in types and of
//! parameters are data of the API, kept in `data/`.

mod downgrade;
mod explain;

mod names;
mod object;
mod paths;
mod shared;
mod wrap;

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Map, Value, json};

pub use explain::{ExplainError, explain};
pub use shared::definition_to_v2;

use crate::Server;
use crate::compiled::CompiledSchema;
use crate::field::ErrorList;
use crate::model::Manifest;

/// A version of `OpenAPI`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edition {
    V2,
    V3,
}

impl Edition {
    /// Returns a reference to a definition.
    fn reference(self, name: &str) -> String {
        match self {
            Self::V2 => format!("#/definitions/{name}"),
            Self::V3 => format!("#/components/schemas/{name}"),
        }
    }
}

/// Returns the document of one version, as the server publishes it at `/openapi/v3/apis/<group>/<version>`.
///
/// # Errors
/// `Not found` for a version that the CRD does not have.
pub fn v3(crd: &impl Manifest, version: &str) -> Result<Value, ErrorList> {
    Server::REFERENCE.openapi_v3(crd, version)
}

/// Returns the document of one version, as the server merges it into `/openapi/v2`.
///
/// # Errors
/// `Not found` for a version that the CRD does not have.
pub fn v2(crd: &impl Manifest, version: &str) -> Result<Value, ErrorList> {
    Server::REFERENCE.openapi_v2(crd, version)
}

fn info() -> Value {
    json!({"title": "Kubernetes CRD Swagger", "version": "v0.1.0"})
}

impl Server {
    /// Returns the document of [`v3`] as this server does.
    ///
    /// # Errors
    /// `Not found` for a version that the CRD does not have.
    pub fn openapi_v3(self, crd: &impl Manifest, version: &str) -> Result<Value, ErrorList> {
        let schema = compiled(crd, version, self.kubernetes)?;
        Ok(json!({
            "openapi": "3.0.0",
            "info": info(),
            "components": {"schemas": definitions(&schema, Edition::V3)},
            "paths": paths::all(schema.resource(), Edition::V3),
        }))
    }

    /// Returns the document of [`v2`] as this server does.
    ///
    /// # Errors
    /// `Not found` for a version that the CRD does not have.
    pub fn openapi_v2(self, crd: &impl Manifest, version: &str) -> Result<Value, ErrorList> {
        let schema = compiled(crd, version, self.kubernetes)?;
        Ok(json!({
            "swagger": "2.0",
            "info": info(),
            "definitions": definitions(&schema, Edition::V2),
            "parameters": shared::parameters(schema.resource().namespaced),
            "paths": paths::all(schema.resource(), Edition::V2),
        }))
    }
}

/// Compiles the schema of a version, or the version without its schema if the schema cannot be compiled.
fn compiled(
    crd: &impl Manifest,
    version: &str,
    kubernetes: KubernetesVersion,
) -> Result<CompiledSchema, ErrorList> {
    let crd = crd.manifest()?;
    match Server::of(kubernetes).compile(&*crd, version) {
        Ok(schema) => Ok(schema),
        Err(errors) => {
            let mut bare = crd.into_owned();
            let found = bare.spec.versions.iter_mut().find(|found| found.name == version);
            found.ok_or(errors)?.schema = None;
            Server::of(kubernetes).compile(&bare, version)
        }
    }
}

/// Returns the definitions of the kind, of its list, and of all types that they and their operations refer to.
fn definitions(schema: &CompiledSchema, edition: Edition) -> Map<String, Value> {
    let resource = schema.resource();
    let mut definitions =
        shared::definitions(edition, resource.scale.is_some(), schema.kubernetes());
    definitions
        .insert(names::model(resource, &resource.names.kind), object::object(schema, edition));
    definitions
        .insert(names::model(resource, &resource.names.list_kind), object::list(resource, edition));
    definitions
}

#[cfg(test)]
mod tests;
