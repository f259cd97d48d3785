//! The CRDs of a run, with their compiled schemas.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::Value;

use crate::Server;
use crate::compiled::CompiledSchema;
use crate::field::ErrorList;
use crate::model::CustomResourceDefinition;

/// The API version of CRDs.
pub(super) const CRD_API_VERSION: &str = "apiextensions.k8s.io/v1";
/// The kind of CRDs.
pub(super) const CRD_KIND: &str = "CustomResourceDefinition";

/// Returns whether a document is a CRD.
pub(super) fn is_crd(document: &Value) -> bool {
    let is = |key, want| document.get(key).and_then(Value::as_str) == Some(want);
    is("kind", CRD_KIND) && is("apiVersion", CRD_API_VERSION)
}

/// Returns how messages name a definition: `CustomResourceDefinition crontabs.stable.example.com`.
pub(super) fn named(crd: &Value) -> String {
    let name = crd.pointer("/metadata/name").and_then(Value::as_str);
    name.map_or_else(|| CRD_KIND.to_owned(), |name| format!("{CRD_KIND} {name}"))
}

/// Returns the message for a definition in an API version that servers no longer have, such as `v1beta1`; `None` for any
/// other document.
pub(super) fn former_definition(document: &Value) -> Option<String> {
    let text = |at| document.pointer(at).and_then(Value::as_str).unwrap_or_default();
    let version = text("/apiVersion").strip_prefix("apiextensions.k8s.io/")?;
    (text("/kind") == CRD_KIND && version != "v1").then(|| {
        format!(
            "{}: no matches for kind \"{CRD_KIND}\" in version \"apiextensions.k8s.io/{version}\": \
             write it in version \"{CRD_API_VERSION}\"",
            named(document)
        )
    })
}

/// Returns the field of the manifest for the field path of an error. The path of a part that all versions share,
/// such as `spec.validation`, becomes that of the part in the first version.
pub(super) fn in_manifest(field: &str) -> String {
    for (shared, of_version) in [
        ("spec.validation", "schema"),
        ("spec.subresources", "subresources"),
        ("spec.additionalPrinterColumns", "additionalPrinterColumns"),
        ("spec.selectableFields", "selectableFields"),
    ] {
        if let Some(rest) = field.strip_prefix(shared) {
            return format!("spec.versions[0].{of_version}{rest}");
        }
    }
    field.to_owned()
}

/// The resource version of what is stored, because manifests have none.
pub(super) const STORED_VERSION: &str = "1";

/// Sets what an update needs and manifests do not have: the resource version, which `kubectl apply` adds, and what the
/// server keeps of a stored definition.
pub(super) fn complete_update(crd: &mut CustomResourceDefinition, old: &CustomResourceDefinition) {
    let (new, stored) = (&mut crd.metadata, &old.metadata);
    if new.resource_version.is_empty() {
        STORED_VERSION.clone_into(&mut new.resource_version);
    }
    if new.uid.is_empty() {
        new.uid.clone_from(&stored.uid);
    }
    if new.creation_timestamp.is_none() {
        new.creation_timestamp.clone_from(&stored.creation_timestamp);
    }
    new.generation = new.generation.max(stored.generation);
}

/// The CRDs of a run; safe to share among threads.
#[derive(Debug, Default)]
pub(super) struct CrdCatalog {
    /// CRDs are checked as a server of this minor does it.
    kubernetes: KubernetesVersion,
    kinds: RwLock<HashMap<(String, String), Arc<CatalogEntry>>>,
}

/// A CRD, with the schemas of its versions that have been compiled so far.
#[derive(Debug)]
pub(super) struct CatalogEntry {
    pub(super) crd: CustomResourceDefinition,
    /// The number of the unit of input that contains it. [`CrdCatalog::find`] ignores it for units with smaller
    /// numbers.
    since: u64,
    versions: Mutex<HashMap<String, Compiled>>,
}

type Compiled = Result<Arc<CompiledSchema>, String>;

/// The errors and warnings of a CRD.
#[derive(Debug)]
pub(super) struct CheckResult {
    pub(super) errors: ErrorList,
    pub(super) warnings: Vec<String>,
    /// The errors of strict field validation for unknown keys.
    pub(super) unknown_fields: Vec<String>,
}

/// The result of looking up a group, version and kind.
#[derive(Debug)]
pub(super) enum KindLookup {
    /// The compiled schema of the version, or its error.
    Schema(Result<Arc<CompiledSchema>, String>),
    /// The group has CRDs, but none of this kind and version.
    NoMatch,
    /// The group has no CRDs.
    Foreign,
}

