//! What the integration tests and `cargo xtask conformance` share.

pub mod conformance;
pub mod differential;
pub mod oracle;
