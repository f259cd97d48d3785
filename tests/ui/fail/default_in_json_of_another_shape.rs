//! Defaults as `json!`, with parts that the type does not have.
use crd_runtime::CrdSchema;
use serde_json::json;

#[derive(CrdSchema)]
#[serde(rename_all = "camelCase")]
struct Probe {
    path: String,
    period_seconds: Option<u8>,
    #[crd(default = 1)]
    retries: u8,
    mode: Option<Mode>,
}

#[derive(CrdSchema)]
enum Mode {
    Fast,
    Slow,
}

#[derive(CrdSchema)]
struct Spec {
    #[crd(default = json!({"path": "/", "periodSeconds": 5}))]
    right: Probe,
    #[crd(default = json!({"path": "/", "period": 5}))]
    unknown: Probe,
    #[crd(default = json!({"periodSeconds": 300}))]
    missing: Probe,
    #[crd(default = json!([{"path": 1}, {"path": "/", "mode": "Slower"}]))]
    list: Vec<Probe>,
    #[crd(default = json!("text"))]
    text: Probe,
}

fn main() {}
