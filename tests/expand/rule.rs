use crd_runtime::CrdSchema;

#[derive(CrdSchema)]
#[crd(rule("self.least <= self.most", message = "wrong order", field_path = ".least"))]
pub struct Range {
    pub least: i32,
    pub most: i32,
}
