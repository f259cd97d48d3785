use crd_runtime::CrdSchema;

#[derive(CrdSchema)]
pub struct Volume {
    #[crd(immutable)]
    pub class: String,
}
