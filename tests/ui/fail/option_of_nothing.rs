use std::collections::BTreeMap;

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

// `Some(())` is `null` in JSON, as `None` is.
#[derive(CrdSchema, Serialize, Deserialize)]
struct Flags {
    a: Option<()>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    b: Option<Box<()>>,
    c: Vec<Option<()>>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Nothing;

type Maybe = Option<Nothing>;

#[derive(CrdSchema, Serialize, Deserialize)]
struct Flagged {
    a: Option<Nothing>,
    b: Maybe,
    c: BTreeMap<String, Option<Nothing>>,
}

// `()` is no list.
#[derive(CrdSchema, Serialize, Deserialize)]
struct Bounded {
    #[crd(min_items = 1)]
    a: (),
}

fn main() {}
