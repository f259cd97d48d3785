//! Aggregated discovery: all groups in one document.
//!
//! Source: `k8s.io/apiserver/pkg/endpoints/discovery/aggregated`.

use serde_json::{Value, json};

use super::super::core::Core;
use super::super::media::Transform;
use super::super::ordered_json;
use super::super::reply::Reply;
use super::resources::{resources_of, review};
use super::{aggregated_apis, etag, kinds, served};

/// Returns the document of the core group, or of all other groups.
pub(super) fn aggregated(core: &Core, transform: &Transform, is_core: bool) -> Reply {
    let apis = aggregated_apis(core);
    let groups: Vec<Value> = served(core)
        .into_iter()
        .filter(|(group, _)| group.is_empty() == is_core)
        .map(|(group, versions)| {
            let versions: Vec<Value> = versions
                .iter()
                .map(|version| {
                    let kinds = kinds(&core.catalog, &group, version);
                    let kinds = kinds.into_iter().map(|kind| {
                        // Upstream: only definitions have their group and version here.
                        let is_custom = kind.compiled().is_some();
                        let own = if is_custom { (&*kind.group, &*kind.version) } else { ("", "") };
                        aggregated_kind(&resources_of(core, kind), own)
                    });
                    let reviews = super::reviews(&group, version);
                    let reviews = reviews.map(|it| aggregated_kind(&[review(it)], ("", "")));
                    let mut resources: Vec<Value> = kinds.chain(reviews).collect();
                    let key = (group.clone(), version.clone());
                    let mut freshness = "Current";
                    if apis.contains(&key) {
                        let listed = core.own_apis.get(&key).and_then(Option::as_deref);
                        resources = aggregated_list(listed.unwrap_or_default());
                        // Upstream: the version of a service that does not answer.
                        freshness = if listed.is_some() { "Current" } else { "Stale" };
                    }
                    json!({"version": version, "resources": resources, "freshness": freshness})
                })
                .collect();
            let metadata = if is_core { json!({}) } else { json!({"name": group}) };
            json!({"metadata": metadata, "versions": versions})
        })
        .collect();
    let list = json!({
        "kind": "APIGroupDiscoveryList",
        "apiVersion": format!("apidiscovery.k8s.io/{}", transform.version),
        "metadata": {}, "items": groups,
    });
    let body = ordered_json::to_string(&list).into_bytes();
    let media_type = match transform.version.as_str() {
        "v2" => "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
        _ => "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList",
    };
    let etag = Some(etag(&body));
    Reply::Document { media_type, body, etag }
}

/// Returns the resources of an aggregated API, which has listed them with their subresources.
fn aggregated_list(listed: &[Value]) -> Vec<Value> {
    let name = |entry: &Value| entry["name"].as_str().unwrap_or_default().to_owned();
    let own = listed.iter().filter(|entry| !name(entry).contains('/'));
    let with_subresources = own.map(|entry| {
        let prefix = format!("{}/", name(entry));
        let subresources = listed.iter().filter(|other| name(other).starts_with(&prefix));
        let all: Vec<Value> = [entry].into_iter().chain(subresources).cloned().collect();
        aggregated_kind(&all, ("", ""))
    });
    with_subresources.collect()
}

/// Returns a kind, or a kind of reviews, from its entries in the list of resources: its own is the first. `own` are the
/// group and version of entries that name none.
///
/// Source: `ConvertGroupVersionIntoToDiscovery` of `pkg/endpoints/installer.go`.
fn aggregated_kind(listed: &[Value], own: (&str, &str)) -> Value {
    let text = |entry: &Value, key: &str, other: &str| {
        entry.get(key).and_then(Value::as_str).unwrap_or(other).to_owned()
    };
    let response = |entry: &Value| {
        json!({
            "group": text(entry, "group", own.0), "version": text(entry, "version", own.1),
            "kind": entry["kind"],
        })
    };
    let Some((first, subresources)) = listed.split_first() else { return Value::Null };
    let is_namespaced = first["namespaced"] == true;
    let mut out = json!({
        "resource": first["name"], "responseKind": response(first), "verbs": first["verbs"],
        "scope": if is_namespaced { "Namespaced" } else { "Cluster" },
        "singularResource": first["singularName"],
    });
    for key in ["shortNames", "categories"] {
        if let Some(names) = first.get(key) {
            out[key] = names.clone();
        }
    }
    let subresources = subresources.iter().map(|entry| {
        let name = text(entry, "name", "");
        let name = name.split_once('/').map_or("", |(_, name)| name);
        json!({"subresource": name, "responseKind": response(entry), "verbs": entry["verbs"]})
    });
    let subresources: Vec<Value> = subresources.collect();
    if !subresources.is_empty() {
        out["subresources"] = subresources.into();
    }
    out
}
