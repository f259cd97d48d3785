//! What Kubernetes' CEL libraries are about, as plain types: addresses, URLs, quantities, versions,
//! names. They know no CEL value; `library` binds them.

pub mod netip;
pub mod url;
