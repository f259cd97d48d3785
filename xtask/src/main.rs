//! Writes and checks the manifests of the examples, as the `xtask` of an operator author does: `cargo xtask crds`.
//!
//! `cargo rbac` writes the roles of the example operator. The chores of this workspace are another program,
//! `cargo dev`.

use std::process::ExitCode;

use crd_cli::Registry;
use crd_examples::cleaner::Cleaner;
use crd_examples::cluster_profile::ClusterProfile;
use crd_examples::crontab::CronTab;
use crd_examples::host_port::{v1, v1beta1};
use crd_examples::raw::Raw;
use crd_examples::shirt::Shirt;
use crd_runtime::versions;
use website_operator::versions::Websites;

fn main() -> ExitCode {
    let registry = Registry::new()
        .out("examples/crds")
        .crd::<CronTab>()
        .crd::<Shirt>()
        .crd::<Cleaner>()
        .crd::<ClusterProfile>()
        .crd::<Raw>()
        .crd_versions::<versions!(v1beta1::Endpoint, v1::Endpoint)>()
        .crd_versions::<Websites>();
    #[cfg(feature = "rbac")]
    let registry = registry
        .rbac("examples/operator/deploy/role.yaml", website_operator::recording::permissions);
    registry.run()
}
