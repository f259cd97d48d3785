//! What the server does to a definition before it checks it.

use crd_cel::kubernetes::KubernetesVersion;

use crate::differences::Difference;
use crate::model::{
    Conversion, CustomResourceDefinition, CustomResourceDefinitionStatus,
    CustomResourceDefinitionVersion,
};

/// The port of a webhook's service if none is given. Source:
/// `pkg/apis/apiextensions/v1/defaults.go`, `SetDefaults_ServiceReference`.
const WEBHOOK_PORT: i32 = 443;

/// Fills in the v1 defaults of the spec.
///
/// Source: `pkg/apis/apiextensions/v1/defaults.go`.
pub fn apply_defaults(crd: &mut CustomResourceDefinition) {
    crd.spec.names.apply_defaults();
    let conversion = crd
        .spec
        .conversion
        .get_or_insert_with(|| Conversion { strategy: "None".to_owned(), webhook: None });
    if let Some(webhook) = &mut conversion.webhook
        && let Some(config) = &mut webhook.client_config
        && let Some(service) = &mut config.service
    {
        service.port.get_or_insert(WEBHOOK_PORT);
    }
}

/// Returns a new definition as the server prepares it: with defaults, generation 1, and a status that has only
/// the stored version.
///
/// Source: `strategy.PrepareForCreate`.
pub fn for_create(
    crd: &CustomResourceDefinition,
    kubernetes: KubernetesVersion,
) -> CustomResourceDefinition {
    let mut crd = crd.clone();
    drop_disabled_fields(&mut crd, None, kubernetes);
    apply_defaults(&mut crd);
    crd.metadata.generation = 1;
    crd.status = None;
    store_storage_version(&mut crd);
    crd
}

/// Returns the new definition and the old one, prepared. Source: `strategy.PrepareForUpdate`.
pub fn for_update(
    crd: &CustomResourceDefinition,
    old: &CustomResourceDefinition,
    kubernetes: KubernetesVersion,
) -> (CustomResourceDefinition, CustomResourceDefinition) {
    let (mut crd, mut old) = (crd.clone(), old.clone());
    apply_defaults(&mut crd);
    apply_defaults(&mut old);
    if old.status.as_ref().is_none_or(|status| status.stored_versions.is_empty()) {
        store_storage_version(&mut old);
    }
    crd.status.clone_from(&old.status);
    if crd.spec != old.spec {
        crd.metadata.generation = old.metadata.generation.saturating_add(1);
    }
    store_storage_version(&mut crd);
    // Upstream: a field that is dropped here has already raised the generation, as a change of the spec.
    drop_disabled_fields(&mut crd, Some(&old), kubernetes);
    (crd, old)
}

/// Drops the fields of disabled features, unless the stored definition uses them.
///
/// Source: `dropDisabledFields`.
fn drop_disabled_fields(
    crd: &mut CustomResourceDefinition,
    old: Option<&CustomResourceDefinition>,
    kubernetes: KubernetesVersion,
) {
    let uses = |crd: &CustomResourceDefinition| {
        let fields = |version: &CustomResourceDefinitionVersion| {
            version.selectable_fields.as_ref().is_some_and(|fields| !fields.is_empty())
        };
        crd.spec.versions.iter().any(fields)
    };
    if Difference::SelectableFields.is_in(kubernetes) || old.is_some_and(uses) {
        return;
    }
    for version in &mut crd.spec.versions {
        version.selectable_fields = None;
    }
}

/// Adds the storage version if there are no stored versions. Source: `SetDefaults_CustomResourceDefinition`.
pub fn default_stored_versions(crd: &mut CustomResourceDefinition) {
    if crd.status.as_ref().is_none_or(|status| status.stored_versions.is_empty()) {
        store_storage_version(crd);
    }
}

/// Adds the first storage version to the stored versions.
fn store_storage_version(crd: &mut CustomResourceDefinition) {
    let Some(version) = crd.spec.versions.iter().find(|version| version.storage) else { return };
    let status = crd.status.get_or_insert_with(CustomResourceDefinitionStatus::default);
    if !status.stored_versions.contains(&version.name) {
        status.stored_versions.push(version.name.clone());
    }
}
