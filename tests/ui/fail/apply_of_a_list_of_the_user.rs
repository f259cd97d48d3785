use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

mod own {
    use super::*;

    #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
    #[crd(apply)]
    pub struct Vec<T>(T);
}

mod bare {
    use super::own::Vec;
    use super::*;

    #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
    #[crd(apply)]
    struct Spec {
        list: Vec<i32>,
    }
}

mod with_a_path {
    use super::*;

    #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
    #[crd(apply)]
    struct Spec {
        list: own::Vec<i32>,
    }
}

fn main() {}
