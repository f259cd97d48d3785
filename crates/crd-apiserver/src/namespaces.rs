//! Namespaces: those that every server has, and checks of whether objects may be created in one.
//!
//! Source: `pkg/registry/core/namespace` of kubernetes/kubernetes, and the admission plugin `NamespaceLifecycle`.

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Map, Value, json};

use super::core::Core;
use super::failure::{Answer, Failure, GroupResource};
use super::kind::ServedKind;
use super::store::Store;
use super::{builtin, metadata};
use crate::differences::Difference;

/// The resource of namespaces in the store.
pub(super) const RESOURCE: &str = "/namespaces";
/// The entry of `spec.finalizers` that keeps a namespace until it is empty.
pub(super) const FINALIZER: &str = "kubernetes";
/// Namespaces that cannot be deleted. Source: the admission plugin `NamespaceLifecycle`.
const IMMORTAL: [&str; 3] = ["default", "kube-system", "kube-public"];

/// Sets the status, the finalizer and the name label of a new namespace.
/// Source: `namespaceStrategy.PrepareForCreate` and `Canonicalize`.
pub(super) fn prepare(namespace: &mut Map<String, Value>) {
    namespace.insert("status".to_owned(), json!({"phase": "Active"}));
    let spec = namespace.entry("spec").or_insert_with(|| json!({}));
    if let Value::Object(spec) = spec {
        let list = spec.entry("finalizers").or_insert_with(|| json!([]));
        if let Value::Array(list) = list
            && !list.iter().any(|finalizer| finalizer == FINALIZER)
        {
            list.push(FINALIZER.into());
        }
    }
    builtin::label_namespace(namespace);
}

/// Checks that a namespace may be deleted. Source: `NamespaceLifecycle`.
///
/// # Errors
/// Status 403 for `default`, `kube-system` and `kube-public`.
pub(super) fn check_deletion(kind: &ServedKind, name: &str) -> Answer<()> {
    if &*kind.storage == RESOURCE && IMMORTAL.contains(&name) {
        let why = "this namespace may not be deleted";
        return Err(Failure::forbidden(kind.resource(), name, why));
    }
    Ok(())
}

/// Creates the namespaces that every server has.
pub(super) fn make_namespaces(core: &mut Core) {
    for name in ["default", "kube-node-lease", "kube-public", "kube-system"] {
        let mut namespace = json!({
            "apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name},
        });
        if let Value::Object(map) = &mut namespace {
            prepare(map);
        }
        let (now, uid) = (core.clock.text(), core.ids.uid());
        metadata::fill(&mut namespace, &now, &uid);
        core.store.put(RESOURCE, name, namespace, 0);
    }
}

/// Checks that an object may be created (`creates`) or changed in a namespace. Cluster-scoped kinds need none.
///
/// # Errors
/// Status 404 if the namespace does not exist, 403 if the object is to be created and the namespace is being
/// deleted.
pub(super) fn check(
    store: &Store,
    kubernetes: KubernetesVersion,
    kind: &ServedKind,
    namespace: &str,
    object: &Value,
    creates: bool,
) -> Answer<()> {
    let may_change = !creates && Difference::UpdatesInMissingNamespaces.is_in(kubernetes);
    if !kind.namespaced || may_change {
        return Ok(());
    }
    let Some(found) = store.get(RESOURCE, namespace) else {
        return Err(Failure::not_found(GroupResource { group: "", kind: "namespaces" }, namespace));
    };
    if creates
        && found.object().pointer("/status/phase").and_then(Value::as_str) == Some("Terminating")
    {
        // Source: `extractResourceName` of `k8s.io/apiserver/pkg/admission/errors.go`.
        let names = [metadata::text(object, "name"), metadata::text(object, "generateName")];
        let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or("Unknown");
        return Err(Failure::namespace_terminating(kind.resource(), name, namespace));
    }
    Ok(())
}
