//! The kinds of the examples: one line each, as in an operator author's own `xtask`.

use crd_examples::cleaner::Cleaner;
use crd_examples::cluster_profile::ClusterProfile;
use crd_examples::crontab::CronTab;
use crd_examples::host_port::{v1, v1beta1};
use crd_examples::raw::Raw;
use crd_examples::shirt::Shirt;
use crd_runtime::cli::Registry;
use crd_runtime::versions;
use website_operator::versions::Websites;

/// Every kind of the examples.
pub(crate) fn registry() -> Registry {
    Registry::new()
        .out("examples/crds")
        .crd::<CronTab>()
        .crd::<Shirt>()
        .crd::<Cleaner>()
        .crd::<ClusterProfile>()
        .crd::<Raw>()
        .crd_versions::<versions!(v1beta1::Endpoint, v1::Endpoint)>()
        .crd_versions::<Websites>()
        .rbac("examples/operator/deploy/role.yaml", website_operator::recording::permissions)
}
