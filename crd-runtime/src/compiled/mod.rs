//! A schema made ready: an immutable arena of nodes that every verb walks.

mod node;

pub use node::{Additional, CompiledSchema, ListType, MapType, Node, NodeId, SchemaType};
