//! A schema made ready: an immutable arena of nodes that every verb walks.
//!
//! [`CompiledSchema::for_version`] is the way in. What a manifest says once is decided once here:
//! names are sorted, patterns compiled, formats looked up.

mod checks;
mod compile;
mod node;
mod properties;
mod prune_defaults;
mod resource;

pub(crate) use checks::{
    ArrayChecks, Checks, FormatCheck, Junctors, Kinds, NumberChecks, NumberFormat, ObjectChecks,
    Pattern, Shortcuts, StringChecks, Types,
};
pub(crate) use compile::{Dialect, is_format_of_type};
pub use node::CompiledSchema;
pub(crate) use node::{Additional, ListType, Node, NodeId, SchemaType};
pub(crate) use properties::{Properties, Property};
pub(crate) use prune_defaults::prune_defaults;
pub use resource::Resource;
