//! Transforms objects and lists into tables and partial metadata.
//!
//! Source: `k8s.io/apiserver/pkg/endpoints/handlers/response.go`.

use std::time::SystemTime;

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Map, Value, json};

use super::autoscalers;
use super::columns;
use super::definition;
use super::failure::{Answer, Failure};
use super::kind::{ServedKind, Strategy};
use super::media::Transform;
use super::metadata;
use super::preparation;
use super::scale_fields::API_VERSION as SCALE;
use crate::differences::Difference;
use crate::table;

/// Transforms an object or a list into a table or into partial metadata. `include` is the query parameter
/// `includeObject`; `at` is the time, from which tables compute ages, and the version of the server.
///
/// # Errors
/// Status 400 for an unknown `includeObject`; 406 if a list is requested as an object or an object as a list; 500 if a
/// custom resource is requested as a list.
pub(super) fn transformed(
    kind: &ServedKind,
    transform: Option<&Transform>,
    include: &str,
    value: Value,
    at: (SystemTime, KubernetesVersion),
) -> Answer<Value> {
    let Some(transform) = transform else { return Ok(value) };
    let api_version = format!("{}/{}", transform.group, transform.version);
    let is_list = value.get("items").is_some_and(Value::is_array)
        && value.get("kind").and_then(Value::as_str) == Some(kind.names.list_kind.as_str());
    match transform.kind.as_str() {
        "Table" => {
            let metadata = list_metadata(&value);
            let items = if is_list { items(value) } else { vec![value] };
            as_table(kind, &api_version, &metadata, items, include, at)
        }
        "PartialObjectMetadataList" if is_list => {
            let metadata = list_metadata(&value);
            let items: Vec<Value> =
                items(value).into_iter().map(|item| partial(kind, &item, &api_version)).collect();
            // Upstream: without items, the Go slice stays nil and is written as null.
            let items = if items.is_empty() { Value::Null } else { items.into() };
            Ok(json!({
                "kind": "PartialObjectMetadataList", "apiVersion": api_version,
                "metadata": metadata, "items": items,
            }))
        }
        "PartialObjectMetadata" if !is_list => Ok(partial(kind, &value, &api_version)),
        // Upstream: the Go type of custom resources can also be a list, so the error occurs only when items are read.
        "PartialObjectMetadataList" if kind.compiled().is_some() && !is_scale(&value) => {
            Err(Failure::bare("content is not a list"))
        }
        "PartialObjectMetadataList" => {
            let type_name = match (is_scale(&value), kind.compiled().is_some()) {
                (true, true) => "*v1.Scale".to_owned(),
                (true, false) => "*autoscaling.Scale".to_owned(),
                (false, _) => go_type(kind, &kind.names.kind),
            };
            Err(Failure::not_acceptable(format!(
                "you requested PartialObjectMetadataList, but the requested object is not a list ({type_name})"
            )))
        }
        _ if kind.compiled().is_some() => Err(Failure::not_acceptable(
            "you requested PartialObjectMetadata, but the requested object is a list \
             (*unstructured.UnstructuredList)",
        )),
        _ => Err(Failure::not_acceptable(format!(
            "you requested PartialObjectMetadata, but the requested object is a list ({})",
            go_type(kind, &kind.names.list_kind)
        ))),
    }
}

/// Autoscalers are of the same group and version.
fn is_scale(object: &Value) -> bool {
    object["apiVersion"] == SCALE && object["kind"] == "Scale"
}

/// Returns the Go type of a built-in kind in the server's source: `*core.ConfigMapList`.
fn go_type(kind: &ServedKind, name: &str) -> String {
    let package = match kind.group.split('.').next().unwrap_or_default() {
        "" | "events" => "core",
        group => group,
    };
    format!("*{package}.{name}")
}

