//! Apply configurations: their JSON, and the configuration that a manager extracts from an object.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod configuration;
mod extract;
mod kinds;
