//! Coerces a decoded object to its schema.
//!
//! Source: `unstructuredSchemaCoercer.apply` and `unstructuredDefaulter.Default` in
//! `pkg/apiserver/customresource_handler.go` of apiextensions-apiserver.

use serde_json::{Map, Value};

use crate::compiled::CompiledSchema;
use crate::field::Sink;
use crate::json;
use crate::object_meta::{self, Malformed};
use crate::prune;

/// Coerces metadata, prunes, drops nulls, coerces embedded metadata and applies defaults, in the server's order. The
/// paths of unknown fields go to `found`, if given. Returns whether the object is of the schema's kind and version.
///
/// # Errors
/// If the object cannot be decoded, with the server's text.
pub(super) fn coerce_with_defaults(
    schema: &CompiledSchema,
    object: &mut Value,
    malformed: Malformed,
    found: Option<&mut Sink>,
) -> Result<bool, String> {
    let is_of_schema = coerce_without_defaults(schema, object, malformed, found)?;
    if is_of_schema {
        schema.apply_defaults(object);
    }
    Ok(is_of_schema)
}

/// Drops malformed fields of the metadata of an object that an apply has merged, and applies defaults. The object is not
/// decoded again, so its nulls are kept. Upstream: what reads a malformed field finds its zero value.
///
/// Source: `structuredMergeManager.Apply` of apimachinery `pkg/util/managedfields/internal/structuredmerge.go`.
///
/// # Errors
/// If the metadata is no object, with the server's text.
pub(super) fn coerce_merged_metadata(
    schema: &CompiledSchema,
    object: &mut Value,
) -> Result<(), String> {
    if let Some(metadata) = object.get_mut("metadata") {
        object_meta::drop_malformed(metadata)?;
        object_meta::add_null_creation_time(metadata, schema.kubernetes());
    }
    schema.apply_defaults(object);
    Ok(())
}

/// Does [`coerce_with_defaults`] without applying defaults. Returns whether the object is of the schema's kind and
/// version; otherwise the schema's defaults do not apply to it.
///
/// # Errors
/// If its metadata is malformed, in the words of the server.
pub fn coerce_without_defaults(
    schema: &CompiledSchema,
    object: &mut Value,
    malformed: Malformed,
    mut found: Option<&mut Sink>,
) -> Result<bool, String> {
    if object.is_null() {
        *object = Value::Object(Map::new());
    }
    let Value::Object(map) = object else {
        return Err(format!(
            "json: cannot unmarshal {} into Go value of type map[string]interface {{}}",
            json::kind(object)
        ));
    };
    let resource = schema.resource();
    let Head { kind, api_version, metadata } = Head::of(map);
    let has_kind = type_field(kind, "kind")? == resource.names.kind;
    let api_version = type_field(api_version, "apiVersion")?;
    // An error of `apiVersion` is returned only after metadata is coerced, as errors of metadata come first.
    let of_kind = if schema.is_api_version(api_version) {
        Ok((has_kind, true))
    } else {
        object_meta::parse_group_version(api_version).map(|(group, version)| {
            (has_kind && group == resource.group, version == resource.version)
        })
    };

    if let Some(metadata) = metadata {
        match malformed {
            Malformed::Reject => {
                let found = found.as_deref_mut();
                object_meta::normalize(metadata, || "metadata".to_owned(), found)?;
            }
            Malformed::Drop => object_meta::drop_malformed(metadata)?,
        }
        object_meta::add_null_creation_time(metadata, schema.kubernetes());
    }
    let (is_kind, is_version) = of_kind?;
    if !is_kind {
        return Ok(false);
    }
    if is_version {
        let unknown_in_metadata = found.as_mut().map_or(0, |found| found.unknown_fields().len());
        if !resource.preserve_unknown_fields {
            prune::prune_with_nulls(schema, object, found.as_deref_mut());
        }
        if schema.root().has_resources {
            object_meta::coerce(schema, object, malformed, found, unknown_in_metadata)
                .map_err(|error| error.to_string())?;
        }
    } else if !resource.preserve_unknown_fields {
        // The schemas of other versions are not known here.
        prune::prune_to_meta(object, found.unwrap_or(&mut Sink::counting()));
    }
    if malformed == Malformed::Drop
        && let Some(Value::Object(metadata)) = object.get_mut("metadata")
        && object_meta::generation(metadata) == 0
    {
        metadata.insert("generation".to_owned(), 1.into());
    }
    Ok(is_version)
}

/// The fields of an object that every resource has.
///
/// PERF: one pass over the few keys of an object is cheaper than three searches.
struct Head<'a> {
    kind: Option<&'a Value>,
    api_version: Option<&'a Value>,
    metadata: Option<&'a mut Value>,
}

impl<'a> Head<'a> {
    fn of(map: &'a mut Map<String, Value>) -> Self {
        let mut head = Self { kind: None, api_version: None, metadata: None };
        for (key, value) in map.iter_mut() {
            match key.as_str() {
                "kind" => head.kind = Some(value),
                "apiVersion" => head.api_version = Some(value),
                "metadata" => head.metadata = Some(value),
                _ => {}
            }
        }
        head
    }
}

/// Returns the text of `kind` or `apiVersion`, empty if absent.
fn type_field<'a>(value: Option<&'a Value>, key: &str) -> Result<&'a str, String> {
    match value {
        None => Ok(""),
        Some(Value::String(text)) => Ok(text),
        Some(other) => Err(format!(
            ".{key} accessor error: {} is of the type {}, expected string",
            json::to_go_v(other),
            json::go_type(other)
        )),
    }
}
