use crd_runtime::{CustomResource, versions};
use crd_runtime::versions::Versions;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
    #[crd(group = "example.com", version = "v1beta1", kind = "Job", namespaced, storage = false)]
    pub struct JobSpec {}
}

mod v1 {
    use super::*;

    #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
    #[crd(group = "example.com", version = "v1", kind = "Job", namespaced, storage = false)]
    pub struct JobSpec {}
}

fn main() {
    let _ = <versions!(v1beta1::Job, v1::Job)>::merged();
}
