//! A variant has no default.

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
enum Source {
    #[crd(default = serde_json::json!({}))]
    Git { branch: String },
    File { path: String },
}

fn main() {}
