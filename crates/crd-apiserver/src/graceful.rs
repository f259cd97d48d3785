//! The grace period of pods that are being deleted.
//!
//! Source: `BeforeDelete` of `k8s.io/apiserver/pkg/registry/rest/delete.go`, and `podStrategy.CheckGracefulDelete` of
//! `pkg/registry/core/pod/strategy.go`.

use std::time::Duration;

use serde_json::Value;

use super::kind::ServedKind;
use super::metadata;
use super::query::DeleteOptions;
use super::source::Clock;
use crate::go_types::time::Time;

/// The grace period of a pod without `terminationGracePeriodSeconds`, in seconds.
/// Source: `DefaultTerminationGracePeriodSeconds`.
const POD_GRACE_SECONDS: i64 = 30;

/// The grace period of a deletion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grace {
    /// The object has none.
    None,
    /// An earlier request has begun it, and this one changes nothing.
    Pending,
    /// The object is marked with a period of this many seconds. With 0 seconds, it is then removed.
    Seconds(i64),
}

/// Begins or shortens the grace period of a pod, and marks the pod with it.
pub(super) fn begin(
    kind: &ServedKind,
    object: &mut Value,
    options: &DeleteOptions,
    clock: &Clock,
) -> Grace {
    if &*kind.storage != "/pods" {
        return Grace::None;
    }
    if metadata::is_deleting(object) {
        return shorten(object, options, clock);
    }
    let text = |at: &str| object.pointer(at).and_then(Value::as_str).unwrap_or_default();
    let is_done = matches!(text("/status/phase"), "Failed" | "Succeeded");
    let own = object.pointer("/spec/terminationGracePeriodSeconds").and_then(Value::as_i64);
    let wanted = options.grace_seconds.or(own).unwrap_or(POD_GRACE_SECONDS);
    let is_unbound = text("/spec/nodeName").is_empty();
    let grace = if is_unbound || is_done { 0 } else { not_negative(wanted) };
    let at = clock.now() + Duration::from_secs(u64::try_from(grace).unwrap_or_default());
    mark(object, &Clock(at).text(), grace);
    let metadata = metadata::of_mut(object);
    if let Some(generation) = metadata.get("generation").and_then(Value::as_i64) {
        metadata.insert("generation".to_owned(), (generation + 1).into());
    }
    Grace::Seconds(grace)
}

/// Shortens the grace period of a pod that is being deleted, if the options have a shorter one.
fn shorten(pod: &mut Value, options: &DeleteOptions, clock: &Clock) -> Grace {
    let had = pod.pointer("/metadata/deletionGracePeriodSeconds").and_then(Value::as_i64);
    let had = had.map_or(0, not_negative);
    if had == 0 {
        return Grace::None;
    }
    let wanted = options.grace_seconds.map(not_negative);
    let Some(wanted) = wanted.filter(|wanted| *wanted < had) else { return Grace::Pending };
    let seconds = |text: &str| Some(Time::parse(text).ok()?.unix_nanos() / 1_000_000_000);
    let now = clock.text();
    let until = seconds(metadata::text(pod, "deletionTimestamp"))
        .map_or(0, |until| until - i128::from(had) + i128::from(wanted));
    if until < seconds(&now).unwrap_or_default() {
        // The whole period has passed, but only a request with a period of 0 removes the pod.
        mark(pod, &now, wanted.min(1));
    } else {
        let at = Time::from_unix(i64::try_from(until).unwrap_or_default()).to_rfc3339();
        mark(pod, &at, wanted);
    }
    Grace::Seconds(wanted)
}

/// A negative period counts as a second.
fn not_negative(seconds: i64) -> i64 {
    if seconds < 0 { 1 } else { seconds }
}

fn mark(pod: &mut Value, at: &str, grace: i64) {
    let metadata = metadata::of_mut(pod);
    metadata.insert("deletionTimestamp".to_owned(), at.into());
    metadata.insert("deletionGracePeriodSeconds".to_owned(), grace.into());
}
