//! Compiles a version of a CRD into its [`CompiledSchema`].
//!
//! It prunes the defaults of a schema by that schema. It is not a part of [`crate::compiled`], because pruning uses
//! that module.

mod prune_defaults;

use std::borrow::Cow;

use crate::compiled::{CompiledSchema, Dialect, Resource};
use crate::field::{self, ErrorList};
use crate::model::{CustomResourceDefinition, Manifest};
use crate::schema::Structural;
use crate::{Defined, Server};

pub(crate) use prune_defaults::prune_defaults;

impl CompiledSchema {
    /// Compiles the schema of one version of a CRD, for [`KubernetesVersion::REFERENCE`](crate::KubernetesVersion::REFERENCE).
    ///
    /// The CRD need not be valid: the schema of a CRD that the server rejects compiles, too, if the server can
    /// convert it to a structural schema.
    ///
    /// # Errors
    /// `Not found` at `spec.versions` for a version that the CRD does not have, and `Invalid value` at
    /// the schema if it cannot be structural.
    pub fn for_version(crd: &impl Manifest, version: &str) -> Result<Self, ErrorList> {
        Server::REFERENCE.compile(crd, version)
    }

    /// Compiles the schema of a derived kind.
    ///
    /// # Errors
    /// `Invalid value` at the schema if it cannot be structural.
    pub fn of<K: Defined>() -> Result<Self, ErrorList> {
        Self::for_version(&K::defined(), K::DEFINED_AS.version)
    }
}

impl Server {
    /// Does what [`CompiledSchema::for_version`] does, as this server.
    ///
    /// # Errors
    /// Returns the errors of [`CompiledSchema::for_version`].
    pub fn compile(self, crd: &impl Manifest, version: &str) -> Result<CompiledSchema, ErrorList> {
        let crd: Cow<'_, CustomResourceDefinition> = crd.manifest()?;
        let spec = field::Path::new("spec");
        let versions = spec.field("versions");
        let found = crd.spec.versions.iter().enumerate().find(|(_, found)| found.name == version);
        let Some((index, found)) = found else {
            return Err(field::Error::not_found(&versions, version).into());
        };
        let props = found.schema.as_ref().and_then(|schema| schema.open_api_v3_schema.as_ref());
        let structural = props.map(Structural::try_from).transpose().map_err(|error| {
            let path = versions.index(index);
            field::Error::invalid(&path.field("schema.openAPIV3Schema"), "", error.to_string())
        })?;
        let mut schema = CompiledSchema::new(
            structural,
            Resource::of(&crd, found),
            Dialect::Objects,
            self.kubernetes,
        );
        if !crd.spec.preserve_unknown_fields {
            prune_defaults(&mut schema);
        }
        Ok(schema)
    }
}
