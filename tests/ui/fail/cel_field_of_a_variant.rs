use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(rule("!has(self.source.git) || self.source.git.urls != ''"))]
#[crd(rule("self.source.svn == ''"))]
#[crd(rule("self.sources.all(s, has(s.imag))"))]
struct Spec {
    source: Source,
    sources: Vec<Source>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Source {
    Git { url: String },
    Image(String),
}

fn main() {}
