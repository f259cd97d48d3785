use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
pub struct Common {
    pub name: String,
}

#[derive(CrdSchema, Serialize, Deserialize)]
pub struct Job {
    pub image: String,
    #[serde(flatten)]
    pub common: Common,
}
