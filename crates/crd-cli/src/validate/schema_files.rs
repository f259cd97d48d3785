//! JSON schemas of custom resources in files, in the layout of public catalogs: `{group}/{kind}_{version}.json`.
//!
//! Such files are made from CRDs, by `crd schema` and others. Their changes are undone, so that a schema is structural
//! again. What CRDs say apart from the schema, such as the scope, is unknown.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::json;

use crate::compiled::CompiledSchema;
use crate::{Server, json, json_schema};

/// The directories with schemas, and the schemas that have been compiled so far.
pub(super) struct SchemaFiles {
    dirs: Vec<PathBuf>,
    kubernetes: KubernetesVersion,
    compiled: Mutex<HashMap<PathBuf, Compiled>>,
}

type Compiled = Result<Arc<CompiledSchema>, String>;

impl SchemaFiles {
    /// Returns the schemas in some directories; paths that are not directories have none.
    pub(super) fn of(paths: &[PathBuf], kubernetes: KubernetesVersion) -> Self {
        let dirs = paths.iter().filter(|path| path.is_dir()).cloned().collect();
        Self { dirs, kubernetes, compiled: Mutex::default() }
    }

    /// Returns the compiled schema of a kind, or its error; `None` if there is no file for it.
    pub(super) fn find(&self, api_version: &str, kind: &str) -> Option<Compiled> {
        let (group, version) = api_version.split_once('/')?;
        let name = json_schema::path(group, kind, version)?;
        let path = self.dirs.iter().map(|dir| dir.join(&name)).find(|path| path.is_file())?;
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        let compile = || {
            let found = fs::read(&path).map_err(|error| error.to_string());
            found.and_then(|bytes| self.compile(&bytes, group, version, kind))
        };
        if let Some(known) = compiled.get(&path) {
            return Some(known.clone());
        }
        let result = compile().map_err(|error| format!("{}: {error}", path.display()));
        compiled.insert(path, result.clone());
        Some(result)
    }

    fn compile(&self, bytes: &[u8], group: &str, version: &str, kind: &str) -> Compiled {
        let mut schema = json::decode(bytes).map_err(|error| error.to_string())?.value;
        json_schema::reopen(&mut schema);
        let plural = format!("{}s", kind.to_lowercase());
        let crd = json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": format!("{plural}.{group}")},
            "spec": {
                "group": group, "scope": "Namespaced", "names": {"kind": kind, "plural": plural},
                "versions": [{
                    "name": version, "served": true, "storage": true,
                    "schema": {"openAPIV3Schema": schema},
                }],
            },
        });
        let decoded = Server::of(self.kubernetes).decode(&crd);
        let crd = decoded.map_err(|error| error.to_string())?.crd;
        Server::of(self.kubernetes)
            .compile(&crd, version)
            .map(Arc::new)
            .map_err(|errors| errors.to_string())
    }
}
