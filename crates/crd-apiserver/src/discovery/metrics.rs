//! `/metrics`: the number of stored objects of each resource. Requests are not measured.
//!
//! Source: `pkg/storage/etcd3/metrics/metrics.go` of k8s.io/apiserver.

use std::fmt::Write as _;

use super::super::core::Core;
use super::super::reply::Reply;

/// Returns the metrics in the text format of Prometheus.
pub(super) fn metrics(core: &Core) -> Reply {
    let mut text = "# HELP apiserver_storage_objects [STABLE] Number of stored objects at the time of last check split \
                    by kind. In case of a fetching error, the value will be -1.\n\
                    # TYPE apiserver_storage_objects gauge\n"
        .to_owned();
    for (resource, objects) in core.store.resources() {
        let (group, plural) = resource.split_once('/').unwrap_or(("", resource));
        let dot = if group.is_empty() { "" } else { "." };
        let count = objects.len();
        let _ = writeln!(
            text,
            "apiserver_storage_objects{{resource=\"{plural}{dot}{group}\"}} {count}"
        );
    }
    Reply::Document {
        media_type: "text/plain; version=0.0.4; charset=utf-8; escaping=underscores",
        body: text.into_bytes(),
        etag: None,
    }
}
