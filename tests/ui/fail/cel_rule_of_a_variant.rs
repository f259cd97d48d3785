use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Workload {
    #[crd(rule("self.retries < '6'"))]
    Job { name: String, retries: i32 },
    Service {
        #[crd(rule("self > 1"))]
        name: String,
        #[crd(items(rule("self.size > 0")))]
        hosts: Vec<String>,
    },
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Target {
    #[crd(rule("self + 1 == ''"))]
    Number(i64),
    Named {
        #[crd(rule("self == 1"))]
        name: String,
    },
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "kind", content = "value")]
enum Amount {
    #[crd(rule("self.matches('[0-9]+')"))]
    Count(i64),
    Share(f64),
}

fn main() {}
