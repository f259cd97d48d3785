//! What the derives generate: definitions, laws of derived types, and rules that rustc accepts.

pub mod agreement;
pub mod definitions;
pub mod kinds_are_tested;
pub mod laws;
pub mod migration;
pub mod paths;
pub mod rules_over_all_libraries;
pub mod rust_types;
pub mod selectors;
pub mod shared_fields;
