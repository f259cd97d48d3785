use std::collections::BTreeMap;

use crd_runtime::CrdSchema;

#[derive(CrdSchema)]
struct Spec {
    #[crd(values(rule("self.startsWith('a')")))]
    counts: BTreeMap<String, i64>,
}

fn main() {}
