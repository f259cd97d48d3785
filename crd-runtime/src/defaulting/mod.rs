//! Defaults, and the nulls that give way to them.

mod apply;
mod prune_nulls;

pub use apply::apply_defaults;
pub use prune_nulls::prune_nulls;
