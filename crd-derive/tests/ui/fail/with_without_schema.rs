use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

mod hex {
    pub fn serialize<S: serde::Serializer>(_: &[u8], s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str("")
    }
    pub fn deserialize<'de, D: serde::Deserializer<'de>>(_: D) -> Result<Vec<u8>, D::Error> {
        Ok(Vec::new())
    }
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[serde(with = "hex")]
    a: Vec<u8>,
}

fn main() {}
