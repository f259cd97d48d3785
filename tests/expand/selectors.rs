use crd_runtime::CrdSchema;

#[derive(CrdSchema)]
pub enum Color {
    Blue,
    Red,
}

#[derive(CrdSchema)]
pub struct Paint {
    #[crd(selectable)]
    pub color: Color,
}
