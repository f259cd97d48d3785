//! Structs nested in each other. rustc evaluates the tables of the types in a type while it evaluates that of the type,
//! and gives up after 128 evaluations within each other. If the tables were constants and not statics, it would walk them
//! anew for each way that leads to them, so that each level would double the time.

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
    L30 L31 L32 L33 L34 L35 L36 L37 L38 L39
    L40 L41 L42 L43 L44 L45 L46 L47 L48 L49
    L50 L51 L52 L53 L54 L55 L56 L57 L58 L59
    L60 L61 L62 L63 L64 L65 L66 L67 L68 L69
);

fn main() {
    let schema = serde_json::to_string(&L00::schema()).unwrap();
    assert_eq!(schema.matches("\"inner\":").count(), 69);
}