fn items(list: Value) -> Vec<Value> {
    match list {
        Value::Object(mut map) => match map.remove("items") {
            Some(Value::Array(items)) => items,
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Returns the part of the metadata that is copied to a table or to a list of partial metadata.
fn list_metadata(value: &Value) -> Map<String, Value> {
    let metadata = value.get("metadata").and_then(Value::as_object);
    let kept = ["resourceVersion", "continue", "remainingItemCount"];
    let found =
        kept.iter().filter_map(|key| Some(((*key).to_owned(), metadata?.get(*key)?.clone())));
    found.filter(|(_, value)| value.as_str() != Some("")).collect()
}

/// Returns only the metadata of an object: that of the type in which the server works, without the annotations in which a
/// version has what is a field of that type. Source: `AsPartialObjectMetadata`.
fn partial(kind: &ServedKind, object: &Value, api_version: &str) -> Value {
    let mut metadata = object.get("metadata").cloned().unwrap_or_else(|| json!({}));
    let of_versions: &[&str] = match &*kind.storage {
        "apps/daemonsets" => &[preparation::TEMPLATE_GENERATION],
        "autoscaling/horizontalpodautoscalers" => &autoscalers::ANNOTATIONS,
        _ => &[],
    };
    if let Value::Object(metadata) = &mut metadata
        && !of_versions.is_empty()
    {
        metadata::drop_annotations(metadata, of_versions);
    }
    json!({"kind": "PartialObjectMetadata", "apiVersion": api_version, "metadata": metadata})
}

fn as_table(
    kind: &ServedKind,
    api_version: &str,
    metadata: &Map<String, Value>,
    items: Vec<Value>,
    include: &str,
    at: (SystemTime, KubernetesVersion),
) -> Answer<Value> {
    // Source: `ValidateTableOptions` of `pkg/apis/meta/v1/validation`.
    if !matches!(include, "" | "Metadata" | "Object" | "None") {
        return Err(Failure::bad_request(format!(
            "Unable to convert to Table as requested: includeObject: Invalid value: {include:?}: must be 'Metadata', \
             'Object', 'None', or empty"
        )));
    }
    let (columns, cells) = cells(kind, &items, at);
    let mut rows = Vec::with_capacity(items.len());
    for (item, cells) in items.into_iter().zip(cells) {
        let conditions = match &kind.strategy {
            Strategy::BuiltIn(built_in) => {
                columns::conditions((built_in.group, built_in.kind), &item)
            }
            _ => None,
        };
        let is_end = item.pointer("/metadata/annotations/k8s.io~1initial-events-end").is_some();
        let object = match include {
            "Object" => with_type(kind, item),
            "None" if !is_end => Value::Null,
            _ => partial(kind, &item, api_version),
        };
        let mut row = json!({"cells": cells, "object": object});
        if let Some(conditions) = conditions {
            row["conditions"] = conditions;
        }
        rows.push(row);
    }
    // Upstream: without items, the Go slice stays nil and is written as null.
    let is_null = rows.is_empty() && has_default_columns(kind);
    let rows = if is_null { Value::Null } else { rows.into() };
    // `stored` turns a cell with the value 3.0 into 3, as Go writes it.
    Ok(crate::json::stored(json!({
        "kind": "Table", "apiVersion": api_version, "metadata": metadata,
        "columnDefinitions": columns, "rows": rows,
    })))
}

/// Returns whether the tables of a built-in kind show names and times of creation only.
fn has_default_columns(kind: &ServedKind) -> bool {
    matches!(&kind.strategy, Strategy::BuiltIn(built_in) if !columns::has_own(built_in))
}

/// Returns an item of a list as an object of its own: items of built-in kinds have no type.
fn with_type(kind: &ServedKind, mut item: Value) -> Value {
    if let Value::Object(map) = &mut item {
        map.entry("apiVersion").or_insert_with(|| kind.api_version().into());
        map.entry("kind").or_insert_with(|| kind.names.kind.clone().into());
    }
    item
}

fn cells(
    kind: &ServedKind,
    items: &[Value],
    (now, kubernetes): (SystemTime, KubernetesVersion),
) -> (Vec<Value>, Vec<Vec<Value>>) {
    let are_scales = items.iter().any(is_scale);
    if kind.compiled().is_some() || are_scales {
        let table = match kind.compiled() {
            Some(compiled) if !are_scales => table::render(compiled, items, now),
            _ => table::render_scales(items, now),
        };
        let columns = table.columns.iter().map(|column| {
            json!({
                "name": column.name, "type": column.type_, "format": column.format,
                "description": column.description, "priority": column.priority,
            })
        });
        return (columns.collect(), table.rows);
    }
    if matches!(kind.strategy, Strategy::Definition)
        && Difference::TablesOfDefinitions.is_in(kubernetes)
    {
        return definition::table(items);
    }
    if let Strategy::BuiltIn(built_in) = &kind.strategy
        && let Some(table) = columns::table(built_in, items, now)
    {
        return table;
    }
    // Source: `NewDefaultTableConvertor` of `pkg/registry/rest`.
    let column = |name: &str, type_: &str, format: &str, description: &str| {
        json!({
            "name": name, "type": type_, "format": format, "description": description, "priority": 0,
        })
    };
    let columns = vec![
        column("Name", "string", "name", table::NAME_DESCRIPTION),
        column("Created At", "date", "", table::CREATION_DESCRIPTION),
    ];
    let text = |item: &Value, key: &str| Value::from(metadata::text(item, key));
    let rows = items.iter().map(|item| vec![text(item, "name"), text(item, "creationTimestamp")]);
    (columns, rows.collect())
}
