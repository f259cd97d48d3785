//! Aggregated discovery: all groups in one document.
//!
//! Source: `k8s.io/apiserver/pkg/endpoints/discovery/aggregated`.

use serde_json::{Map, Value, json};

use super::super::authorization::Review;
use super::super::core::Core;
use super::super::kind::ServedKind;
use super::super::media::Transform;
use super::super::reply::Reply;
use super::super::target::SUBRESOURCES;
use super::resources::SUBRESOURCE_VERBS;
use super::{etag, kinds, served, verbs};
use crate::model::to_lower;

/// Returns the document of the core group, or of all other groups.
pub(super) fn aggregated(core: &Core, transform: &Transform, is_core: bool) -> Reply {
    let groups: Vec<Value> = served(core)
        .into_iter()
        .filter(|(group, _)| group.is_empty() == is_core)
        .map(|(group, versions)| {
            let versions: Vec<Value> = versions
                .iter()
                .map(|version| {
                    let kinds = kinds(&core.catalog, &group, version);
                    let kinds = kinds.into_iter().map(|kind| aggregated_kind(core, kind));
                    let reviews = super::reviews(&group, version).map(aggregated_review);
                    let resources: Vec<Value> = kinds.chain(reviews).collect();
                    json!({"version": version, "resources": resources, "freshness": "Current"})
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
    let body = list.to_string().into_bytes();
    let media_type = match transform.version.as_str() {
        "v2" => "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
        _ => "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList",
    };
    let etag = Some(etag(&body));
    Reply::Document { media_type, body, etag }
}

fn aggregated_kind(core: &Core, kind: &ServedKind) -> Value {
    let own = json!({"group": kind.group, "version": kind.version, "kind": kind.names.kind});
    let mut out = Map::new();
    let mut put = |key: &str, value: Value| out.insert(key.to_owned(), value);
    put("resource", kind.names.plural.clone().into());
    put("responseKind", own.clone());
    put("scope", if kind.namespaced { "Namespaced" } else { "Cluster" }.into());
    put("singularResource", kind.names.singular.clone().into());
    put("verbs", verbs(&core.catalog, kind).into());
    if !kind.names.short_names.is_empty() {
        put("shortNames", kind.names.short_names.clone().into());
    }
    if !kind.names.categories.is_empty() {
        put("categories", kind.names.categories.clone().into());
    }
    let scale = json!({"group": "autoscaling", "version": "v1", "kind": "Scale"});
    let mut subresources = [("scale", kind.has_scale, scale), ("status", kind.has_status, own)];
    // Upstream: subresources of custom resources are in the order of the fields of a definition, `status` first.
    if kind.compiled().is_some() {
        subresources.reverse();
    }
    let subresources = subresources.into_iter().filter(|(_, has, _)| *has);
    let subresources = subresources.map(|(name, _, response)| {
        json!({"subresource": name, "responseKind": response, "verbs": SUBRESOURCE_VERBS})
    });
    let minor = core.kubernetes.minor();
    let parts = SUBRESOURCES.iter().filter(|(of, ..)| **of == *kind.storage);
    let parts = parts.filter(|(.., since)| minor >= *since).map(|(_, part, _)| {
        let own = (kind.group.as_str(), kind.version.as_str(), kind.names.kind.as_str());
        let (group, version, kind) = part.other_kind().unwrap_or(own);
        json!({
            "subresource": part.subresource(), "verbs": part.verbs(),
            "responseKind": {"group": group, "version": version, "kind": kind},
        })
    });
    let mut subresources: Vec<Value> = subresources.chain(parts).collect();
    if kind.compiled().is_none() {
        subresources.sort_by_key(|it| it["subresource"].to_string());
    }
    if !subresources.is_empty() {
        put("subresources", subresources.into());
    }
    Value::Object(out)
}

fn aggregated_review((group, plural, kind, namespaced): &Review) -> Value {
    json!({
        "resource": plural, "responseKind": {"group": group, "version": "v1", "kind": kind},
        "scope": if *namespaced { "Namespaced" } else { "Cluster" }, "singularResource": to_lower(kind),
        "verbs": ["create"],
    })
}
