//! Bases of kustomize.
//!
//! The conversion of a definition is a patch of its own, as kubebuilder has it: overlays leave it out or replace it.

use serde_json::{Map, Value, json};

use super::{Manifest, Subject, document};
use crate::yaml;

/// The file that lists the others.
pub(super) const FILE: &str = "kustomization.yaml";
/// The directory of the patches.
const PATCHES: &str = "conversion/";
/// The annotation by which cert-manager sets the CA of a webhook.
pub(super) const INJECT: &str = "cert-manager.io/inject-ca-from";

/// Returns the files of a manifest.
pub(super) fn files(subject: Subject, manifest: &Manifest, name: &str) -> Vec<(String, String)> {
    let mut base = manifest.clone();
    let patches: Vec<Value> = base.objects.iter_mut().filter_map(split).collect();
    let mut files = vec![(name.to_owned(), document(subject, &base))];
    let texts = patches.iter().map(yaml::to_string);
    files.extend(texts.map(|text| (format!("{PATCHES}{name}"), text)));
    files
}

/// Takes the conversion by a webhook out of a definition, and returns the patch that puts it back.
fn split(object: &mut Value) -> Option<Value> {
    let is_converted = object.pointer("/spec/conversion/webhook").is_some();
    if !is_converted {
        return None;
    }
    let mut metadata = Map::new();
    metadata.insert("name".to_owned(), object.pointer("/metadata/name")?.clone());
    if let Some(annotations) = object.pointer_mut("/metadata/annotations")
        && let Some(annotations) = annotations.as_object_mut()
        && let Some(from) = annotations.remove(INJECT)
    {
        metadata.insert("annotations".to_owned(), json!({INJECT: from}));
        if annotations.is_empty() {
            object.get_mut("metadata")?.as_object_mut()?.remove("annotations");
        }
    }
    let conversion = object.get_mut("spec")?.as_object_mut()?.remove("conversion")?;
    Some(json!({
        "apiVersion": object.get("apiVersion"), "kind": object.get("kind"),
        "metadata": metadata, "spec": {"conversion": conversion},
    }))
}

/// Returns the text of [`FILE`].
pub(super) fn index<'p>(paths: impl Iterator<Item = &'p String>) -> String {
    let (patches, resources): (Vec<&String>, Vec<&String>) =
        paths.partition(|path| path.starts_with(PATCHES));
    let patches: Vec<Value> = patches.into_iter().map(|path| json!({"path": path})).collect();
    let mut index = json!({
        "apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization", "resources": resources,
    });
    if !patches.is_empty() {
        index["patches"] = patches.into();
    }
    yaml::to_string(&index)
}
