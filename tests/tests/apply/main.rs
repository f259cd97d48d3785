//! Apply configurations: what they write, and what a manager gets back of an object.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod configuration;
mod extract;
mod kinds;
