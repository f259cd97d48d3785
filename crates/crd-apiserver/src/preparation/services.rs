//! The fields that the server sets in services: IP families, cluster IPs and node ports.
//!
//! The addresses and ports are derived from the uid of the service. Nothing checks that no other service has them.
//!
//! Source: `pkg/registry/core/service/strategy.go` and `storage/alloc.go`.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;

use serde_json::{Map, Value, json};

use super::part_mut;
use crate::metadata::{self, set};
use crate::object_meta::text;

/// The range of cluster IPs, kubeadm's default `10.96.0.0/12`: its first address, and the number of variable bits.
const FIRST_ADDRESS: u32 = u32::from_be_bytes([10, 96, 0, 0]);
const ADDRESS_BITS: u32 = 20;
/// The lowest node port, and how many there are. Source: `--service-node-port-range`.
const FIRST_PORT: u32 = 30_000;
const PORT_COUNT: u32 = 2_768;
/// The `clusterIP` of a headless service.
const HEADLESS: &str = "None";

pub(super) fn create(service: &mut Value) {
    let uid = metadata::text(service, "uid").to_owned();
    if let Value::Object(spec) = part_mut(service, "spec") {
        allocate(spec, &Map::new(), &uid);
    }
}

pub(super) fn update(service: &mut Value, old: &Value) {
    let uid = metadata::text(old, "uid").to_owned();
    let empty = Map::new();
    let before = old.get("spec").and_then(Value::as_object).unwrap_or(&empty);
    let has_load_balancer =
        service.pointer("/spec/type").is_some_and(|type_| type_ == "LoadBalancer");
    if let Value::Object(spec) = part_mut(service, "spec") {
        drop_fields_of_old_type(spec, before);
        keep_allocated(spec, before);
        follow_address(spec, before);
        allocate(spec, before, &uid);
    }
    if !has_load_balancer && let Value::Object(status) = part_mut(service, "status") {
        status.insert("loadBalancer".to_owned(), json!({}));
    }
}

fn needs_address(spec: &Map<String, Value>) -> bool {
    matches!(text(spec, "type"), "ClusterIP" | "NodePort" | "LoadBalancer")
}

fn needs_ports(spec: &Map<String, Value>) -> bool {
    match text(spec, "type") {
        "NodePort" => true,
        "LoadBalancer" => spec.get("allocateLoadBalancerNodePorts") != Some(&Value::Bool(false)),
        _ => false,
    }
}

fn needs_health_check(spec: &Map<String, Value>) -> bool {
    text(spec, "type") == "LoadBalancer" && text(spec, "externalTrafficPolicy") == "Local"
}

/// Removes fields that the new type of the service does not have, unless the update changes them as well.
/// Source: `dropTypeDependentFields`.
fn drop_fields_of_old_type(spec: &mut Map<String, Value>, old: &Map<String, Value>) {
    let type_of = |spec: &Map<String, Value>| text(spec, "type").to_owned();
    let (before, now) = (type_of(old), type_of(spec));
    if needs_address(old) && !needs_address(spec) {
        drop_equal(spec, old, &["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"]);
    }
    if needs_ports(old) && !needs_ports(spec) {
        let known = node_ports(old);
        if node_ports(spec).iter().all(|(_, port)| known.iter().any(|(_, other)| other == port)) {
            for port in ports_mut(spec) {
                port.remove("nodePort");
            }
        }
    }
    if needs_health_check(old) && !needs_health_check(spec) {
        drop_equal(spec, old, &["healthCheckNodePort"]);
    }
    if before == "LoadBalancer" && now != "LoadBalancer" {
        drop_equal(spec, old, &["allocateLoadBalancerNodePorts", "loadBalancerClass"]);
    }
    let is_external = |type_: &str| matches!(type_, "LoadBalancer" | "NodePort");
    if is_external(&before) && !is_external(&now) && !spec.contains_key("externalIPs") {
        drop_equal(spec, old, &["externalTrafficPolicy"]);
    }
}

/// Removes the fields that an update does not change.
fn drop_equal(spec: &mut Map<String, Value>, old: &Map<String, Value>, keys: &[&str]) {
    for key in keys {
        if spec.get(*key) == old.get(*key) {
            spec.remove(*key);
        }
    }
}

/// Copies allocated addresses and ports that an update leaves out. Source: `patchAllocatedValues`.
fn keep_allocated(spec: &mut Map<String, Value>, old: &Map<String, Value>) {
    if needs_address(old) && needs_address(spec) {
        if text(spec, "clusterIP").is_empty() {
            set(spec, "clusterIP", old.get("clusterIP").cloned());
        }
        if !spec.contains_key("clusterIPs") {
            set(spec, "clusterIPs", old.get("clusterIPs").cloned());
        }
    }
    if needs_ports(old) && needs_ports(spec) {
        let known = node_ports(old);
        let mut used: BTreeSet<i64> = node_ports(spec).into_iter().map(|(_, port)| port).collect();
        for port in ports_mut(spec) {
            let name = text(port, "name").to_owned();
            let same =
                known.iter().find(|(other, number)| *other == name && !used.contains(number));
            if let (None, Some((_, number))) = (port.get("nodePort"), same) {
                port.insert("nodePort".to_owned(), (*number).into());
                used.insert(*number);
            }
        }
    }
    if needs_health_check(old)
        && needs_health_check(spec)
        && !spec.contains_key("healthCheckNodePort")
    {
        set(spec, "healthCheckNodePort", old.get("healthCheckNodePort").cloned());
    }
}

