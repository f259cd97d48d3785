use crd_runtime::CrdSchema;

#[derive(CrdSchema)]
struct Spec {
    ports: Vec<Port>,
    #[crd(list_type = "map", list_map_keys("name"))]
    paired: Vec<Port>,
}

#[derive(CrdSchema)]
struct Port {
    name: String,
    #[crd(rule("self >= oldSelf"))]
    port: u16,
}

fn main() {}
