use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
#[crd(rule("self.type != 'git' || self.ur != ''"))]
enum Source {
    Git { url: String, branch: Option<String> },
    Image { name: String },
}

fn main() {}
