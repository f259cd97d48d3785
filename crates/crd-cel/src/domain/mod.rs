//! The data types of Kubernetes' CEL libraries, without CEL: addresses, URLs, quantities, versions, names,
//! and what an authorizer decides. `library` makes them available to expressions.

#[cfg(feature = "eval")]
pub mod authorization;
mod decimal;
pub mod format;
pub mod named_format;
pub mod names;
pub mod netip;
pub mod quantity;
pub mod semver;
pub mod strfmt;
pub mod url;
