//! The server accepts every path that rustc accepts.

use crd_runtime::definition;

#[path = "../../ui/pass/paths.rs"]
#[allow(
    dead_code,
    clippy::duplicated_attributes,
    clippy::module_inception,
    clippy::struct_field_names,
    clippy::unwrap_used,
    reason = "a program of its own, with many columns"
)]
mod paths;

#[test]
fn every_path_that_rustc_accepts_is_valid() {
    let errors = definition::validate(&paths::definition());
    assert!(errors.is_empty(), "{errors}");
}
