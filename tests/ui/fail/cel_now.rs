use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(format = "date-time")]
    #[crd(rule("timestamp(self) < now()"))]
    until: String,
    #[crd(rule("self.all(now, now > 0)"))]
    #[crd(max_items = 3)]
    times: Vec<i32>,
}

fn main() {}
