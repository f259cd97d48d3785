use crd_runtime::CrdSchema;

#[derive(CrdSchema)]
struct Spec {
    #[crd(items(format = "duration", rule("self > 1")))]
    waits: Vec<String>,
}

fn main() {}
