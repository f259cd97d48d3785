//! Discovery: the documents that tell clients which groups, versions and resources are served.

mod aggregated;
mod built_in;
mod health;
mod metrics;
mod openapi;
mod protobuf;
mod resources;
mod version_2;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crd_cel::kubernetes::KubernetesVersion;
use http::{Method, Request, StatusCode, header};
use ring::digest;
use serde_json::{Value, json};

use super::authorization::{REVIEWS, Review};
use super::catalog::Catalog;
use super::core::Core;
use super::failure::{Answer, Failure};
use super::kind::ServedKind;
use super::media::{self, ResponseFormat};
use super::query::Query;
use super::reply::Reply;
use super::{api_services, fields};
use crate::versions::priority;

/// Returns the release whose behaviour the server has, such as `v1.37.2`.
fn release(kubernetes: KubernetesVersion) -> String {
    // The patch release of each minor, the oldest minor first.
    const PATCHES: [u32; KubernetesVersion::ALL.len()] = [14, 14, 13, 12, 13, 10, 2, 2];
    let patch = PATCHES[(kubernetes.minor() - KubernetesVersion::OLDEST.minor()) as usize];
    format!("v{kubernetes}.{patch}")
}

/// The paths outside of groups that the index lists.
const INDEX: [&str; 9] = [
    "/api",
    "/apis",
    "/healthz",
    "/livez",
    "/metrics",
    "/openapi/v2",
    "/openapi/v3",
    "/readyz",
    "/version",
];

/// Answers a request for a path other than a resource's.
pub(super) fn document(core: &Core, parts: &[String], request: &Request<Vec<u8>>) -> Answer<Reply> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(match parts.first().map(String::as_str) {
            Some("api" | "apis" | "openapi" | "version") => Failure::method_not_allowed(),
            _ => Failure::no_such_path(),
        });
    }
    let header = request.headers().get(header::ACCEPT);
    let accept = header.and_then(|value| value.to_str().ok()).unwrap_or_default();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    match parts.as_slice() {
        [] => Ok(plain(index(core))),
        ["version"] => Ok(plain(version(core.catalog.kubernetes))),
        [set @ ("healthz" | "livez" | "readyz"), check @ ..] => {
            let query = Query::parse(request.uri().query().unwrap_or_default());
            health::health(set, &check.join("/"), &query)
        }
        ["metrics"] => Ok(metrics::metrics(core)),
        [root @ ("api" | "apis")] => {
            let accepted = media::negotiate(accept, media::allows_of_discovery)?;
            let is_core = *root == "api";
            if let Some(transform) = accepted.transform {
                return Ok(aggregated::aggregated(core, &transform, is_core));
            }
            let value = if is_core { resources::versions() } else { resources::groups(core) };
            Ok(Reply::Value { code: StatusCode::OK, format: accepted.format, value })
        }
        // Upstream: only the routes of the core group answer with a `Status`.
        ["api", version] if *version != "v1" => Err(Failure::no_such_route()),
        ["api", version] => resources::resources(core, "", version, accept),
        ["apis", group] => resources::group(core, group, accept),
        ["apis", group, version] => resources::resources(core, group, version, accept),
        ["openapi", "v2"] => version_2::openapi_v2(core, accept),
        ["openapi", "v3"] => Ok(openapi::openapi_index(core)),
        ["openapi", "v3", path @ ..] => openapi::openapi_v3(core, &path.join("/")),
        _ => Err(Failure::no_such_path()),
    }
}

/// Returns the paths that are served, except for those of objects. Source: `pkg/server/routes/index.go`.
fn index(core: &Core) -> Value {
    let mut paths: Vec<String> = INDEX.map(str::to_owned).to_vec();
    for (group, versions) in served(core) {
        let root = if group.is_empty() { "/api".to_owned() } else { format!("/apis/{group}") };
        paths.extend(versions.iter().map(|version| format!("{root}/{version}")));
        paths.push(root);
    }
    paths.sort();
    paths.dedup();
    json!({"paths": paths})
}

/// Returns the served groups with their versions, the preferred version first.
pub(super) fn served(core: &Core) -> Vec<(String, Vec<String>)> {
    grouped(core, std::iter::empty())
}

