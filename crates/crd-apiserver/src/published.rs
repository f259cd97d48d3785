//! The definitions that each `OpenAPI` document of version 3 describes.
//!
//! Source: `pkg/controller/openapiv3/controller.go` of apiextensions-apiserver.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Map, Value};

use crate::Server;
use crate::model::CustomResourceDefinition;

/// The states of definitions, by their names.
type Definitions = BTreeMap<String, Arc<CustomResourceDefinition>>;

/// The definitions that each document describes.
///
/// As on the real server, a definition stays in the document of a version that it no longer serves. It leaves its
/// documents when it is deleted or no longer established.
#[derive(Debug, Default)]
pub(super) struct Published {
    /// The last state of each established definition.
    seen: Definitions,
    /// The definitions of each group and version, each in the last state in which it served the version.
    served: BTreeMap<(String, String), Definitions>,
    /// The definitions that the document of each group and version describes.
    documents: BTreeMap<(String, String), Definitions>,
}

impl Published {
    /// Publishes the state of an established definition.
    pub(super) fn update(&mut self, crd: &CustomResourceDefinition) {
        let name = &crd.metadata.name;
        if self.seen.get(name).is_some_and(|seen| seen.spec == crd.spec) {
            return;
        }
        let crd = Arc::new(crd.clone());
        self.seen.insert(name.clone(), Arc::clone(&crd));
        for version in crd.spec.versions.iter().filter(|version| version.served) {
            let key = (crd.spec.group.clone(), version.name.clone());
            let of_version = self.served.entry(key.clone()).or_default();
            of_version.insert(name.clone(), Arc::clone(&crd));
            self.publish(&key);
        }
    }

    /// Removes a definition that is deleted or no longer established.
    pub(super) fn remove(&mut self, name: &str) {
        if self.seen.remove(name).is_none() {
            return;
        }
        let mut changed = Vec::new();
        for (key, definitions) in &mut self.served {
            if definitions.remove(name).is_some() {
                changed.push(key.clone());
            }
        }
        self.served.retain(|_, definitions| !definitions.is_empty());
        for key in changed {
            self.publish(&key);
        }
    }

    /// Renews the document of a group and version. If two definitions have types of the same name, the previous
    /// document is kept. Source: `MergeSpecsV3`.
    fn publish(&mut self, key: &(String, String)) {
        let Some(definitions) = self.served.get(key) else {
            self.documents.remove(key);
            return;
        };
        let mut types = BTreeSet::new();
        let has_unique_types = definitions.values().all(|crd| {
            let names = &crd.spec.names;
            let own = BTreeSet::from([&names.kind, &names.list_kind]);
            own.into_iter().all(|name| types.insert(name))
        });
        if has_unique_types {
            self.documents.insert(key.clone(), definitions.clone());
        }
    }

    /// Returns the path of each document, and the document.
    pub(super) fn documents(
        &self,
        kubernetes: KubernetesVersion,
    ) -> impl Iterator<Item = (String, Value)> {
        self.documents.iter().map(move |((group, version), definitions)| {
            (format!("apis/{group}/{version}"), merged_document(definitions, version, kubernetes))
        })
    }

    /// Returns the document with a path such as `apis/example.com/v1`.
    pub(super) fn document(&self, path: &str, kubernetes: KubernetesVersion) -> Option<Value> {
        let (group, version) = path.strip_prefix("apis/")?.split_once('/')?;
        let definitions = self.documents.get(&(group.to_owned(), version.to_owned()))?;
        Some(merged_document(definitions, version, kubernetes))
    }
}

fn merged_document(
    definitions: &Definitions,
    version: &str,
    kubernetes: KubernetesVersion,
) -> Value {
    let mut merged = Value::Null;
    for crd in definitions.values() {
        let Ok(document) = Server::of(kubernetes).openapi_v3(&**crd, version) else { continue };
        if merged.is_null() {
            merged = document;
            continue;
        }
        for part in ["/components/schemas", "/paths"] {
            let more = document.pointer(part).and_then(Value::as_object);
            if let (Some(Value::Object(known)), Some(more)) = (merged.pointer_mut(part), more) {
                extend(known, more);
            }
        }
    }
    merged
}

fn extend(known: &mut Map<String, Value>, more: &Map<String, Value>) {
    known.extend(more.iter().map(|(name, value)| (name.clone(), value.clone())));
}
