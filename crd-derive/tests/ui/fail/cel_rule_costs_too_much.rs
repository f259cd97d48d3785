use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(rule("self.hosts.all(h, h.contains('a string'))"))]
#[crd(rule("self.ports.all(p, self.ports.exists_one(q, q.name == p.name))"))]
struct Spec {
    hosts: Vec<String>,
    #[crd(max_items = 10000, rule("self.all(p, self.filter(q, q.port > 0).size() > 1)"))]
    ports: Vec<Port>,
    #[crd(rule("self.all(row, row.all(n, n > 0))"))]
    matrix: Vec<Vec<i32>>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Port {
    name: String,
    port: u16,
}

fn main() {}
