//! The connections to a pod: `attach`, `exec` and `portforward`, as a server answers that reaches no kubelet.
//!
//! Source: `streamLocation` and `PortForwardLocation` of `pkg/registry/core/pod/strategy.go` and
//! `pkg/kubelet/client/kubelet_client.go` of kubernetes/kubernetes, and `UpgradeAwareHandler` of
//! `k8s.io/apimachinery/pkg/util/proxy/upgradeaware.go`.

use http::{Method, header};
use serde_json::Value;

use super::super::call::Call;
use super::super::failure::{Answer, Failure, GroupResource};
use super::super::fields::{list, text};
use super::super::reply::Reply;
use super::super::store::Store;
use super::super::target::Part;
use super::stored_object;

/// The types of addresses of a node at which its kubelet is called, the best first. Source:
/// `KubeletPreferredAddressTypes`.
const ADDRESSES: [&str; 5] = ["Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"];
/// The port of a kubelet that its node does not name.
const PORT: i64 = 10_250;

/// Answers a request for a connection.
///
/// # Errors
/// Always: status 404 if the pod or its node does not exist, 400 if the pod has no node or no such container or the
/// client asks for no connection, 500 because there is no kubelet.
pub(super) fn connect(store: &Store, call: &Call<'_>) -> Answer<Reply> {
    if !matches!(*call.request.method(), Method::GET | Method::POST) {
        return Err(Failure::method_not_allowed());
    }
    let name = &call.path.name;
    let pod = stored_object(store, &call.kind, call.namespace(), name)?;
    if call.part != Part::PortForward {
        check_container(&pod, name, call.query.text("container"))?;
    }
    let node = pod.pointer("/spec/nodeName").and_then(Value::as_str).unwrap_or_default();
    if node.is_empty() {
        let why = format!("pod {name} does not have a host assigned");
        return Err(Failure::bad_request(why));
    }
    let nodes = GroupResource { group: "", kind: "nodes" };
    let stored = store.get("/nodes", node).ok_or_else(|| Failure::not_found(nodes, node))?;
    let kubelet = kubelet_of(&stored.object())?;
    let asks = call.header(header::CONNECTION).to_ascii_lowercase();
    if !asks.contains("upgrade") {
        return Err(Failure::bad_request("Upgrade request required"));
    }
    let why = format!("error dialing backend: dial tcp {kubelet}: connect: connection refused");
    Err(Failure::bare(why))
}

/// Checks that a pod has the container that is asked for, or only one.
fn check_container(pod: &Value, name: &str, container: &str) -> Answer<()> {
    let spec = pod.get("spec").unwrap_or(&Value::Null);
    let names = |key: &str| list(spec, key).map(|it| text(it, "name"));
    let all: Vec<&str> = ["initContainers", "containers", "ephemeralContainers"]
        .into_iter()
        .flat_map(names)
        .collect();
    let why = match (container, names("containers").count()) {
        ("", 1) => return Ok(()),
        ("", 0) => format!("a container name must be specified for pod {name}"),
        ("", _) => {
            let all = all.join(" ");
            format!("a container name must be specified for pod {name}, choose one of: [{all}]")
        }
        (container, _) if all.contains(&container) => return Ok(()),
        (container, _) => format!("container {container} is not valid for pod {name}"),
    };
    Err(Failure::bad_request(why))
}

/// Returns the address and port of the kubelet of a node.
fn kubelet_of(node: &Value) -> Answer<String> {
    let status = node.get("status").unwrap_or(&Value::Null);
    let address = |type_: &&str| {
        let found = list(status, "addresses").find(|it| text(it, "type") == *type_)?;
        Some(text(found, "address"))
    };
    let Some(address) = ADDRESSES.iter().find_map(address) else {
        return Err(Failure::bare("no preferred addresses found; known addresses: []"));
    };
    let port = status.pointer("/daemonEndpoints/kubeletEndpoint/Port").and_then(Value::as_i64);
    let port = port.filter(|port| *port > 0).unwrap_or(PORT);
    Ok(format!("{address}:{port}"))
}
