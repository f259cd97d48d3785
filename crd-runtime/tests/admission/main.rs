//! What the server makes of writes: hand-written vectors, one table for each rule.

mod body;
mod defaulting;
mod list_types;
mod metadata;
mod order;
mod properties;
mod prune;
mod resources;
mod scale;
mod support;
mod update;
