//! The estimates of several minors of Kubernetes.

use super::checker::cost_on;
use super::fuel::Fuel;
use super::message::Text;
use super::rule::Rule;
use crate::kubernetes::KubernetesVersion;

/// The highest estimate of an expression's cost by servers from `oldest` on, and the minor with that estimate.
///
/// Only the estimates of the oldest and the newest minor are compared, because nearly every change between minors makes
/// estimates lower.
pub(super) const fn highest_cost(
    rule: &Rule,
    path: &[&str],
    oldest: u32,
    fuel: &mut Fuel,
) -> (u64, u32) {
    let newest = KubernetesVersion::NEWEST.minor();
    let first = cost_on(rule, path, oldest, fuel, None);
    let last = cost_on(rule, path, newest, fuel, None);
    if last > first { (last, newest) } else { (first, oldest) }
}

/// Adds the note that names the minor of an estimate.
pub(super) const fn push_minor(text: &mut Text, minor: u32) {
    text.push("\nnote: that is the estimate of Kubernetes 1.");
    text.push_number(minor as u64);
}
