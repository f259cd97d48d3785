use crd_runtime::CrdSchema;

#[derive(CrdSchema)]
pub struct Page<T> {
    #[crd(max_items = 10, rule("size(self) > 0"))]
    pub items: Vec<T>,
}
