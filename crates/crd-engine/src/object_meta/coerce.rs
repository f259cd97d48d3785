//! Normalizes the metadata of embedded resources while an object is decoded.
//!
//! Source: `pkg/apiserver/schema/objectmeta/algorithm.go` of apiextensions-apiserver.

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Map, Value};

use super::decode;
use crate::compiled::{Additional, CompiledSchema, Node, NodeId};
use crate::differences::Difference;
use crate::field::{BadValue, Error, Path, Sink};

/// What happens to a field of the wrong type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Malformed {
    /// Decoding fails: the object comes from a client.
    Reject,
    /// The field is dropped: the object comes from storage, or is a default.
    Drop,
}

/// Normalizes the metadata of every embedded resource below the root.
///
/// Adds the unknown fields of metadata to `found`, sorted. The first `of_root` unknown fields in `found` are those of
/// the root's own metadata, which is already normalized. The server reports them again if the root's schema has
/// `x-kubernetes-embedded-resource`.
///
/// # Errors
/// The first malformed field, if malformed fields are rejected.
pub fn coerce(
    schema: &CompiledSchema,
    object: &mut Value,
    malformed: Malformed,
    mut found: Option<&mut Sink>,
    of_root: usize,
) -> Result<(), Error> {
    let root = schema.root();
    let before = found.as_mut().map_or(0, |found| found.unknown_fields().len());
    if root.embedded_resource
        && let Some(found) = &mut found
    {
        for index in 0..of_root {
            let path = found.unknown_fields().get(index).cloned().unwrap_or_default();
            found.unknown_field(|| path);
        }
    }
    let mut coercer = Coercer { schema, malformed, found };
    coercer.children(object, root, &Path::ROOT)?;
    if let Some(found) = coercer.found
        && let Some(added) = found.unknown_fields().get_mut(before..)
    {
        added.sort_unstable();
    }
    Ok(())
}

/// Normalizes the metadata of one value and of the values below it.
///
/// # Errors
/// The first field that is malformed.
pub fn coerce_at(
    schema: &CompiledSchema,
    id: NodeId,
    value: &mut Value,
    path: &Path<'_>,
) -> Result<(), Error> {
    let mut coercer = Coercer { schema, malformed: Malformed::Reject, found: None };
    coercer.walk(value, &schema[id], path)
}

impl CompiledSchema {
    /// Drops malformed metadata at the root and in embedded resources. The server does this to a default, which it
    /// puts into an object that contains nothing else.
    ///
    /// Source: `objectmeta.Coerce` with `DropInvalidFields`.
    pub fn drop_malformed_metadata(&self, object: &mut Value) {
        let mut coercer = Coercer { schema: self, malformed: Malformed::Drop, found: None };
        // Nothing is rejected if malformed fields are dropped.
        let _ = coercer.resource(object, self.root(), &Path::ROOT);
    }
}

/// Adds `creationTimestamp: null` to metadata that has no such field, as servers before 1.34 do.
pub fn add_null_creation_time(metadata: &mut Value, kubernetes: KubernetesVersion) {
    if let Value::Object(metadata) = metadata
        && !Difference::NoNullCreationTimes.is_in(kubernetes)
        && !metadata.contains_key("creationTimestamp")
    {
        metadata.insert("creationTimestamp".to_owned(), Value::Null);
    }
}

/// Recursion follows the schema, which is finite.
struct Coercer<'s, 'f> {
    schema: &'s CompiledSchema,
    malformed: Malformed,
    /// The paths of unknown fields.
    found: Option<&'f mut Sink>,
}

impl Coercer<'_, '_> {
    fn walk(&mut self, value: &mut Value, node: &Node, path: &Path<'_>) -> Result<(), Error> {
        if node.embedded_resource {
            self.resource(value, node, path)
        } else {
            self.children(value, node, path)
        }
    }

    fn resource(&mut self, value: &mut Value, node: &Node, path: &Path<'_>) -> Result<(), Error> {
        if let Value::Object(map) = value {
            self.type_meta(map, "apiVersion", path)?;
            self.type_meta(map, "kind", path)?;
            if let Some(metadata) = map.get_mut("metadata") {
                self.metadata(metadata, &path.field("metadata"))?;
            }
        }
        self.children(value, node, path)
    }

    fn type_meta(
        &mut self,
        map: &mut Map<String, Value>,
        key: &str,
        path: &Path<'_>,
    ) -> Result<(), Error> {
        let Some(value) = map.get(key).filter(|value| !value.is_string()) else { return Ok(()) };
        if self.malformed == Malformed::Reject {
            let shown = BadValue::of(value, self.schema.kubernetes());
            return Err(Error::invalid(&path.field(key), shown, "must be a string"));
        }
        map.remove(key);
        Ok(())
    }

    fn metadata(&mut self, metadata: &mut Value, path: &Path<'_>) -> Result<(), Error> {
        match self.malformed {
            Malformed::Reject => {
                let kubernetes = self.schema.kubernetes();
                let found = self.found.as_deref_mut();
                decode::normalize_valid(metadata, || path.to_string(), found)
                    .map_err(|text| Error::invalid(path, BadValue::of(metadata, kubernetes), text))
            }
            Malformed::Drop => {
                // Upstream: metadata that is not an object is left unchanged.
                let _ = decode::drop_malformed(metadata);
                Ok(())
            }
        }
    }

    fn children(&mut self, value: &mut Value, node: &Node, path: &Path<'_>) -> Result<(), Error> {
        if !node.has_resources {
            return Ok(());
        }
        match value {
            Value::Object(map) => {
                for (key, value) in map.iter_mut() {
                    if let Some(id) = node.property(key) {
                        self.walk(value, &self.schema[id], &path.field(key))?;
                    } else if let Additional::Schema(id) = node.additional {
                        self.walk(value, &self.schema[id], &path.key(key))?;
                    }
                }
            }
            Value::Array(items) => {
                if let Some(id) = node.items {
                    let node = &self.schema[id];
                    for (index, item) in items.iter_mut().enumerate() {
                        self.walk(item, node, &path.index(index))?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }
}
