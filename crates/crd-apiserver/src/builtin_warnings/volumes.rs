//! The warnings for overlapping paths in a volume: two equal paths, or a path that contains another.
//!
//! Source: `warningsForOverlappingVirtualPaths` of `pkg/api/pod/warnings.go` in kubernetes/kubernetes.

use crd_cel::gofmt::quote;
use serde_json::Value;

use super::{items, text};

/// A path in a volume, and the source of its file, such as `ConfigMap "a"`. The source is empty unless the volume is
/// projected.
#[derive(Debug, Clone, PartialEq)]
struct File {
    path: String,
    source: String,
}

impl File {
    fn new(path: &str, source: &str) -> Self {
        Self { path: path.trim_end_matches('/').to_owned(), source: source.to_owned() }
    }

    fn quoted(&self) -> String {
        match self.source.as_str() {
            "" => quote(&self.path),
            source => format!("{} ({source})", quote(&self.path)),
        }
    }

    fn overlaps(&self, other: &Self) -> bool {
        let (a, b) = (format!("{}/", self.path), format!("{}/", other.path));
        !self.path.is_empty() && !other.path.is_empty() && (a.starts_with(&b) || b.starts_with(&a))
    }
}

/// Adds the warnings for the volumes of a pod.
pub(super) fn warn_of_overlaps(spec: &Value, warnings: &mut Vec<String>) {
    for volume in items(spec, "volumes") {
        let name = quote(text(volume, "name"));
        let sources =
            [("configMap", "ConfigMap", "name"), ("secret", "Secret", "secretName"), DOWNWARD];
        for (key, what, name_key) in sources {
            let Some(source) = volume.get(key) else { continue };
            let described = describe(what, source, name_key);
            let files = files(source, "");
            warn(&format!("volume {name} ({described})"), &mut Vec::new(), files, warnings);
        }
        let Some(projected) = volume.get("projected") else { continue };
        let mut all = Vec::new();
        let at = format!("volume {name} (Projected)");
        for source in items(projected, "sources") {
            if source.as_object().is_some_and(serde_json::Map::is_empty) {
                warnings.push(format!("{at} has no sources provided"));
                continue;
            }
            warn(&at, &mut all, projected_files(source), warnings);
        }
    }
}

/// A source with fields of the pod: its key, its name in messages, and an empty key because such a source has no name.
const DOWNWARD: (&str, &str, &str) = ("downwardAPI", "DownwardAPI", "");

/// Returns a source with its name: `ConfigMap "a"`.
fn describe(what: &str, source: &Value, name_key: &str) -> String {
    match name_key {
        "" => what.to_owned(),
        key => format!("{what} {}", quote(text(source, key))),
    }
}

/// Returns the paths of the items of a source.
fn files(source: &Value, described: &str) -> Vec<File> {
    items(source, "items").map(|item| File::new(text(item, "path"), described)).collect()
}

/// Returns the paths of a source of a projected volume. Upstream uses only the first source that is set.
fn projected_files(source: &Value) -> Vec<File> {
    let sources = [("configMap", "ConfigMap", "name"), ("secret", "Secret", "name"), DOWNWARD];
    for (key, what, name_key) in sources {
        let with_items = source.get(key).filter(|source| source.get("items").is_some());
        if let Some(source) = with_items {
            return files(source, &describe(what, source, name_key));
        }
    }
    if let Some(token) = source.get("serviceAccountToken") {
        return vec![File::new(text(token, "path"), "ServiceAccountToken")];
    }
    if let Some(bundle) = source.get("clusterTrustBundle") {
        let key = if bundle.get("name").is_some() { "name" } else { "signerName" };
        let described = describe("ClusterTrustBundle", bundle, key);
        return vec![File::new(text(bundle, "path"), &described)];
    }
    let Some(certificate) = source.get("podCertificate") else { return Vec::new() };
    let parts = [
        ("certificateChainPath", "PodCertificate chain"),
        ("keyPath", "PodCertificate key"),
        ("credentialBundlePath", "PodCertificate credential bundle"),
    ];
    let set = parts.into_iter().filter(|(key, _)| !text(certificate, key).is_empty());
    set.map(|(key, what)| File::new(text(certificate, key), what)).collect()
}

/// Warns of each path that overlaps one of `earlier`, and adds the paths to `earlier`.
fn warn(at: &str, earlier: &mut Vec<File>, files: Vec<File>, warnings: &mut Vec<String>) {
    for file in files {
        for other in earlier.iter().filter(|other| file.overlaps(other)) {
            let (file, other) = (file.quoted(), other.quoted());
            warnings.push(format!("{at}: overlapping paths: {file} with {other}"));
        }
        earlier.push(file);
    }
}
