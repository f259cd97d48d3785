//! How fast the workspace is: what its benchmarks and comparisons have in common.
//!
//! - `cargo bench --manifest-path bench/Cargo.toml`: each stage, alone, with what it allocates; and how
//!   the engine grows with its input
//! - `cargo xtask compare`: beside the API server's own code and other crates
//! - `cargo xtask instructions`: instructions of a few cases, against a baseline

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod clock;
pub mod corpus;
pub mod made;
pub mod recorded;
pub mod stats;
