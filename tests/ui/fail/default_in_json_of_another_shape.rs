//! Defaults as `json!`, with parts that the type does not have.
use crd_runtime::CrdSchema;

#[derive(CrdSchema)]
#[serde(rename_all = "camelCase")]
struct Probe {
    path: String,
    period_seconds: Option<u8>,
    #[crd(default = 1)]
    retries: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<Mode>,
}

#[derive(CrdSchema)]
enum Mode {
    Fast,
    Slow,
}

#[derive(CrdSchema)]
struct Spec {
    #[crd(default = serde_json::json!({"path": "/", "periodSeconds": 5}))]
    right: Probe,
    #[crd(default = serde_json::json!({"path": "/", "period": 5}))]
    unknown: Probe,
    #[crd(default = serde_json::json!({"periodSeconds": 300}))]
    missing: Probe,
    #[crd(default = serde_json::json!([{"path": 1}, {"path": "/", "mode": "Slower"}]))]
    list: Vec<Probe>,
    #[crd(default = serde_json::json!("text"))]
    text: Probe,
}

fn main() {}
