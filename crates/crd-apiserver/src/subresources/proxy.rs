//! The requests that a server forwards to pods and services, as one answers that reaches none of them.
//!
//! Source: `ResourceLocation` of `pkg/registry/core/pod/strategy.go` and `pkg/registry/core/service/storage` of
//! kubernetes/kubernetes, and `pkg/util/proxy/transport.go` of apimachinery.

use std::net::IpAddr;

use serde_json::Value;

use super::super::call::Call;
use super::super::failure::{Answer, Failure};
use super::super::fields::{list, text};
use super::super::reply::Reply;
use super::super::store::Store;
use super::super::target::Part;
use super::stored_object;

/// Answers a request for a pod or a service.
///
/// # Errors
/// Always: status 404 if the object does not exist, 400 if the name is none or the pod has no address, 503 because
/// nothing listens at the address.
pub(super) fn forward(store: &Store, call: &Call<'_>) -> Answer<Reply> {
    let is_pod = call.part == Part::PodProxy;
    let id = &call.path.name;
    let Some((scheme, name, port)) = scheme_name_port(id) else {
        let what = if is_pod { "pod" } else { "service" };
        return Err(Failure::bad_request(format!("invalid {what} request {id:?}")));
    };
    let object = stored_object(store, &call.kind, call.namespace(), name)?;
    let address = if is_pod {
        address_of_pod(&object, scheme, port)?
    } else {
        let endpoints = store.get("/endpoints", &format!("{}/{name}", call.namespace()));
        let endpoints = endpoints.map(|stored| stored.object()).unwrap_or_default();
        address_of_service(&object, &endpoints, name, port)?
    };
    let why =
        format!("error trying to reach service: dial tcp {address}: connect: connection refused");
    Err(Failure::unavailable(&why))
}

/// Splits `name`, `name:port` or `scheme:name:port`. Source: `SplitSchemeNamePort` of `pkg/util/net`.
fn scheme_name_port(id: &str) -> Option<(&str, &str, &str)> {
    let parts: Vec<&str> = id.split(':').collect();
    let (scheme, name, port) = match parts.as_slice() {
        [name] => ("", *name, ""),
        [name, port] => ("", *name, *port),
        [scheme @ ("" | "http" | "https"), name, port] => (*scheme, *name, *port),
        _ => return None,
    };
    (!name.is_empty()).then_some((scheme, name, port))
}

fn address_of_pod(pod: &Value, scheme: &str, port: &str) -> Answer<String> {
    let containers = pod.get("spec").into_iter().flat_map(|spec| list(spec, "containers"));
    let declared = containers.flat_map(|container| list(container, "ports").take(1)).next();
    let declared = declared.and_then(|port| port.get("containerPort")).map(Value::to_string);
    let of_scheme = if scheme == "https" { "443" } else { "80" };
    let port = match port {
        "" => declared.unwrap_or_else(|| of_scheme.to_owned()),
        port => port.to_owned(),
    };
    let address = pod.pointer("/status/podIPs/0/ip").and_then(Value::as_str).unwrap_or_default();
    match address.parse::<IpAddr>() {
        Ok(ip) if is_global(ip) => Ok(host_and_port(address, &port)),
        _ => Err(Failure::bad_request("address not allowed")),
    }
}

/// Source: `IP.IsGlobalUnicast` of Go's `net`.
fn is_global(ip: IpAddr) -> bool {
    let is_link_local = match ip {
        IpAddr::V4(ip) => ip.is_link_local() || ip.is_broadcast(),
        IpAddr::V6(ip) => ip.is_unicast_link_local(),
    };
    !(ip.is_unspecified() || ip.is_loopback() || ip.is_multicast() || is_link_local)
}

fn address_of_service(
    service: &Value,
    endpoints: &Value,
    name: &str,
    port: &str,
) -> Answer<String> {
    let mut wanted = port.to_owned();
    if let Ok(number) = port.parse::<i64>() {
        let ports = service.get("spec").into_iter().flat_map(|spec| list(spec, "ports"));
        let mut ports =
            ports.filter(|port| port.get("port").and_then(Value::as_i64) == Some(number));
        let Some(port) = ports.next() else {
            let why = format!("no service port {number} found for service {name:?}");
            return Err(Failure::unavailable(&why));
        };
        text(port, "name").clone_into(&mut wanted);
    }
    let found = list(endpoints, "subsets").find_map(|subset| {
        let port = list(subset, "ports").find(|port| text(port, "name") == wanted)?;
        let address = list(subset, "addresses").next()?;
        Some(host_and_port(text(address, "ip"), &port.get("port")?.to_string()))
    });
    let why = format!("no endpoints available for service {name:?}");
    found.ok_or_else(|| Failure::unavailable(&why))
}

fn host_and_port(host: &str, port: &str) -> String {
    if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
}
