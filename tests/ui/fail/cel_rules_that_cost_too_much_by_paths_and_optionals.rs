//! What the server's estimate makes of shared paths and of optionals.
use crd_runtime::CrdSchema;

#[derive(CrdSchema)]
struct Item {
    name: String,
    tags: Vec<String>,
}

#[derive(CrdSchema)]
#[crd(
    rule("self.items.all(x, x.tags.exists(t, t == x.name))"),
    rule("self.?note == optional.of('a')"),
    rule("self.?notes.orValue([]).all(x, x != '')"),
    rule("self.labels.app.matches('^[a-z]+$')"),
    rule("self.items.map(x, x.name).isSorted()"),
    rule("self.note == 'a'", unchecked)
)]
struct Spec {
    #[crd(max_items = 10)]
    items: Vec<Item>,
    note: Option<String>,
    notes: Option<Vec<String>>,
    #[crd(max_properties = 3)]
    labels: std::collections::BTreeMap<String, String>,
}

fn main() {}