/// Like [`served`], and with the served versions of definitions that are not established.
///
/// Source: `handleVersionUpdate` of `pkg/controlplane/controller/crdregistration` in kubernetes.
fn registered(core: &Core) -> Vec<(String, Vec<String>)> {
    let definitions = core.store.list(super::definition::RESOURCE, "");
    let definitions: Vec<Value> = definitions.map(|(_, stored)| stored.object()).collect();
    grouped(
        core,
        definitions.iter().flat_map(|definition| {
            let spec = definition.get("spec");
            let group = spec.and_then(|spec| spec.get("group")?.as_str()).unwrap_or_default();
            let versions = spec.and_then(|spec| spec.get("versions")?.as_array());
            let is_served = |version: &&Value| version.get("served") == Some(&Value::Bool(true));
            let served = versions.into_iter().flatten().filter(is_served);
            served.filter_map(move |version| Some((group, version.get("name")?.as_str()?)))
        }),
    )
}

/// Groups the versions of the served kinds and `more`, pairs of a group and a version.
fn grouped<'a>(
    core: &'a Core,
    more: impl Iterator<Item = (&'a str, &'a str)>,
) -> Vec<(String, Vec<String>)> {
    let mut groups: BTreeMap<(Reverse<i64>, String), Vec<String>> = BTreeMap::new();
    let mut add = |name: &str, version: &str| {
        let place = (Reverse(api_services::priority(name)), name.to_owned());
        let versions = groups.entry(place).or_default();
        if !versions.iter().any(|known| known == version) {
            versions.push(version.to_owned());
        }
    };
    core.catalog.all().for_each(|kind| add(&kind.group, &kind.version));
    for (group, ..) in &REVIEWS {
        add(group, "v1");
    }
    for (group, version) in &aggregated_apis(core) {
        add(group, version);
    }
    more.for_each(|(group, version)| add(group, version));
    let sorted = groups.into_iter().map(|((_, group), mut versions)| {
        versions.sort_by(|a, b| priority(a, b));
        (group, versions)
    });
    sorted.collect()
}

/// Returns the groups and versions for which services answer, whether they do or not.
fn aggregated_apis(core: &Core) -> BTreeSet<(String, String)> {
    let stored = core.store.list(api_services::RESOURCE, "").map(|(_, stored)| stored.object());
    let remote = stored.filter(|object| api_services::service(object).is_some());
    let text = |object: &Value, key: &str| fields::text(&object["spec"], key).to_owned();
    let remote = remote.map(|object| (text(&object, "group"), text(&object, "version")));
    remote.chain(core.own_apis.keys().cloned()).collect()
}

/// Returns the kinds of a version, sorted by resource.
fn kinds<'a>(catalog: &'a Catalog, group: &str, version: &str) -> Vec<&'a ServedKind> {
    let in_version = catalog.all().filter(|kind| kind.group == group && kind.version == version);
    let mut kinds: Vec<&ServedKind> = in_version.map(|kind| &**kind).collect();
    kinds.sort_by(|a, b| a.names.plural.cmp(&b.names.plural));
    kinds
}

/// Returns the verbs that a kind supports.
fn verbs(catalog: &Catalog, kind: &ServedKind) -> Vec<&'static str> {
    if catalog.is_terminating(&kind.group, &kind.names.plural) {
        return vec!["delete", "deletecollection", "get", "list", "watch"];
    }
    if kind.compiled().is_some() {
        return vec![
            "delete",
            "deletecollection",
            "get",
            "list",
            "patch",
            "create",
            "update",
            "watch",
        ];
    }
    if kind.is_read_only() {
        return vec!["get", "list"];
    }
    let all = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
    let collection = &*kind.storage != super::namespaces::RESOURCE;
    all.into_iter().filter(|verb| collection || *verb != "deletecollection").collect()
}

/// Returns the reviews that are served in a version of a group.
fn reviews(group: &str, version: &str) -> impl Iterator<Item = &'static Review> {
    REVIEWS.iter().filter(move |(of, ..)| *of == group && version == "v1")
}

fn plain(value: Value) -> Reply {
    Reply::Value { code: StatusCode::OK, format: ResponseFormat::Json, value }
}

fn version(kubernetes: KubernetesVersion) -> Value {
    let minor = kubernetes.minor();
    json!({
        "major": "1", "minor": minor.to_string(),
        "gitVersion": release(kubernetes),
        "emulationMajor": "1", "emulationMinor": minor.to_string(),
        "minCompatibilityMajor": "1", "minCompatibilityMinor": (minor - 1).to_string(),
        "gitCommit": "", "gitTreeState": "clean", "buildDate": "1970-01-01T00:00:00Z",
        "goVersion": "", "compiler": "", "platform": "",
    })
}

/// Returns the `ETag` of a document. Source: `calculateETag`.
fn etag(bytes: &[u8]) -> String {
    let hash = digest::digest(&digest::SHA512, bytes);
    hash.as_ref().iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02X}");
        text
    })
}
