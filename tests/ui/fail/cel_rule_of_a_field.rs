use crd_runtime::CrdSchema;

#[derive(CrdSchema)]
struct Spec {
    #[crd(rule("self.all(h, h.size() > '3')"))]
    hosts: Vec<String>,
}

fn main() {}
