//! Code that the benchmarks and comparisons of the workspace share.
//!
//! - `cargo bench --manifest-path bench/Cargo.toml`: the time and the allocations of each stage, and
//!   how they grow with the input
//! - `cargo dev compare`: ratios to the API server's own code and other crates
//! - `cargo dev instructions`: instructions of a few cases, compared with a baseline, and how they grow with the
//!   input

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod clock;
pub mod corpus;
pub mod made;
pub mod recorded;
pub mod series;
pub mod stats;
