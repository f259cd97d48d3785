//! The typed client against a server in the same process, and against connections that fail.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod apply;
mod calls;
mod connections;
mod controller;
mod double;
mod faults;
mod guide;
mod install;
mod keep;
mod preflight;
mod select;
