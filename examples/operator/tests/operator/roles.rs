//! The role in the manifest allows exactly what the operator needs.

use crd_runtime::rbac::Permissions;
use website_operator::recording;

#[test]
fn the_role_allows_what_is_needed_and_no_more() {
    let needed = recording::permissions().expect("a run");
    let granted = Permissions::from_yaml(include_str!("../../deploy/role.yaml")).expect("a role");
    let comparison = needed.compare(&granted);
    assert!(comparison.is_exact(), "{comparison}run `cargo xtask rbac`");
}
