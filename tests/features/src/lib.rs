//! Unifies the features of common crates; see `Cargo.toml`.
