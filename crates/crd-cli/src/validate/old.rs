//! The objects and CRDs of `--old`, which those in the files replace.

use std::collections::HashMap;
use std::io::Cursor;

use serde_json::{Map, Value};

use crate::args::{Paths, Validate};
use crate::catalog::{self, CrdCatalog};
use crate::compiled::CompiledSchema;
use crate::input::{self, FileWalk, Unit};
use crate::model::CustomResourceDefinition;
use crate::objects::{self, Loaded, Placed};
use crate::verdict::Subject;
use crate::{CommandError, Context, Server, git};

/// The old state of a cluster.
#[derive(Debug, Default)]
pub(super) struct Old {
    /// The objects, by group, kind, namespace and name.
    objects: HashMap<[String; 4], Value>,
    crds: HashMap<String, CustomResourceDefinition>,
}

/// The old state, or the documents that cannot be read.
pub(super) enum Read {
    Old(Old),
    /// They have been printed. A document whose old one is missing would be validated as a new one.
    Unreadable,
}

/// Reads the files of `--old`.
pub(super) fn read(context: &mut Context<'_>, args: &Validate) -> Result<Read, CommandError> {
    let Some(old) = &args.old else { return Ok(Read::Old(Old::default())) };
    let files = Paths { paths: vec![old.clone()], ..args.files.paths() };
    let loaded = match git::reference(old) {
        Some(reference) => {
            let mut units = of_commit(reference, &args.files.paths())?;
            let mut crds = args.crds();
            // Those that are kept elsewhere have no old state.
            crds.paths.retain(|path| git::has_commit(reference, path));
            units.extend(of_commit(reference, &crds)?);
            Loaded::of(units)
        }
        None => objects::read(context.registry, &files)?,
    };
    loaded.print_unreadable(context)?;
    if loaded.is_partial() {
        return Ok(Read::Unreadable);
    }
    let mut old = Old::default();
    for Placed { place, value, .. } in loaded.crds {
        let decoded = Server::of(args.kubernetes).decode(&value);
        let crd = decoded.map_err(|error| CommandError(format!("{place}: {error}")))?.crd;
        old.crds.insert(crd.metadata.name.clone(), crd);
    }
    for Placed { value, .. } in loaded.objects {
        old.objects.insert(key(&Subject::of(&value), &args.namespace), value);
    }
    Ok(Read::Old(old))
}

/// Returns the documents that the files had in a commit.
fn of_commit(reference: &str, files: &Paths) -> Result<Vec<Unit>, CommandError> {
    let mut units = Vec::new();
    for path in files.paths.iter().filter(|path| path.as_os_str() != "-") {
        for (file, bytes) in git::files(reference, path)? {
            if FileWalk::has(files, path, &file) {
                units.extend(input::of_bytes(&file, Cursor::new(bytes)));
            }
        }
    }
    Ok(units)
}

/// Returns the identity of an object, which its version is not part of.
fn key(subject: &Subject, namespace: &str) -> [String; 4] {
    let Subject { api_version, kind, namespace: own, name } = subject;
    let group = api_version.split_once('/').map_or("", |(group, _)| group);
    let namespace = if own.is_empty() { namespace } else { own };
    [group, kind, namespace, name].map(str::to_owned)
}

impl Old {
    /// Returns the old CRD of a name.
    pub(super) fn crd(&self, name: &str) -> Option<&CustomResourceDefinition> {
        self.crds.get(name)
    }

    /// Returns the old object of which `object` is an update, in its version, and sets the metadata that the server
    /// copies from it.
    ///
    /// # Errors
    /// If only a webhook knows the old object in the version of the new one.
    pub(super) fn object(
        &self,
        subject: &Subject,
        catalog: &CrdCatalog,
        schema: &CompiledSchema,
        namespace: &str,
        object: &mut Value,
    ) -> Result<Option<Value>, String> {
        let Some(old) = self.objects.get(&key(subject, namespace)) else { return Ok(None) };
        let mut old = old.clone();
        let Subject { api_version: version, name, .. } = Subject::of(&old);
        // A generated name is new.
        if metadata(object).and_then(|metadata| metadata.get("name")) != Some(&Value::from(name)) {
            return Ok(None);
        }
        if version != subject.api_version {
            if catalog.has_webhook(&version, &subject.kind) {
                return Err(format!(
                    "the old object is of version \"{version}\", which a webhook converts: validated as a new object"
                ));
            }
            old["apiVersion"] = Value::from(subject.api_version.as_str());
        }
        if let (Some(metadata), Some(kept)) = (metadata(object), metadata(&mut old)) {
            kept.entry("resourceVersion").or_insert_with(|| Value::from(catalog::STORED_VERSION));
            for key in ["resourceVersion", "uid", "creationTimestamp"] {
                if let Some(value) = kept.get(key) {
                    metadata.insert(key.to_owned(), value.clone());
                }
            }
            if schema.resource().namespaced {
                kept.entry("namespace").or_insert_with(|| Value::from(namespace));
            }
        }
        Ok(Some(old))
    }
}

fn metadata(object: &mut Value) -> Option<&mut Map<String, Value>> {
    object.get_mut("metadata").and_then(Value::as_object_mut)
}
