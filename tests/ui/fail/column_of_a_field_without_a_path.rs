use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Source {
    Git {
        #[crd(print_column, selectable)]
        url: String,
    },
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Name(#[crd(print_column)] String);

#[derive(CrdSchema, Serialize, Deserialize)]
struct Range(#[crd(selectable)] i32, i32);

fn main() {}
