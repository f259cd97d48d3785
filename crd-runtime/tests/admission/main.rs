//! The server's answers to writes: hand-written vectors, one table for each rule.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod body;
mod defaulting;
mod list_types;
mod metadata;
mod optional_errors;
mod order;
mod properties;
mod prune;
mod resources;
mod scale;
mod support;
mod update;
