//! The kinds of the examples: one line each, as in an operator author's own `xtask`.

use std::env;
use std::path::{Path, PathBuf};

use crd_examples::cleaner::Cleaner;
use crd_examples::cluster_profile::ClusterProfile;
use crd_examples::crontab::CronTab;
use crd_examples::host_port::{v1, v1beta1};
use crd_examples::raw::Raw;
use crd_examples::shirt::Shirt;
use crd_runtime::cli::Registry;

/// Every kind of the examples.
pub(crate) fn registry() -> Registry {
    Registry::new()
        .out(out())
        .crd::<CronTab>()
        .crd::<Shirt>()
        .crd::<Cleaner>()
        .crd::<ClusterProfile>()
        .crd::<Raw>()
        .crd_versions::<(v1beta1::Endpoint, v1::Endpoint)>()
}

/// `examples/crds` of this workspace, named as short as the current directory allows.
fn out() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    let here = env::current_dir().is_ok_and(|dir| dir == root);
    if here { PathBuf::from("examples/crds") } else { root.join("examples/crds") }
}
