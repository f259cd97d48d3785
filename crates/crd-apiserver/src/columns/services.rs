//! Columns of services, ingresses and network policies.
//!
//! Source: `printService`, `printIngress`, `printNetworkPolicy` and the functions that they call.

use std::time::SystemTime;

use serde_json::Value;

use super::DescriptionSource::{Field, Text};
use super::{
    AGE, NAME, Printer, SELECTOR, age, joined, labels_text, list, load_balancer, name,
    none_if_empty, number, selector_text, str_at, text,
};

/// The number of hosts of an ingress that are printed.
const MAX_HOSTS: usize = 3;

pub(super) const SERVICE: Printer = (
    &[
        NAME,
        ("Type", "string", 0, Field(&["spec", "type"])),
        ("Cluster-IP", "string", 0, Field(&["spec", "clusterIP"])),
        ("External-IP", "string", 0, Field(&["spec", "externalIPs"])),
        ("Port(s)", "string", 0, Field(&["spec", "ports"])),
        AGE,
        SELECTOR,
    ],
    service,
);

pub(super) const INGRESS: Printer = (
    &[
        NAME,
        (
            "Class",
            "string",
            0,
            Text(
                "The name of the IngressClass resource that should be used for additional configuration",
            ),
        ),
        (
            "Hosts",
            "string",
            0,
            Text("Hosts that incoming requests are matched against before the ingress rule"),
        ),
        (
            "Address",
            "string",
            0,
            Text("Address is a list containing ingress points for the load-balancer"),
        ),
        ("Ports", "string", 0, Text("Ports of TLS configurations that open")),
        AGE,
    ],
    ingress,
);

pub(super) const NETWORK_POLICY: Printer = (
    &[NAME, ("Pod-Selector", "string", 0, Field(&["spec", "podSelector"])), AGE],
    |object, now| {
        vec![name(object), selector_text(object.pointer("/spec/podSelector")), age(object, now)]
    },
);

fn service(object: &Value, now: SystemTime) -> Vec<Value> {
    let cluster_ip = list(object, "/spec/clusterIPs").first().cloned();
    vec![
        name(object),
        text(object, "/spec/type"),
        cluster_ip.unwrap_or_else(|| "<none>".into()),
        external_ip(object).into(),
        none_if_empty(ports(object)),
        age(object, now),
        labels_text(object.pointer("/spec/selector")),
    ]
}

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

fn ingress(object: &Value, now: SystemTime) -> Vec<Value> {
    // An empty class is printed as it is; `<none>` stands for a missing one.
    let class = object.pointer("/spec/ingressClassName").filter(|it| it.is_string()).cloned();
    let ports = if list(object, "/spec/tls").is_empty() { "80" } else { "80, 443" };
    vec![
        name(object),
        class.unwrap_or_else(|| "<none>".into()),
        hosts(list(object, "/spec/rules")).into(),
        load_balancer(object).into(),
        ports.into(),
        age(object, now),
    ]
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
