use crd_runtime::CrdSchema;

#[derive(CrdSchema)]
pub struct Port {
    pub name: String,
}

#[derive(CrdSchema)]
pub struct Service {
    #[crd(list_type = "map", list_map_keys("name"), items(min_properties = 1))]
    pub ports: Vec<Port>,
}
