use std::borrow::Cow;
use std::collections::BTreeMap;

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
enum Zone {
    North,
    South,
}

#[derive(CrdSchema, Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct Name(String);

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(rule("self.zones.West > 1"))]
#[crd(rule("self.names.all(n, self.names[n] == 'a')"))]
#[crd(rule("self.texts.all(n, self.texts[n] == 'a')"))]
struct Spec {
    zones: BTreeMap<Zone, i32>,
    names: BTreeMap<Name, i32>,
    texts: BTreeMap<Cow<'static, str>, i32>,
}

fn main() {}
