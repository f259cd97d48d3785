use crd_runtime::CrdSchema;

#[derive(CrdSchema)]
struct Spec {
    #[crd(list_type = "set", items(max_length = 63, rule("self == oldSelf")))]
    owners: Vec<String>,
}

fn main() {}
