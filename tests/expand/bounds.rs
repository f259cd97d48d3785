use crd_runtime::CrdSchema;

#[derive(CrdSchema)]
pub struct Replicas {
    /// How many.
    #[crd(minimum = 1, maximum = 10, default = 1)]
    pub count: i32,
    #[crd(max_length = 63, pattern = "^[a-z]+$")]
    pub name: Option<String>,
}
