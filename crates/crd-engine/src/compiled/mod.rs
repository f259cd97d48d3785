//! Compiled schemas: an immutable arena of nodes that pruning, defaulting and validation walk.
//!
//! [`CompiledSchema::for_version`] compiles one version of a CRD: it sorts names, compiles patterns and looks up
//! formats, so that this is done once for all objects.

mod checks;
mod compile;
mod node;
mod properties;
mod resource;

pub(crate) use checks::{
    ArrayChecks, Checks, Enumeration, EnumerationTexts, FormatCheck, JsonTypes, Junctors,
    NumberChecks, NumberFormat, ObjectChecks, Pattern, Shortcuts, StringChecks, Types,
};
pub use compile::{Dialect, is_format_of_type};
pub use node::CompiledSchema;
pub use node::{Additional, ListType, Node, NodeId, SchemaType};
pub(crate) use properties::{Properties, Property};
pub use resource::Resource;