/// Makes the list of addresses follow an address that an update has changed alone. Source: `normalizeClusterIPs`.
fn follow_address(spec: &mut Map<String, Value>, old: &Map<String, Value>) {
    let address = text(spec, "clusterIP").to_owned();
    if address == text(old, "clusterIP") {
        if !spec.contains_key("clusterIPs") {
            set(spec, "clusterIPs", old.get("clusterIPs").cloned());
        }
    } else if spec.get("clusterIPs") == old.get("clusterIPs") {
        let addresses = (!address.is_empty()).then(|| json!([address]));
        set(spec, "clusterIPs", addresses);
    }
}

/// Sets IP families, addresses and ports. Source: `initIPFamilyFields`, `allocClusterIPs` and `initNodePorts`.
fn allocate(spec: &mut Map<String, Value>, old: &Map<String, Value>, uid: &str) {
    let seed = hash(uid);
    if needs_address(spec) {
        // Source: `NormalizeClusterIPs`.
        let address = text(spec, "clusterIP").to_owned();
        if !address.is_empty() && !spec.contains_key("clusterIPs") {
            spec.insert("clusterIPs".to_owned(), json!([address]));
        }
        let has_selector =
            spec.get("selector").and_then(Value::as_object).is_some_and(|it| !it.is_empty());
        let is_headless = address == HEADLESS;
        if !spec.contains_key("ipFamilyPolicy") {
            let default =
                if is_headless && !has_selector { "RequireDualStack" } else { "SingleStack" };
            let policy = old.get("ipFamilyPolicy").cloned().unwrap_or_else(|| default.into());
            spec.insert("ipFamilyPolicy".to_owned(), policy);
        }
        if !spec.contains_key("ipFamilies") {
            spec.insert("ipFamilies".to_owned(), families(spec, is_headless && !has_selector));
        }
        if address.is_empty() {
            let offset = seed & ((1 << ADDRESS_BITS) - 1);
            let address = Ipv4Addr::from(FIRST_ADDRESS | offset.max(1)).to_string();
            spec.insert("clusterIPs".to_owned(), json!([address]));
            spec.insert("clusterIP".to_owned(), address.into());
        }
    }
    let mut used: BTreeSet<i64> = node_ports(spec).into_iter().map(|(_, port)| port).collect();
    let mut next = seed % PORT_COUNT;
    // `None` if the service has more ports than there are.
    let mut port = || {
        let mut ports = (0..PORT_COUNT).map(|step| FIRST_PORT + (next + step) % PORT_COUNT);
        let port = ports.find(|port| !used.contains(&i64::from(*port)))?;
        next = port - FIRST_PORT;
        used.insert(port.into());
        Some(port)
    };
    let mut set_port = |map: &mut Map<String, Value>, key: &str| {
        if !map.contains_key(key)
            && let Some(port) = port()
        {
            map.insert(key.to_owned(), port.into());
        }
    };
    if needs_ports(spec) {
        for entry in ports_mut(spec) {
            set_port(entry, "nodePort");
        }
    }
    if needs_health_check(spec) {
        set_port(spec, "healthCheckNodePort");
    }
}

/// Returns the IP families of a service.
fn families(spec: &Map<String, Value>, is_headless_without_selector: bool) -> Value {
    let addresses = spec.get("clusterIPs").and_then(Value::as_array);
    let addresses = addresses.into_iter().flatten().filter_map(Value::as_str);
    let mut families: Vec<&str> = addresses
        .filter(|address| *address != HEADLESS)
        .map(|address| if address.contains(':') { "IPv6" } else { "IPv4" })
        .collect();
    if families.is_empty() {
        families.push("IPv4");
    }
    if is_headless_without_selector
        && families.len() == 1
        && text(spec, "ipFamilyPolicy") != "SingleStack"
    {
        families.push(if families == ["IPv4"] { "IPv6" } else { "IPv4" });
    }
    families.into()
}

/// Returns the name and the node port of each port that has a node port.
fn node_ports(spec: &Map<String, Value>) -> Vec<(String, i64)> {
    let ports = spec.get("ports").and_then(Value::as_array).into_iter().flatten();
    let ports = ports.filter_map(Value::as_object);
    ports
        .filter_map(|port| Some((text(port, "name").to_owned(), port.get("nodePort")?.as_i64()?)))
        .collect()
}

fn ports_mut(spec: &mut Map<String, Value>) -> impl Iterator<Item = &mut Map<String, Value>> {
    let ports = spec.get_mut("ports").and_then(Value::as_array_mut);
    ports.into_iter().flatten().filter_map(Value::as_object_mut)
}

/// Returns a hash that is the same in every run: FNV-1a.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
