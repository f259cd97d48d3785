//! Converts events between the core group and `events.k8s.io`. Both are stored as one resource, in version `v1`.
//!
//! Source: `pkg/apis/events/v1/conversion.go` of kubernetes/kubernetes.

use serde_json::Value;

/// The `apiVersion` of events in the group `events.k8s.io`.
pub(super) const EVENTS_V1: &str = "events.k8s.io/v1";

/// The names of fields in `v1` and in `events.k8s.io/v1`.
const FIELDS: [(&str, &str); 7] = [
    ("involvedObject", "regarding"),
    ("message", "note"),
    ("source", "deprecatedSource"),
    ("firstTimestamp", "deprecatedFirstTimestamp"),
    ("lastTimestamp", "deprecatedLastTimestamp"),
    ("count", "deprecatedCount"),
    ("reportingComponent", "reportingController"),
];

/// Converts an event to `v1` or `events.k8s.io/v1`, from the other of the two.
pub(super) fn convert(mut event: Value, to: &str) -> Value {
    let Value::Object(map) = &mut event else { return event };
    for (old, new) in FIELDS {
        let (from, into) = if to == EVENTS_V1 { (old, new) } else { (new, old) };
        if let Some(value) = map.remove(from) {
            map.insert(into.to_owned(), value);
        }
    }
    map.insert("apiVersion".to_owned(), to.into());
    event
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn round_trip() {
        let new = json!({"apiVersion": EVENTS_V1, "regarding": {"name": "x"}, "note": "n", "action": "a"});
        let old = convert(new.clone(), "v1");
        assert_eq!(
            old,
            json!({"apiVersion": "v1", "involvedObject": {"name": "x"}, "message": "n", "action": "a"})
        );
        assert_eq!(convert(old, EVENTS_V1), new);
    }
}
