#[path = "../../cache.rs"]
mod cache;

use crd_runtime::CustomResource as _;
use crd_runtime::definition;
pub use cache::*;

/// Returns whether the definition is valid.
pub fn is_valid() -> bool {
    definition::validate(&Cache::crd()).into_result().is_ok()
}
