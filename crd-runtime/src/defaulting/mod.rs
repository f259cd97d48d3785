//! Defaults.

mod apply;

pub use apply::apply_defaults;
