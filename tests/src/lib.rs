//! What the integration tests and `cargo xtask conformance` share.

pub mod agreement;
pub mod apiserver;
pub mod conformance;
pub mod differential;
pub mod go;
pub mod oracle;
pub mod outcomes;
pub mod rustc;
pub mod shown;
pub mod tls;
pub mod zoo;
