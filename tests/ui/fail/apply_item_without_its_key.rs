use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply(keys("name")))]
struct Port {
    name: String,
    port: i32,
}

fn main() {
    let _ = PortApply::new().port(80);
    let _ = PortApply::default();
    let _ = PortApply { port: Some(80) };
}
