use crd_runtime::CrdSchema;

#[derive(CrdSchema)]
pub struct Folder {
    #[crd(recursive)]
    pub folders: Vec<Folder>,
}
