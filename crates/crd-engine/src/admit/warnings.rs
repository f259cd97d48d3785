//! Warnings about finalizers. They do not cause a rejection.
//!
//! Source: `generateWarningsFromObj` in `pkg/registry/customresource/strategy.go` and
//! `validateKubeFinalizerName` in `validator.go`.

use std::collections::BTreeSet;

use crd_cel::gofmt;
use serde_json::Value;

use crate::differences::Difference;
use crate::field::Sink;
use crate::names;
use crate::object_meta::strings;

/// The finalizers that belong to Kubernetes itself.
const STANDARD_FINALIZERS: [&str; 3] = ["orphan", "foregroundDeletion", "kubernetes"];

/// Adds warnings about finalizers that `old` does not have, sorted by finalizer.
pub(super) fn of_finalizers(object: &Value, old: Option<&Value>, found: &mut Sink) {
    // PERF: most objects have no finalizers.
    if finalizers(Some(object)).next().is_none() {
        return;
    }
    let mut added: BTreeSet<&str> = finalizers(Some(object)).collect();
    for had in finalizers(old) {
        added.remove(had);
    }
    for finalizer in added {
        let start = || format!("metadata.finalizers: {}: ", gofmt::quote(finalizer));
        for message in names::label_key(finalizer, found.kubernetes()) {
            found.warning(|| start() + &message);
        }
        if !finalizer.contains('/') && !STANDARD_FINALIZERS.contains(&finalizer) {
            let wants_path =
                finalizer.contains('.') && found.server_has(Difference::FinalizersWithPaths);
            let path = if wants_path { "including a path (/) " } else { "" };
            found.warning(|| {
                format!(
                    "{}prefer a domain-qualified finalizer name {path}to avoid accidental conflicts \
                     with other finalizer writers",
                    start()
                )
            });
        }
    }
}

fn finalizers(object: Option<&Value>) -> impl Iterator<Item = &str> {
    object
        .and_then(|object| object.get("metadata")?.as_object())
        .into_iter()
        .flat_map(|metadata| strings(metadata, "finalizers"))
}