impl CrdCatalog {
    /// Creates an empty catalog for a server of this minor.
    pub(super) fn of(kubernetes: KubernetesVersion) -> Self {
        Self { kubernetes, ..Self::default() }
    }

    /// Adds a CRD of a unit. Of several with one kind, the first is used.
    ///
    /// # Errors
    /// If it does not decode.
    pub(super) fn add(&self, manifest: &Value, since: u64) -> Result<(), String> {
        let crd =
            Server::of(self.kubernetes).decode(manifest).map_err(|error| error.to_string())?.crd;
        let mut kinds = self.kinds.write().unwrap_or_else(PoisonError::into_inner);
        let new_entry =
            || Arc::new(CatalogEntry { crd: crd.clone(), since, versions: Mutex::default() });
        kinds.entry(key(&crd)).or_insert_with(new_entry);
        Ok(())
    }

    /// Checks a CRD as the server does when it is created, or as an update of an old one.
    ///
    /// # Errors
    /// If it does not decode, or differs from another CRD of its kind.
    pub(super) fn check(
        &self,
        manifest: &Value,
        old: Option<&CustomResourceDefinition>,
    ) -> Result<CheckResult, String> {
        let kubernetes = self.kubernetes;
        let decoded = Server::of(kubernetes).decode(manifest).map_err(|error| error.to_string())?;
        let mut crd = decoded.crd;
        let known = {
            let kinds = self.kinds.read().unwrap_or_else(PoisonError::into_inner);
            kinds.get(&key(&crd)).cloned()
        };
        if known.is_some_and(|known| known.crd != crd) {
            return Err(format!(
                "kind {} of group {} is defined twice",
                crd.spec.names.kind, crd.spec.group
            ));
        }
        let (errors, warnings) = match old {
            None => (Server::of(kubernetes).validate(&crd), Server::of(kubernetes).warnings(&crd)),
            Some(old) => {
                complete_update(&mut crd, old);
                (
                    Server::of(kubernetes).validate_update(&crd, old),
                    Server::of(kubernetes).update_warnings(&crd, old),
                )
            }
        };
        Ok(CheckResult { errors, warnings, unknown_fields: decoded.unknown_fields })
    }

    /// Every CRD, by group and kind.
    pub(super) fn all(&self) -> Vec<Arc<CatalogEntry>> {
        let kinds = self.kinds.read().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<_> = kinds.values().cloned().collect();
        all.sort_by(|a, b| {
            a.crd
                .spec
                .group
                .cmp(&b.crd.spec.group)
                .then_with(|| a.crd.spec.names.kind.cmp(&b.crd.spec.names.kind))
        });
        all
    }

    /// Looks up the kind of an object, among the CRDs of the units up to the one with the number `unit`.
    pub(super) fn find(&self, api_version: &str, kind: &str, unit: u64) -> KindLookup {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        let known = {
            let kinds = self.kinds.read().unwrap_or_else(PoisonError::into_inner);
            match kinds.get(&(group.to_owned(), kind.to_owned())) {
                Some(known) if known.since <= unit => Arc::clone(known),
                _ if kinds.iter().any(|((of, _), known)| of == group && known.since <= unit) => {
                    return KindLookup::NoMatch;
                }
                _ => return KindLookup::Foreign,
            }
        };
        if !known.crd.spec.versions.iter().any(|found| found.name == version && found.served) {
            return KindLookup::NoMatch;
        }
        KindLookup::Schema(known.schema(version, self.kubernetes))
    }

    /// Returns whether a webhook converts the objects of a kind from one version to another.
    pub(super) fn has_webhook(&self, api_version: &str, kind: &str) -> bool {
        let group = api_version.split_once('/').map_or("", |(group, _)| group);
        let kinds = self.kinds.read().unwrap_or_else(PoisonError::into_inner);
        let known = kinds.get(&(group.to_owned(), kind.to_owned()));
        let conversion = known.and_then(|known| known.crd.spec.conversion.as_ref());
        conversion.is_some_and(|conversion| conversion.strategy == "Webhook")
    }
}

fn key(crd: &CustomResourceDefinition) -> (String, String) {
    (crd.spec.group.clone(), crd.spec.names.kind.clone())
}

impl CatalogEntry {
    /// Returns the schema of a version, compiled for a server when first asked for.
    fn schema(
        &self,
        version: &str,
        kubernetes: KubernetesVersion,
    ) -> Result<Arc<CompiledSchema>, String> {
        let mut versions = self.versions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(compiled) = versions.get(version) {
            return compiled.clone();
        }
        let compiled = Server::of(kubernetes)
            .compile(&self.crd, version)
            .map(Arc::new)
            .map_err(|errors| errors.to_string());
        versions.insert(version.to_owned(), compiled.clone());
        compiled
    }
}
