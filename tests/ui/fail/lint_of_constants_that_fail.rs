use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(
    rule("ip(self.from) == ip('300.0.0.1')"),
    rule("cidr('10.0.0.0').containsIP(self.from)"),
    rule("quantity(self.size) < quantity('5 GB')"),
    rule("semver(self.version).isGreaterThan(semver('1.0'))"),
    rule("url('example.com').getHost() == self.from"),
    rule("self.count / 0 == 1")
)]
struct Spec {
    from: String,
    size: String,
    version: String,
    count: i32,
}

fn main() {}
