use crd_runtime::CrdSchema;

#[derive(CrdSchema)]
pub struct Status {
    #[crd(print_column(name = "Phase", priority = 1), selectable)]
    pub phase: String,
}
