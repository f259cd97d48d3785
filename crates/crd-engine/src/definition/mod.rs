//! The server's checks of a CustomResourceDefinition, on create and on update.
//!
//! Everything here works on the form that the server validates: the v1 defaults are filled in, and what is equal in
//! all versions is hoisted to the top (`internal`). That form decides the paths of errors.
//!
//! Source: `pkg/apis/apiextensions/validation/validation.go` and
//! `pkg/registry/customresourcedefinition/strategy.go` of apiextensions-apiserver.

mod ca_bundle;
mod columns;
mod conversion;
mod decode;
mod defaults;
mod dump;
mod equal;
mod internal;
mod lists;
mod metadata;
mod names;
mod options;
mod place;
mod prepare;
mod root;
mod rules;
mod schema;
mod search;
mod selectable;
mod spec;
mod status;
mod subresources;
mod walk;
mod warnings;
mod webhook;

#[cfg(test)]
mod tests;

pub use conversion::has_invalid_ca_bundle;
#[doc(hidden)]
pub use decode::published_schema;
pub use decode::{DecodeError, Decoded, decode};
#[doc(hidden)]
pub use place::{SchemaStep, part_of_schema};
pub use prepare::{apply_defaults, default_stored_versions};
pub use prepare::{for_create, for_update};
pub use status::{APPROVED, approval};
pub use webhook::{check_service, check_url};

use crate::Server;
use crate::field::{ErrorList, Path, Sink};
use crate::model::{CustomResourceDefinition, Manifest};
use internal::Internal;
use options::Options;

/// Checks a definition that is created, as the server does: `ValidateCustomResourceDefinition`.
///
/// The status and generation of the definition are ignored.
///
/// # Examples
///
/// A test that the server accepts a derived kind:
///
/// ```
/// use crd_runtime::{CustomResource, definition};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
/// #[crd(group = "example.com", version = "v1", kind = "Shirt", namespaced)]
/// struct ShirtSpec {
///     size: String,
/// }
///
/// definition::validate(&Shirt::crd()).into_result()?;
///
/// let mut crd = Shirt::definition();
/// crd.spec.names.plural = "Shirts".to_owned();
/// let errors = definition::validate(&crd);
/// assert!(errors.iter().any(|error| error.field == "spec.names.plural"), "{errors}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate(crd: &impl Manifest) -> ErrorList {
    Server::REFERENCE.validate(crd)
}

/// Checks a definition that replaces another, as the server does: `ValidateCustomResourceDefinitionUpdate`.
///
/// The new definition has the status of the old one. The server tolerates some mistakes that the old definition
/// already has.
pub fn validate_update(crd: &impl Manifest, old: &impl Manifest) -> ErrorList {
    Server::REFERENCE.validate_update(crd, old)
}

/// Checks a write to the status of a definition: `ValidateUpdateCustomResourceDefinitionStatus`.
///
/// The spec is ignored. `storedVersions` is not validated here, so that a migration can remove an entry.
pub fn validate_status_update(crd: &impl Manifest, old: &impl Manifest) -> ErrorList {
    let (crd, old) = match (crd.manifest(), old.manifest()) {
        (Ok(crd), Ok(old)) => (crd, old),
        (Err(errors), _) | (_, Err(errors)) => return errors,
    };
    let mut errors = Sink::new();
    metadata::check_update(&crd, &old, &mut errors);
    if let Some(status) = &crd.status {
        let path = Path::new("status");
        names::check(&status.accepted_names, &path.field("acceptedNames"), &mut errors);
    }
    errors.into_errors()
}

/// The server's warnings when a definition is created. Empty if `crd` cannot be read, which [`validate`] reports.
pub fn warnings(crd: &impl Manifest) -> Vec<String> {
    Server::REFERENCE.warnings(crd)
}

/// The server's warnings when a definition replaces another, without those that the old one had. Empty if one of
/// them cannot be read, which [`validate_update`] reports.
pub fn update_warnings(crd: &impl Manifest, old: &impl Manifest) -> Vec<String> {
    Server::REFERENCE.update_warnings(crd, old)
}

impl Server {
    /// Does what [`validate()`] does, as this server.
    pub fn validate(self, crd: &impl Manifest) -> ErrorList {
        let kubernetes = self.kubernetes;
        let crd = match crd.manifest() {
            Ok(crd) => for_create(&crd, kubernetes),
            Err(errors) => return errors,
        };
        let internal = Internal::new(&crd);
        let mut errors = Sink::of(kubernetes);
        metadata::check_create(&crd, &mut errors);
        spec::check(&internal, &Options::create(kubernetes), &mut errors);
        check_status(&crd, &mut errors);
        status::check_approval(&crd, None, &mut errors);
        status::check_preserve_unknown_fields(&crd, None, &mut errors);
        errors.into_errors()
    }

    /// Does what [`validate_update`] does, as this server.
    pub fn validate_update(self, crd: &impl Manifest, old: &impl Manifest) -> ErrorList {
        let kubernetes = self.kubernetes;
        let (crd, old) = match (crd.manifest(), old.manifest()) {
            (Ok(crd), Ok(old)) => for_update(&crd, &old, kubernetes),
            (Err(errors), _) | (_, Err(errors)) => return errors,
        };
        let (internal, old_internal) = (Internal::new(&crd), Internal::new(&old));
        let mut errors = Sink::of(kubernetes);
        metadata::check_update(&crd, &old, &mut errors);
        let options = Options::update(&internal, &old_internal, kubernetes);
        spec::check(&internal, &options, &mut errors);
        spec::check_immutable(&crd, &old, &options, &mut errors);
        check_status(&crd, &mut errors);
        status::check_approval(&crd, Some(&old), &mut errors);
        status::check_preserve_unknown_fields(&crd, Some(&old), &mut errors);
        errors.into_errors()
    }

    /// Does what [`warnings()`] does, as this server.
    pub fn warnings(self, crd: &impl Manifest) -> Vec<String> {
        match crd.manifest() {
            Ok(crd) => warnings::of_create(&Internal::new(&crd), self.kubernetes),
            Err(_) => Vec::new(),
        }
    }

    /// Does what [`update_warnings`] does, as this server.
    pub fn update_warnings(self, crd: &impl Manifest, old: &impl Manifest) -> Vec<String> {
        match (crd.manifest(), old.manifest()) {
            (Ok(crd), Ok(old)) => {
                warnings::of_update(&Internal::new(&crd), &Internal::new(&old), self.kubernetes)
            }
            _ => Vec::new(),
        }
    }
}

fn check_status(crd: &CustomResourceDefinition, errors: &mut Sink) {
    let path = Path::new("status");
    let Some(status) = &crd.status else {
        return status::check_stored_versions(&[], &crd.spec.versions, &path, errors);
    };
    names::check(&status.accepted_names, &path.field("acceptedNames"), errors);
    status::check_stored_versions(&status.stored_versions, &crd.spec.versions, &path, errors);
}
