use crd_runtime::CrdSchema;

#[derive(CrdSchema)]
struct Limits {
    cpu: u32,
    memory: String,
}

#[derive(CrdSchema)]
#[crd(rule("self.memroy != ''"))]
struct Spec {
    name: String,
    #[serde(flatten)]
    limits: Limits,
}

fn main() {}
