use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CrdSchema, Serialize, Deserialize)]
enum Mode {
    On,
    Off,
}

type Maybe = Option<Mode>;

#[derive(CrdSchema, Serialize, Deserialize)]
struct Pair(Option<Mode>, Option<Mode>);

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    list: Vec<Option<Mode>>,
    map: BTreeMap<String, Option<Mode>>,
    tuple: (Option<Mode>, Option<Mode>),
    alias: Vec<Maybe>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Texts {
    #[crd(items(enum_values("a", "b")))]
    texts: Vec<Option<String>>,
}

fn main() {}
