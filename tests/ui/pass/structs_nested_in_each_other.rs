//! Structs nested in each other: with a constant of the fields that is used at run time, rustc takes twice as long for each
//! level, and fails at the twentieth.

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

macro_rules! nested {
    ($outer:ident $inner:ident $($rest:ident)*) => {
        #[derive(CrdSchema, Serialize, Deserialize)]
        struct $outer {
            inner: $inner,
            name: String,
        }

        nested!($inner $($rest)*);
    };
    ($last:ident) => {
        #[derive(CrdSchema, Serialize, Deserialize)]
        struct $last {
            name: String,
        }
    };
}

nested!(
    L00 L01 L02 L03 L04 L05 L06 L07 L08 L09
    L10 L11 L12 L13 L14 L15 L16 L17 L18 L19
    L20 L21 L22 L23 L24 L25 L26 L27 L28 L29
);

fn main() {
    let schema = serde_json::to_string(&L00::schema()).unwrap();
    assert_eq!(schema.matches("\"inner\":").count(), 29);
}
