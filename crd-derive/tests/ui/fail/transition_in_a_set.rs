use std::collections::BTreeMap;

use crd_runtime::CrdSchema;

#[derive(CrdSchema)]
struct Spec {
    #[crd(list_type = "set", items(map_type = "atomic"))]
    owners: Vec<Owner>,
    by_zone: BTreeMap<String, Option<Vec<Owner>>>,
}

#[derive(CrdSchema)]
#[crd(rule("!oldSelf.hasValue() || self == oldSelf.value()", optional_old_self = true))]
struct Owner {
    name: String,
}

#[derive(CrdSchema)]
enum Owners {
    Two(Owner, Owner),
}

fn main() {}
