//! Compares enumerations and tags with strings that are none of their values.
use crd_runtime::CrdSchema;

#[derive(CrdSchema)]
enum Mode {
    Fast,
    Slow,
}

#[derive(CrdSchema)]
#[serde(tag = "type")]
enum Store {
    Disk { path: String },
    Memory,
}

#[derive(CrdSchema)]
#[serde(tag = "kind", content = "with")]
enum Source {
    Url(String),
    Inline,
}

#[derive(CrdSchema)]
#[crd(
    rule("self.store.type == 'disk' || self.source.kind == 'Inline'"),
    rule("self.source.kind != 'File'"),
    rule("self.mode in ['Fast', 'slow']"),
    rule("'fast' in self.modes"),
    rule("self.modes.exists(mode, mode == 'Slowly')"),
    rule("self.mode == 'Never'", unchecked),
    rule("self.store.type in ['Disk', 'Memory']")
)]
struct Spec {
    store: Store,
    source: Source,
    mode: Mode,
    #[crd(max_items = 10)]
    modes: Vec<Mode>,
}

fn main() {}
