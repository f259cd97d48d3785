//! The minors since which servers support parts of a definition other than rules, as far as the
//! derives check them. `crd_runtime::differences` lists all of them.

/// The first minor that keeps `selectableFields`.
pub const SELECTABLE_FIELDS_SINCE: u32 = 31;

/// The first minor that enforces a format of strings; 0 if all known minors do, or none does.
pub fn format_since(format: &str) -> u32 {
    if matches!(format, "k8s-short-name" | "k8s-long-name") { 35 } else { 0 }
}
