//! The discovery documents of groups, versions and resources.
//!
//! Source: `pkg/apiserver/customresource_discovery_controller.go` of apiextensions-apiserver, and
//! `k8s.io/apiserver/pkg/endpoints/discovery`.

use http::StatusCode;
use ring::digest;
use serde_json::{Value, json};

use super::super::authorization::Review;
use super::super::builtin::api_version;
use super::super::core::Core;
use super::super::failure::{Answer, Failure};
use super::super::kind::{ServedKind, Strategy};
use super::super::media;
use super::super::reply::Reply;
use super::super::target::SUBRESOURCES;
use super::{kinds, registered, verbs};
use crate::model::to_lower;

/// The verbs that a subresource supports.
const SUBRESOURCE_VERBS: [&str; 3] = ["get", "patch", "update"];

/// Returns the versions of the core group.
pub(super) fn versions() -> Value {
    json!({
        "kind": "APIVersions", "versions": ["v1"],
        "serverAddressByClientCIDRs": [{"clientCIDR": "0.0.0.0/0", "serverAddress": "127.0.0.1"}],
    })
}

/// Returns all groups except the core group.
pub(super) fn groups(core: &Core) -> Value {
    let served = registered(core).into_iter().filter(|(group, _)| !group.is_empty());
    let groups: Vec<Value> =
        served.map(|(group, versions)| group_value(&group, &versions)).collect();
    json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": groups})
}

pub(super) fn group(core: &Core, name: &str, accept: &str) -> Answer<Reply> {
    let accepted = media::negotiate(accept, media::allows_none)?;
    let served = registered(core);
    let (group, versions) = served
        .iter()
        .find(|(group, _)| group == name && !group.is_empty())
        .ok_or_else(Failure::no_such_path)?;
    let mut value = group_value(group, versions);
    value["kind"] = "APIGroup".into();
    value["apiVersion"] = "v1".into();
    Ok(Reply::Value { code: StatusCode::OK, format: accepted.format, value })
}

pub(super) fn resources(core: &Core, group: &str, version: &str, accept: &str) -> Answer<Reply> {
    let accepted = media::negotiate(accept, media::allows_none)?;
    let kinds = kinds(&core.catalog, group, version);
    let reviews = super::reviews(group, version).map(review);
    let kinds = kinds.into_iter().flat_map(|kind| resources_of(core, kind));
    let resources: Vec<Value> = kinds.chain(reviews).collect();
    if resources.is_empty() {
        return Err(Failure::no_such_path());
    }
    let mut value = json!({
        "kind": "APIResourceList", "groupVersion": api_version(group, version), "resources": resources,
    });
    if !group.is_empty() {
        value["apiVersion"] = "v1".into();
    }
    Ok(Reply::Value { code: StatusCode::OK, format: accepted.format, value })
}

/// Returns the entry of a kind of reviews.
pub(super) fn review((_, plural, kind, namespaced): &Review) -> Value {
    json!({
        "name": plural, "singularName": to_lower(kind), "namespaced": namespaced, "kind": kind,
        "verbs": ["create"],
    })
}

/// Returns the entries of a kind: its own, and those of its subresources.
pub(super) fn resources_of(core: &Core, kind: &ServedKind) -> Vec<Value> {
    let names = &kind.names;
    let mut own = json!({
        "name": names.plural, "singularName": names.singular, "namespaced": kind.namespaced,
        "kind": names.kind, "verbs": verbs(&core.catalog, kind),
    });
    if let Value::Object(own) = &mut own {
        if !names.short_names.is_empty() {
            own.insert("shortNames".to_owned(), names.short_names.clone().into());
        }
        if !names.categories.is_empty() {
            own.insert("categories".to_owned(), names.categories.clone().into());
        }
        // Upstream: there is no hash if the storage version is not served.
        let stored = kind.stored_as.rsplit('/').next().unwrap_or_default();
        let is_stored = match kind.compiled() {
            None => !kind.is_read_only(),
            Some(_) => core.catalog.find(&kind.group, stored, &names.plural).is_some(),
        };
        if is_stored {
            own.insert("storageVersionHash".to_owned(), storage_hash(kind).into());
        }
    }
    let mut all = vec![own];
    let subresource = |name: &str| {
        json!({
            "name": format!("{}/{name}", names.plural), "singularName": "",
            "namespaced": kind.namespaced, "kind": names.kind, "verbs": SUBRESOURCE_VERBS,
        })
    };
    if kind.has_status {
        all.push(subresource("status"));
    }
    if kind.has_scale {
        let mut scale = subresource("scale");
        scale["group"] = "autoscaling".into();
        scale["version"] = "v1".into();
        scale["kind"] = "Scale".into();
        all.push(scale);
    }
    let minor = core.catalog.kubernetes.minor();
    let parts = SUBRESOURCES.iter().filter(|(of, ..)| **of == *kind.storage);
    for (_, part, _) in parts.filter(|(.., since)| minor >= *since) {
        let mut other = subresource(part.subresource());
        other["verbs"] = part.verbs().into();
        if let Some((group, version, kind)) = part.other_kind() {
            other["kind"] = kind.into();
            if !group.is_empty() {
                other["group"] = group.into();
                other["version"] = version.into();
            }
        }
        all.push(other);
    }
    // Upstream: those of custom resources are in the order of the fields of a definition.
    if kind.compiled().is_none() {
        all[1..].sort_by_key(|entry| entry["name"].to_string());
    }
    all
}

fn group_value(group: &str, versions: &[String]) -> Value {
    let version =
        |version: &String| json!({"groupVersion": api_version(group, version), "version": version});
    let all: Vec<Value> = versions.iter().map(version).collect();
    let preferred = all.first().cloned().unwrap_or_default();
    json!({"name": group, "versions": all, "preferredVersion": preferred})
}

/// Returns the hash of the storage version. Source: `StorageVersionHash`.
fn storage_hash(kind: &ServedKind) -> String {
    // Upstream: etcd has definitions in `v1beta1`.
    let stored_as = match &kind.strategy {
        Strategy::Definition => "apiextensions.k8s.io/v1beta1",
        Strategy::Custom { .. } | Strategy::BuiltIn(_) => &kind.stored_as,
    };
    let text = match stored_as.split_once('/') {
        Some((group, version)) => format!("{group}/{version}/{}", kind.names.kind),
        None => format!("/{stored_as}/{}", kind.names.kind),
    };
    let hash = digest::digest(&digest::SHA256, text.as_bytes());
    let first: Vec<u8> = hash.as_ref().iter().copied().take(8).collect();
    let encoded = serde_json::to_value(k8s_openapi::ByteString(first));
    encoded.ok().and_then(|text| text.as_str().map(str::to_owned)).unwrap_or_default()
}
