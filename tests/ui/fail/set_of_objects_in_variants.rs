use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

// The schema of the enum is that of an object.
#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(list_type = "set")]
    places: Vec<Place>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Place {
    Zone { zone: String },
    Host { host: String },
}

fn main() {}
