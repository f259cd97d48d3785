//! How a decoded object is made to fit its schema.
//!
//! Source: `unstructuredSchemaCoercer.apply` and `unstructuredDefaulter.Default` in
//! `pkg/apiserver/customresource_handler.go` of apiextensions-apiserver.

use serde_json::{Map, Value};

use crate::compiled::CompiledSchema;
use crate::defaulting;
use crate::json;
use crate::object_meta::{self, Malformed};
use crate::prune;

/// An object that fits, and what did not.
pub(super) struct Conformed {
    pub(super) object: Value,
    pub(super) unknown_fields: Vec<String>,
    pub(super) duplicate_fields: Vec<String>,
}

impl Conformed {
    pub(super) const fn has_strict_errors(&self) -> bool {
        !self.unknown_fields.is_empty() || !self.duplicate_fields.is_empty()
    }

    /// What strict field validation says, duplicates first.
    pub(super) fn strict_errors(&self) -> impl Iterator<Item = String> {
        let unknown = self.unknown_fields.iter().map(|path| format!("unknown field \"{path}\""));
        self.duplicate_fields.iter().cloned().chain(unknown)
    }
}

/// Types metadata, prunes, drops nulls, types embedded metadata and adds defaults; returns the paths of
/// unknown fields, where they are asked for, in the server's order.
///
/// # Errors
/// Why the object does not decode.
pub(super) fn conform(
    schema: &CompiledSchema,
    object: &mut Value,
    malformed: Malformed,
    track_unknown: bool,
) -> Result<Vec<String>, String> {
    let (unknown, is_version) = strip(schema, object, malformed, track_unknown)?;
    if is_version {
        defaulting::apply_defaults(schema, object);
    }
    Ok(unknown)
}

/// As [`conform`], before defaults are added; and whether the object is of the schema's version, so that there are
/// some.
pub(crate) fn strip(
    schema: &CompiledSchema,
    object: &mut Value,
    malformed: Malformed,
    track_unknown: bool,
) -> Result<(Vec<String>, bool), String> {
    if object.is_null() {
        *object = Value::Object(Map::new());
    }
    let Value::Object(map) = object else {
        return Err(format!(
            "json: cannot unmarshal {} into Go value of type map[string]interface {{}}",
            object_meta::json_kind(object)
        ));
    };
    let resource = schema.resource();
    let Head { kind, api_version, metadata } = Head::of(map);
    let is_named = type_field(kind, "kind")? == resource.names.kind;
    let api_version = type_field(api_version, "apiVersion")?;
    // What is wrong with it is said once metadata is typed.
    let of_kind = if schema.is_api_version(api_version) {
        Ok((is_named, true))
    } else {
        object_meta::parse_group_version(api_version).map(|(group, version)| {
            (is_named && group == resource.group, version == resource.version)
        })
    };

    let mut unknown = Vec::new();
    if let Some(metadata) = metadata {
        match malformed {
            Malformed::Refuse => {
                let unknown = track_unknown.then_some(&mut unknown);
                object_meta::normalize(metadata, || "metadata".to_owned(), unknown)?;
            }
            Malformed::Drop => object_meta::drop_malformed(metadata)?,
        }
    }
    let (is_kind, is_version) = of_kind?;
    if !is_kind {
        return Ok((unknown, false));
    }
    if is_version {
        let of_metadata = unknown.len();
        if !resource.preserve_unknown_fields {
            let mut pruned = prune::prune_with_nulls(schema, object, track_unknown);
            unknown.append(&mut pruned);
        }
        if schema.root().has_resources {
            let of_metadata = unknown.get(..of_metadata).unwrap_or_default();
            let embedded = object_meta::coerce(schema, object, malformed, of_metadata)
                .map_err(|error| error.to_string())?;
            if track_unknown {
                unknown.extend(embedded);
            }
        }
    } else if !resource.preserve_unknown_fields {
        // A version that the schema is not of has no schema here.
        unknown.extend(prune::prune_to_meta(object));
    }
    if malformed == Malformed::Drop
        && let Some(Value::Object(metadata)) = object.get_mut("metadata")
        && object_meta::generation(metadata) == 0
    {
        metadata.insert("generation".to_owned(), 1.into());
    }
    Ok((unknown, is_version))
}

/// What an object says of itself.
///
/// PERF: to go over the few keys of an object once takes less than to search for three.
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

/// Kind or version, empty where absent.
fn type_field<'a>(value: Option<&'a Value>, key: &str) -> Result<&'a str, String> {
    match value {
        None => Ok(""),
        Some(Value::String(text)) => Ok(text),
        Some(other) => Err(format!(
            ".{key} accessor error: {} is of the type {}, expected string",
            json::to_go_v(other),
            object_meta::go_type(other)
        )),
    }
}
