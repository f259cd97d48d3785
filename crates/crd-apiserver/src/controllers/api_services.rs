//! The conditions of `APIService`s, and those of the versions that definitions serve.
//!
//! Source: `pkg/controllers/status/remote` of kube-aggregator; `pkg/controlplane/controller/crdregistration` of
//! kubernetes/kubernetes.

use std::collections::BTreeSet;
use std::sync::Arc;

use http::Request;
use serde_json::Value;

use super::super::api_services::{MANAGED, RESOURCE, name, object, service, set_available};
use super::super::core::Core;
use super::super::failure::Answer;
use super::super::fields::text;
use super::super::handler::route;
use super::super::target::Part;
use super::super::update;
use super::definitions::in_group;

const CONTROLLER: &str = "kube-aggregator";

/// Reports whether the service of an object answers: that of an aggregated API of the test does.
///
/// # Errors
/// Returns the failure of the update, or an error if webhooks have yet to be called.
pub(super) fn observe(core: &mut Core, key: &Arc<str>) -> Answer<()> {
    let Some(stored) = core.store.get(RESOURCE, key) else { return Ok(()) };
    let known = stored.object();
    let (Some(service), Some(spec)) = (service(&known), known.get("spec")) else { return Ok(()) };
    let (group, version) = (text(spec, "group"), text(spec, "version"));
    let (namespace, name) = (text(service, "namespace"), text(service, "name"));
    let message;
    let available = if core.own_apis.contains_key(&(group.to_owned(), version.to_owned())) {
        ("True", "Passed", "all checks passed")
    } else if core.store.get("/services", &format!("{namespace}/{name}")).is_none() {
        message = format!("service/{name} in \"{namespace}\" is not present");
        ("False", "ServiceNotFound", message.as_str())
    } else {
        let port = service.get("port").and_then(Value::as_i64).unwrap_or(443);
        message = format!(
            "failing or missing response from https://{name}.{namespace}.svc:{port}/apis/{group}/{version}: the server \
             of this test answers for it only if `with_api` gives it a service"
        );
        ("False", "FailedDiscoveryCheck", message.as_str())
    };
    let mut wanted = known.clone();
    set_available(&mut wanted, available, &core.clock.text());
    if wanted.get("status") == known.get("status") {
        return Ok(());
    }
    let key = (RESOURCE.into(), Arc::clone(key));
    update::change_as(core, CONTROLLER, &key, Part::Status, &|object| {
        object["status"] = wanted["status"].clone();
    })
}

/// Adds the objects of the versions that the definitions of a group serve, and removes those of other versions.
///
/// # Errors
/// Returns the failure of a request, or an error if webhooks have yet to be called.
pub(super) fn register(core: &mut Core, group: &str) -> Answer<()> {
    let mut wanted = BTreeSet::new();
    for (_, crd) in in_group(core, group) {
        let versions = crd.spec.versions.iter().filter(|version| version.served);
        wanted.extend(versions.map(|version| version.name.clone()));
    }
    let is_known = |version: &String| core.store.get(RESOURCE, &name(group, version)).is_some();
    let missing: Vec<Value> = wanted
        .iter()
        .filter(|version| !is_known(version))
        .filter_map(|version| object(group, version, None))
        .collect();
    let of_group = core.store.list(RESOURCE, "");
    let of_group =
        of_group.filter(|(key, _)| key.split_once('.').is_some_and(|(_, of)| of == group));
    let surplus: Vec<String> = of_group
        .filter(|(key, _)| {
            !key.split_once('.').is_some_and(|(version, _)| wanted.contains(version))
        })
        .filter(|(_, stored)| {
            let labels = stored.object().pointer("/metadata/labels").cloned();
            labels.is_some_and(|labels| text(&labels, MANAGED) == "true")
        })
        .map(|(key, _)| key.to_string())
        .collect();
    let path = "/apis/apiregistration.k8s.io/v1/apiservices";
    let made = missing.into_iter().map(|new| (Request::post(path.to_owned()), new.to_string()));
    let removed =
        surplus.into_iter().map(|key| (Request::delete(format!("{path}/{key}")), String::new()));
    for (request, body) in made.chain(removed) {
        let request = request.header(http::header::USER_AGENT, "kube-apiserver");
        if let Ok(request) = request.body(body.into_bytes()) {
            route(core, &request, &mut Vec::new())?;
        }
    }
    Ok(())
}
