use crd_runtime::CrdSchema;

#[derive(CrdSchema)]
#[crd(rule("self.items.size() <= self.limits && self.items.all(i, i.anything)"))]
struct Page<T> {
    items: Vec<T>,
    limit: i64,
}

fn main() {}
