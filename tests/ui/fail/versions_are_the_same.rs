use crd_runtime::{CustomResource, versions};
use crd_runtime::versions::Versions;
use serde::{Deserialize, Serialize};

mod old {
    use super::*;

    #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
    #[crd(group = "example.com", version = "v1", kind = "Job", namespaced, storage = false)]
    pub struct JobSpec {}
}

mod new {
    use super::*;

    #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
    #[crd(group = "example.com", version = "v1", kind = "Job", namespaced)]
    pub struct JobSpec {}
}

fn main() {
    let _ = <versions!(old::Job, new::Job)>::merged();
}
