//! What comprehensions of two variables expand to.
//!
//! Source: cel-go `ext/comprehensions.go`.

use super::{A, B, Declarations};
use crate::types::Type;

/// Declares the library's functions and types.
pub(crate) fn declare(d: &mut Declarations) {
    let map_ab = Type::map(A, B);
    d.function(
        "cel.@mapInsert",
        "@mapInsert_map_key_value",
        [map_ab.clone(), A, B],
        map_ab.clone(),
    );
    d.function("cel.@mapInsert", "@mapInsert_map_map", [map_ab.clone(), map_ab.clone()], map_ab);
}
