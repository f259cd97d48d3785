//! Columns of endpoints. Source: `printEndpoints`, `printEndpointSlice`.

use serde_json::Value;

use super::{AGE, Column, Field, NAME, STRING, list, of, str_at, text_of};

/// How many addresses or ports are shown.
const SHOWN: usize = 3;

pub(super) const ENDPOINTS: &[Column] = &[
    NAME,
    of("Endpoints", STRING, Field("/subsets"), |it| {
        let subsets = list(it, "/subsets");
        if subsets.is_empty() {
            return "<none>".into();
        }
        let all: Vec<String> = subsets.iter().flat_map(addresses).collect();
        shown(&all).into()
    }),
    AGE,
];

pub(super) const SLICE: &[Column] = &[
    NAME,
    text_of("AddressType", "/addressType"),
    of("Ports", STRING, Field("/ports"), |it| {
        let port = |port: &Value| match (&port["port"], &port["name"]) {
            (Value::Number(number), _) => number.to_string(),
            (_, Value::String(name)) => name.clone(),
            _ => "*".to_owned(),
        };
        shown_or_unset(&list(it, "/ports").iter().map(port).collect::<Vec<_>>())
    }),
    of("Endpoints", STRING, Field("/endpoints"), |it| {
        let endpoints = list(it, "/endpoints").iter();
        let addresses = endpoints.flat_map(|endpoint| list(endpoint, "/addresses"));
        let addresses = addresses.map(|it| it.as_str().unwrap_or_default().to_owned());
        shown_or_unset(&addresses.collect::<Vec<_>>())
    }),
    AGE,
];

/// Returns the addresses of a subset, once with each of its ports.
fn addresses(subset: &Value) -> Vec<String> {
    let ips = || list(subset, "/addresses").iter().map(|it| str_at(it, "/ip"));
    let ports = list(subset, "/ports");
    if ports.is_empty() {
        return ips().map(str::to_owned).collect();
    }
    // Source: `JoinHostPort` of Go's `net`.
    let joined = |ip: &str, port: &Value| {
        let number = port["port"].as_i64().unwrap_or_default();
        if ip.contains(':') { format!("[{ip}]:{number}") } else { format!("{ip}:{number}") }
    };
    ports.iter().flat_map(|port| ips().map(move |ip| joined(ip, port))).collect()
}

/// Returns the first texts, and how many more there are.
fn shown(all: &[String]) -> String {
    let first = all[..all.len().min(SHOWN)].join(",");
    match all.len().saturating_sub(SHOWN) {
        0 => first,
        more => format!("{first} + {more} more..."),
    }
}

/// Source: `listWithMoreString`.
fn shown_or_unset(all: &[String]) -> Value {
    if all.iter().all(String::is_empty) { "<unset>".into() } else { shown(all).into() }
}
