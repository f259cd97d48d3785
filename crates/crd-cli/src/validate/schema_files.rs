//! JSON schemas of custom resources in files, in the layout of public catalogs: `{group}/{kind}_{version}.json`.
//!
//! Such files are made from CRDs by `openapi2jsonschema`, which closes objects and writes out integers or strings. Both
//! are undone, so that a schema is structural again. What CRDs say besides the schema, such as scope, is unknown.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Map, Value, json};

use crate::compiled::CompiledSchema;
use crate::{definition, json};

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
        // The parts are names of files, and must not lead elsewhere.
        if [group, version, kind]
            .iter()
            .any(|part| part.contains(['/', '\\']) || part.contains(".."))
        {
            return None;
        }
        let name = format!("{}_{version}.json", kind.to_lowercase());
        let path =
            self.dirs.iter().map(|dir| dir.join(group).join(&name)).find(|path| path.is_file())?;
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
        reopen(&mut schema);
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
        let decoded = definition::decode_on(&crd, self.kubernetes);
        let crd = decoded.map_err(|error| error.to_string())?.crd;
        CompiledSchema::for_version_on(&crd, version, self.kubernetes)
            .map(Arc::new)
            .map_err(|errors| errors.to_string())
    }
}

/// Undoes the changes of `openapi2jsonschema`. The depth is that of JSON, which is bounded.
fn reopen(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(reopen),
        Value::Object(map) => {
            map.remove("$schema");
            if map.get("additionalProperties") == Some(&Value::Bool(false)) {
                map.remove("additionalProperties");
            }
            let int_or_string = json!([{"type": "string"}, {"type": "integer"}]);
            if map.get("oneOf") == Some(&int_or_string) {
                map.remove("oneOf");
                map.insert("x-kubernetes-int-or-string".to_owned(), Value::Bool(true));
            }
            nullable(map);
            map.values_mut().for_each(reopen);
        }
        _ => {}
    }
}

/// Turns `type: [string, null]` into `type: string` and `nullable`.
fn nullable(map: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = map.get("type")
        && let [Value::String(type_), Value::String(null)] = &types[..]
        && null == "null"
    {
        let type_ = type_.clone();
        map.insert("type".to_owned(), Value::String(type_));
        map.insert("nullable".to_owned(), Value::Bool(true));
    }
}
