//! Rules that would cost too much without bounds, or where one of them is narrower than it seems.

use std::collections::BTreeMap;

use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Bounded", namespaced)]
#[crd(rule("self.hosts.all(h, h.contains('a string'))"))]
#[crd(rule("self.ports.all(p, self.ports.exists_one(q, q.name == p.name))"))]
#[crd(rule("self.pair.all(a, self.pair.all(b, a.contains(b)))"))]
struct BoundedSpec {
    #[crd(max_items = 16, items(max_length = 64))]
    hosts: Vec<String>,
    #[crd(max_items = 16)]
    ports: Vec<Port>,
    #[crd(
        max_properties = 16,
        values(max_length = 64),
        rule("self.all(k, self.all(l, self[k] != self[l] || k == l))")
    )]
    labels: BTreeMap<String, String>,
    #[crd(max_items = 16, items(max_items = 16), rule("self.all(row, row.all(n, n > 0))"))]
    matrix: Vec<Vec<i32>>,
    #[crd(items(max_length = 64))]
    pair: [String; 2],
    #[crd(max_items = 8, items(max_length = 16))]
    names: Names,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Port {
    #[crd(max_length = 64)]
    name: String,
    scheme: Scheme,
}

/// The bounds are where it is used.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self.all(n, self.exists_one(m, m == n))"))]
struct Names(Vec<String>);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
enum Scheme {
    Http,
    Https,
}

fn main() {
    let errors = crd_runtime::definition::validate(&Bounded::crd());
    assert!(errors.iter().next().is_none(), "{errors:?}");
}
