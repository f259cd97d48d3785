//! Columns of services, ingresses and network policies.
//!
//! Source: `printService`, `printIngress`, `printNetworkPolicy` and the functions that they call.

use serde_json::Value;

use super::{
    AGE, Column, Description, Field, NAME, STRING, Text, joined, labels_text, list, load_balancer,
    none_if_empty, number, of, selector_text, str_at, text_of,
};

/// The number of hosts of an ingress that are printed.
const MAX_HOSTS: usize = 3;

pub(super) const SERVICE: &[Column] = &[
    NAME,
    text_of("Type", "/spec/type"),
    of("Cluster-IP", STRING, Field("/spec/clusterIP"), |it| {
        list(it, "/spec/clusterIPs").first().cloned().unwrap_or_else(|| "<none>".into())
    }),
    of("External-IP", STRING, Field("/spec/externalIPs"), |it| external_ip(it).into()),
    of("Port(s)", STRING, Field("/spec/ports"), |it| none_if_empty(ports(it))),
    AGE,
    of("Selector", STRING, Field("/spec/selector"), |it| labels_text(it.pointer("/spec/selector")))
        .wide(),
];

const CLASS: Description =
    Text("The name of the IngressClass resource that should be used for additional configuration");
const HOSTS: Description =
    Text("Hosts that incoming requests are matched against before the ingress rule");
const ADDRESS: Description =
    Text("Address is a list containing ingress points for the load-balancer");

pub(super) const INGRESS: &[Column] = &[
    NAME,
    // An empty class is printed as it is; `<none>` stands for a missing one.
    of("Class", STRING, CLASS, |it| {
        let class = it.pointer("/spec/ingressClassName").filter(|it| it.is_string()).cloned();
        class.unwrap_or_else(|| "<none>".into())
    }),
    of("Hosts", STRING, HOSTS, |it| hosts(list(it, "/spec/rules")).into()),
    of("Address", STRING, ADDRESS, |it| load_balancer(it).into()),
    of("Ports", STRING, Text("Ports of TLS configurations that open"), |it| {
        if list(it, "/spec/tls").is_empty() { "80".into() } else { "80, 443".into() }
    }),
    AGE,
];

pub(super) const NETWORK_POLICY: &[Column] = &[
    NAME,
    of("Pod-Selector", STRING, Field("/spec/podSelector"), |it| {
        selector_text(it.pointer("/spec/podSelector"))
    }),
    AGE,
];

/// Returns the external addresses of a service. Source: `getServiceExternalIP`.
fn external_ip(object: &Value) -> String {
    let external: Vec<&str> =
        list(object, "/spec/externalIPs").iter().filter_map(Value::as_str).collect();
    let balancer = load_balancer(object);
    let (found, otherwise) = match str_at(object, "/spec/type") {
        "ClusterIP" | "NodePort" => (external, "<none>"),
        "LoadBalancer" => {
            let balancer = Some(balancer.as_str()).filter(|it| !it.is_empty());
            (balancer.into_iter().chain(external).collect(), "<pending>")
        }
        "ExternalName" => return str_at(object, "/spec/externalName").to_owned(),
        _ => return "<unknown>".to_owned(),
    };
    if found.is_empty() { otherwise.to_owned() } else { found.join(",") }
}

/// Returns the ports of a service as text, such as `80:30080/TCP`. Source: `makePortString`.
fn ports(object: &Value) -> String {
    let texts = list(object, "/spec/ports").iter().map(|port| {
        let (number, node_port) = (number(port, "/port"), number(port, "/nodePort"));
        let protocol = str_at(port, "/protocol");
        if node_port > 0 {
            format!("{number}:{node_port}/{protocol}")
        } else {
            format!("{number}/{protocol}")
        }
    });
    texts.collect::<Vec<_>>().join(",")
}

/// Returns the hosts of rules as text: at most three, and `+ 2 more...` if rules follow that of the third host.
/// Upstream counts all other rules, also those without a host. Source: `formatHosts`.
fn hosts(rules: &[Value]) -> String {
    let with_host = rules.iter().enumerate().filter(|(_, rule)| !str_at(rule, "/host").is_empty());
    let shown: Vec<(usize, &Value)> = with_host.take(MAX_HOSTS).collect();
    let texts: Vec<Value> = shown.iter().map(|(_, rule)| (*rule).clone()).collect();
    match shown.get(MAX_HOSTS - 1) {
        _ if shown.is_empty() => "*".to_owned(),
        Some((last, _)) if last + 1 < rules.len() => {
            format!("{} + {} more...", joined(&texts, "host"), rules.len() - MAX_HOSTS)
        }
        _ => joined(&texts, "host"),
    }
}
