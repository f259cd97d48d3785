//! What Kubernetes' CEL libraries are about, as plain types: addresses, URLs, quantities, versions,
//! names. They know no CEL value; `library` binds them.

mod decimal;
pub mod format;
pub mod named_format;
pub mod names;
pub mod netip;
pub mod quantity;
pub mod semver;
pub mod strfmt;
pub mod url;
